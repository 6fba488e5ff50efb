"""The queue of games for the workers: which game is next, so that the games of one player do not delay those of others.

The most urgent rank goes first; within a rank, owners take turns, however many games each of them has waiting. A
game with several owners takes the earliest of their turns, and only that owner's next turn moves back. One of every few
turns goes to a less urgent rank, so that no game waits for ever. Each game is in the queue at most once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import redis

from service.store import keys
from service.store.game_index import RANKS, Priority, Rank
from service.store.scripts import script

_TURNS_FOR_ONE_OF_A_LESS_URGENT_RANK = 8
_MOST_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Job:
    """A game to handle at a version, or (None) at its current version."""

    game_id: str
    version: int | None
    priority: Priority = Priority(Rank.URGENT)


class Waiting(NamedTuple):
    """How many games are waiting, and how many calls for a worker are unanswered."""

    games: int
    calls: int


class FairQueue:
    """The queue in one Redis; ``calls`` is the key of the list of calls there, which another component maintains."""

    def __init__(self, client: redis.Redis, calls: str = keys.CALLS) -> None:
        per_rank = [key for rank in RANKS for key in (keys.games_of_rank(rank), keys.next_rounds(rank))]
        self._redis = client
        self._keys_of_put = [keys.WAITING_GAMES, keys.ROUNDS, calls, *per_rank]
        self._keys_of_take = [keys.WAITING_GAMES, keys.ROUNDS, *per_rank]
        self._put, self._take = (script(client, __name__, name) for name in ("put", "take"))

    def load_scripts(self) -> None:
        for each in (self._put, self._take):
            self._redis.script_load(each.script)

    def put(self, jobs: Sequence[Job]) -> Waiting:
        """Put games into the queue unless they are in it; a game whose rank has changed moves to its new rank."""
        for start in range(0, len(jobs), _MOST_AT_ONCE) or (0,):
            args = [part for job in jobs[start : start + _MOST_AT_ONCE] for part in _written(job)]
            waiting = self._put(keys=self._keys_of_put, args=args)
        return Waiting(*cast("tuple[int, int]", waiting))

    def take(self) -> tuple[str, int | None] | None:
        """Take the next game, with the version at which to handle it (None: any); None if no game is waiting."""
        taken = self._take(keys=self._keys_of_take, args=[_TURNS_FOR_ONE_OF_A_LESS_URGENT_RANK])
        if taken is None:
            return None
        game, version = cast("list[bytes]", taken)
        return game.decode(), int(version) if version else None

    def is_urgent(self) -> bool:
        return bool(self._redis.exists(keys.games_of_rank(Rank.URGENT)))

    def waiting(self) -> int:
        return sum(self.by_rank().values())

    def by_rank(self) -> Mapping[Rank, int]:
        pipe = self._redis.pipeline(transaction=False)
        for rank in RANKS:
            pipe.zcard(keys.games_of_rank(rank))
        return dict(zip(RANKS, pipe.execute(), strict=True))

    def calls(self) -> int:
        return self._redis.llen(self._keys_of_put[2])


def _written(job: Job) -> tuple[int, str, str, int | str]:
    version = "" if job.version is None else job.version
    return RANKS.index(job.priority.rank) + 1, " ".join(job.priority.owners), job.game_id, version
