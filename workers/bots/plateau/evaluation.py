"""The value of a position, in hundredths of a first prisoner, for the player to move.

The rules of thumb are those of human players and of earlier engines: prisoners win, and the last ones count far more
than the first; a unit of five with a piece in reserve wins unless it is cut at once; what a weapon reaches counts as
taken, less what is taken back; pinned pieces wait to be taken; weapons should reach many squares.
"""

from functools import lru_cache
from operator import mul
from typing import NamedTuple, TypeAlias

from domain.plateau.endings import ENOUGH
from workers.bots.plateau.generation import flips
from workers.bots.plateau.kernel import after
from workers.bots.plateau.pieces import BLANK, CODE, FACE, FLIPPED, ORANGE, RAYS, Counts
from workers.bots.plateau.position import DRAWN, MOVE, OVER, Position
from workers.bots.plateau.stacks import LOSS, Look, look

WON = 100_000
DECIDED = WON // 4
MOST_FEARED = 1_000
LONGEST = 2 * ENOUGH + 2
PRISONERS = (0, 100, 215, 350, 520, 760, WON // 2)
"""The total value of the first, the second … prisoner."""

RUN = (0, 0, 6, 24, 70, 160, *[WON // 2] * ENOUGH)
"""The value of the longest unit by its size, if no enemy reaches it."""
SHOT_AT = 4
"""A unit that the enemy reaches has this fraction of its value."""
UNSTOPPABLE = 5_000
"""A unit of five that no enemy can cut before its sixth piece comes."""
HELD = 12
"""The value of a threatened capture per turn: the enemy moves first."""
REACH = 3
"""The value of a square on which weapons can land."""

Looks: TypeAlias = list[tuple[int, Look]]
Masks: TypeAlias = list[int]
"""By strength, the squares on which units of at least so many pieces can land with a marker, as bits."""


class Side(NamedTuple):
    """The value of a seat's position, for either mover; of its best capture; whether one capture cuts all threats."""

    standing: int
    capture: int
    cuts: bool


def looked_at(position: Position) -> Looks:
    """Look at all stacks."""
    return [(square, look(stack)) for square, stack in enumerate(position.stacks) if stack]


class Weighed(NamedTuple):
    """The value of a position for the player to move, at best and without a capture."""

    worth: int
    waiting: int


def score(position: Position) -> int:
    return weighed(position).worth


def weighed(position: Position) -> Weighed:
    """Weigh a position for the player to move."""
    mover = position.mover
    if position.phase == OVER:
        end = 0 if position.winner == DRAWN else WON if position.winner == mover else -WON
        return Weighed(end, end)
    looks = looked_at(position)
    other = 1 - mover
    masks = striking(looks)
    ours = side(position, looks, mover, masks)
    if ours.capture >= DECIDED or completes(position, looks):
        return Weighed(WON - 1, WON - 1)
    enemy = side(position, looks, other, masks)
    waiting = ours.standing - enemy.standing + HELD - min(enemy.capture, MOST_FEARED) // 4
    worth = waiting + ours.capture
    if not _has_five(position, looks, other):
        return Weighed(worth, waiting)
    return Weighed(worth if ours.cuts else worth - UNSTOPPABLE, waiting - UNSTOPPABLE)


def striking(looks: Looks) -> tuple[Masks, Masks]:
    """Return where the units of each seat can land with a marker."""
    masks = [0] * LONGEST, [0] * LONGEST
    for square, seen in looks:
        if seen.strikes:
            masks[seen.owner][seen.unit] |= seen.reach[square]
    for each in masks:
        for strength in range(ENOUGH, 0, -1):
            each[strength - 1] |= each[strength]
    return masks


def strength_at(square: int, masks: Masks) -> int:
    """Return the size of the largest unit that can land on a square with a marker; 0 if none."""
    bit = 1 << square
    if not masks[0] & bit:
        return 0
    strength = 1
    while masks[strength + 1] & bit:
        strength += 1
    return strength


@lru_cache(maxsize=1 << 12)
def _tally(counts: Counts) -> tuple[int, int]:
    """Return how many pieces are held, and the value lost with them beside their number."""
    return sum(counts), sum(map(mul, counts, LOSS))


def side(position: Position, looks: Looks, seat: int, masks: tuple[Masks, Masks]) -> Side:
    """Value what one seat has and threatens, by the squares where the units of each can land."""
    other = 1 - seat
    mine, theirs = masks[seat], masks[other]
    held, hurt = _tally(position.prisoners[seat])
    lost, reserve = _tally(position.prisoners[other])[0], _tally(position.reserves[seat])[0]
    reached = mine[0]
    total = PRISONERS[min(held, ENOUGH)] + hurt + REACH * reached.bit_count()
    longest = capture = 0
    cuts = False
    for square, seen in looks:
        if seen.numbers[seat]:
            total += seen.standing[seat]
            run = seen.runs[seat]
            value = RUN[run] if run + reserve >= ENOUGH else RUN[run] // 3
            if value > longest:
                if strength_at(square, theirs) > seen.above[seat]:
                    value //= SHOT_AT
                longest = max(longest, value)
        there = seen.numbers[other]
        if not there or not (reached >> square & 1 or seen.owner == seat):
            continue
        strength = _strength(position, square, seen, seat, mine)
        if strength:
            taken = min(strength, there)
            if held + taken >= ENOUGH:
                return Side(total, WON, cuts=True)
            gain = PRISONERS[held + taken] - PRISONERS[held] + seen.stripped[other][taken]
            back = min(strength_at(square, theirs), taken)
            capture = max(capture, gain + PRISONERS[lost] - PRISONERS[min(lost + back, ENOUGH)])
            cuts = cuts or (seen.runs[other] >= ENOUGH - 1 and taken > seen.above[other])
    return Side(total + longest, capture, cuts)


def _strength(position: Position, square: int, seen: Look, seat: int, masks: Masks) -> int:
    """Return the largest strength with which a seat can capture on a square, 0 if it cannot."""
    landing = strength_at(square, masks)
    if seen.owner != seat:
        return landing
    merged = seen.unit if position.limits.merged_strength else 0
    return max(landing + merged if landing else 0, seen.unit if seen.strikes else 0)


def _has_five(position: Position, looks: Looks, seat: int) -> bool:
    """Return whether a seat has a unit of five, and a piece to complete it."""
    for _, seen in looks:
        if seen.runs[seat] >= ENOUGH - 1:
            return any(position.reserves[seat])
    return False


# -- six at once ------------------------------------------------------------------------------------------------------


def completes(position: Position, looks: Looks) -> bool:
    """Return whether the player to move can complete a unit of six now.

    A unit does so by an onboarding if it has five pieces, or by a move that gathers all own units on its way. Such a
    move is made to check, if it needs a capture to join the pieces on which it lands.
    """
    seat = position.mover
    if _has_five(position, looks, seat):
        return True
    if sum(seen.numbers[seat] for _, seen in looks) < ENOUGH:
        return False
    tops = [0] * 16
    numbers = [0] * 16
    for square, seen in looks:
        tops[square] = seen.unit if seen.owner == seat else 0
        numbers[square] = seen.numbers[seat]
    if max(tops) + max(numbers) < ENOUGH and sum(tops) < ENOUGH:
        return False
    return any(
        _gathers(position, tops, numbers, square, flip=flip)
        for square, size in enumerate(tops)
        if size
        for flip in flips(position.stacks[square][-1], idle=False)
    )


def _gathers(position: Position, tops: list[int], numbers: list[int], square: int, *, flip: bool) -> bool:
    """Return whether the top unit of a square can gather six pieces along one of its ways."""
    top = position.stacks[square][-1] & CODE
    face = FACE[FLIPPED[top] if flip else top]
    for ray in RAYS[face][square]:
        total = tops[square]
        stops: tuple[tuple[int, int], ...] = ()
        for to in ray if face == ORANGE else ray[:total]:
            if face == ORANGE and to == ray[0]:
                is_end = False
            else:
                is_end = face != BLANK or tops[to] > 0 or not position.stacks[to]
            if is_end and total + tops[to] >= ENOUGH:
                return True
            if is_end and face != BLANK and total + numbers[to] >= ENOUGH:
                move = (MOVE, square, flip, tops[square], stops, to)
                if after(position, move).winner == position.mover:
                    return True
            if tops[to]:
                total += tops[to]
                stops = (*stops, (to, total))
    return False
