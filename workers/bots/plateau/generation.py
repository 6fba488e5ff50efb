"""The legal actions of a position of the kernel: all of them, or those worth a search.

A search considers few stops, and does not turn over pieces with two equal faces, which only shows them.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from domain.plateau.board import PERIMETER
from workers.bots.plateau.pieces import (
    BLANK,
    CODE,
    CODES_OF_KIND,
    FACE,
    FLIPPED,
    HAS_TWO_FACES,
    IS_MARKER,
    NONE,
    ORANGE,
    OWNER,
    RAYS,
    Counts,
    Stack,
    one_less,
    top_unit,
    worth,
)
from workers.bots.plateau.position import (
    MOVE,
    ONBOARD,
    OPEN,
    OPENING,
    PASS,
    PLAY,
    RESPOND,
    STOMP,
    TENDER,
    Action,
    Position,
)

ANY = 16
"""More stops than a route has squares."""


def legal(position: Position) -> list[Action]:
    """List every legal action."""
    if position.phase == OPENING:
        return openings(position)
    if position.phase == PLAY:
        return turns(position, ANY, idle_flips=True) or [(PASS,)]
    return responses(position)


def turns(position: Position, most_stops: int, *, idle_flips: bool = False) -> list[Action]:
    """List onboardings, moves with at most so many stops, stomps and tenders."""
    listed = onboardings(position)
    listed += moves(position, most_stops, idle_flips=idle_flips)
    listed += stomps(position, idle_flips=idle_flips)
    listed += tenders(position)
    return listed


def openings(position: Position) -> list[Action]:
    """List every unit on every empty square at the edge."""
    reserve = position.reserves[position.mover]
    units = [
        (lower, upper)
        for kind, count in enumerate(reserve)
        if count
        for lower in CODES_OF_KIND[kind]
        for upper in _codes(one_less(reserve, kind))
    ]
    return [(OPEN, square, *unit) for square in PERIMETER if not position.stacks[square] for unit in units]


def _codes(reserve: Counts) -> list[int]:
    return [code for kind, count in enumerate(reserve) if count for code in CODES_OF_KIND[kind]]


def onboardings(position: Position) -> list[Action]:
    """List every piece of the reserve at every height where one can be placed."""
    codes = _codes(position.reserves[position.mover])
    if not codes:
        return []
    mine, under = OWNER if position.mover else 0, position.limits.onboard_under_enemy
    return [
        (ONBOARD, square, height, code)
        for square, stack in enumerate(position.stacks)
        for height in _heights(stack, mine, under=under)
        for code in codes
    ]


def _heights(stack: Stack, mine: int, *, under: bool) -> list[int]:
    if not stack:
        return [0]
    owners = [lying & OWNER == mine for lying in stack]
    heights = [0] if under or owners[0] else []
    heights += [height for height in range(1, len(stack)) if owners[height - 1] or owners[height]]
    return [*heights, len(stack)] if owners[-1] else heights


def flips(top: int, *, idle: bool) -> tuple[bool, ...]:
    """Return whether a top piece can stay as it lies, and whether it can be turned over."""
    return (False, True) if idle or HAS_TWO_FACES[top & CODE] else (False,)


def stomps(position: Position, *, idle_flips: bool = False) -> list[Action]:
    """List the captures without a move."""
    mine = OWNER if position.mover else 0
    return [
        (STOMP, square, flip)
        for square, stack in enumerate(position.stacks)
        if stack and stack[-1] & OWNER == mine and any(lying & OWNER != mine for lying in stack)
        for flip in flips(stack[-1], idle=idle_flips)
        if IS_MARKER[FLIPPED[stack[-1] & CODE] if flip else stack[-1] & CODE]
    ]


# -- moves ------------------------------------------------------------------------------------------------------------

Marks = tuple[bool, ...]


def moves(position: Position, most_stops: int, *, idle_flips: bool = False) -> list[Action]:
    """List the moves with at most so many stops."""
    mine = OWNER if position.mover else 0
    listed: list[Action] = []
    for square, stack in enumerate(position.stacks):
        if stack and stack[-1] & OWNER == mine:
            for flip in flips(stack[-1], idle=idle_flips):
                listed += moves_from(position, square, most_stops, flip=flip)
    return listed


def moves_from(position: Position, square: int, most_stops: int, *, flip: bool) -> list[Action]:
    """List the moves of the top unit of a square."""
    stack, mine = position.stacks[square], OWNER if position.mover else 0
    size = top_unit(stack)
    code = FLIPPED[stack[-1] & CODE] if flip else stack[-1] & CODE
    face = FACE[code]
    listed: list[Action] = []
    for ray in RAYS[face][square]:
        way = ray if face == ORANGE else ray[:size]
        ends = way[1:] if face == ORANGE else way
        for to in ends:
            pile = position.stacks[to]
            if face != BLANK or not pile or pile[-1] & OWNER == mine:
                listed += [(MOVE, square, flip, lift, (), to) for lift in range(size, 0, -1)]
    if most_stops:
        listed += stopping(position, square, most_stops, flip=flip)
    return listed


def stopping(position: Position, square: int, most_stops: int, *, flip: bool) -> list[Action]:
    """List the moves of the top unit of a square with at least one stop."""
    stack = position.stacks[square]
    size = top_unit(stack)
    code = FLIPPED[stack[-1] & CODE] if flip else stack[-1] & CODE
    marks = (*(IS_MARKER[lying & CODE] for lying in stack[-size:-1]), IS_MARKER[code])
    listed: list[Action] = []
    for ray in RAYS[FACE[code]][square]:
        way = ray if FACE[code] == ORANGE else ray[:size]
        if len(way) > 1:
            sites = [_site(position.stacks[place], position.mover) for place in way]
            path = _Path(FACE[code] == ORANGE, position.limits.only_weapons_pin)
            for lift in range(size, 0, -1):
                for stops, to in _routes(way, sites, marks[-lift:], most_stops, path):
                    if stops:
                        listed.append((MOVE, square, flip, lift, stops, to))
    return listed


def _site(stack: Stack, seat: int) -> Marks | None:
    """Return which pieces of the own top unit show markers, the lowest first; None where the enemy is on top."""
    if not stack:
        return ()
    if stack[-1] & OWNER != (OWNER if seat else 0):
        return None
    return tuple(IS_MARKER[lying & CODE] for lying in stack[-top_unit(stack) :])


_Stops = tuple[tuple[int, int], ...]


class _Path(NamedTuple):
    """What holds along a whole way: whether it is the Twister's, and whether only weapons pin."""

    is_bent: bool
    only_weapons_pin: bool


