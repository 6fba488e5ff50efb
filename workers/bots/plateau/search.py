"""Alpha-beta on one world of Plateau: replies of all kinds for a few plies, then only captures and threats.

Captures are played out, and units of five with a piece in reserve, which must be cut. A player need not capture: then
the position counts with its value without a capture.
"""

from workers.bots.plateau import generation
from workers.bots.plateau.evaluation import WON, Looks, Weighed, looked_at, weighed
from workers.bots.plateau.kernel import after
from workers.bots.plateau.pieces import CODE, CODES_OF_KIND, FACE, FLIPPED, ORANGE, piece
from workers.bots.plateau.position import MOVE, PASS, PLAY, Action, Position
from workers.bots.plateau.stacks import LANDS, look

WIDTHS = (0, 6, 5)
"""By the plies left, how many replies are searched: the best by their evaluation."""
STOPS = 1
"""The most stops of a move within the search. The evaluation finds every six, with any number of stops."""
NOISY = 4
"""The most plies for which captures and threats of six are played out."""
MOST_NOISY = 4
"""The most captures and threats that are searched in one position, the best first."""
MARGIN = 120
"""A capture that looks worse than the bound by so much is not searched."""


class Nodes:
    """Counts the positions that a search has weighed: its only clock."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0


def value(position: Position, plies: int, low: int, high: int, nodes: Nodes) -> int:
    """Return the value of a position for the player to move, if it is between two bounds."""
    nodes.count += 1
    return _value(position, weighed(position), plies, low, high, nodes)


def _value(position: Position, here: Weighed, plies: int, low: int, high: int, nodes: Nodes) -> int:
    if plies == 0 or position.phase != PLAY:
        return settled(position, here, NOISY, low, high, nodes)
    if abs(here.worth) >= WON - 1:
        return here.worth
    best = -WON
    for child, there in _children(position, replies(position), nodes)[: WIDTHS[plies]]:
        best = max(best, -_value(child, there, plies - 1, -high, -max(low, best), nodes))
        if best >= high:
            break
    return best


def _children(position: Position, actions: list[Action], nodes: Nodes) -> list[tuple[Position, Weighed]]:
    """List the positions after replies, those that are worst for their player to move first."""
    nodes.count += len(actions)
    children = [(child, weighed(child)) for child in (after(position, action) for action in actions)]
    children.sort(key=lambda each: each[1].worth)
    return children


def settled(position: Position, here: Weighed, plies: int, low: int, high: int, nodes: Nodes) -> int:
    """Return the value of a position once captures and threats of six have been played out."""
    if plies == 0 or abs(here.worth) >= WON - 1 or position.phase != PLAY:
        return here.worth
    best = here.waiting
    if best >= high:
        return best
    children = _children(position, noisy(position, looked_at(position)), nodes)
    for child, there in children[:MOST_NOISY]:
        if -there.worth < max(low, best) - MARGIN:
            break
        best = max(best, -settled(child, there, plies - 1, -high, -max(low, best), nodes))
        if best >= high:
            break
    return best


# -- replies ----------------------------------------------------------------------------------------------------------


def replies(position: Position) -> list[Action]:
    """List the actions that a search considers: one piece for each face to show at a place, and no tenders."""
    listed = generation.moves(position, STOPS)
    listed += generation.stomps(position)
    codes = _shown(position)
    listed += [action for action in generation.onboardings(position) if action[3] in codes]
    return listed or [(PASS,)]


def _shown(position: Position) -> set[int]:
    shown: dict[int, int] = {}
    for kind, count in enumerate(position.reserves[position.mover]):
        for code in CODES_OF_KIND[kind] if count else ():
            if FACE[code] != ORANGE:
                shown[FACE[code]] = code
    return set(shown.values())


def noisy(position: Position, looks: Looks) -> list[Action]:
    """List captures, as small and as large as they can be, and onboardings that make a unit of five."""
    seat = position.mover
    other = 1 - seat
    targets = sum(1 << square for square, seen in looks if seen.numbers[other])
    listed: list[Action] = generation.stomps(position) if targets else []
    for square, seen in looks:
        if seen.owner != seat:
            continue
        top = position.stacks[square][-1] & CODE
        for flip in generation.flips(top, idle=False):
            reached = LANDS[FACE[FLIPPED[top] if flip else top]][square][seen.unit] & targets
            for to, there in looks:
                if reached >> to & 1:
                    lifts = {seen.unit, min(seen.unit, there.numbers[other])}
                    listed += [(MOVE, square, flip, lift, (), to) for lift in lifts]
    return listed + _fives(position, looks, seat)


def _fives(position: Position, looks: Looks, seat: int) -> list[Action]:
    """List onboardings that lengthen a unit of four, if there is one more piece to complete it."""
    if sum(position.reserves[seat]) < 2 or all(seen.runs[seat] < 4 for _, seen in looks):
        return []
    listed: dict[int, Action] = {}
    code = min(_shown(position), key=lambda each: -each)
    for action in generation.onboardings(position):
        square = action[1]
        if action[3] == code and square not in listed and _lengthens(position, action, seat):
            listed[square] = action
    return [*listed.values()]


def _lengthens(position: Position, action: Action, seat: int) -> bool:
    _, square, height, code = action
    stack = position.stacks[square]
    if not stack or look(stack).runs[seat] != 4:
        return False
    return look((*stack[:height], piece(0, seat, code), *stack[height:])).runs[seat] == 5
