"""The event store: one Redis stream for each game, and one atomic script that appends to it (``append.lua``).

It knows records, not games; an import contract checks this. Games reach Redis only through it.
"""

import hmac
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha1
from typing import Any, cast

import orjson
import redis

from domain.log.record import Record
from domain.table import MOST_SEATS
from service.common import observability
from service.common.observability import METRICS
from service.store import change_feed, keys
from service.store.archive.archived_games import ArchivedGames, head_in
from service.store.archive.buckets import Place
from service.store.codec import entry_of, marks_of, record_of
from service.store.game_index import (
    NO_PRIORITY,
    Listing,
    ListWrite,
    Priority,
    Rank,
    Turn,
    plain_summary,
    silencing,
    writes_of,
)
from service.store.redis.availability import LogDamaged, NotReplicated, NotServed, StoreUnavailable
from service.store.redis.connections import one_on_each_node, own_connection
from service.store.redis.redis_rights import GAMES
from service.store.redis.redis_server import StoreMisconfigured, check_configurations, check_servers
from service.store.removal import Removal
from service.store.scripts import script_text
from service.store.shards import MOST, shards_of
from service.store.sharing import Repeats, SharedLogs

DAY_MS = 24 * 3600 * 1000
_BEGINNING = 1 + MOST_SEATS + 2
"""The most entries of a log up to the shared one, which comes after the seats and the start."""
_MISSED_SECONDS = 1.0
"""If a game was not found, look for new shards, unless that was done less than so many seconds ago."""

__all__ = [
    "DAY_MS",
    "Append",
    "Appended",
    "Carried",
    "Conflict",
    "EventStore",
    "LogDamaged",
    "NotReplicated",
    "NotServed",
    "Remembered",
    "Replanned",
    "SetTable",
    "StoreMisconfigured",
    "StoreUnavailable",
    "TournamentPlace",
]


@dataclass(frozen=True, slots=True)
class Carried:
    """The plan that a seat acts by, as the writer knows it, and its remaining steps; b"" if there are none."""

    seat: int
    known: bytes = field(repr=False)
    rest: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class SetTable:
    """A player's deal of a deal set: the field ``place`` of the hash of the set's tables, and its new value."""

    set: str
    place: str
    state: str


@dataclass(frozen=True, slots=True)
class TournamentPlace:
    """Where a tournament stands in the lists of tournaments, and whether it is over."""

    member: str
    is_over: bool


@dataclass(frozen=True, slots=True)
class Append:
    """What one request appends: records that follow ``expected``, and data that goes with them.

    ``head`` is the hash of the record at ``expected``; it shows whether the log lost that record and continued without
    it. ``request_key`` and ``answer`` are stored for a time, so that a repeated request gets its first response and
    receipt. ``deadline`` is the time in ms at which something is due for the game, or None. ``has_work`` is whether the
    service has something to do now, and ``priority`` is how urgent the work is, and for which players. ``notices`` are
    notices to players; ``notices_if_planned`` replaces them if there is a plan for the seat to act. ``turns`` lists the
    changes to players' turns. ``to_act`` are the seats of players to act then; their plans are work, which is due again
    after ``lease`` ms if it is lost. ``unplanned`` are the seats whose plans end, and ``carried`` is the plan that a
    seat acts by. ``silenced`` are the players whose phrases are removed, None for all. ``finished`` is the time in ms
    of the last event if the game is over, None if it is running. ``repeats`` is what a new log repeats of another one.
    ``table`` is the new state of a deal of a deal set, and ``tournament`` is the place of a tournament in the lists.
    """

    game_id: str
    expected: int
    records: Sequence[Record]
    head: str
    request_key: str = ""
    answer: bytes = field(default=b"", repr=False)
    deadline: int | None = None
    has_work: bool = False
    priority: Priority = NO_PRIORITY
    notices: bytes = b""
    notices_if_planned: bytes = b""
    listing: Listing | None = None
    turns: Sequence[Turn] = ()
    to_act: Sequence[int] = ()
    lease: int = 0
    unplanned: Sequence[int] = ()
    carried: Carried | None = None
    silenced: Sequence[str] | None = ()
    finished: int | None = None
    repeats: Repeats | None = None
    table: SetTable | None = None
    tournament: TournamentPlace | None = None


