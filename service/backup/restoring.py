"""Restore a backup into an empty store, and check it before and afterwards.

What follows from the logs is not read from the backup but written again, in the step that every append takes. Until
all of it is there, the store has a mark, with which no service starts on it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import orjson
import redis

from domain.game.aggregate import Game
from domain.game.timeouts import Patience
from domain.registry import RULESETS
from domain.tournaments.tournament import Tournament
from service.accounts.names.namesakes import Namesakes
from service.backup import game_copying, parts, values
from service.backup.families import GAME_KINDS, Role, check_game_id, check_key
from service.backup.game_copying import Known, known_in
from service.backup.manifest import Manifest
from service.backup.parts import BackupError, Folder
from service.deal_sets.store import SetStore
from service.games.indexing import reindex
from service.games.repository import GameRepository, head_of
from service.notifications.delivery.destinations import Destination, Kind
from service.notifications.delivery.due_destinations import DueDestinations
from service.store import keys
from service.store.archive.archived_games import head_in, name_of, pointer_to
from service.store.archive.buckets import Place
from service.store.codec import Head, version_of
from service.store.event_store import EventStore, NotServed
from service.store.game_index import compressed_summary
from service.store.shards import Shards, shards_of
from service.tournaments.store import TournamentStore
from service.transparency.transparency_log import TransparencyLog, Unlogged

_MOST_COMMANDS = 1000
_OF_A_NEW_STORE = {keys.STORE_NAME.encode(), keys.PROBE.encode()}


@dataclass(slots=True)
class Restored:
    """What was restored: ``games`` are verified, with so many ``events``; ``damaged`` were so in the backup already."""

    games: int = 0
    events: int = 0
    damaged: dict[str, str] = field(default_factory=dict)


def check(folder: Folder, manifest: Manifest) -> dict[str, Known]:
    """Check a backup without a store; return how far each log is, also those in the archive, which is not read.

    Raise ``BackupError``, which names every damaged file, or what does not fit together.
    """
    faults = [fault for part in manifest.parts if (fault := parts.fault_of(folder, part))]
    if faults:
        raise BackupError("; ".join(faults))
    known, reached = known_in(folder, manifest), dict[str, int]()
    for line in _lines(folder, manifest, "logs"):
        game_id, after = line["game"], line["after"]
        check_game_id(game_id)
        if after not in {0, reached.get(game_id)}:
            raise BackupError(f"the log of {game_id} has a gap before version {after + 1}")
        reached[game_id] = after + len(line["entries"]) if "entries" in line else _last_of(line["raw"])
    for game_id, each in known.items():
        if reached.get(game_id) != each.version:
            raise BackupError(f"the log of {game_id} ends at version {reached.get(game_id, 0)}, not at {each.version}")
    archived = {head.game: Known(head.version, head.hash) for head in archived_in(folder, manifest)}
    missing = sorted(set(manifest.rulesets) - set(RULESETS))
    if missing:
        raise BackupError(f"games need rulesets that are not installed: {', '.join(missing)}; install their packages")
    return known | archived


def archived_in(folder: Folder, manifest: Manifest) -> Iterator[Head]:
    for game_id, pointer in _lines(folder, manifest, "archived"):
        check_game_id(game_id)
        yield head_in(game_id, pointer.encode())


class Restorer:
    """Restores one backup into a store of a number of shards; ``told`` hears how many games have been checked.

    ``place`` is the archive, where the logs of archived games are.
    """

    def __init__(
        self,
        client: redis.Redis,
        shards: int,
        patience: Patience,
        told: Callable[[int], None] = lambda _: None,
        place: Place | None = None,
    ) -> None:
        self._redis = client
        self._place = place
        self._shards = shards_of(client, shards)
        self._begins_with = shards
        self._patience = patience
        self._told = told
        self._heads, self._unlogged = TransparencyLog(client), Unlogged(client, shards)
        self._known: Mapping[str, Known] = {}
        self._archived: set[str] = set()
        self._damaged: Mapping[str, str] = {}

    def restore(self, folder: Folder, manifest: Manifest) -> Restored:
        """Restore a backup, and verify every game.

        Raise ``BackupError`` if the backup is damaged or the store is not empty, before anything is written, and if
        the store does not have the logs of the backup afterwards; raise ``StoreUnavailable`` without a store.
        """
        self._known, self._damaged = check(folder, manifest), manifest.damaged
        self._check_archive(folder, manifest)
        self._check_empty()
        self._redis.set(keys.RESTORING, manifest.name)
        self._shards.begin()
        self._write(_lines(folder, manifest, "service"), partial(_put, Role.SERVICE))
        self._write(_lines(folder, manifest, "heads"), partial(_put, Role.HEADS))
        self._write(_lines(folder, manifest, "people"), People(self._redis, self._shards, self._known).put)
        self._write(_lines(folder, manifest, "logs"), self._put_log)
        self._write(archived_in(folder, manifest), self._put_pointer)
        self._write(_lines(folder, manifest, "answers"), self._put_answer)
        restored = self._finish(manifest)
        self._redis.delete(keys.RESTORING)
        return restored

    def _check_archive(self, folder: Folder, manifest: Manifest) -> None:
        """Check that the archive has the logs of the archived games; they are verified once they can be read."""
        for head in archived_in(folder, manifest):
            if self._place is None:
                raise BackupError(f"the log of {head.game} is in an archive: set PLATEAU_ARCHIVE to its address")
            if self._place.size(name_of(head)) is None:
                raise BackupError(
                    f"the archive {self._place.address} does not have {name_of(head)}; is it the right one?"
                )
            self._archived.add(head.game)

    def _check_empty(self) -> None:
        if self._redis.exists(keys.RESTORING):
            raise BackupError(
                "an earlier restoration was interrupted; empty the store, or take a new one, and restore again"
            )
        names = cast("Iterator[bytes]", self._redis.scan_iter(count=_MOST_COMMANDS))
        found = next((name for name in names if name not in _OF_A_NEW_STORE), None)
        if found is not None:
            key = found.decode(errors="replace")
            raise BackupError(f"the store is not empty: it has the key {key}; restore into an empty one")

    def _write(self, lines: Iterable[Any], put: Callable[[Any, Any], None]) -> None:
        pipe = self._redis.pipeline(transaction=False)
        for line in lines:
            put(pipe, line)
            if len(pipe.command_stack) >= _MOST_COMMANDS:
                pipe.execute()
        pipe.execute()

    def _put_log(self, pipe: Any, line: Mapping[str, Any]) -> None:
        """Write a part of a log; one that begins at the beginning replaces what an earlier backup had of it."""
        if line["game"] in self._archived:
            return  # an earlier backup, from before it went to the archive
        if line["game"] not in self._known and line["game"] not in self._damaged:
            return  # an earlier backup, from before it was removed
        game = self._shards.keys_of(line["game"])
        if line["after"] == 0:
            pipe.delete(game.events)
        for version, written in enumerate(line.get("entries", ()), line["after"] + 1):
            pipe.xadd(game.events, {b"e": values.unpacked(written)}, id=f"{version}-0")
        for entry_id, written in line.get("raw", ()):
            pipe.xadd(game.events, values.fields_of(written), id=entry_id)

    def _put_pointer(self, pipe: Any, head: Head) -> None:
        pipe.hset(self._shards.of(head.game).archived, head.game, pointer_to(head))

    def _put_answer(self, pipe: Any, line: Mapping[str, Any]) -> None:
        game_copying.put(pipe, line, self._shards)

    def _finish(self, manifest: Manifest) -> Restored:
        repository, restored = GameRepository(self._store()), Restored()
        sets, tournaments = SetStore(self._store()), TournamentStore(self._store())
        stores = {"gm_": repository.fresh, "set": sets.find, "tn_": tournaments.find}
        for game_id, expected in self._known.items():
            try:
                game = stores[game_id[:3]](game_id)
            except NotServed as error:
                raise BackupError(f"the store does not have what the backup has: {error}") from error
            if game is None or (game.version, game.head) != (expected.version, expected.hash):
                raise BackupError(f"the log of {game_id} in the store is not the one in the backup")
            if not isinstance(game, Game):
                self._unlogged.add([game.id])
                if isinstance(game, Tournament):
                    tournaments.list_again(game)
                continue
            reindex(repository, game, self._patience)
            if game_id in self._archived:
                self._settle_archived(game_id)
            if not self._heads.new_among([head_of(game)]):
                self._unlogged.settle([head_of(game)])
            restored.games += 1
            restored.events += game.version
            self._told(restored.games)
        restored.damaged = dict(manifest.damaged)
        return restored

    def _settle_archived(self, game_id: str) -> None:
        """Have the store keep of an archived game what it kept before."""
        shard = self._shards.of(game_id)
        summary = cast("bytes", self._redis.hget(shard.summaries, game_id))
        self._redis.hset(shard.summaries, game_id, cast("str", compressed_summary(summary)))
        self._redis.zrem(shard.finished, game_id)

    def _store(self) -> EventStore:
        return EventStore(self._redis, self._begins_with, archive=self._place)


def _last_of(raw: Sequence[Any]) -> int:
    return version_of(raw[-1][0].encode())


def _put(role: Role, pipe: Any, line: Mapping[str, Any]) -> None:
    check_key(line["key"], role)
    values.put(pipe, line["key"], line)


def _lines(folder: Folder, manifest: Manifest, kind: str) -> Iterator[Any]:
    for part in manifest.of_kind(kind):
        yield from parts.lines_of(folder, part)


# -- restore what is about players, and what follows from it ------------------------------------------------------
#
# The index of names, and which destinations are due.


class People:
    """Writes the lines of the kind ``people`` into a store whose logs go as far as is ``known``."""

    def __init__(self, client: redis.Redis, shards: Shards, known: Mapping[str, Known]) -> None:
        self._shards = shards
        self._known = known
        self._namesakes, self._outbox = Namesakes(client), DueDestinations(client)

    def put(self, pipe: Any, line: Mapping[str, Any]) -> None:
        match line["key"].split(":"):
            case ["game", game_id, part] if part in GAME_KINDS:
                check_game_id(game_id)
                values.put(pipe, getattr(self._shards.keys_of(game_id), part), line)
            case ["notices" | "reminders" | "gone" as feed]:
                self._put_feed(pipe, feed, line["value"])
            case [_, "notices", *_]:
                check_key(line["key"], Role.PLAYER)
                heard = [each for each in line["value"] if self._has_happened(*_subject(line["type"], each))]
                if heard:
                    values.put(pipe, line["key"], {**line, "value": heard})
            case _:
                check_key(line["key"], Role.PLAYER)
                values.put(pipe, line["key"], line)
                self._put_what_follows(pipe, line)

    def _put_feed(self, pipe: Any, feed: str, entries: Sequence[Any]) -> None:
        if feed == "reminders":
            for member, at in entries:
                pipe.zadd(self._shard(member.split(" ")[0]).reminders, {member: at})
            return
        if feed == "gone":
            for game_id, at in entries:
                if game_id not in self._known:  # else it was removed after it was copied
                    pipe.zadd(self._shard(game_id).gone, {game_id: at})
            return
        for _, written in entries:
            fields = values.fields_of(written)
            game_id = fields[b"g"].decode()
            if self._has_happened(game_id, int(fields[b"v"])):
                pipe.xadd(self._shard(game_id).notices, fields)

    def _shard(self, game_id: str) -> keys.Shard:
        return self._shards.of(game_id)

    def _has_happened(self, game_id: str, version: int) -> bool:
        """Return whether a notice is of what the log of its game has; a later one comes again when it happens again.

        Players are copied after games, so they can have later notices.
        """
        known = self._known.get(game_id)
        return known is None or version <= known.version

    def _put_what_follows(self, pipe: Any, line: Mapping[str, Any]) -> None:
        key = line["key"]
        player_id = key[1 : key.index("}")]
        if key == keys.player(player_id):
            about = values.fields_of(line["value"])
            self._namesakes.add(pipe, player_id, about[b"name"].decode(), about[b"created_at"].decode())
        elif key == keys.destinations(player_id):
            for name in values.fields_of(line["value"]):
                kind, _, destination_id = name.decode().partition(" ")
                self._outbox.make_due([Destination(player_id, cast("Kind", kind), destination_id)])


def _subject(kind: values.Kind, written: Any) -> tuple[str, int]:
    """Return which version of which game a notice, or (in a sorted set) the name of one, is about."""
    if kind == "zset":
        _, game_id, version, *_ = written[0].split(" ")
    else:
        _, game_id, version, *_ = orjson.loads(written[1][0][1])
    return game_id, int(version)
