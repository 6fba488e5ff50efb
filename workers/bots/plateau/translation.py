"""Translation between the domain and the kernel: positions from worlds and views, actions in both directions."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from domain.log.chain import canonical
from domain.plateau import actions as ac
from domain.plateau.board import INDEX, SQUARES
from domain.plateau.options import Options
from domain.plateau.stacks import Piece
from domain.plateau.state import State
from domain.serialization import Plain, to_plain
from workers.bots.plateau.kernel import after
from workers.bots.plateau.pieces import CODE_OF, CODES, NUMBER, TURNED, counted, listed, piece
from workers.bots.plateau.position import (
    DRAWN,
    MOVE,
    ONBOARD,
    OPEN,
    OPENING,
    OVER,
    PASS,
    PLAY,
    RESPOND,
    RESPONSE,
    STOMP,
    TENDER,
    Action,
    Limits,
    Position,
)

PHASES = {"opening": OPENING, "play": PLAY, "response": RESPONSE, "over": OVER}


def limits_of(options: Options) -> Limits:
    """Translate the options."""
    return Limits(
        options.onboard_under_enemy,
        options.pin == "weapons",
        options.merged_strength,
        options.refused_tender_keeps_turn,
        options.repetition,
        options.no_progress_plies,
        options.max_plies,
    )


def loaded(state: State) -> Position:
    """Translate a world."""
    position = Position(limits_of(state.options))
    position.phase = PHASES[state.phase]
    position.mover = state.to_move
    position.stacks = [tuple(map(_piece, stack)) for stack in state.board]
    position.reserves = counted(state.reserves[0]), counted(state.reserves[1])
    position.prisoners = counted(state.prisoners[0]), counted(state.prisoners[1])
    position.tender = counted(state.tender.pieces) if state.tender else None
    position.min_tender = state.min_tender[0], state.min_tender[1]
    position.placements = state.placements
    position.plies, position.quiet, position.forfeits = state.plies, state.quiet_plies, state.forfeits
    if state.end is not None:
        position.winner = DRAWN if state.end.winner is None else state.end.winner
        position.reason = state.end.reason
    return position


def _piece(lying: Piece) -> int:
    return piece(int(lying.token[1:]), lying.owner, CODE_OF[lying.kind, lying.top], turned=lying.turned)


def digest(position: Position) -> str:
    """Return the digest of the public position at the start of a turn, by which the rules count repetitions."""
    lying = [
        [SQUARES[square], [f"p{each >> NUMBER}{'~' if each & TURNED else ''}" for each in stack]]
        for square, stack in enumerate(position.stacks)
        if stack
    ]
    reserves = [sum(reserve) for reserve in position.reserves]
    prisoners = [list(listed(held)) for held in position.prisoners]
    return hashlib.sha256(canonical([lying, reserves, prisoners, position.mover])).hexdigest()[:32]


Seen: TypeAlias = tuple[str, ...]
"""The digests of the positions at the starts of turns since the last irreversible one."""


def next_turn(before: Position, seen: Seen, action: Action) -> tuple[Position, Seen]:
    """Return the position after an action, a draw if it has occurred too often, and the positions seen so far."""
    position = after(before, action)
    if position.plies == before.plies or position.phase == OPENING or position.winner in (0, 1):
        return position, seen
    where = digest(position)
    is_drawn = seen.count(where) + 1 >= position.limits.repetition
    if is_drawn and position.reason != "mutual_pass":
        position.phase, position.winner, position.reason = OVER, DRAWN, "repetition"
    return position, (*(seen if position.quiet else ()), where)


# -- actions ----------------------------------------------------------------------------------------------------------


def domain_action(action: Action) -> ac.Action:
    """Translate an action of the kernel into one of the rules."""
    kind, *rest = action
    return _WRITTEN[kind](*rest)


def _moved(start: int, flip: bool, lift: int, stops: tuple[tuple[int, int], ...], to: int) -> ac.Move:
    made = tuple(ac.Stop(SQUARES[square], carry) for square, carry in stops)
    return ac.Move(from_=SQUARES[start], flip=flip, lift=lift, stops=made, to=SQUARES[to])


_WRITTEN: Mapping[int, Callable[..., ac.Action]] = {
    OPEN: lambda square, *codes: ac.Open(SQUARES[square], tuple(ac.Placed(*CODES[code]) for code in codes)),
    ONBOARD: lambda square, height, code: ac.Onboard(SQUARES[square], height, *CODES[code]),
    MOVE: _moved,
    STOMP: lambda square, flip: ac.Stomp(square=SQUARES[square], flip=flip),
    TENDER: lambda counts: ac.Tender(listed(counts)),
    RESPOND: lambda counts: ac.Respond(refuse=True) if counts is None else ac.Respond(pieces=listed(counts)),
    PASS: ac.Pass,
}


def kernel_action(action: ac.Action) -> Action:
    """Translate an action of the rules."""
    return _READ[type(action)](action)


def _move_read(move: ac.Move) -> Action:
    stops = tuple((INDEX[stop.square], stop.carry) for stop in move.stops)
    return MOVE, INDEX[move.from_], move.flip, move.lift, stops, INDEX[move.to]


_READ: Mapping[type, Callable[[Any], Action]] = {
    ac.Open: lambda open_: (OPEN, INDEX[open_.square], *(CODE_OF[each.piece, each.up] for each in open_.pieces)),
    ac.Onboard: lambda made: (ONBOARD, INDEX[made.square], made.height, CODE_OF[made.piece, made.up]),
    ac.Move: _move_read,
    ac.Stomp: lambda stomp: (STOMP, INDEX[stomp.square], stomp.flip),
    ac.Tender: lambda tender: (TENDER, counted(tender.pieces)),
    ac.Respond: lambda response: (RESPOND, None if response.refuse else counted(response.pieces)),
    ac.Pass: lambda _: (PASS,),
}

_NAMES = {cls: name for name, cls in ac.ACTIONS.items()}


def posted(action: Action) -> dict[str, Plain]:
    """Write an action as a client posts it."""
    made: Any = domain_action(action)
    return {"type": _NAMES[type(made)], **to_plain(made)}
