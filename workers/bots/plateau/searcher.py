"""The bot ``searcher`` of Plateau: captures and threats played out by alpha-beta, in a few worlds.

All candidates are valued as by ``greedy``. The best are searched, all of them in the same worlds, one world after the
other; after eight worlds, the better half is searched one reply deeper. The number of positions valued is the budget,
never the time.
"""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from domain.chance import Rng
from domain.errors import NoWorldFound
from domain.plateau import RULESET
from domain.plateau.actions import ACTIONS
from domain.plateau.options import Options
from domain.plateau.view import View
from domain.serialization import from_plain
from workers.bots.plateau import greedy
from workers.bots.plateau.evaluation import WON
from workers.bots.plateau.greedy import Valued, candidates, chosen, different, habit, ranked
from workers.bots.plateau.kernel import after
from workers.bots.plateau.position import MOVE, TENDER, Action, Position
from workers.bots.plateau.search import Nodes, value
from workers.bots.plateau.translation import Seen, kernel_action, loaded, next_turn, posted
from workers.bots.policy import Asked, Estimate, Thought

NODES = 3
"""How many valued positions make a playout; the first look at all actions, as by ``greedy``, is free."""
CLIP = 1_500
"""The most that one world can count for or against an action: larger values mean a win, but only in that world."""
ALIKE = 2
"""How many candidates may differ only in the piece."""


class Round(NamedTuple):
    """How many candidates are searched, in how many worlds, how many replies deep before captures, with what weight."""

    candidates: int
    worlds: int
    plies: int
    weight: int


ROUNDS = (Round(8, 8, 0, 1), Round(4, 8, 1, 2))
"""The rounds of a search while the budget lasts: 1,000 playouts end in the second."""


def think(asked: Asked) -> Thought:
    """Choose the action with the best mean over worlds; openings and responses to a tender as ``greedy`` does."""
    options = from_plain(RULESET.options.shape, asked.view["game"]["options"])
    view = from_plain(RULESET.view, asked.view["state"])
    if view.phase != "play":
        return greedy.think(asked)
    try:
        return Search(asked, options, view).thought()
    except NoWorldFound:
        return greedy.think(asked)


