"""The question to a policy, in the types of the rules, and worlds that are consistent with it."""

import random
from dataclasses import dataclass

from domain.le_plateau import RULESET
from domain.le_plateau.actions import Action
from domain.le_plateau.board import Objective
from domain.le_plateau.options import Options
from domain.le_plateau.sampling import sample
from domain.le_plateau.state import State
from domain.le_plateau.view import View
from domain.serialization import from_plain
from domain.table import Seat
from workers.bots.le_plateau.loader import board_of
from workers.bots.le_plateau.worth import Arena
from workers.bots.policy import Asked, Measure, Thought
from workers.bots.ranking import Errors, thought_of, unknown


@dataclass(frozen=True, slots=True)
class Seen:
    """A question: the view of the seat, and a random generator that depends only on the seed."""

    options: Options
    view: View
    seat: Seat
    rng: random.Random

    @property
    def board(self) -> tuple[int, ...]:
        """Return the board as the kernel has it."""
        return board_of(self.view.board.tokens, self.options.edition)

    def arena(self, objective: Objective) -> Arena:
        """Return the board and the edition, with this objective."""
        return Arena(self.view.board.tokens, self.options.edition, objective)

    @property
    def seats(self) -> int:
        """Return the number of players."""
        return len(self.view.scores)

    def world(self) -> State:
        """Sample a world that is consistent with the view."""
        return sample(self.options, self.seat, self.view, self.rng)

    def chance(self) -> int:
        """Draw the first state of a kernel's generator: 32 bits, never 0."""
        return self.rng.getrandbits(32) or 1


def seen(asked: Asked) -> Seen:
    """Parse a question."""
    options = from_plain(Options, asked.view["game"]["options"])
    view = from_plain(View, asked.view["state"])
    rng = random.Random(asked.seed)  # noqa: S311 - chooses moves; the game's own draws are made elsewhere
    return Seen(options, view, asked.view["viewer"]["seat"], rng)


def thought(
    weighed: list[tuple[Action, int]],
    scale: int = 1,
    measure: Measure = "worth",
    playouts: int = 0,
    errors: Errors = unknown,
) -> Thought:
    """Return the best of some actions, the first of equals; their values and errors are parts of ``scale``."""
    valued = [(value, action) for action, value in weighed]
    return thought_of(RULESET, valued, scale, measure, playouts, errors)
