"""Sequential halving: it finds the best of some actions, by playouts in worlds that they share.

Each round gives every remaining action equally many playouts, in the same worlds and with the same random numbers, so
that luck cancels in comparisons. Then the worse half is dropped. Sums are integers, nothing is rounded, and equal
actions keep their order: the same seed gives the same result on every machine.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Final, TypeAlias

from workers.bots.policy import Enough

Trial: TypeAlias = Callable[[Sequence[int]], Sequence[int]]
"""Plays some actions, given by their numbers, in one new world; returns the reward of each, in the same order."""

CLEAR_FROM: Final = 8
"""A clearly best move ends the search after this part of the playouts, at the earliest."""

CLEAR_ERRORS: Final = 4
"""The difference, in standard errors, that is clear."""

CHECKED_EVERY: Final = 8
"""After every so many worlds, the search checks whether the best action is clear."""


@dataclass(slots=True)
class Ranking:
    """The actions by number, best first, the rewards of each in its worlds, and the number of all playouts."""

    order: list[int]
    rewards: list[list[int]]
    playouts: int = 0
    _sums: list[int] = field(default_factory=list)

    def mean(self, action: int) -> float:
        """Return the mean reward of an action, for readers."""
        return self._sums[action] / max(len(self.rewards[action]), 1)

    def error(self, action: int) -> float:
        """Return the standard error of that mean."""
        return error_of_mean(self.rewards[action])

    def behind(self, action: int) -> tuple[float, float]:
        """Return how much an action is behind the best where both were played, and the standard error of that."""
        best = self.rewards[self.order[0]]
        less = [ahead - reward for ahead, reward in zip(best, self.rewards[action], strict=False)]
        return sum(less) / max(len(less), 1), error_of_mean(less)

    def add(self, alive: Sequence[int], rewards: Sequence[int]) -> None:
        """Add the rewards of one world."""
        self.playouts += len(alive)
        for action, reward in zip(alive, rewards, strict=True):
            self.rewards[action].append(reward)
            self._sums[action] += reward

    def ranked(self, alive: Sequence[int]) -> list[int]:
        """Return actions that were played in the same worlds, best first."""
        return sorted(alive, key=lambda action: (-self._sums[action], action))

    def is_clear(self, alive: Sequence[int]) -> bool:
        """Return whether the best of the actions is ahead of the next by ``CLEAR_ERRORS`` of their difference."""
        best, second = self.ranked(alive)[:2]
        ahead = self._sums[best] - self._sums[second]
        count = len(self.rewards[best])
        squares = sum((a - b) ** 2 for a, b in zip(self.rewards[best], self.rewards[second], strict=True))
        return count * ahead**2 > CLEAR_ERRORS**2 * (count * squares - ahead**2)


def error_of_mean(found: Sequence[float]) -> float:
    """Return the standard error of the mean of some values; 0 for fewer than two."""
    count, squares = len(found), sum(each * each for each in found)
    if count < 2:
        return 0.0
    return sqrt(max(count * squares - sum(found) ** 2, 0) / (count * count * (count - 1)))


def halved(actions: int, playouts: int, trial: Trial, is_enough: Enough) -> Ranking:
    """Rank so many actions with at most so many playouts, but with at least one world for each action.

    ``is_enough`` is called after each world with the number of playouts; it can end the search, and so does a clear
    best action.
    """
    ranking = Ranking([*range(actions)], [[] for _ in range(actions)], 0, [0] * actions)
    alive = [*range(actions)]
    dropped: list[int] = []
    rounds = max((actions - 1).bit_length(), 1)
    while len(alive) > 1:
        ended = _play_round(ranking, alive, max(playouts // rounds, len(alive)), playouts, trial, is_enough)
        alive = ranking.ranked(alive)
        if ended:
            break
        kept = (len(alive) + 1) // 2
        dropped = alive[kept:] + dropped
        alive = alive[:kept]
    ranking.order = alive + dropped
    return ranking


def _play_round(
    ranking: Ranking, alive: Sequence[int], budget: int, playouts: int, trial: Trial, is_enough: Enough
) -> bool:
    """Play all actions that are left in as many worlds as the budget allows; return whether the search has ended."""
    for world in range(1, budget // len(alive) + 1):
        ranking.add(alive, trial(alive))
        if is_enough(ranking.playouts):
            return True
        is_due = world % CHECKED_EVERY == 0 and ranking.playouts * CLEAR_FROM >= playouts
        if is_due and ranking.is_clear(alive):
            return True
    return False
