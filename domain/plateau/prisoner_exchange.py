"""The exchange of prisoners: tender, response, refusal (rules.md, exchange)."""

from collections.abc import Iterator, Sequence
from itertools import product

from domain.errors import Refusals
from domain.plateau import events as ev
from domain.plateau.actions import Action, Respond, Tender
from domain.plateau.pieces import COPIES, Kind, holds, in_order, worth
from domain.plateau.state import State
from domain.sentences import message as msg
from domain.table import Seat

RULE = "7. Exchange"
_refuse = Refusals(__package__)


def legal_tenders(state: State, seat: Seat) -> Iterator[Tender]:
    """List every set of prisoners that can be tendered."""
    if state.prisoners[1 - seat]:
        for pieces in _sets(state.prisoners[seat]):
            if worth(pieces) > state.min_tender[seat]:
                yield Tender(pieces)


def tender(state: State, seat: Seat, action: Tender) -> list[ev.Event]:
    """Return the events of a tender; raise ``IllegalAction``."""
    _check_held(state.prisoners[seat], action.pieces)
    if not state.prisoners[1 - seat]:
        raise _refuse("nothing-to-gain", RULE)
    total, least = worth(action.pieces), state.min_tender[seat]
    if total <= least:
        raise _refuse("tender-too-low", RULE, total=msg.Number(total), least=msg.Number(least))
    return [ev.PrisonersTendered(seat, 1 - seat, in_order(action.pieces), total)]


def legal_responses(state: State, seat: Seat) -> Sequence[Action]:
    """List every set of prisoners that can be given, and the refusal where it is allowed."""
    least = _least(state, seat)
    given = (Respond(pieces=pieces) for pieces in _sets(state.prisoners[seat]) if worth(pieces) >= least)
    refusals = () if least else (Respond(refuse=True),)
    return (*given, *refusals)


def respond(state: State, seat: Seat, action: Action) -> list[ev.Event]:
    """Return the events of a response to a tender; raise ``IllegalAction``."""
    offered = state.tender
    if not isinstance(action, Respond) or offered is None:
        raise _refuse("wrong-phase.respond", RULE)
    least = _least(state, seat)
    if action.refuse:
        _check_refusal(action, least)
        return [ev.TenderRefused(seat, offered.seat, offered.total)]
    _check_held(state.prisoners[seat], action.pieces)
    if worth(action.pieces) < least:
        given, enough = msg.Number(worth(action.pieces)), msg.Number(least)
        raise _refuse("answer-too-low", RULE, given=given, offered=msg.Number(offered.total), least=enough)
    return [ev.PrisonersExchanged(seat, offered.seat, offered.pieces, in_order(action.pieces))]


def _least(state: State, seat: Seat) -> int:
    """Return the least that must be given: the largest total not above the tender's, 0 if there is none."""
    tendered = state.tender.total if state.tender else 0
    return max((total for pieces in _sets(state.prisoners[seat]) if (total := worth(pieces)) <= tendered), default=0)


def _check_refusal(action: Respond, least: int) -> None:
    if action.pieces:
        raise _refuse("refusal-with-pieces", RULE)
    if least:
        raise _refuse("refusal-forbidden", RULE, least=msg.Number(least))


def _check_held(prisoners: Sequence[Kind], pieces: Sequence[Kind]) -> None:
    if not pieces:
        raise _refuse("no-pieces", RULE)
    if not holds(prisoners, pieces):
        wanted, held = msg.Text("+".join(pieces)), msg.Text("+".join(prisoners))
        if not prisoners:
            raise _refuse("not-a-prisoner.none", RULE, pieces=wanted)
        raise _refuse("not-a-prisoner", RULE, pieces=wanted, prisoners=held)


def _sets(prisoners: Sequence[Kind]) -> Iterator[tuple[Kind, ...]]:
    """List the different non-empty sets of some prisoners, those with most of the most valuable first."""
    kinds = [kind for kind in COPIES if kind in prisoners]
    for counts in product(*(range(prisoners.count(kind), -1, -1) for kind in kinds)):
        pieces = tuple(kind for kind, count in zip(kinds, counts, strict=True) for _ in range(count))
        if pieces:
            yield pieces
