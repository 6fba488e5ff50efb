"""What is due: the deadlines of all shards, taken with a lease, so that nothing due is lost with whoever took it."""

from dataclasses import dataclass
from importlib.resources import files
from typing import cast

import redis

from service import keys
from service.store import unavailable


@dataclass(frozen=True, slots=True)
class Due:
    """A game that has to be seen to at the version it is at; ``taken`` is when it was taken, in ms.

    ``is_awaited`` says that players have a part in it, so that somebody waits for that.
    """

    game_id: str
    version: int
    taken: int
    is_awaited: bool


class Deadlines:
    """The deadlines kept in one Redis."""

    def __init__(self, client: redis.Redis, shards: int, lease_ms: int) -> None:
        self._redis = client
        self._shards = [keys.Shard(number) for number in range(shards)]
        self._lease_ms = lease_ms
        self._script = client.register_script(files("service").joinpath("sweep.lua").read_text())

    def take(self, most: int, *, of_bots: bool) -> list[Due]:
        """Take what is due, at most so much of each shard, in one round trip; ``of_bots``: of games of bots too."""
        sets = [(shard, shard.deadlines, True) for shard in self._shards]
        if of_bots:
            sets += [(shard, shard.second_looks, False) for shard in self._shards]
        with unavailable():
            pipe = self._redis.pipeline(transaction=False)
            for shard, name, _ in sets:
                before, after = keys.GameKeys("\0", shard).events.split("\0")
                self._script(keys=[name], args=[self._lease_ms, most, before, after], client=pipe)
            found = cast("list[list[tuple[bytes, int, int]]]", pipe.execute())
        return [
            Due(game.decode(), version, taken, is_awaited)
            for (_, _, is_awaited), due in zip(sets, found, strict=True)
            for game, version, taken in due
        ]

    def waiting(self) -> int:
        """Count the games for which something will be due."""
        with unavailable():
            pipe = self._redis.pipeline(transaction=False)
            for shard in self._shards:
                pipe.zcard(shard.deadlines)
                pipe.zcard(shard.second_looks)
            return sum(pipe.execute())

    def overdue(self, now: int) -> int:
        """Count the games with players for which something is due, and that nobody has taken."""
        with unavailable():
            pipe = self._redis.pipeline(transaction=False)
            for shard in self._shards:
                pipe.zcount(shard.deadlines, "-inf", now)
            return sum(pipe.execute())