class Search:
    """One search at its root.

    ``values`` has a value of each candidate for each world searched, with its weight. ``done`` is how many playouts it
    has done. Each candidate in a world adds at least one, so any two moments at which it can end differ.
    """

    def __init__(self, asked: Asked, options: Options, view: View) -> None:
        self.asked, self.options, self.view = asked, options, view
        self.rng: Rng = random.Random(asked.seed)  # noqa: S311 - chooses moves; the game's own draws are made elsewhere
        self.nodes = Nodes()
        self.done = 0
        self.seen: Seen = ()
        self.worlds: list[Position] = []
        self.values: dict[Action, list[tuple[int, int]]] = {}

    def thought(self) -> Thought:
        """Search, and return the action with the results."""
        actions = candidates(self.world(0), self.rng)
        wanted = _read(self.asked.also)
        actions += [wanted] if wanted is not None and wanted not in actions else []
        first = ranked(self.world(0), actions)
        also = next((each for each in first if each.action == wanted), None)
        if len(first) == 1 or first[0].value >= WON:
            return Thought(posted(first[0].action), estimates=_won(first[0], also), measure="win")
        found = self._narrowed(different(first, ALIKE), also)
        action = chosen(found, self.rng)
        done = min(self.done, self.asked.playouts)
        told = [action, *(each.action for each in found if each.action != action)]
        return Thought(posted(action), done, tuple(self._estimate(each, action) for each in told), "win")

    def world(self, nth: int) -> Position:
        """Return a world, sampled when it is first needed."""
        while len(self.worlds) <= nth:
            state = RULESET.sample(self.options, self.asked.view["viewer"]["seat"], self.view, self.rng)
            self.seen = state.seen
            self.worlds.append(loaded(state))
        return self.worlds[nth]

    def _narrowed(self, kept: list[Valued], also: Valued | None) -> list[Valued]:
        """Search the candidates world by world until the budget is spent; return the remaining ones, the best first.

        The action ``also`` is never left out. A world in which not all of them could be searched does not count, unless
        there is no other.
        """
        for nth, each in self._rows():
            try:
                world = self.world(nth)
            except NoWorldFound:
                break
            kept = self._sorted(kept)[: each.candidates]
            if also is not None and all(one.action != also.action for one in kept):
                kept.insert(1, also)
            values = []
            for candidate in kept:
                if self._is_enough():
                    break
                values.append(self._searched(world, candidate, each.plies))
                self.done = max(self.done + 1, self.nodes.count // NODES)
            if len(values) < len(kept) and self.values:
                break
            for candidate, found in zip(kept, values, strict=False):
                self.values.setdefault(candidate.action, []).append((each.weight, found))
        return self._sorted(kept)

    def _is_enough(self) -> bool:
        return self.done >= self.asked.playouts or self.asked.is_enough(self.done)

    @staticmethod
    def _rows() -> Iterator[tuple[int, Round]]:
        return ((nth, each) for each in ROUNDS for nth in range(each.worlds))

    def _sorted(self, kept: list[Valued]) -> list[Valued]:
        """Sort candidates by their means; before anything is searched, they are sorted already."""
        means = [Valued(self._mean(each.action), each.action) for each in kept if each.action in self.values]
        return sorted(means, key=lambda each: -each.value) or kept

    def _mean(self, action: Action) -> int:
        values = self.values[action]
        return sum(weight * found for weight, found in values) // sum(weight for weight, _ in values)

    def _searched(self, world: Position, candidate: Valued, plies: int) -> int:
        if candidate.action[0] == TENDER:
            return _clipped(candidate.value)
        child = self._followed(world, candidate.action)
        worth = value(child, plies, -WON, WON, self.nodes)
        return _clipped(worth if child.mover == world.mover else -worth) + habit(world, candidate.action)

    def _followed(self, world: Position, action: Action) -> Position:
        """Return the position after an action; one that has occurred too often is a draw."""
        return next_turn(world, self.seen, action)[0] if action[0] == MOVE and self.seen else after(world, action)

    def _estimate(self, action: Action, best: Action) -> Estimate:
        """Return the mean as a part of a win, and its standard error, for readers only."""
        if action not in self.values:
            return Estimate(posted(action), 0.0, 1.0)
        found = self.values[action]
        less = [
            (weight, ahead - each) for (weight, ahead), (_, each) in zip(self.values.get(best, ()), found, strict=False)
        ]
        behind = _weighed(less) if less else 0.0
        return Estimate(posted(action), self._mean(action) / CLIP, _error(found), behind / CLIP, _error(less))


def _weighed(values: list[tuple[int, int]]) -> float:
    return sum(weight * found for weight, found in values) / sum(weight for weight, _ in values)


def _error(values: list[tuple[int, int]]) -> float:
    """Return the standard error of a mean, as a part of a win; 0 for less than two values."""
    found = [each for _, each in values]
    if len(found) < 2:
        return 0.0
    mean = sum(found) / len(found)
    variance = sum((each - mean) ** 2 for each in found) / (len(found) - 1)
    return float((variance / len(found)) ** 0.5 / CLIP)


def _read(posted_action: Any) -> Action | None:
    """Parse an action as a client posts it; None for none."""
    if posted_action is None:
        return None
    fields = {name: value for name, value in posted_action.items() if name != "type"}
    made: Any = from_plain(ACTIONS[posted_action["type"]], fields)
    return kernel_action(made)


def _won(best: Valued, also: Valued | None) -> tuple[Estimate, ...]:
    """Return the estimate of an action that wins at once, without a search, and of another one."""
    estimates = (Estimate(posted(best.action), 1.0, 0.0),)
    if also is None or also.value >= WON:
        return estimates
    worth = _clipped(also.value) / CLIP
    return (*estimates, Estimate(posted(also.action), worth, 0.0, 1.0 - worth))


def _clipped(worth: int) -> int:
    return max(-CLIP, min(CLIP, worth))