@dataclass(frozen=True, slots=True)
class Appended:
    """The events are in the log."""

    version: int


@dataclass(frozen=True, slots=True)
class Remembered:
    """The request was carried out before, and its response is still stored; nothing was appended."""

    answer: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Replanned:
    """The plan that the seat acted by has changed; nothing was appended."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """The log is not at the expected version; nothing was appended.

    ``missing`` are the records after it; there are none if the log does not continue from there and must be reread.
    """

    version: int
    missing: Sequence[Record]


class EventStore:
    """The logs of all games on one Redis; responses are remembered for ``answer_ms``.

    A write that is reported as appended, now or earlier, is on at least so many ``replicas`` and the primary. Logs that
    are no longer on it are in the ``archive``.
    """

    def __init__(
        self,
        client: redis.Redis,
        shards: int = 16,
        answer_ms: int = DAY_MS,
        replicas: int = 0,
        archive: Place | None = None,
    ) -> None:
        self.client = client
        self.archived = ArchivedGames(client, archive)
        self._shared = SharedLogs(self.read, self._beginning)
        self._answer_ms = answer_ms
        self._replicas = Replicas(replicas)
        self.all_shards = shards_of(client, shards)
        self.removal = Removal(client, self.all_shards)
        self._naming_secret: bytes | None = None
        self._script = script_text(__name__, "append")
        self._sha = sha1(self._script.encode(), usedforsecurity=False).hexdigest()
        self._connection = own_connection(client)

    def append(self, append: Append) -> Appended | Remembered | Conflict | Replanned:
        """Append in one round trip, or return why that is not possible; raise ``StoreUnavailable`` without Redis.

        Raise ``NotReplicated`` if the records are in the log, but too few replicas have confirmed them.
        """
        reply, *confirmed = self._append(append)
        if reply == [b"grown"]:
            self.all_shards.look()
            reply, *confirmed = self._append(append)
        if reply == [b"archived"]:
            return self._append_to_archived(append)
        result = self._result(append, reply)
        METRICS.count("appends", type(result).__name__.lower())
        if isinstance(result, Appended):
            self._check(confirmed)
        elif _was_there(append, result):
            self._confirm(self.shard(append.game_id).confirmed)
        return result

    def _append_to_archived(self, append: Append) -> Appended | Remembered | Conflict | Replanned:
        """Bring back the log that the records continue, and append them; return what an outdated writer lacks."""
        expected = append.expected
        log = self.read(append.game_id)
        if expected == len(log) and (not log or log[-1].hash == append.head):
            self.bring_back(append.game_id)
            return self.append(append)
        continues = expected == 0 or (expected < len(log) and log[expected - 1].hash == append.head)
        return Conflict(len(log), log[expected:] if continues else [])

    def bring_back(self, game_id: str) -> bool:
        """Put the log of an archived game into the store again; return False if it is not archived."""
        game = self.keys_of(game_id)
        pointer, (seconds, _) = self._connection.ask(("HGET", game.shard.archived, game_id), ("TIME",))
        if pointer is None:
            return False
        return self.archived.bring_back(head_in(game_id, pointer), game, 1000 * int(seconds))

    def _append(self, append: Append) -> list[Any]:
        game, (entries, events_of_one) = self.keys_of(append.game_id), self._entries_of(append)
        shard, writes = game.shard, writes_of(game.shard, append.game_id, append.listing, append.turns)
        writes.append((shard.unlogged, "ZADD", append.expected + len(append.records), append.game_id))
        if append.finished is not None:
            writes.append((shard.finished, "ZADD", append.finished, append.game_id))
        writes += _writes_beside_games(shard, append)
        writes += _plan_writes(game, append) + silencing(game.phrases, append.silenced)
        if append.has_work:
            writes += change_feed.trace_left_by(shard, append.game_id)
        due = (shard.deadlines, shard.second_looks)
        due = due[::-1] if append.priority.rank == Rank.ALONE else due
        named: dict[str, str | bytes | int | None] = {
            "expected": append.expected,
            "head": marks_of(append.head),
            "game": append.game_id,
            "deadline": append.deadline,
            "priority": str(append.priority),
            "work": "1" if append.has_work else None,
            "notices": append.notices or None,
            "planned_notices": append.notices_if_planned or None,
            "shards": None if append.expected else self.all_shards.numbers[-1],
        }
        if append.request_key:
            named |= {"request": append.request_key, "response": append.answer, "remembered_ms": self._answer_ms}
        if append.to_act:
            named |= {"to_act": " ".join(map(str, append.to_act)), "lease_ms": append.lease}
        if append.carried is not None:
            named |= {"seat": append.carried.seat, "plan": append.carried.known}
        if append.repeats is not None and events_of_one > 1:
            named |= {"shared": append.repeats.after + 1, "shared_events": events_of_one}
        values = [part for name, value in named.items() if value is not None for part in (name, value)]
        return self._run(
            11 + len(writes),
            game.events,
            game.answer(append.request_key),
            shard.changes,
            *due,
            shard.priorities,
            shard.notices,
            game.plans,
            shard.division,
            shard.archived,
            shard.gone,
            *(key for key, *_ in writes),
            len(values) // 2,
            len(writes),
            len(entries),
            *values,
            *(part for _, *command in writes for part in command),
            *entries,
        )

    def _entries_of(self, append: Append) -> tuple[Sequence[bytes], int]:
        """Return the entries of an append, and for how many events its shared entry stands, 1 if it has none."""
        if append.repeats is None:
            return [entry_of(record) for record in append.records], 1
        entries, events_of_one, shared = self._shared.entries(append.records, append.repeats)
        self.removal.note_fork(append.game_id, shared)
        return entries, events_of_one

    def _result(self, append: Append, reply: list[Any]) -> Appended | Remembered | Conflict | Replanned:
        match reply:
            case [b"appended", version]:
                return Appended(int(version))
            case [b"remembered", answer]:
                return Remembered(answer)
            case [b"replanned"]:
                return Replanned()
            case [b"grown"]:
                raise StoreUnavailable("the number of shards is being raised: do it again if that was interrupted")
            case [b"conflict", version, entries]:
                return Conflict(int(version), self.records_in(append.game_id, append.expected, entries))
            case _:
                raise StoreUnavailable(f"the append script returned {reply!r:.200}")

    def confirm(self) -> None:
        """Wait until the replicas have all that was written before; raise ``NotReplicated``."""
        if not self._replicas.wait:
            return
        for mark in one_on_each_node(self.client, (keys.Shard(number).confirmed for number in range(MOST))):
            self._confirm(mark)

    def _confirm(self, mark: str) -> None:
        """Wait for the writes of other connections, too, with a mark: a replica that has it has all earlier writes."""
        if self._replicas.wait:
            _, *confirmed = self._connection.ask(("SET", mark, "1"), *self._replicas.wait)
            self._check(confirmed)

    def _check(self, confirmed: Sequence[int]) -> None:
        """Check what replicas confirmed; a primary without them may be one that was cut off, or is being replaced."""
        try:
            self._replicas.check(confirmed)
        except NotReplicated:
            self._connection.leave()
            raise

    def load_script(self) -> None:
        """Send the append script to Redis before it is needed, on the connection of this thread."""
        self._connection.ask(("SCRIPT LOAD", self._script))

    def _run(self, *args: str | bytes | int) -> list[Any]:
        """Run the append script; send it first to a Redis that does not have it, such as a restarted one.

        Return its reply, and the replies of ``WAIT``.
        """
        began = time.perf_counter()
        with observability.span("append"):
            try:
                replies = self._connection.ask(("EVALSHA", self._sha, *args), *self._replicas.wait)
            except redis.exceptions.NoScriptError:
                METRICS.count("script_loads")
                replies = self._connection.ask(("EVAL", self._script, *args), *self._replicas.wait)
        METRICS.time("append", time.perf_counter() - began)
        return replies

    def read(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Record]:
        """Read the records after a version, at most ``limit``; an unknown game has none."""
        return self.read_with_plans(game_id, (), after, limit)[0]

    def read_with_plans(
        self, game_id: str, seats: Sequence[int], after: int = 0, limit: int | None = None
    ) -> tuple[list[Record], Mapping[int, bytes]]:
        """Read the records after a version, and the plans of some seats, b"" for none, in one round trip."""
        plans: list[tuple[str | int, ...]] = [("HMGET", self.keys_of(game_id).plans, *seats)] if seats else []
        replies, *of_seats = self._connection.ask(self._entries_after(game_id, after, limit), *plans)
        entries = self._new(game_id, after, replies, limit)
        if not entries and after == 0 and self.all_shards.look(older_than=_MISSED_SECONDS):
            return self.read_with_plans(game_id, seats, after, limit)
        stored = {
            seat: plan or b"" for plans_of_seats in of_seats for seat, plan in zip(seats, plans_of_seats, strict=True)
        }
        return self.records_in(game_id, after, entries, limit), stored

    def _beginning(self, game_id: str) -> list[Any]:
        """Read the first entries of a log in the store, up to its shared entry, if it has one."""
        (entries,) = self._connection.ask(("XRANGE", self.keys_of(game_id).events, "-", "+", "COUNT", _BEGINNING))
        return cast("list[Any]", entries)

    def records_in(self, game_id: str, after: int, entries: Sequence[Any], limit: int | None = None) -> list[Record]:
        """Return the records in the entries after a version, at most ``limit``; raise ``LogDamaged``."""
        return _records(game_id, after, self._shared.spread(game_id, after, entries, limit))

    def look_up(self, game_id: str, after: int, request_key: str) -> tuple[Remembered | None, list[Record]]:
        """Read the stored response to a request, and the records after a version, in one round trip."""
        game = self.keys_of(game_id)
        response, replies = self._connection.ask(("GET", game.answer(request_key)), self._entries_after(game_id, after))
        if response is not None:
            self._confirm(game.shard.confirmed)
        entries = self._new(game_id, after, replies)
        return None if response is None else Remembered(response), self.records_in(game_id, after, entries)

    def _entries_after(self, game_id: str, after: int, limit: int | None = None) -> tuple[str | int, ...]:
        """Return the command that reads the entry of a version, to see that the log is here, and those after it."""
        most = () if limit is None else ("COUNT", limit + 1)
        return ("XRANGE", self.keys_of(game_id).events, f"{max(after, 1)}-0", "+", *most)

    def _new(self, game_id: str, after: int, entries: list[Any], limit: int | None = None) -> list[Any]:
        """Return the entries after a version; if the log is not in the store, look in the archive."""
        if not entries:
            return self._elsewhere(game_id, after, limit)
        return entries[1:] if entries[0][0] == b"%d-0" % after else entries

    def _elsewhere(self, game_id: str, after: int, limit: int | None) -> list[Any]:
        """Return the entries after a version of a log that was not found: of an archived game, from the archive.

        The log is read again between two reads of its pointer, because it may have been brought back since, and
        archived again.
        """
        game = self.keys_of(game_id)
        look = ("HGET", game.shard.archived, game_id)
        before, entries, later = self._connection.ask(look, ("XRANGE", game.events, f"{after + 1}-0", "+"), look)
        if before is None and (entries or later is None):
            return cast("list[Any]", entries)
        head = head_in(game_id, before or later)
        if after >= head.version:
            return []
        log = self.archived.entries(head)[after : None if limit is None else after + limit]
        return [[b"%d-0" % version, [b"e", entry]] for version, entry in enumerate(log, after + 1)]

    def summaries(self, game_ids: Iterable[str]) -> list[bytes]:
        """Return the public data of games that exist, as lists store it."""
        ids = list(game_ids)
        self.all_shards.look_for(ids)
        pipe = self.client.pipeline(transaction=False)
        for game_id in ids:
            pipe.hget(self.shard(game_id).summaries, game_id)
        summaries = cast("list[bytes | None]", pipe.execute())
        return cast("list[bytes]", [summary and plain_summary(summary) for summary in summaries])

    def game_ids(self) -> Iterator[str]:
        """Return the ids of all games, shard by shard; a game that is being created may be missing."""
        for shard in self.all_shards:
            for game_id, _ in self.client.hscan_iter(shard.summaries, count=1000):
                yield game_id.decode()

    def count_games(self) -> int:
        """Return how many games there are."""
        pipe = self.client.pipeline(transaction=False)
        for shard in self.all_shards:
            pipe.hlen(shard.summaries)
        return sum(cast("list[int]", pipe.execute()))

    def public_data(self, game_ids: Sequence[str]) -> dict[str, Any]:
        """Return the public data of each game as lists show it, None for a game that does not exist."""
        summaries = cast("list[bytes | None]", self.summaries(game_ids))
        return {game: summary and orjson.loads(summary) for game, summary in zip(game_ids, summaries, strict=True)}

    def trace_of(self, game_id: str) -> str:
        """Take the trace that the next job of a game continues, '' if there is none."""
        return change_feed.trace_taken(self.client, self.shard(game_id), game_id)

    def wake_followers(self, game_id: str, version: int) -> None:
        """Let the followers of a game check again whether they can see it; if this fails, their heartbeat does so."""
        with suppress(redis.RedisError):
            change_feed.publish(self.client, game_id, str(version))

    def is_up(self) -> bool:
        """Return whether Redis answers and accepts writes."""
        try:
            return bool(self.client.set(keys.PROBE, "1"))
        except redis.RedisError:
            return False

    def naming_secret(self) -> bytes:
        """Return the secret that determines the ids of keyed games; the first call creates it."""
        if self._naming_secret is None:
            self.client.set(keys.NAMING_SECRET, secrets.token_bytes(32), nx=True)
            self._naming_secret = cast("bytes", self.client.get(keys.NAMING_SECRET))
        return self._naming_secret

    def derived_id(self, prefix: str, text: str) -> str:
        """Return the id derived from a text, hard to guess; only this store derives it."""
        return prefix + hmac.digest(self.naming_secret(), text.encode(), "sha256").hex()[:20]

    def check(self, *, allow_unsafe: bool = False, needs: Sequence[str] = GAMES) -> list[str]:
        """Check that the store can be used; return warnings, or raise ``StoreMisconfigured`` if it could lose games.

        ``needs`` are the rights that the process needs (``service.store.redis.redis_rights``).
        """
        servers = check_servers(self.client, (*needs, *self._replicas.needs))
        wrong, warnings = check_configurations(servers)
        if wrong and not allow_unsafe:
            raise StoreMisconfigured(
                f"it is not safe for games: {'; '.join(wrong)}; or set PLATEAU_ALLOW_UNSAFE_REDIS=1 to risk it"
            )
        self.begin()
        is_incomplete = self.client.exists(keys.RESTORING)
        if is_incomplete:
            raise StoreMisconfigured(
                "the restoration of a backup into it has not ended, so it lacks games: empty it, and restore again"
            )
        return wrong + warnings + self._replicas.warnings([server.facts for _, server in servers])

    def begin(self) -> None:
        """Write the number of shards of a new store."""
        self.all_shards.begin()

    def shard(self, game_id: str) -> keys.Shard:
        """Return the shard of a game."""
        return self.all_shards.of(game_id)

    def keys_of(self, game_id: str) -> keys.GameKeys:
        """Return the keys of a game."""
        return self.all_shards.keys_of(game_id)


def _writes_beside_games(shard: keys.Shard, append: Append) -> list[ListWrite]:
    """Return the writes for a table of a deal set, and for a tournament."""
    table, place = append.table, append.tournament
    writes: list[ListWrite] = []
    if table is not None:
        writes.append((shard.tables_of(table.set), "HSET", table.place, table.state))
    if place is not None:
        change: tuple[str, str | int] = ("ZREM", place.member) if place.is_over else ("ZADD", 0)
        writes.append((shard.tournaments, "ZADD", 0, place.member))
        writes.append((shard.running_tournaments, *change, place.member))
    return writes


def _plan_writes(game: keys.GameKeys, append: Append) -> list[ListWrite]:
    """Return the writes to the plans of a game; a plan that ends with its own move is removed last."""
    writes: list[ListWrite] = []
    if append.carried is not None:
        seat, rest = str(append.carried.seat), append.carried.rest
        writes.append((game.plans, "HSET", seat, rest) if rest else (game.plans, "HDEL", seat, seat))
    return writes + [(game.plans, "HDEL", str(seat), str(seat)) for seat in append.unplanned]


def _was_there(append: Append, result: Remembered | Conflict | Replanned) -> bool:
    """Return whether the log had these records already: from an earlier request, or an attempt whose reply was lost."""
    if isinstance(result, Conflict):
        own = {record.request for record in append.records}
        return any(record.request in own for record in result.missing[:1])
    return isinstance(result, Remembered)


def _records(game_id: str, after: int, entries: Any) -> list[Record]:
    """Read the entries after a version; raise ``LogDamaged`` unless each version is there once and is readable.

    The server sends the fields of an entry and their values alternately.
    """
    records = []
    for version, (entry_id, fields) in enumerate(entries, after + 1):
        if entry_id != b"%d-0" % version:
            raise LogDamaged(game_id, version, f"it is missing, entry {entry_id.decode()} is in its place")
        try:
            records.append(record_of(game_id, entry_id, dict(zip(fields[::2], fields[1::2], strict=True))))
        except ValueError as error:
            raise LogDamaged(game_id, version, str(error)) from error
    return records


# -- replicas -----------------------------------------------------------------------------------------------------
#
# WAIT counts the replicas that have received all earlier writes of its connection. So it must be sent on the connection
# that wrote, which is also on the same node of a cluster. On a connection without writes, it would not wait.


CONFIRM_MS = 1000
"""How long a write waits for its replicas; less than a connection waits for a reply."""


class Replicas:
    """How many replicas must confirm a write; 0 requires none."""

    def __init__(self, required: int) -> None:
        self._required = required
        self.wait: Sequence[tuple[str | int, ...]] = [("WAIT", required, CONFIRM_MS)] if required else []
        """The command to send after a write, on its connection and in the same round trip; ``check`` gets its reply."""
        self.needs: Sequence[str] = ["+wait"] if required else []
        """The right that the user of the server needs for it."""

    def check(self, replies: Sequence[int]) -> None:
        """Check the replies to ``wait``; raise ``NotReplicated``."""
        for confirmed in replies:
            if confirmed < self._required:
                raise NotReplicated(
                    f"the write is in the log of the primary, but after {CONFIRM_MS} ms {confirmed} of "
                    f"{self._required} replicas have confirmed it"
                )

    def warnings(self, servers: Iterable[Mapping[str, Any]]) -> list[str]:
        """Return a warning for each primary that has too few replicas now, by the INFO of the servers."""
        primaries = (facts for facts in servers if facts.get("role") not in {"slave", "replica"})
        numbers = (facts.get("connected_slaves", self._required) for facts in primaries)
        return [
            f"PLATEAU_REPLICAS is {self._required}, but {connected} replicas are connected to a server, so no write "
            "is accepted there until there are more"
            for connected in numbers
            if connected < self._required
        ]
