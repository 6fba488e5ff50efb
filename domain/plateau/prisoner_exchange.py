"""The exchange of prisoners: tender, response, refusal (rules.md, exchange)."""

from collections.abc import Iterator, Sequence
from itertools import product

from domain.errors import IllegalAction
from domain.plateau import events as ev
from domain.plateau.actions import Action, Respond, Tender
from domain.plateau.pieces import COPIES, Kind, holds, in_order, worth
from domain.plateau.state import State
from domain.table import Seat

RULE = "7. Exchange"


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
        raise IllegalAction("nothing-to-gain", "the other player holds no prisoner to give in return", RULE)
    total, least = worth(action.pieces), state.min_tender[seat]
    if total <= least:
        message = f"the tender is worth {total}; after the last refusal it must exceed {least}"
        raise IllegalAction("tender-too-low", message, RULE)
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
        raise IllegalAction("wrong-phase", "a tender awaits your response: give prisoners or refuse", RULE)
    least = _least(state, seat)
    if action.refuse:
        _check_refusal(action, least)
        return [ev.TenderRefused(seat, offered.seat, offered.total)]
    _check_held(state.prisoners[seat], action.pieces)
    if worth(action.pieces) < least:
        message = f"{worth(action.pieces)} is too little for a tender of {offered.total}; give at least {least}"
        raise IllegalAction("answer-too-low", message, RULE)
    return [ev.PrisonersExchanged(seat, offered.seat, offered.pieces, in_order(action.pieces))]


def _least(state: State, seat: Seat) -> int:
    """Return the least that must be given: the largest total not above the tender's, 0 if there is none."""
    tendered = state.tender.total if state.tender else 0
    return max((total for pieces in _sets(state.prisoners[seat]) if (total := worth(pieces)) <= tendered), default=0)


def _check_refusal(action: Respond, least: int) -> None:
    if action.pieces:
        raise IllegalAction("refusal-with-pieces", "give prisoners or refuse, not both", RULE)
    if least:
        message = f"you can refuse only if you hold nothing worth as much or less; you can give {least}"
        raise IllegalAction("refusal-forbidden", message, RULE)


def _check_held(prisoners: Sequence[Kind], pieces: Sequence[Kind]) -> None:
    if not pieces:
        raise IllegalAction("no-pieces", "name at least one prisoner (to give none, refuse)", RULE)
    if not holds(prisoners, pieces):
        message = f"you do not hold {'+'.join(pieces)}: your prisoners are {'+'.join(prisoners) or 'none'}"
        raise IllegalAction("not-a-prisoner", message, RULE)


def _sets(prisoners: Sequence[Kind]) -> Iterator[tuple[Kind, ...]]:
    """List the different non-empty sets of some prisoners, those with most of the most valuable first."""
    kinds = [kind for kind in COPIES if kind in prisoners]
    for counts in product(*(range(prisoners.count(kind), -1, -1) for kind in kinds)):
        pieces = tuple(kind for kind, count in zip(kinds, counts, strict=True) for _ in range(count))
        if pieces:
            yield pieces
