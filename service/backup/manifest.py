"""The manifest of a backup: a small file, written last, that names all other files with their checksums.

A backup can name files of earlier ones, since what a log had then it has for ever. So each backup is whole by its
manifest, and a file can go as soon as no manifest names it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

import orjson

from service.backup.parts import ENDING as PART_ENDING
from service.backup.parts import BackupError, Folder, Part
from service.version import VERSION

FORMAT = "plateau-backup/1"
WITH_ARCHIVE = "plateau-backup/2"
"""The format of a backup of a store with archived games, which earlier releases would restore without these."""
ENDING = ".manifest.json"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup is: of which ``store``, and from when.

    Everything acknowledged before ``as_of`` (RFC 3339, by the clock of the store) is in it. ``damaged`` has the reason
    for each game whose log was damaged already.
    """

    name: str
    store: str
    as_of: str
    games: int
    events: int
    players: int
    rulesets: Sequence[str]
    damaged: Mapping[str, str]
    parts: Sequence[Part]

    def of_kind(self, kind: str) -> list[Part]:
        """List the parts of a kind, in the order in which to read them."""
        return [part for part in self.parts if part.kind == kind]


def manifests(folder: Folder) -> list[str]:
    """List the backups in a folder by name, the oldest first."""
    return [name.removesuffix(ENDING) for name in folder.names(ENDING)]


def write(folder: Folder, manifest: Manifest) -> None:
    """Write a manifest; with it, the backup exists."""
    form = WITH_ARCHIVE if any(part.lines for part in manifest.of_kind("archived")) else FORMAT
    said = {"format": form, "release": VERSION, **asdict(manifest)}
    with folder.writing(manifest.name + ENDING) as file:
        file.write(orjson.dumps({**said, "checksum": _checksum(said)}, option=orjson.OPT_INDENT_2) + b"\n")


def read(folder: Folder, name: str) -> Manifest:
    """Read a manifest; raise ``BackupError`` if it is missing, damaged, or of a later format."""
    where = folder.path / (name + ENDING)
    try:
        with folder.read(name + ENDING) as file:
            said: dict[str, Any] = orjson.loads(file.read())
        checksum, form, release = said.pop("checksum"), said["format"], said["release"]
    except (ValueError, LookupError, AttributeError, TypeError) as error:
        raise BackupError(f"{where} is damaged: {error}") from error
    if checksum != _checksum(said):
        raise BackupError(f"{where} was changed: its checksum is not the one written")
    if form not in (FORMAT, WITH_ARCHIVE):
        known = f"{FORMAT} and {WITH_ARCHIVE}"
        raise BackupError(f"{where} has the format {form}, of release {release}; this release reads {known}")
    rest = {field: value for field, value in said.items() if field not in {"format", "release", "parts"}}
    return Manifest(**rest, parts=[Part(**part) for part in said["parts"]])


def prune(folder: Folder, keep: int) -> list[str]:
    """Remove all but the newest backups, so many, and the files that no other one needs; return their names."""
    names = manifests(folder)
    kept, doomed = names[-keep:], names[:-keep]
    needed = {part.name for name in kept for part in read(folder, name).parts}
    for name in doomed:
        folder.remove(name + ENDING)
    for name in set(folder.names(PART_ENDING)) - needed:
        folder.remove(name)
    return doomed


def _checksum(said: Mapping[str, Any]) -> str:
    return sha256(orjson.dumps(said, option=orjson.OPT_SORT_KEYS)).hexdigest()
