"""What one viewer can know of a game of Plute.

A view is what clients receive as ``state`` (rules.md, view): every public fact of the hand, and of the hands dealt only
the viewer's own. It shares with the state all values that are public as they stand.
"""

from dataclasses import dataclass

from domain.plute import events as ev
from domain.plute.deck import Card, TableSeat, TrickCard, TrumpSuit
from domain.plute.naming import named_jokers
from domain.plute.play import is_over, leader
from domain.plute.scoring import Standings, standings
from domain.plute.state import HandResult, Spoken, State, Tallies
from domain.plute.stopping import may_claim
from domain.table import EVERYTHING, Viewer


@dataclass(frozen=True)
class HandView:
    """One seat's cards: how many, and which (own ones only, in pack order)."""

    seat: TableSeat
    count: int
    cards: tuple[Card, ...] | None


@dataclass(frozen=True)
class JokersView:
    """Which joker is the high one and which the low one; null while that is not known."""

    high: Card | None
    low: Card | None


@dataclass(frozen=True)
class TrickView:
    """The trick on the table."""

    number: int
    leader: TableSeat
    cards: tuple[TrickCard, ...]


@dataclass(frozen=True)
class View:
    """The ``state`` of a view."""

    phase: ev.PhaseName
    hand_number: int
    dealer: TableSeat
    hands: tuple[HandView, ...]
    bids: tuple[Spoken, ...]
    contract: ev.ContractWon | None
    trump: TrumpSuit | None
    jokers: JokersView
    trick: TrickView | None
    tricks: tuple[ev.TrickWon, ...]
    standing: Standings
    may_claim: bool
    tally: Tallies
    hand_results: tuple[HandResult, ...]


def project(state: State, viewer: Viewer) -> View:
    """Build the view of a viewer."""
    hand, table = state.hand, state.table
    high, low, *_ = (*named_jokers(state), None, None)
    return View(
        phase=state.phase,
        hand_number=hand.number,
        dealer=hand.dealer,
        hands=tuple(
            HandView(seat, len(held), held if viewer in (seat, EVERYTHING) else None)
            for seat, held in enumerate(table.held)
        ),
        bids=hand.bids,
        contract=hand.contract,
        trump=table.trump,
        jokers=JokersView(high, low),
        trick=_trick(state),
        tricks=table.tricks,
        standing=standings(state),
        may_claim=hand.contract is not None and not (table.claimed or is_over(state)) and may_claim(state),
        tally=state.tallies,
        hand_results=state.results,
    )


def _trick(state: State) -> TrickView | None:
    """Return the trick on the table, from the moment the contract is won until the hand is over."""
    if state.phase != "play" or state.hand.contract is None or is_over(state):
        return None
    return TrickView(len(state.table.tricks) + 1, leader(state), state.table.trick)
