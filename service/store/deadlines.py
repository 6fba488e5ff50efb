"""The deadlines of all shards, taken with a lease, so that no deadline is lost if the process that took it dies."""

from dataclasses import dataclass
from typing import cast

import redis

from service.store import keys
from service.store.game_index import Priority, Rank, read_priority
from service.store.scripts import script
from service.store.shards import shards_of


@dataclass(frozen=True, slots=True)
class Due:
    game_id: str
    priority: Priority


class Deadlines:
    def __init__(self, client: redis.Redis, shards: int, lease_ms: int) -> None:
        self._redis = client
        self._shards = shards_of(client, shards)
        self._lease_ms = lease_ms
        self._script = script(client, __name__, "sweep")

    def take(self, most: int) -> list[Due]:
        """Take the games that are due, at most ``most`` from each set, in one round trip."""
        sets = [(shard, shard.deadlines, Rank.URGENT) for shard in self._shards]
        sets += [(shard, shard.second_looks, Rank.ALONE) for shard in self._shards]
        pipe = self._redis.pipeline(transaction=False)
        for shard, name, _ in sets:
            self._script(keys=[name, shard.priorities], args=[self._lease_ms, most], client=pipe)
        replies = cast("list[list[tuple[bytes, bytes]]]", pipe.execute())
        taken, unknown = list[Due](), list[tuple[keys.Shard, str, Due]]()
        for (shard, name, rank), due in zip(sets, replies, strict=True):
            for game, text in due:
                if text:
                    taken.append(Due(game.decode(), read_priority(text.decode())))
                else:
                    unknown.append((shard, name, Due(game.decode(), Priority(rank))))
        return taken + self._that_exist(unknown)

    def _that_exist(self, unknown: list[tuple[keys.Shard, str, Due]]) -> list[Due]:
        """Remove deadlines of games that do not exist; return the others, which have lost their priority."""
        if not unknown:
            return []
        pipe = self._redis.pipeline(transaction=False)
        for shard, _, due in unknown:
            pipe.exists(keys.GameKeys(due.game_id, shard).events)
        exists = dict(zip((due for *_, due in unknown), pipe.execute(), strict=True))
        for _, name, due in unknown:
            if not exists[due]:
                pipe.zrem(name, due.game_id)
        pipe.execute()
        return [due for due, has_log in exists.items() if has_log]

    def overdue(self, now: int) -> int:
        pipe = self._redis.pipeline(transaction=False)
        for shard in self._shards:
            pipe.zcount(shard.deadlines, "-inf", now)
        return sum(pipe.execute())
