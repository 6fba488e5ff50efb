"""How much work waits in the shards of a store, and how long the oldest of it has waited, in two round trips."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, cast

import redis

from service.store import keys
from service.store.change_feed import DISPATCHERS, NOTIFIERS
from service.store.shards import shards_of

Feed = Literal["changes", "notices"]

READERS: Mapping[Feed, str] = {"changes": DISPATCHERS, "notices": NOTIFIERS}
"""The group of readers of each feed."""


class Lag(NamedTuple):
    """How far a group of readers is behind: entries not yet read, and read but not acknowledged."""

    unread: int
    unacknowledged: int


@dataclass(slots=True)
class Backlog:
    """A feed over all shards: its entries, how far its readers are behind, and the age of the oldest pending entry."""

    entries: int = 0
    lag: Lag = Lag(0, 0)
    seconds: float = 0.0


@dataclass(slots=True)
class Due:
    """Scheduled work: the number of entries, how many are overdue, and the longest delay in seconds."""

    waiting: int = 0
    overdue: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class Waiting:
    """What waits in all shards. ``unlogged`` counts the games whose heads are not logged yet."""

    feeds: dict[Feed, Backlog] = field(default_factory=lambda: {"changes": Backlog(), "notices": Backlog()})
    deadlines: Due = field(default_factory=Due)
    reminders: Due = field(default_factory=Due)
    unlogged: int = 0


def waiting(client: redis.Redis, shards: int, now: int) -> Waiting:
    """Read how much waits; ``now`` is in ms since 1970."""
    all_shards, total = [*shards_of(client, shards)], Waiting()
    _add_due(client, all_shards, total, now)
    _add_feeds(client, all_shards, total, now)
    return total


def _add_due(client: redis.Redis, shards: Sequence[keys.Shard], total: Waiting, now: int) -> None:
    pipe = client.pipeline(transaction=False)
    for shard in shards:
        pipe.zcard(shard.second_looks)
        pipe.zcard(shard.unlogged)
        for name in (shard.deadlines, shard.reminders):
            pipe.zcard(name)
            pipe.zcount(name, "-inf", now)
            pipe.zrange(name, 0, 0, withscores=True)
    for second_looks, unlogged, *rest in _parts(pipe.execute(), len(shards)):
        total.unlogged += unlogged
        total.deadlines.waiting += second_looks
        for due, (number, overdue, first) in zip((total.deadlines, total.reminders), (rest[:3], rest[3:]), strict=True):
            due.waiting += number
            due.overdue += overdue
            due.seconds = max(due.seconds, *((now - at) / 1000 for _, at in first), 0.0)


def _add_feeds(client: redis.Redis, shards: Sequence[keys.Shard], total: Waiting, now: int) -> None:
    streams: list[tuple[Feed, str]] = []
    for shard in shards:
        streams += [("changes", shard.changes), ("notices", shard.notices)]
    pipe = client.pipeline(transaction=False)
    for feed, name in streams:
        pipe.xlen(name)
        pipe.xinfo_groups(name)
        pipe.xpending(name, READERS[feed])
    replies = list(_parts(_known(pipe.execute(raise_on_error=False)), len(streams)))
    pipe = client.pipeline(transaction=False)
    for (feed, name), (_, groups, pending) in zip(streams, replies, strict=True):
        pipe.xrange(name, _first_needed(groups, pending, READERS[feed]), "+", count=1)
    for (feed, _), (length, groups, _), first in zip(streams, replies, pipe.execute(), strict=True):
        backlog, lag = total.feeds[feed], _lag(groups, READERS[feed], length)
        backlog.entries += length
        backlog.lag = Lag(backlog.lag.unread + lag.unread, backlog.lag.unacknowledged + lag.unacknowledged)
        backlog.seconds = max(backlog.seconds, *((now - _ms(entry)) / 1000 for entry, _ in first), 0.0)


def _first_needed(groups: Any, pending: Any, reader: str) -> str:
    """Return the first entry that a group has not done: the oldest one it took, or the one after the last it read."""
    if pending and pending["pending"]:
        return cast("bytes", pending["min"]).decode()
    mine = _of(groups, reader)
    return f"({mine['last-delivered-id'].decode()}" if mine else "-"


def _lag(groups: Any, reader: str, length: int) -> Lag:
    """Return how far a group is behind; a group that does not exist yet has read nothing."""
    mine = _of(groups, reader)
    return Lag(mine["lag"] or 0, mine["pending"]) if mine else Lag(length, 0)


def _of(groups: Any, reader: str) -> dict[str, Any] | None:
    return next((group for group in groups or () if group["name"] == reader.encode()), None)


def _known(replies: Sequence[Any]) -> list[Any]:
    """Return replies, None for a missing key, such as the feed of a shard without games; raise other errors."""
    for reply in replies:
        if isinstance(reply, Exception) and not str(reply).startswith(("NOGROUP", "no such key")):
            raise reply
    return [None if isinstance(reply, Exception) else reply for reply in replies]


def _ms(entry: bytes) -> int:
    return int(entry.partition(b"-")[0])


def _parts(replies: list[Any], number: int) -> Iterator[list[Any]]:
    size = len(replies) // number
    for start in range(0, len(replies), size):
        yield replies[start : start + size]


@dataclass(frozen=True, slots=True)
class Archived:
    """How many games are ``archived``, and ``finished`` but still in the store, and how many of these are ``overdue``.

    The first of these has been overdue for so many ``seconds``.
    """

    archived: int
    finished: int
    overdue: int
    seconds: float


def archived(client: redis.Redis, shards: Iterable[keys.Shard], before: int = 0) -> Archived:
    """Count games; those that were over before a time in ms are overdue."""
    every = [*shards]
    pipe = client.pipeline(transaction=False)
    for shard in every:
        pipe.hlen(shard.archived)
        pipe.zcard(shard.finished)
        pipe.zcount(shard.finished, "-inf", f"({before}")
        pipe.zrange(shard.finished, 0, 0, withscores=True)
    replies = pipe.execute()
    first = min((at for found in replies[3::4] for _, at in found), default=float(before))
    late = max(0.0, (before - first) / 1000)
    return Archived(sum(replies[::4]), sum(replies[1::4]), sum(replies[2::4]), late)