def _routes(
    way: tuple[int, ...], sites: list[Marks | None], carried: Marks, stops_left: int, path: _Path
) -> Iterator[tuple[_Stops, int]]:
    """List the stops and ends along a way, which has as many sites as squares."""
    square, site = way[0], sites[0]
    if (carried[-1] or site is not None) and not (path.is_bent and len(way) > 1):
        yield (), square
    if len(way) == 1:
        return
    yield from _routes(way[1:], sites[1:], carried, stops_left, path)
    if not stops_left:
        return
    pile = (site or ()) + carried
    for carry in range(len(pile), 0, -1):
        if carry != len(carried) and (site is not None or _can_pin(carried, carry, path)):
            for stops, to in _routes(way[1:], sites[1:], pile[-carry:], stops_left - 1, path):
                yield ((square, carry), *stops), to


def _can_pin(carried: Marks, carry: int, path: _Path) -> bool:
    """Return whether the pieces that are left, when so many are carried on, can lie on an enemy piece."""
    return carry < len(carried) and (not path.only_weapons_pin or carried[-carry - 1])


# -- exchange ---------------------------------------------------------------------------------------------------------


def tenders(position: Position) -> list[Action]:
    """List every set of prisoners that can be tendered."""
    seat = position.mover
    if not any(position.prisoners[1 - seat]):
        return []
    least = position.min_tender[seat]
    return [(TENDER, counts) for counts in _sets(position.prisoners[seat]) if worth(counts) > least]


def responses(position: Position) -> list[Action]:
    """List every set of prisoners that can be given, and the refusal where it is allowed."""
    tendered = worth(position.tender or NONE)
    sets = [(worth(counts), counts) for counts in _sets(position.prisoners[position.mover])]
    least = max((total for total, _ in sets if total <= tendered), default=0)
    given: list[Action] = [(RESPOND, counts) for total, counts in sets if total >= least]
    return given if least else [*given, (RESPOND, None)]


def _sets(prisoners: Counts) -> Iterator[Counts]:
    return (counts for counts in product(*(range(count + 1) for count in prisoners)) if any(counts))
