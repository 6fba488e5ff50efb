"""The moves of bots at the tables of a deal set, so that a bot thinks once for all tables with the same history."""

from collections.abc import Mapping
from typing import Any, Final, cast

import orjson

from service.store.event_store import EventStore

MOST_MOVES: Final = 20_000
"""The most moves of a set that are stored; for the others, bots think at each table."""
KEPT_MS: Final = 48 * 3600 * 1000


class MoveStore:
    def __init__(self, store: EventStore) -> None:
        self._redis, self._shards = store.client, store.all_shards

    def find(self, set_id: str, place: str) -> Mapping[str, Any] | None:
        """Return the stored move at a decision with this name; None if there is none."""
        kept = cast("bytes | None", self._redis.hget(self._key(set_id), place))
        return None if kept is None else cast("Mapping[str, Any]", orjson.loads(kept))

    def keep(self, set_id: str, place: str, move: Mapping[str, Any]) -> None:
        key = self._key(set_id)
        if self._redis.hlen(key) < MOST_MOVES:
            pipe = self._redis.pipeline()
            pipe.hset(key, place, cast("str", orjson.dumps(move)))
            pipe.pexpire(key, KEPT_MS)
            pipe.execute()

    def _key(self, set_id: str) -> str:
        return self._shards.keys_of(set_id).shard.moves_of(set_id)
