"""What one viewer may know of a game of French Tarot: built field by field, from nothing.

The types describe the plain data that clients receive (rules.md, view). Every public fact is here, and of the private
ones only the viewer's own: their hand, and the taker's écart. Nothing tells the partner before the called card falls.
"""

from typing import TypedDict, cast

from domain.cardplay.cards import Card
from domain.cardplay.tricks import TrickCard
from domain.french_tarot.actions import ContractName, Misere, TableSeat
from domain.french_tarot.calculation import Calculation, Level
from domain.french_tarot.events import Phase
from domain.french_tarot.play import leader
from domain.french_tarot.state import SlamAnswer, State
from domain.serialization import Plain
from domain.table import Seat


class HandView(TypedDict):
    """One seat's cards: how many, and which (own ones only, in deck order)."""

    seat: TableSeat
    count: int
    cards: list[Card] | None


class ChienView(TypedDict):
    """The chien: how many cards lie there, and which they were once it was turned up."""

    count: int
    cards: list[Card] | None


class EcartView(TypedDict):
    """The écart: how many cards, which (for the taker only), and the trumps in it, which were shown."""

    count: int
    cards: list[Card] | None
    trumps: list[Card]


class SpokenView(TypedDict):
    """One turn in the bidding; a null contract is a pass."""

    seat: TableSeat
    contract: ContractName | None


class ContractView(TypedDict):
    """What the taker plays for."""

    taker: TableSeat
    contract: ContractName
    multiplier: int


class CalledView(TypedDict):
    """The called card; once it is ``revealed``, its holder (null: the taker plays alone)."""

    card: Card
    revealed: bool
    partner: TableSeat | None


class PoigneeView(TypedDict):
    """A poignée that was shown."""

    seat: TableSeat
    level: Level
    cards: list[Card]


class MisereView(TypedDict):
    """A misère that was announced."""

    seat: TableSeat
    kind: Misere


class PlayedView(TypedDict):
    """A card in a trick."""

    seat: TableSeat
    card: Card


class TrickView(TypedDict):
    """The trick on the table."""

    number: int
    leader: TableSeat
    cards: list[PlayedView]


class WonTrickView(TypedDict):
    """A finished trick."""

    number: int
    winner: TableSeat
    cards: list[PlayedView]


class ShownHandView(TypedDict):
    """Cards of one seat, shown at the end of a deal."""

    seat: TableSeat
    cards: list[Card]


class DealResultView(TypedDict):
    """A finished deal: how it was calculated, and everything that its end made public."""

    deal_number: int
    dealer: TableSeat
    contract: ContractView
    called: Card | None
    partner: TableSeat | None
    dealt: list[ShownHandView]
    chien: list[Card]
    ecart: list[Card]
    calculation: Calculation
    scores: list[int]


class View(TypedDict):
    """The ``state`` of a view."""

    phase: Phase
    deal_number: int
    deals_played: int
    deals_total: int
    dealer: TableSeat
    players: list[TableSeat]
    petit_imprenable: TableSeat | None
    hands: list[HandView]
    chien: ChienView
    ecart: EcartView
    bids: list[SpokenView]
    contract: ContractView | None
    called: CalledView | None
    slam: SlamAnswer | None
    poignees: list[PoigneeView]
    poignees_declined: list[TableSeat]
    miseres: list[MisereView]
    trick: TrickView | None
    tricks: list[WonTrickView]
    scores: list[int]
    deal_results: list[DealResultView]


def project(state: State, viewer: Seat | None) -> dict[str, Plain]:
    """Build the view of a seat, or of a spectator (None)."""
    deal, table = state.deal, state.table
    view: View = {
        "phase": state.phase,
        "deal_number": deal.number,
        "deals_played": len(state.results),
        "deals_total": state.options.deals,
        "dealer": deal.dealer,
        "players": list(deal.players),
        "petit_imprenable": deal.imprenable,
        "hands": [
            {"seat": seat, "count": len(held), "cards": list(held) if seat == viewer else None}
            for seat, held in enumerate(table.held)
        ],
        "chien": {
            "count": 0 if deal.turned else len(deal.chien),
            "cards": list(deal.chien) if deal.turned else None,
        },
        "ecart": _ecart(state, viewer),
        "bids": [{"seat": spoken.seat, "contract": spoken.contract} for spoken in deal.bids],
        "contract": _contract(state),
        "called": _called(state),
        "slam": deal.slam,
        "poignees": [
            {"seat": poignee.seat, "level": poignee.level, "cards": list(poignee.cards)} for poignee in deal.poignees
        ],
        "poignees_declined": list(deal.declined),
        "miseres": [{"seat": misere.seat, "kind": misere.kind} for misere in deal.miseres],
        "trick": _trick(state),
        "tricks": [
            {"number": trick.number, "winner": trick.winner, "cards": _played(trick.cards)} for trick in table.tricks
        ],
        "scores": list(state.scores),
        "deal_results": [cast("DealResultView", result) for result in state.results],
    }
    return cast("dict[str, Plain]", view)


def _ecart(state: State, viewer: Seat | None) -> EcartView:
    ecart, contract = state.deal.ecart, state.deal.contract
    is_own = contract is not None and viewer == contract.taker
    return {
        "count": len(ecart),
        "cards": list(ecart) if ecart and is_own else None,
        "trumps": list(state.deal.shown_trumps),
    }


def _contract(state: State) -> ContractView | None:
    contract = state.deal.contract
    if contract is None:
        return None
    return {"taker": contract.taker, "contract": contract.contract, "multiplier": contract.multiplier}


def _called(state: State) -> CalledView | None:
    called, revealed = state.deal.called, state.deal.revealed
    if called is None:
        return None
    return {"card": called, "revealed": revealed is not None, "partner": revealed.partner if revealed else None}


def _trick(state: State) -> TrickView | None:
    """Show the trick on the table, from the moment the play begins to the end of the deal."""
    if state.phase != "play":
        return None
    return {"number": len(state.table.tricks) + 1, "leader": leader(state), "cards": _played(state.table.trick)}


def _played(cards: tuple[TrickCard, ...]) -> list[PlayedView]:
    return [{"seat": played.seat, "card": played.card} for played in cards]
