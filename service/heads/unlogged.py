"""The games that have gone on since their head was logged; every append adds its game, in the same step."""

import logging
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, cast

import redis

from service.heads.head_log import Head
from service.store import keys
from service.store.codec import record_of
from service.store.event_store import unavailable

_log = logging.getLogger("plateau.worker")


class Unlogged:
    """The games to be logged of all shards in one Redis."""

    def __init__(self, client: redis.Redis, shards: int) -> None:
        self._redis = client
        self._shards = [keys.Shard(number) for number in range(shards)]
        self._settle = client.register_script(files("service.heads").joinpath("logged.lua").read_text())

    def add_all(self) -> None:
        """Add all games there are: a store can have some from before heads were logged."""
        with unavailable():
            for shard in self._shards:
                for game_id, _ in self._redis.hscan_iter(shard.summaries, count=1000):
                    self._redis.zadd(shard.unlogged, {game_id: 0}, nx=True)

    def games(self) -> list[str]:
        """Return the games to be logged: those of the first shard first, and by id within a shard."""
        with unavailable():
            pipe = self._redis.pipeline(transaction=False)
            for shard in self._shards:
                pipe.zrange(shard.unlogged, 0, -1)
            found = cast("list[list[bytes]]", pipe.execute())
        return [game.decode() for games in found for game in sorted(games)]

    def heads(self, games: Sequence[str]) -> list[Head]:
        """Return the current heads of games, without those that have none, which need not be logged."""
        with unavailable():
            pipe = self._redis.pipeline(transaction=False)
            for game_id in games:
                pipe.xrevrange(keys.GameKeys(game_id, self._shard_of(game_id)).events, "+", "-", count=1)
            heads = {game: _head(game, entries) for game, entries in zip(games, pipe.execute(), strict=True)}
            for game in (game for game, head in heads.items() if head is None):
                self._redis.zrem(self._shard_of(game).unlogged, game)
        return [head for head in heads.values() if head is not None]

    def settle(self, heads: Sequence[Head]) -> None:
        """Forget games whose heads are logged, unless they have gone on since."""
        by_shard: dict[str, list[str | int]] = {}
        for each in heads:
            by_shard.setdefault(self._shard_of(each.game_id).unlogged, []).extend((each.game_id, each.version))
        with unavailable():
            for name, args in by_shard.items():
                self._settle([name], args)

    def _shard_of(self, game_id: str) -> keys.Shard:
        return self._shards[keys.shard_of(game_id, len(self._shards))]


def _head(game_id: str, entries: Any) -> Head | None:
    """Read the head of a log; one that cannot be read must not hold up the others, and comes again if it goes on."""
    try:
        record = record_of(game_id, *entries[0]) if entries else None
    except ValueError as error:
        _log.warning("the head of %s is not logged: %s", game_id, error)
        return None
    return None if record is None else Head(game_id, record.version, record.hash)
