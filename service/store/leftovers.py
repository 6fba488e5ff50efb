"""What earlier releases left in the store without an end: answers without a lifetime, and games without a deadline."""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

import orjson
import redis

from service.store import keys
from service.store.event_store import unavailable
from service.store.shards import shards_of
from service.store.summaries import plain

_PAGE = 1000
"""About how many games are read at once."""


class Leftovers:
    """The leftovers of all shards in one Redis; ``now`` returns the time in ms since 1970.

    Answers then expire after ``answer_ms``. Games that are due at no time are due after ``idle_ms``, and sandboxes,
    also those that are over, after ``sandbox_ms``; None is for never.
    """

    def __init__(
        self,
        client: redis.Redis,
        shards: int,
        answer_ms: int,
        idle_ms: int | None,
        now: Callable[[], int],
        sandbox_ms: int | None = None,
    ) -> None:
        self._redis = client
        self._shards = shards_of(client, shards)
        self._answer_ms = answer_ms
        self._waits = {False: idle_ms, True: sandbox_ms}
        self._now = now

    def limit(self) -> None:
        """Give every game that there is what it lacks; what has an end already keeps it."""
        with unavailable():
            for shard in self._shards:
                summaries = self._redis.hscan_iter(shard.summaries, count=_PAGE)
                while page := {game.decode(): summary for game, summary in islice(summaries, _PAGE)}:
                    self._limit_answers(shard, [*page])
                    shown = {game: orjson.loads(plain(summary)) for game, summary in page.items()}
                    for is_sandbox, wait in self._waits.items():
                        if wait is not None:
                            ends = [game for game, summary in shown.items() if _ends_by(summary, is_sandbox=is_sandbox)]
                            self._limit_games(shard, ends, self._now() + wait)

    def _limit_answers(self, shard: keys.Shard, games: Sequence[str]) -> None:
        pipe = self._redis.pipeline(transaction=False)
        for game in games:
            pipe.pexpire(keys.GameKeys(game, shard).earlier_answers, self._answer_ms, nx=True)
        pipe.execute()

    def _limit_games(self, shard: keys.Shard, games: Sequence[str], at: int) -> None:
        """Make games due that are not; one that ends meanwhile is due for nothing, which does no harm."""
        pipe = self._redis.pipeline(transaction=False)
        for game in games:
            pipe.zscore(shard.second_looks, game)
        looks = pipe.execute()
        if lacking := [game for game, look in zip(games, looks, strict=True) if look is None]:
            self._redis.zadd(shard.deadlines, dict.fromkeys(lacking, at), nx=True)


def _ends_by(summary: Any, *, is_sandbox: bool) -> bool:
    """Return whether a game ends, or goes, by the time for sandboxes, or else by that for other games."""
    statuses = ("active", "finished", "aborted") if is_sandbox else ("active",)
    return summary["sandbox"] == is_sandbox and summary["status"] in statuses
