"""Copy games: each in one atomic step, and of a log that an earlier backup has, only what is new."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import redis

from domain.log.chain import GENESIS, BrokenChain
from domain.log.record import Record, verify
from domain.log.secrets import REVEALED
from domain.serialization import Plain
from service.backup import parts, values
from service.backup.families import GAME_KINDS, check_game_id
from service.backup.manifest import Manifest
from service.backup.parts import Folder, PartWriter
from service.games.repository import secrets_in
from service.store import keys
from service.store.archive.archived_games import head_in
from service.store.codec import canonical, recalled, record_of, version_of
from service.store.event_store import EventStore, LogDamaged
from service.store.shards import Shards

Entries = list[tuple[bytes, dict[bytes, bytes]]]


@dataclass(frozen=True, slots=True)
class Known:
    """How far a log is in a backup: its last version and hash, and the versions at which it revealed secrets."""

    version: int
    hash: str
    revealed: tuple[int, ...] = ()


_NOTHING = Known(0, GENESIS)


@dataclass(slots=True)
class Counts:
    """What has been copied so far; ``new_events`` are those that no earlier backup had."""

    games: int = 0
    events: int = 0
    new_events: int = 0
    players: int = 0


@dataclass(frozen=True, slots=True)
class _Found:
    """What one atomic step has read of a game: a part of its log, and lines for what goes with it.

    ``pointer`` is the one to its log if that is in the archive.
    """

    entries: Entries
    pointer: bytes | None
    beside: list[Mapping[str, Plain]]


def known_in(folder: Folder, manifest: Manifest) -> dict[str, Known]:
    """Read how far each game is in a backup; it takes some 300 bytes of memory a game."""
    found = {}
    for part in manifest.of_kind("versions"):
        for game_id, version, last, *revealed in parts.lines_of(folder, part):
            found[game_id] = Known(version, last, tuple(revealed))
    return found


class GameCopier:
    """Copies games into the parts ``logs``, ``versions``, ``people`` and ``archived`` of a backup."""

    def __init__(
        self, client: redis.Redis, logs: PartWriter, versions: PartWriter, people: PartWriter, archived: PartWriter
    ) -> None:
        self._redis, self._store = client, EventStore(client)
        self._logs, self._versions, self._people = logs, versions, people
        self._archived = archived
        self.counts = Counts()
        self.damaged: dict[str, str] = {}
        """The games whose logs are damaged in the store, with the reason; they are copied as they are."""
        self.rulesets: set[str] = set()
        self.reached: dict[str, int] = {}
        """Up to which version each log is copied."""

    def copy(self, game_id: str, game: keys.GameKeys, known: Known | None) -> None:
        """Copy a game, if there is one, of which an earlier backup has what is ``known``."""
        before = known or _NOTHING
        found = self._read(game_id, game, before)
        if found.pointer is not None:
            self._copy_archived(game_id, found, found.pointer)
            return
        if before.version and not _goes_on(game_id, found.entries, before):
            before = _NOTHING
            found = self._read(game_id, game, before)
        if not found.entries:
            return
        new = found.entries[1:] if before.version else found.entries
        if new:
            self._write_log(game_id, before.version, new)
        version = version_of(found.entries[-1][0])
        self._write_rest(game_id, found, version)
        self.counts.new_events += version - before.version
        self._check(game_id, game, before, new)

    def _copy_archived(self, game_id: str, found: _Found, pointer: bytes) -> None:
        """Copy what the store has of an archived game: the pointer to its log, and what goes with it."""
        self._archived.write([game_id, pointer.decode()])
        self._write_rest(game_id, found, head_in(game_id, pointer).version)

    def _write_rest(self, game_id: str, found: _Found, version: int) -> None:
        for line in found.beside:
            self._people.write(line)
        self.reached[game_id] = version
        self.counts.games += 1
        self.counts.events += version

    def _read(self, game_id: str, game: keys.GameKeys, before: Known) -> _Found:
        """Read a game in one atomic step, its log from the last known event on."""
        pipe = self._redis.pipeline(transaction=True)
        pipe.xrange(game.events, f"{before.version}-0")
        for part, kind in GAME_KINDS.items():
            values.ask(pipe, getattr(game, part), kind)
        pipe.hget(game.shard.archived, game_id)
        entries, *rest, pointer = pipe.execute()
        lines = [
            values.line_of(f"game:{game_id}:{part}", kind, *rest[2 * number : 2 * number + 2])
            for number, (part, kind) in enumerate(GAME_KINDS.items())
        ]
        return _Found(entries, pointer, [line for line in lines if line is not None])

    def _write_log(self, game_id: str, after: int, new: Entries) -> None:
        """Write a part of a log; one that is not numbered from event to event is written entry by entry, as it is."""
        line: dict[str, Plain] = {"game": game_id, "after": after}
        if all(
            name == b"%d-0" % version and [*fields] == [b"e"] for version, (name, fields) in enumerate(new, after + 1)
        ):
            line["entries"] = [values.packed(fields[b"e"]) for _, fields in new]
        else:
            line["raw"] = [values.entry(*each) for each in new]
        self._logs.write(line)

    def _check(self, game_id: str, game: keys.GameKeys, before: Known, new: Entries) -> None:
        """Check what was copied of a log, so that damage is noticed now, and note how far the log is."""
        try:
            after = self._verified(game_id, game, before, new) if new else before
        except (LogDamaged, BrokenChain, ValueError, LookupError) as error:
            self.damaged[game_id] = str(error)
        else:
            self._versions.write([game_id, after.version, after.hash, *after.revealed])

    def _verified(self, game_id: str, game: keys.GameKeys, before: Known, new: Entries) -> Known:
        sent = [[name, [part for field in fields.items() for part in field]] for name, fields in new]
        records = self._store.records_in(game_id, before.version, sent)
        if before.version:
            first = _record(game_id, 1, *self._redis.xrange(game.events, count=1)[0])  # type: ignore[index]
        else:
            first = records[0]
            self.rulesets.add(str(first.data["ruleset"]))
        secrets = secrets_in(first)
        for version in before.revealed:
            secrets = secrets.after(version)
        verify(records, before.hash, secrets, canonical)
        revealed = tuple(record.version for record in records if record.type == REVEALED)
        return Known(records[-1].version, records[-1].hash, before.revealed + revealed)


def _goes_on(game_id: str, entries: Entries, before: Known) -> bool:
    """Return whether a log, read from a known version on, has the event that is known there."""
    try:
        return bool(entries) and _record(game_id, before.version, *entries[0]).hash == before.hash
    except ValueError:
        return False


def _record(game_id: str, version: int, entry_id: bytes, fields: Mapping[bytes, bytes]) -> Record:
    if entry_id != b"%d-0" % version:
        raise ValueError(f"version {version} is missing, entry {entry_id.decode()} is in its place")
    return record_of(game_id, entry_id, fields)


# -- stored responses to repeated requests ------------------------------------------------------------------------
#
# Each is copied and restored with the time that it has left.
#
# A response names the version of the game after its action. So those that are copied after a log are chosen by it: the
# ones to actions that it has. All of them were there when the log was copied, and a key that was used again, after the
# first response had expired, is that of a later version.


_AT_ONCE = 100


class AnswerCopier:
    """Copies responses to actions of games, whose logs are copied up to the versions in ``reached``."""

    def __init__(self, client: redis.Redis, answers: PartWriter, reached: Mapping[str, int]) -> None:
        self._redis = client
        self._answers = answers
        self._reached = reached
        self._found: list[str] = []
        self.unknown: list[str] = []
        """Keys with values that are no responses of the service; they are not copied."""

    def add(self, key: str) -> None:
        """Copy the response under a key, now or with the next ones."""
        self._found.append(key)
        if len(self._found) >= _AT_ONCE:
            self.finish()

    def finish(self) -> None:
        """Copy the responses that are left, those of each shard in one atomic step with their expiry."""
        for _, names in groupby(sorted(self._found), lambda key: key.partition(":")[0]):
            self._copy([*names])
        self._found.clear()

    def _copy(self, names: Sequence[str]) -> None:
        pipe = self._redis.pipeline(transaction=True)
        for key in names:
            values.ask(pipe, key, "string")
        found = iter(pipe.execute())
        for key in names:
            kept, expires = next(found), next(found)
            _, _, game_id, _, name = key.split(":")
            line = values.line_of(f"game:{game_id}:answer:{name}", "string", kept, expires)
            if line is None:
                continue
            version = _version_after(kept)
            if version is None:
                self.unknown.append(key)
            elif version <= self._reached.get(game_id, 0):
                self._answers.write(line)


def _version_after(kept: bytes) -> int | None:
    """Return the version of the game after the action that a response is to; None if it is no response."""
    try:
        _, answer = recalled(kept)
    except ValueError:
        return None
    return None if answer.head is None else answer.head.version


def put(pipe: Any, line: Mapping[str, Any], shards: Shards) -> None:
    _, game_id, _, name = line["key"].split(":")
    check_game_id(game_id)
    game = shards.keys_of(game_id)
    values.put(pipe, game.answer(name), line)
