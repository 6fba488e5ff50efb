"""Games that are removed permanently: sandboxes in which nothing has happened for a time. No id is used again."""

from collections.abc import Iterable, Sequence
from typing import Literal, cast

import redis

from service.store import keys
from service.store.redis.availability import StoreUnavailable
from service.store.scripts import script
from service.store.shards import Shards

Result = Literal["removed", "moved", "shared"]
"""The result for a game: it is removed; it has new events; or the logs of other games share its log."""

DAY_MS = 24 * 3600 * 1000
"""A shared log is checked again after so long.

A fork that does not exist so long after it was noted is gone, or never began; the log that it shared stays for as long
again, so a backup in between has both or neither.
"""


class Removal:
    """Removes games from one store, and records which logs must stay because forks share them."""

    def __init__(self, client: redis.Redis, shards: Shards) -> None:
        self._redis, self._shards = client, shards
        self._share, self._remove = (script(client, __name__, name) for name in ("share", "remove"))

    def note_fork(self, fork_id: str, shared: Iterable[str]) -> None:
        """Record that a fork, which is about to begin, shares the logs of games.

        Raise ``StoreUnavailable`` if one of them was just removed.
        """
        for game_id in shared:
            game = self._shards.keys_of(game_id)
            places = [game.events, game.shard.archived, game.shard.summaries, game.forks]
            if not self._share(keys=places, args=[game_id, fork_id]):
                raise StoreUnavailable(f"the game {game_id} was removed at this moment")

    def remove(self, game_id: str, version: int, lists: Sequence[tuple[str, str]]) -> Result:
        """Remove a game at a version, and its member from each of some lists of its shard."""
        game = self._shards.keys_of(game_id)
        shard = game.shard
        own = [game.invitations, game.plans, game.phrases, game.questions, game.hints, game.analysis, game.luck]
        places = [game.events, game.forks, shard.deadlines, shard.second_looks, shard.priorities, shard.summaries]
        places += [shard.unlogged, shard.finished, shard.traces, shard.gone, *own, *(key for key, _ in lists)]
        args: list[str | int] = [game_id, version, DAY_MS, len(own), *(member for _, member in lists)]
        result = cast("Result", self._remove(keys=places, args=args).decode())
        if result == "removed":
            self._redis.delete(keys.heads_of(game_id))
        elif result == "shared":
            self._forget_forks(game)
        return result

    def _forget_forks(self, game: keys.GameKeys) -> None:
        """Remove the entries of forks of a game that are gone, or never began."""
        seconds, _ = self._redis.time()
        noted = self._redis.zrangebyscore(game.forks, "-inf", 1000 * seconds - DAY_MS)
        forks = [fork.decode() for fork in cast("list[bytes]", noted)]
        pipe = self._redis.pipeline(transaction=False)
        for fork in forks:
            pipe.exists(self._shards.keys_of(fork).events)
        gone = [fork for fork, is_there in zip(forks, pipe.execute(), strict=True) if not is_there]
        if gone:
            self._redis.zrem(game.forks, *gone)

    def is_gone(self, game_id: str) -> bool:
        return self._redis.zscore(self._shards.of(game_id).gone, game_id) is not None
