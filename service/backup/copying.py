"""Copy a store while it is in use.

A game is copied in one atomic step. Games that are there when the backup begins are all found, each as it is then or
later. The log of heads is copied before the games, so no game falls behind what is logged of it, and players after
them, so nobody in a log is missing who was not deleted. Responses to requests are copied after the games, too: exactly
those to actions that are in the copied logs, unless they have expired.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, cast

import redis

from domain.log import merkle
from service.backup import manifest as manifests
from service.backup import parts, values
from service.backup.families import SERVICE_KINDS, Role, kinds_of_player, role_of
from service.backup.game_copying import AnswerCopier, Counts, Entries, GameCopier, Known, known_in
from service.backup.manifest import Manifest
from service.backup.parts import KINDS, BackupError, Folder, PartWriter
from service.store import keys
from service.store.change_feed import oldest_needed
from service.store.event_store import EventStore
from service.store.shards import Shards
from service.transparency.key_ring import KeyRing
from service.transparency.transparency_log import CHUNK

_PAGE = 1000
_CHUNK_BYTES = CHUNK * merkle.HASH_BYTES


class Copier:
    """Makes one backup of a store, signed with its keys; ``told`` hears what has been copied after each game."""

    def __init__(self, client: redis.Redis, folder: Folder, ring: KeyRing, told: Callable[[Counts], None]) -> None:
        self._redis = client
        self._folder = folder
        self._ring = ring
        self._told = told
        self.unknown: list[str] = []
        """Keys of others in the store; they are not copied."""

    def copy(self, *, whole: bool = False) -> tuple[Manifest, Counts]:
        """Copy the store; unless ``whole``, without what the latest backup in the folder has of the logs.

        Raise ``BackupError`` or ``StoreUnavailable``; then there is no new backup.
        """
        self._check_store()
        public_key, as_of, store = self._public_key(), self._time(), self._store_name()
        base = None if whole else self._base(store)
        known = {} if base is None else known_in(self._folder, base)
        name = f"{as_of:%Y%m%dT%H%M%S}.{as_of.microsecond // 1000:03}Z"
        games, made = self._parts(name, known)
        manifest = Manifest(
            name=name,
            public_key=public_key,
            store=store,
            as_of=as_of.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            games=games.counts.games,
            events=games.counts.events,
            players=games.counts.players,
            rulesets=sorted(games.rulesets.union(base.rulesets if base else ())),
            damaged=games.damaged,
            parts=[*(base.of_kind("logs") if base else ()), *made],
        )
        manifests.write(self._folder, manifest, self._ring)
        return manifest, games.counts

    def _check_store(self) -> None:
        if not self._redis.exists(keys.SHARDS):
            raise BackupError("there is nothing to back up: no service has been started on this store")
        if self._redis.exists(keys.RESTORING):
            raise BackupError("the restoration of this store has not ended, so it lacks games")

    def _public_key(self) -> str:
        """Return the key that signs, which is made before anything is copied if there is none: it is copied, too."""
        if self._ring.lacks_file():
            raise BackupError(
                "the service signs with a key from a file: set PLATEAU_SIGNING_KEYS to this file, so that the backup "
                "can be signed, too"
            )
        return self._ring.public_keys(self._ring.key_id)[self._ring.key_id]

    def _time(self) -> datetime:
        seconds, micros = self._redis.time()
        return datetime.fromtimestamp(seconds, UTC).replace(microsecond=micros // 1000 * 1000)

    def _store_name(self) -> str:
        """Return an identifier of this store. It survives a restore and reveals no secret."""
        return sha256(b"name of the store of " + EventStore(self._redis).naming_secret()).hexdigest()[:16]

    def _base(self, store: str) -> Manifest | None:
        """Return the latest backup in the folder, to continue it; it must be of this store, and whole."""
        names = manifests.manifests(self._folder)
        if not names:
            return None
        latest = manifests.read(self._folder, names[-1], None)
        if latest.store != store:
            raise BackupError(f"{self._folder.path} has backups of another store; choose another folder")
        if latest.public_key not in self._ring.public_keys().values():
            faults = [f"it is signed with {latest.public_key}, which is not a key of this service"]
        else:
            faults = [fault for each in latest.parts if (fault := parts.fault_of(self._folder, each))]
        if faults:
            raise BackupError(f"the latest backup cannot be continued; start again with --whole: {'; '.join(faults)}")
        return latest

    def _parts(self, name: str, known: Mapping[str, Known]) -> tuple[GameCopier, list[parts.Part]]:
        """Write all parts, in the order that the consistency of the whole needs."""
        with ExitStack() as running:
            writers = {
                kind: running.enter_context(parts.writing(self._folder, f"{name}.{kind}{parts.ENDING}", kind))
                for kind in KINDS
            }
            heads, people, answers, service = (writers[kind] for kind in ("heads", "people", "answers", "service"))
            self._value(keys.HEARTBEAT, "string", service)  # what follows it will count as downtime, for every game
            size = self._roots(heads)
            games = GameCopier(self._redis, writers["logs"], writers["versions"], people, writers["archived"])
            for game_id, shard in self._games():
                games.copy(game_id, keys.GameKeys(game_id, shard), known.get(game_id))
                self._logged(game_id, size, heads)
                self._told(games.counts)
            for shard in Shards(self._redis, 0):  # the store has begun, so it knows its number
                self._feeds(shard, people)
            self._rest(games.counts, people, AnswerCopier(self._redis, answers, games.reached), service)
        return games, [writer.part for writer in writers.values() if writer.part is not None]

    def _value(self, key: str, kind: values.Kind, writer: PartWriter) -> None:
        pipe = self._redis.pipeline(transaction=False)
        values.ask(pipe, key, kind)
        _write(writer, values.line_of(key, kind, *pipe.execute()))

    def _roots(self, heads: PartWriter) -> int:
        latest = cast("Entries", self._redis.xrevrange(keys.HEAD_ROOTS, "+", "-", count=1))
        if not latest:
            return 0
        last = latest[0][0].decode()
        size = int(last.split("-")[0])
        self._stream(keys.HEAD_ROOTS, keys.HEAD_ROOTS, heads, until=last)
        whole, rest = divmod(merkle.place((0, size)) * merkle.HASH_BYTES, _CHUNK_BYTES)
        for chunk, length in enumerate([*[_CHUNK_BYTES] * whole, rest]):
            found = self._redis.getrange(keys.head_nodes(chunk), 0, length - 1) if length else b""
            _write(heads, values.line_of(keys.head_nodes(chunk), "string", found or None, -1))
        self._value(keys.HEAD_ROUND, "string", heads)
        self._cosigned(size, heads)
        return size

    def _cosigned(self, size: int, heads: PartWriter) -> None:
        sizes = self._redis.zrangebyscore(keys.HEAD_COSIGNED, 0, size, withscores=True)
        _write(heads, values.line_of(keys.HEAD_COSIGNED, "zset", sizes, -1))
        for member, _ in cast("list[tuple[bytes, float]]", sizes):
            self._value(keys.head_cosignatures(int(member)), "hash", heads)

    def _logged(self, game_id: str, size: int, heads: PartWriter) -> None:
        leaves = cast("list[tuple[bytes, float]]", self._redis.zrange(keys.heads_of(game_id), 0, -1, withscores=True))
        within = [each for each in leaves if int(each[0]) < size]
        _write(heads, values.line_of(keys.heads_of(game_id), "zset", within, -1))

    def _games(self) -> Iterator[tuple[str, keys.Shard]]:
        """Find every game and deal set that there is now, each once, and perhaps later ones, also in new shards.

        One whose log is moved to or from the archive during the copy is in the list of all games.
        """
        seen = set[str]()
        for name in self._redis.scan_iter(match="{s*}:*:events", count=_PAGE):
            tag, _, game_id, _ = name.decode().split(":")
            if game_id not in seen:
                seen.add(game_id)
                yield game_id, keys.Shard(int(tag.strip("{s}")))
        for shard in Shards(self._redis, 0):  # the store has begun, so it knows its number
            for name in (shard.archived, shard.summaries):
                for game, _ in self._redis.hscan_iter(name, count=_PAGE):
                    if game.decode() not in seen:
                        seen.add(game.decode())
                        yield game.decode(), shard

    def _feeds(self, shard: keys.Shard, people: PartWriter) -> None:
        """Copy the notices of a shard that are not in the logs of players yet, its reminders, and what was removed."""
        if self._redis.exists(shard.notices):
            self._stream(shard.notices, "notices", people, after=oldest_needed(self._redis, shard.notices))
        found = self._redis.zrange(shard.reminders, 0, -1, withscores=True)
        _write(people, values.line_of("reminders", "zset", found, -1))
        _write(people, values.line_of("gone", "zset", self._redis.zrange(shard.gone, 0, -1, withscores=True), -1))

    def _stream(self, key: str, named: str, writer: PartWriter, after: str = "-", until: str = "+") -> None:
        while page := cast("Entries", self._redis.xrange(key, after, until, count=_PAGE)):
            _write(writer, values.line_of(named, "stream", page, -1))
            after = f"({page[-1][0].decode()}"

    def _rest(self, counts: Counts, people: PartWriter, answers: AnswerCopier, service: PartWriter) -> None:
        players, seen = set[str](), set[str]()
        for key in (name.decode(errors="replace") for name in self._redis.scan_iter(count=_PAGE)):
            role = role_of(key)
            if role is None:
                self.unknown.append(key)
            elif role is Role.ANSWER:
                answers.add(key)
            elif role is Role.PLAYER and key.endswith("}:player") and key not in players:
                players.add(key)
                self._player(key[1 : key.index("}")], people)
                counts.players += 1
            elif role is Role.SERVICE and key not in {keys.HEARTBEAT} | seen:
                seen.add(key)
                self._service_key(key, service)
        answers.finish()
        self.unknown += answers.unknown

    def _player(self, player_id: str, people: PartWriter) -> None:
        """Copy a player in one atomic step."""
        kinds = kinds_of_player(player_id)
        pipe = self._redis.pipeline(transaction=True)
        for key, kind in kinds.items():
            values.ask(pipe, key, kind)
        found = iter(pipe.execute())
        lines = [values.line_of(key, kind, next(found), next(found)) for key, kind in kinds.items()]
        if lines[0] is not None:
            for line in lines:
                _write(people, line)

    def _service_key(self, key: str, service: PartWriter) -> None:
        if key == keys.ADMIN_LOG:
            self._stream(key, key, service)
        else:
            self._value(key, SERVICE_KINDS.get(key, "string"), service)


def _write(writer: PartWriter, line: Mapping[str, Any] | None) -> None:
    if line is not None:
        writer.write(line)
