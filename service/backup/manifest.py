"""The manifest of a backup: a small file, written last, that names all other files with their checksums.

The service signs it with the key that signs receipts. Only a backup that is signed with a trusted key is read: a
restoration believes what it reads, tokens of administrators included.

A backup can name files of earlier ones, since what a log had then it has for ever. So each backup is whole by its
manifest, and a file can go as soon as no manifest names it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import orjson

from service.backup.parts import ENDING as PART_ENDING
from service.backup.parts import BackupError, Folder, Part
from service.common.version import VERSION
from service.transparency.key_ring import KeyRing
from service.transparency.signatures import is_signed

FORMAT = "plateau-backup/1"
ENDING = ".manifest.json"
_PURPOSE = "backup"
_MOST_BYTES = 2**26
"""The size of the largest manifest that is read: one of some 250,000 parts."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup is: of which ``store``, from when, and with which ``public_key`` (64 hex digits) it is signed.

    Everything acknowledged before ``as_of`` (RFC 3339, by the clock of the store) is in it. ``damaged`` has the reason
    for each game whose log was damaged already.
    """

    name: str
    public_key: str
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


def write(folder: Folder, manifest: Manifest, ring: KeyRing) -> None:
    """Write a manifest, signed with the key of now; with it, the backup exists."""
    signed = ring.sign(_PURPOSE, {"format": FORMAT, "release": VERSION, **asdict(manifest)})
    with folder.writing(manifest.name + ENDING) as file:
        content = {**signed.statement, "signature": signed.signature}
        file.write(orjson.dumps(content, option=orjson.OPT_INDENT_2) + b"\n")


def read(folder: Folder, name: str, trusted: Collection[str] | None) -> Manifest:
    """Read a manifest that one of the ``trusted`` public keys (64 hex digits) has signed; None trusts any key.

    Raise ``BackupError`` if it is missing, damaged, signed with another key, or of a later format.
    """
    where = folder.path / (name + ENDING)
    try:
        with folder.read(name + ENDING) as file:
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise BackupError(f"{where} has more than {_MOST_BYTES} bytes, so it is not a manifest")
        statement: dict[str, Any] = orjson.loads(content)
        public_key, signature = str(statement["public_key"]), str(statement.pop("signature"))
        form, release, key_id = statement.pop("format"), statement.pop("release"), statement.pop("key_id")
    except (ValueError, LookupError, AttributeError, TypeError) as error:
        raise BackupError(f"{where} is damaged: {error}") from error
    whole = {"format": form, "release": release, "key_id": key_id, **statement}
    if not is_signed(public_key, _PURPOSE, whole, signature):
        raise BackupError(f"{where} was changed: its signature does not fit")
    if trusted is not None and public_key not in trusted:
        raise BackupError(
            f"{where} is signed with the key {public_key}, which is not trusted here. A forged backup can name any "
            "key: compare this one with the key that plateau backup printed, or with those in "
            f"/.well-known/plateau-keys.json of the service. If it is the same, add: --key {public_key}"
        )
    if form != FORMAT:
        raise BackupError(f"{where} has the format {form}, of release {release}; this release reads {FORMAT}")
    try:
        return Manifest(**{**statement, "parts": [Part(**part) for part in statement["parts"]]})
    except (ValueError, LookupError, TypeError) as error:
        raise BackupError(f"{where} is not a manifest: {error}") from error


def prune(folder: Folder, keep: int) -> list[str]:
    """Remove all but the newest backups, so many, and the files that no other one needs; return their names."""
    names = manifests(folder)
    kept, doomed = names[-keep:], names[:-keep]
    needed = {part.name for name in kept for part in read(folder, name, None).parts}
    for name in doomed:
        folder.remove(name + ENDING)
    for name in set(folder.names(PART_ENDING)) - needed:
        folder.remove(name)
    return doomed
