"""A game of Plateau in plain integers: the position after an action, by the rules and all options.

Tests compare it with the rules action by action. A position is never changed: ``after`` copies the 16 stacks and makes
the few that differ, which is as fast in plain Python as taking moves back, and cannot be forgotten.
"""

from domain.plateau.endings import ENOUGH
from workers.bots.plateau.pieces import (
    CODE,
    IS_MARKER,
    KIND,
    NONE,
    OWNER,
    flipped,
    longest_unit,
    minus,
    one_less,
    piece,
    plus,
    top_unit,
    worth,
)
from workers.bots.plateau.position import DRAWN, OPENING, OVER, PLAY, RESPONSE, Action, Position, copied


def after(before: Position, action: Action) -> Position:
    """Return the position at the start of the next decision, after a legal action and all that it forces."""
    position = copied(before)
    _DONE[action[0]](position, action)
    return position


# -- turns ------------------------------------------------------------------------------------------------------------


def _end_turn(position: Position, player: int, *, is_quiet: bool, is_forfeit: bool = False) -> None:
    """Begin the turn of a player, or end the game where a limit is reached."""
    position.plies += 1
    position.quiet = position.quiet + 1 if is_quiet else 0
    position.forfeits = position.forfeits + 1 if is_forfeit else 0
    position.mover = player
    position.phase = PLAY
    limits = position.limits
    if position.forfeits >= 2:
        _draw(position, "mutual_pass")
    elif position.quiet >= limits.no_progress_plies:
        _draw(position, "no_progress")
    elif position.plies >= limits.max_plies:
        _draw(position, "max_plies")


def _draw(position: Position, reason: str) -> None:
    position.phase, position.winner, position.reason = OVER, DRAWN, reason


def _win(position: Position, seat: int, reason: str, *, is_quiet: bool) -> None:
    position.phase, position.winner, position.reason = OVER, seat, reason
    position.plies += 1
    position.quiet = position.quiet + 1 if is_quiet else 0


def _end_deed(position: Position, changed: tuple[int, ...], *, is_quiet: bool) -> None:
    """End a turn in which some stacks have changed: the player, or else the other one, has won, or the turn passes."""
    seat = position.mover
    for each in (seat, 1 - seat):
        if sum(position.prisoners[each]) >= ENOUGH:
            return _win(position, each, "prisoners", is_quiet=is_quiet)
        for square in changed:
            stack = position.stacks[square]
            if len(stack) >= ENOUGH and longest_unit(stack, each) >= ENOUGH:
                return _win(position, each, "unit", is_quiet=is_quiet)
    return _end_turn(position, 1 - seat, is_quiet=is_quiet)


# -- deeds ------------------------------------------------------------------------------------------------------------


def _opened(position: Position, action: Action) -> None:
    _, square, lower, upper = action
    for code in (lower, upper):
        _place(position, square, len(position.stacks[square]), code)
    is_first = position.mover == 0
    _end_turn(position, 1 - position.mover, is_quiet=False)
    if is_first:
        position.phase = OPENING


def _place(position: Position, square: int, height: int, code: int) -> None:
    seat, stack = position.mover, position.stacks[square]
    position.placements += 1
    position.stacks[square] = (*stack[:height], piece(position.placements, seat, code), *stack[height:])
    black, white = position.reserves
    kind = KIND[code]
    position.reserves = (black, one_less(white, kind)) if seat else (one_less(black, kind), white)


def _onboarded(position: Position, action: Action) -> None:
    _, square, height, code = action
    _place(position, square, height, code)
    _end_deed(position, (square,), is_quiet=False)


def _moved(position: Position, action: Action) -> None:
    _, start, flip, lift, stops, to = action
    stacks = position.stacks
    stack = stacks[start]
    if flip:
        stack = (*stack[:-1], flipped(stack[-1]))
    stacks[start], carried = stack[:-lift], stack[-lift:]
    for square, carry in stops:
        pile = stacks[square] + carried
        stacks[square], carried = pile[:-carry], pile[-carry:]
    stacks[to] += carried
    has_captured = _capture(position, to, len(carried))
    _end_deed(position, (start, *(square for square, _ in stops), to), is_quiet=not has_captured)


def _stomped(position: Position, action: Action) -> None:
    _, square, flip = action
    stack = position.stacks[square]
    if flip:
        position.stacks[square] = (*stack[:-1], flipped(stack[-1]))
    _capture(position, square, top_unit(stack))
    _end_deed(position, (square,), is_quiet=False)


def _capture(position: Position, square: int, landed: int) -> bool:
    """Take the enemy pieces that the top unit of a square has the strength for, from the top down."""
    stack, seat = position.stacks[square], position.mover
    if not IS_MARKER[stack[-1] & CODE]:
        return False
    enemy = 0 if seat else OWNER
    strength = top_unit(stack) if position.limits.merged_strength else landed
    kept: list[int] = []
    taken = [0] * 7
    for lying in reversed(stack):
        if strength and lying & OWNER == enemy:
            strength -= 1
            taken[KIND[lying & CODE]] += 1
        else:
            kept.append(lying)
    if len(kept) == len(stack):
        return False
    position.stacks[square] = tuple(reversed(kept))
    black, white = position.prisoners
    position.prisoners = (black, plus(white, tuple(taken))) if seat else (plus(black, tuple(taken)), white)
    position.min_tender = (0, 0)
    return True


def _tendered(position: Position, action: Action) -> None:
    position.tender = action[1]
    position.phase = RESPONSE
    position.mover = 1 - position.mover


def _responded(position: Position, action: Action) -> None:
    given, seat = action[1], position.mover
    tendered = position.tender or NONE
    position.tender = None
    if given is None:
        black, white = position.min_tender
        total = worth(tendered)
        position.min_tender = (total, white) if seat else (black, total)
        if position.limits.refused_tender_keeps_turn:
            position.phase, position.mover = PLAY, 1 - seat
        else:
            _end_turn(position, seat, is_quiet=True)
        return
    position.min_tender = (0, 0)
    mine, theirs = position.prisoners[seat], position.prisoners[1 - seat]
    home, away = position.reserves[seat], position.reserves[1 - seat]
    held = (minus(mine, given), minus(theirs, tendered))
    back = (plus(home, tendered), plus(away, given))
    position.prisoners = (held[1], held[0]) if seat else held
    position.reserves = (back[1], back[0]) if seat else back
    _end_turn(position, seat, is_quiet=False)


def _passed(position: Position, _action: Action) -> None:
    _end_turn(position, 1 - position.mover, is_quiet=True, is_forfeit=True)


_DONE = (_opened, _onboarded, _moved, _stomped, _tendered, _responded, _passed)
