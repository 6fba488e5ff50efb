"""What one viewer can know: every public fact of the hand, their own cards, and the cards that they gave and got."""

from dataclasses import dataclass

from domain.table import EVERYTHING, Seat, Viewer
from hearts import nouns as ev
from hearts.deck import PLAYERS, Card, TableSeat
from hearts.play import leader, must_lead
from hearts.scoring import points_by_seat
from hearts.state import PhaseName, State, receiver_of


@dataclass(frozen=True)
class HandView:
    """One seat's cards: how many, and which (own ones only, in pack order)."""

    seat: TableSeat
    count: int
    cards: tuple[Card, ...] | None


@dataclass(frozen=True)
class PassView:
    """What a seat passes: to whom, whether it has chosen, and which cards, null if the viewer does not know them."""

    giver: TableSeat
    receiver: TableSeat
    is_chosen: bool
    cards: tuple[Card, ...] | None


@dataclass(frozen=True)
class TrickView:
    """The trick on the table."""

    number: int
    leader: TableSeat
    cards: tuple[ev.TrickCard, ...]


@dataclass(frozen=True)
class View:
    """The ``state`` of a view. ``must_lead`` is the card that the leader of the hand holds, until it is led."""

    phase: PhaseName
    hand_number: int
    dealer: TableSeat
    direction: ev.Direction
    hands: tuple[HandView, ...]
    passes: tuple[PassView, ...]
    must_lead: Card | None
    hearts_broken: bool
    trick: TrickView | None
    tricks: tuple[ev.TrickTaken, ...]
    taken: tuple[int, ...]
    totals: tuple[int, ...]
    hand_results: tuple[ev.HandScored, ...]


def project(state: State, viewer: Viewer) -> View:
    """Build the view of a viewer."""
    hand, table = state.hand, state.table
    hands = (
        HandView(seat, len(held), held if viewer in (seat, EVERYTHING) else None)
        for seat, held in enumerate(table.held)
    )
    return View(
        phase=state.phase,
        hand_number=hand.number,
        dealer=hand.dealer,
        direction=hand.direction,
        hands=tuple(hands),
        passes=tuple(_pass(state, giver, viewer) for giver in range(PLAYERS) if hand.direction != "none"),
        must_lead=must_lead(state),
        hearts_broken=table.broken,
        trick=_trick(state),
        tricks=table.tricks,
        taken=points_by_seat(table.tricks),
        totals=state.totals,
        hand_results=state.results,
    )


def _pass(state: State, giver: Seat, viewer: Viewer) -> PassView:
    """Show the cards to the giver, and to the receiver once they have changed hands."""
    cards, receiver = state.hand.chosen[giver], receiver_of(giver, state.hand.direction)
    is_known = viewer in (giver, EVERYTHING) or (viewer == receiver and state.hand.passed)
    return PassView(giver, receiver, bool(cards), cards if cards and is_known else None)


def _trick(state: State) -> TrickView | None:
    first = leader(state)
    if first is None or state.is_played_out:
        return None
    return TrickView(len(state.table.tricks) + 1, first, state.table.trick)
