"""The feeds of the appends, one stream for each shard; each group of readers sees every entry of its feed once.

The change feed has an entry for every append, the feed of notices one for each append with notices to players.

An entry is done for a group when it is acknowledged. If a reader is killed before it acknowledges an entry, another
reader claims the entry. Streams are trimmed behind the slowest group.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, cast

import redis

from service.common import observability
from service.store import keys
from service.store.game_index import ListWrite
from service.store.shards import shards_of

DISPATCHERS = "dispatch"
"""The group that turns changes into jobs."""

NOTIFIERS = "notify"
"""The group that moves notices into the logs of players."""

_BATCH = 200
_GONE_MS = 600_000


@dataclass(frozen=True, slots=True)
class Change:
    """A game has reached a version; ``work`` is its priority for the workers, '' if it needs none now.

    ``notices`` are those to players.
    """

    feed: str
    entry: bytes
    game_id: str
    version: int
    work: str = ""
    notices: bytes = field(default=b"", repr=False)


class ChangeFeed:
    """The feeds of all shards, for one reader of one group; it decides which feed."""

    def __init__(self, client: redis.Redis, shards: int, group: str, reader: str) -> None:
        feed_of = attrgetter("notices" if group == NOTIFIERS else "changes")
        self._redis = client
        self._feed_of: Callable[[keys.Shard], str] = feed_of
        self._shards = shards_of(client, shards)
        self._feeds: list[str] = []
        self._group = group
        self._reader = reader

    def join(self) -> None:
        """Join the group at all current shards; a new group begins with the oldest entries."""
        self._shards.look()
        feeds = [*map(self._feed_of, self._shards)]
        for feed in feeds:
            try:
                self._redis.xgroup_create(feed, self._group, id="0", mkstream=True)
            except redis.ResponseError as error:
                if not str(error).startswith("BUSYGROUP"):
                    raise
        self._feeds = feeds

    def read(self, wait_ms: int) -> list[Change]:
        """Read entries that no reader of the group has read; wait for the first one if necessary."""
        return self._read(">", wait_ms)

    def reread(self) -> list[Change]:
        """Read again the oldest entries that this reader took and did not acknowledge."""
        return self._read("0", None)

    def _read(self, after: str, wait_ms: int | None) -> list[Change]:
        found = self._redis.xreadgroup(
            self._group, self._reader, dict.fromkeys(self._feeds, after), count=_BATCH, block=wait_ms
        )
        return [
            change for feed, entries in cast("list[Any]", found or []) for change in _changes(feed.decode(), entries)
        ]

    def claim(self, idle_ms: int) -> list[Change]:
        """Take over entries that another reader took and left unacknowledged for this long."""
        pipe = self._redis.pipeline(transaction=False)
        for feed in self._feeds:
            pipe.xautoclaim(feed, self._group, self._reader, idle_ms, count=_BATCH)
        claimed = pipe.execute()
        return [
            change
            for feed, (_, entries, *_) in zip(self._feeds, claimed, strict=True)
            for change in _changes(feed, entries)
        ]

    def acknowledge(self, changes: Iterable[Change]) -> None:
        by_feed: dict[str, list[bytes]] = {}
        for change in changes:
            by_feed.setdefault(change.feed, []).append(change.entry)
        pipe = self._redis.pipeline(transaction=False)
        for feed, entries in by_feed.items():
            pipe.xack(feed, self._group, *entries)
        pipe.execute()

    def trim(self) -> None:
        """Trim the feeds behind the slowest group, and remove readers of this group that are gone permanently."""
        for feed in self._feeds:
            self._redis.xtrim(feed, minid=oldest_needed(self._redis, feed), approximate=True)
            for reader in self._redis.xinfo_consumers(feed, self._group):
                if reader["pending"] == 0 and reader["idle"] > _GONE_MS and reader["name"] != self._reader.encode():
                    self._redis.xgroup_delconsumer(feed, self._group, reader["name"])


def oldest_needed(client: redis.Redis, feed: str) -> str:
    """Return the oldest entry that a group still needs: its first unacknowledged one, or the one it read last."""
    needed = []
    for group in client.xinfo_groups(feed):
        first = group["last-delivered-id"]
        if group["pending"]:
            first = client.xpending(feed, group["name"])["min"] or first
        needed.append(first.decode())
    return min(needed, key=_place, default="0-0")


def _place(entry: str) -> tuple[int, int]:
    ms, number = entry.split("-")
    return int(ms), int(number)


def _changes(feed: str, entries: Sequence[Any]) -> list[Change]:
    """Read entries; one that has been trimmed has no fields."""
    return [
        Change(
            feed,
            entry,
            fields[b"g"].decode(),
            int(fields[b"v"]),
            fields.get(b"w", b"").decode(),
            fields.get(b"n", b""),
        )
        for entry, fields in entries
        if fields
    ]


# -- messages by topic --------------------------------------------------------------------------------------------
#
# A topic is the id of a game or of a player, with a channel of its own. A message is the cursor of the latest item.
# Messages can get lost, so they only wake followers, who then read the store. ``append.lua`` publishes the version of
# the game.


def publish(client: Any, topic: str, cursor: str) -> None:
    """Publish that a topic has something new; ``client`` can be a pipeline, so that this is part of its atomic step."""
    client.publish(keys.topic(topic), cursor)


def topic_of(channel: bytes) -> str:
    return channel.decode().removeprefix(keys.topic(""))


# -- the trace that a job continues -------------------------------------------------------------------------------
#
# An append that causes work stores its trace beside the game, and the worker takes it. The trace is not in the change
# feed and the queue, because several appends can become one job; then the last trace counts, as for the job. A trace
# can be lost without harm.


_KEPT_MS = 3_600_000


def trace_left_by(shard: keys.Shard, game_id: str) -> list[ListWrite]:
    """Return the writes that store the current trace for the job of an append; none without tracing."""
    trace = observability.carried()
    if not trace:
        return []
    return [(shard.traces, "HSET", game_id, trace), (shard.traces, "PEXPIRE", _KEPT_MS, "NX")]


def trace_taken(client: redis.Redis, shard: keys.Shard, game_id: str) -> str:
    """Take the trace that was stored for a game; '' if there is none, or it cannot be read."""
    try:
        pipe = client.pipeline(transaction=False)
        pipe.hget(shard.traces, game_id)
        pipe.hdel(shard.traces, game_id)
        found = cast("bytes | None", pipe.execute()[0])
    except redis.RedisError:
        return ""
    return (found or b"").decode()
