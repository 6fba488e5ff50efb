"""What one viewer can know of a game of French Tarot (rules.md, view).

The view holds every public fact, and of the private ones only the viewer's own: their hand, and the taker's écart. It
does not show the partner before the called card falls. It shares with the state all values that are public as they
stand.
"""

from dataclasses import dataclass

from domain.cardplay.cards import Card
from domain.cardplay.tricks import TrickCard
from domain.french_tarot import events as ev
from domain.french_tarot.actions import TableSeat
from domain.french_tarot.events import PhaseName
from domain.french_tarot.play import leader
from domain.french_tarot.state import Called, DealResult, SlamAnswer, Spoken, State
from domain.table import EVERYTHING, Viewer


@dataclass(frozen=True)
class HandView:
    """One seat's cards: how many, and which (own ones only, in deck order)."""

    seat: TableSeat
    count: int
    cards: tuple[Card, ...] | None


@dataclass(frozen=True)
class ChienView:
    """The chien: how many cards lie there, and which they were once it was turned up, or with full knowledge."""

    count: int
    cards: tuple[Card, ...] | None

    @property
    def turned_up(self) -> tuple[Card, ...]:
        """Return the cards once the chien was turned up, and none before."""
        return () if self.count or self.cards is None else self.cards


@dataclass(frozen=True)
class EcartView:
    """The écart: how many cards, which (for the taker only), and the trumps in it, which were shown."""

    count: int
    cards: tuple[Card, ...] | None
    trumps: tuple[Card, ...]


@dataclass(frozen=True)
class TrickView:
    """The trick on the table."""

    number: int
    leader: TableSeat
    cards: tuple[TrickCard, ...]


@dataclass(frozen=True)
class View:
    """The ``state`` of a view."""

    phase: PhaseName
    deal_number: int
    deals_played: int
    deals_total: int
    dealer: TableSeat
    players: tuple[TableSeat, ...]
    petit_imprenable: TableSeat | None
    hands: tuple[HandView, ...]
    chien: ChienView
    ecart: EcartView
    bids: tuple[Spoken, ...]
    contract: ev.ContractWon | None
    called: Called | None
    slam: SlamAnswer | None
    poignees: tuple[ev.PoigneeShown, ...]
    poignees_declined: tuple[TableSeat, ...]
    miseres: tuple[ev.MisereAnnounced, ...]
    trick: TrickView | None
    tricks: tuple[ev.TrickWon, ...]
    scores: tuple[int, ...]
    deal_results: tuple[DealResult, ...]

    @property
    def result(self) -> DealResult | None:
        """Return the result of this very deal; None while it is running."""
        last = self.deal_results[-1] if self.deal_results else None
        return last if last and last.deal_number == self.deal_number else None


def project(state: State, viewer: Viewer) -> View:
    """Build the view of a viewer."""
    deal, table = state.deal, state.table
    sees_all = viewer == EVERYTHING
    knows_ecart = sees_all or (deal.contract is not None and viewer == deal.contract.taker)
    return View(
        phase=state.phase,
        deal_number=deal.number,
        deals_played=len(state.results),
        deals_total=state.options.deals,
        dealer=deal.dealer,
        players=deal.players,
        petit_imprenable=deal.imprenable,
        hands=tuple(
            HandView(seat, len(held), held if viewer in (seat, EVERYTHING) else None)
            for seat, held in enumerate(table.held)
        ),
        chien=ChienView(0, deal.chien) if deal.turned else ChienView(len(deal.chien), deal.chien if sees_all else None),
        ecart=EcartView(len(deal.ecart), deal.ecart if deal.ecart and knows_ecart else None, deal.shown_trumps),
        bids=deal.bids,
        contract=deal.contract,
        called=deal.called,
        slam=deal.slam,
        poignees=deal.poignees,
        poignees_declined=deal.declined,
        miseres=deal.miseres,
        trick=_trick(state),
        tricks=table.tricks,
        scores=state.scores,
        deal_results=state.results,
    )


def _trick(state: State) -> TrickView | None:
    """Return the trick on the table, from the beginning of the play to the end of the deal."""
    if state.phase != "play":
        return None
    return TrickView(len(state.table.tricks) + 1, leader(state), state.table.trick)
