"""The index of names: which players have a name, or one that looks like it.

An entry can outlive the name that it stands for, if a process dies between two steps; a name never lacks its entry. So
readers of entries compare the names.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, cast

import redis

from domain.game.durations import instant
from service.accounts.names.lookalikes import skeletons
from service.store import keys


@dataclass(eq=False)
class Namesakes:
    """The index of names in one Redis; it holds hashes of names, and ids of players."""

    _redis: redis.Redis

    def add(self, pipe: Any, player_id: str, name: str, created_at: str) -> None:
        for key in _keys(name):
            pipe.zadd(key, {player_id: instant(created_at)})

    def enter(self, player_id: str, name: str, created_at: str) -> None:
        pipe = self._redis.pipeline(transaction=False)
        self.add(pipe, player_id, name, created_at)
        pipe.execute()

    def remove(self, player_id: str, names: Iterable[str], kept: str = "") -> None:
        """Remove a player from under names, but not from under the one that is ``kept``."""
        doomed = {key for name in names for key in _keys(name)} - _keys(kept)
        pipe = self._redis.pipeline(transaction=False)
        for key in doomed:
            pipe.zrem(key, player_id)
        pipe.execute()

    def settle(self, player_id: str, names: Iterable[str]) -> None:
        """Remove a player from under names that are not theirs, even while the name changes.

        A name that the player took in the meantime can lose its entry, so the name that they then have is entered.
        """
        name, _ = self._now(player_id)
        self.remove(player_id, names, name)
        name, created_at = self._now(player_id)
        if name:
            self.enter(player_id, name, created_at)

    def _now(self, player_id: str) -> tuple[str, str]:
        kept = cast("list[bytes | None]", self._redis.hmget(keys.player(player_id), ["name", "created_at"]))
        name, created_at = ((part or b"").decode() for part in kept)
        return name, created_at

    def find(self, name: str, most: int) -> list[str]:
        """List at most this many players for each skeleton of the name, oldest first; compare their names with it."""
        pipe = self._redis.pipeline(transaction=False)
        for key in _keys(name):
            pipe.zrange(key, 0, most - 1, withscores=True)
        found = cast("list[list[tuple[bytes, float]]]", pipe.execute())
        entries = {(at, player.decode()) for each in found for player, at in each}
        return [player for _, player in sorted(entries)]


def _keys(name: str) -> set[str]:
    return {keys.named(sha256(each.encode()).hexdigest()[:32]) for each in skeletons(name)}
