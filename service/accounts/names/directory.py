"""The names of players, as lists, games, views and pictures show them: read afresh, and never kept in a log."""

from collections.abc import Iterable, Mapping
from typing import cast

import redis

from service.accounts.changes import Changes, PlayerCache
from service.store import keys


class Directory:
    """Names by player. A process remembers them, and shows a new name within a second of the change."""

    def __init__(self, client: redis.Redis, changes: Changes) -> None:
        self._redis = client
        self._changes = changes
        self._cache: PlayerCache[str] = PlayerCache(changes)

    def names(self, players: Iterable[str]) -> Mapping[str, str]:
        """Return the names of players by their ids; those who do not exist, or no longer do, have none."""
        known = self._cache.known()
        found = {player: known.get(player) for player in players}
        if None in found.values():
            found |= self._read([player for player, name in found.items() if name is None])
        if all(found.values()):
            return cast("dict[str, str]", found)
        return {player: name for player, name in found.items() if name}

    def _read(self, players: list[str]) -> dict[str, str]:
        seen = self._changes.seen
        pipe = self._redis.pipeline(transaction=False)
        for player in players:
            pipe.hget(keys.player(player), "name")
        replies = cast("list[bytes | None]", pipe.execute())
        names = {player: (name or b"").decode() for player, name in zip(players, replies, strict=True)}
        for player, name in names.items():
            self._cache.keep(player, name, seen)
        return names
