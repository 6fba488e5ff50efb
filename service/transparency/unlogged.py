"""The games with new events since their head was logged; every append adds its game, in the same step."""

import logging
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, cast

import redis

from service.store import keys
from service.store.archive.archived_games import head_in, pairs
from service.store.codec import Head, record_of, version_in
from service.store.scripts import script
from service.store.shards import shards_of

_log = logging.getLogger("plateau.worker")

_PAGE = 1000
"""About how many games are read at once."""


class Unlogged:
    def __init__(self, client: redis.Redis, shards: int) -> None:
        self._redis = client
        self._shards = shards_of(client, shards)
        self._settle = script(client, __name__, "mark_logged")

    def add_all(self) -> None:
        """Add every game that is longer than what is logged of it, no matter who wrote to it."""
        for shard in self._shards:
            summaries = self._redis.hscan_iter(shard.summaries, count=_PAGE)
            while page := [game.decode() for game, _ in islice(summaries, _PAGE)]:
                self._add(shard, page)

    def add(self, games: Sequence[str]) -> None:
        """Add those of some games that are longer than what is logged of them."""
        for game in games:
            self._add(self._shards.of(game), [game])

    def _add(self, shard: keys.Shard, games: Sequence[str]) -> None:
        pipe = self._redis.pipeline(transaction=False)
        for game in games:
            pipe.xrevrange(keys.GameKeys(game, shard).events, "+", "-", count=1)
            pipe.hget(shard.archived, game)
        for game, (last, pointer) in zip(games, pairs(pipe.execute()), strict=True):
            version = head_in(game, pointer).version if pointer else version_in(last)
            pipe.zcount(keys.heads_of(game), version, "+inf")
        missing = [game for game, is_logged in zip(games, pipe.execute(), strict=True) if not is_logged]
        if missing:
            self._redis.zadd(shard.unlogged, dict.fromkeys(missing, 0), nx=True)

    def games(self) -> Iterator[str]:
        """Read the games to be logged, page by page: those of the first shard first, and by id within a page.

        What is added or forgotten at the same time can be missing, and any can come twice.
        """
        for shard in self._shards:
            cursor = None
            while cursor != 0:
                found = self._redis.zscan(shard.unlogged, cursor or 0, count=_PAGE)
                cursor, page = cast("tuple[int, list[tuple[bytes, float]]]", found)
                yield from sorted(game.decode() for game, _ in page)

    def heads(self, games: Sequence[str]) -> list[Head]:
        """Return the current heads of games, without those that have none, which need not be logged."""
        self._shards.look_for(games)
        pipe = self._redis.pipeline(transaction=False)
        for game_id in games:
            shard = self._shards.of(game_id)
            pipe.xrevrange(keys.GameKeys(game_id, shard).events, "+", "-", count=1)
            pipe.hget(shard.archived, game_id)
        found = zip(games, pairs(pipe.execute()), strict=True)
        heads = {game: head_in(game, pointer) if pointer else _head(game, last) for game, (last, pointer) in found}
        for game in (game for game, head in heads.items() if head is None):
            self._redis.zrem(self._shards.of(game).unlogged, game)
        return [head for head in heads.values() if head is not None]

    def settle(self, heads: Sequence[Head]) -> None:
        """Forget games whose heads are logged, unless they have new events since."""
        by_shard: dict[str, list[str | int]] = {}
        for each in heads:
            by_shard.setdefault(self._shards.of(each.game).unlogged, []).extend((each.game, each.version))
        for name, args in by_shard.items():
            self._settle([name], args)


def _head(game_id: str, entries: Any) -> Head | None:
    """Read the head of a log; one that cannot be read must not delay the others, and is retried at its next event."""
    try:
        record = record_of(game_id, *entries[0]) if entries else None
    except ValueError as error:
        _log.warning("the head of %s is not logged: %s", game_id, error)
        return None
    return None if record is None else Head(game_id, record.version, record.hash, record.at)
