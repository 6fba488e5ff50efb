"""The bot ``greedy`` of Plateau: it makes every legal action once, and values the position after it.

It guesses hidden pieces once, by the seed. The evaluation sees one capture of each side ahead and every unit of six
that can be completed at once, so winning onboardings, cuts of a threat and safe squares need no rules here. The few
rules here concern what the evaluation of a single guess cannot see.
"""

import random
from collections.abc import Iterable
from typing import NamedTuple

from domain.chance import Rng
from domain.plateau import RULESET
from domain.serialization import from_plain
from workers.bots.plateau import generation
from workers.bots.plateau.evaluation import WON, completes, looked_at, score
from workers.bots.plateau.guessing import guessed
from workers.bots.plateau.kernel import after
from workers.bots.plateau.pieces import FACE, KIND, KINDS, ORANGE
from workers.bots.plateau.position import (
    MOVE,
    ONBOARD,
    OPEN,
    OPENING,
    PASS,
    RESPOND,
    RESPONSE,
    TENDER,
    Action,
    Position,
)
from workers.bots.plateau.translation import posted
from workers.bots.policy import Asked, Estimate, Thought

SHOWN_TWISTER = 25
"""The Twister is worth more while its place is unknown."""
IDLE = 2
"""The cost of a turn without progress, times the number of such turns in a row: shuffling has to end."""
NOISE = 3
"""Actions within so much of the best count as equal, and the seed chooses."""
OPENINGS = 80
"""How many openings are valued, drawn by the seed: there are more than a thousand."""


TOLD = 8
"""The number of actions to return, the best first, each for another place."""
UNIT = 100
"""Values are reported in prisoners."""


class Valued(NamedTuple):
    """An action, and its value for the player to move."""

    value: int
    action: Action


def think(asked: Asked) -> Thought:
    """Choose the action after which the position is worth the most."""
    options = from_plain(RULESET.options.shape, asked.view["game"]["options"])
    view = from_plain(RULESET.view, asked.view["state"])
    rng = random.Random(asked.seed)  # noqa: S311 - chooses moves; the game's own draws are made elsewhere
    position = guessed(options, view, asked.view["viewer"]["seat"], rng)
    weighed = ranked(position, candidates(position, rng))
    best = chosen(weighed, rng)
    others = [each for each in different(weighed, 1) if each.action != best]
    value = next(each.value for each in weighed if each.action == best)
    told = [Valued(value, best), *others][:TOLD]
    return Thought(posted(best), 0, tuple(Estimate(posted(each.action), each.value / UNIT, 0.0) for each in told))


def chosen(actions: list[Valued], rng: Rng) -> Action:
    """Choose among the actions that are as good as the best, which comes first."""
    best = actions[0].value
    alike = [each.action for each in actions if each.value >= best - NOISE]
    return alike[rng.randrange(len(alike))]


def different(actions: Iterable[Valued], most: int) -> list[Valued]:
    """Leave out actions that differ from so many better ones only in the piece."""
    counts: dict[Action, int] = {}
    kept = []
    for each in actions:
        place = each.action if each.action[0] in (MOVE, TENDER, RESPOND) else each.action[:3]
        counts[place] = counts.get(place, 0) + 1
        if counts[place] <= most:
            kept.append(each)
    return kept


def candidates(position: Position, rng: Rng) -> list[Action]:
    """List the actions worth valuing: all but most openings, useless flips, and moves with many pointless stops."""
    if position.phase == OPENING:
        drawn = [action for action in generation.openings(position) if _is_sound(action)]
        rng.shuffle(drawn)
        return drawn[:OPENINGS]
    if position.phase == RESPONSE:
        return generation.responses(position)
    listed = generation.turns(position, 1)
    if completes(position, looked_at(position)):
        listed += generation.moves(position, generation.ANY)
    return listed or generation.legal(position) or [(PASS,)]


def _is_sound(action: Action) -> bool:
    """Return whether an opening keeps the Ace and the Twister in reserve, where they are safe and threaten most."""
    _, _, lower, upper = action
    return action[0] == OPEN and not {KINDS[KIND[lower]], KINDS[KIND[upper]]} & {"A", "TW"}


def ranked(position: Position, actions: Iterable[Action]) -> list[Valued]:
    """Value actions, the best first; equal ones keep their order."""
    listed = [*actions]
    valued = [Valued(value_of(position, action), action) for action in listed if action[0] != TENDER]
    refused = max((each.value for each in valued), default=-WON) - 1
    valued += [Valued(_tendered(position, action, refused), action) for action in listed if action[0] == TENDER]
    valued.sort(key=lambda each: -each.value)
    return valued


def value_of(position: Position, action: Action) -> int:
    """Return what an action is worth for the player to move."""
    child = after(position, action)
    if child.winner == position.mover:
        return WON
    value = score(child) if child.mover == position.mover else -score(child)
    return value + habit(position, action)


def habit(position: Position, action: Action) -> int:
    """Return the value of an action apart from the position after it."""
    if action[0] == ONBOARD:
        return -SHOWN_TWISTER if FACE[action[3]] == ORANGE else 0
    if action[0] == MOVE and position.quiet:
        return -IDLE * position.quiet
    return 0


def _tendered(position: Position, action: Action, refused: int) -> int:
    """Return the value of a tender if the enemy responds in its interest; after a refusal, another action follows."""
    offered = after(position, action)
    seat = position.mover
    worst = WON
    for response in generation.responses(offered):
        child = after(offered, response)
        value = refused if response[1] is None and child.mover == seat else -score(child)
        worst = min(worst, value)
    return worst
