"""What one viewer may know of a game of Le Plateau: built field by field, from nothing.

The types describe the plain data that clients receive (rules.md, view). Every public fact is here, and of
the private ones only the viewer's own: their hand, what they took, laid aside, gave and received.
"""

from typing import NotRequired, TypedDict, cast

from domain.cardplay.cards import Card
from domain.cardplay.tricks import TrickCard
from domain.le_plateau.actions import TableSeat, Team
from domain.le_plateau.board import Objective, Space
from domain.le_plateau.events import Phase, Side
from domain.le_plateau.play import leader
from domain.le_plateau.state import Contract, Pile, Spoken, State
from domain.serialization import Plain
from domain.table import Seat


class BoardView(TypedDict):
    """The tokens in ring order (rim, middle, inner, centre), and who claimed which space."""

    tokens: list[Space]
    owners: dict[str, Side]


class PileView(TypedDict):
    """A pile: its card on top (null once played), whether a face-down card lies below, and what was played from it."""

    top: Card | None
    under: bool
    played: list[Card]


class HandView(TypedDict):
    """One seat's cards: how many in the hand, which (own ones only, in deck order), and the piles."""

    seat: TableSeat
    count: int
    cards: list[Card] | None
    piles: list[PileView]


class TalonDealtView(TypedDict):
    """A talon card dealt to a player (6 players); the card for its receiver only."""

    to: TableSeat
    card: Card | None


class TalonView(TypedDict):
    """The talon: cards that still lie there, what the exchanger took (for the exchanger), and what was dealt out.

    ``groups`` are those of a talon turned face up (4 players, full deck), in the order dealt, and ``chosen`` is the one
    that the exchanger took.
    """

    count: int
    cards: list[Card] | None
    taken: list[Card] | None
    dealt: list[TalonDealtView]
    groups: list[list[Card]] | None
    chosen: int | None


class DiscardView(TypedDict):
    """The discard; its cards for the exchanger only."""

    count: int
    cards: list[Card] | None


GiftView = TypedDict("GiftView", {"from": TableSeat, "to": TableSeat, "card": Card | None})
"""A card given (6 players); the card for giver and receiver only."""


class BidView(TypedDict):
    """What was bid; ``exchange`` is left out where a bid has no such part (6 players, edition 2022)."""

    exchange: NotRequired[bool]
    objective: Objective
    team: Team


class SpokenView(TypedDict):
    """One turn in the bidding; a null bid is a pass, with value null."""

    seat: TableSeat
    bid: BidView | None
    value: int | None


class ContractView(TypedDict):
    """The contract as it stands."""

    declarer: TableSeat
    partners: list[TableSeat]
    exchanger: TableSeat | None
    exchange: bool
    objective: Objective
    team: Team
    value: int


class RaiseView(TypedDict):
    """One seat's chance to raise: the new objective, or null."""

    seat: TableSeat
    objective: Objective | None
    abdicated: bool


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
    """Cards of one seat, shown at the end of a hand."""

    seat: TableSeat
    cards: list[Card]


class ShownPileView(TypedDict):
    """A pile as dealt, shown at the end of a hand."""

    top: Card
    under: Card


class ShownPilesView(TypedDict):
    """The piles of one seat as dealt, shown at the end of a hand."""

    seat: TableSeat
    piles: list[ShownPileView]


ShownGiftView = TypedDict("ShownGiftView", {"from": TableSeat, "to": TableSeat, "card": Card})
"""A card that was given, shown at the end of a hand."""


class ShownTalonCardView(TypedDict):
    """A talon card that was dealt to a player, shown at the end of a hand."""

    to: TableSeat
    card: Card


class HandResultView(TypedDict):
    """A finished hand: what it came to, and everything that its end made public. ``by`` is null if it was void."""

    hand_number: int
    deal_number: int
    dealer: TableSeat
    contract: ContractView | None
    by: Side | None
    path: list[Space]
    value: int
    scores: list[int]
    dealt: list[ShownHandView]
    piles: list[ShownPilesView]
    talon: list[Card]
    taken: list[Card]
    discard: list[Card]
    gifts: list[ShownGiftView]
    talon_dealt: list[ShownTalonCardView]
    unplayed: list[ShownHandView]
    unturned: list[ShownHandView]


class View(TypedDict):
    """The ``state`` of a view."""

    phase: Phase
    hand_number: int
    deal_number: int
    hands_total: int
    dealer: TableSeat
    board: BoardView
    hands: list[HandView]
    talon: TalonView
    discard: DiscardView
    gifts: list[GiftView]
    bids: list[SpokenView]
    contract: ContractView | None
    raises: list[RaiseView]
    announced: list[Card]
    holders: dict[str, TableSeat | None]
    trick: TrickView | None
    tricks: list[WonTrickView]
    stops_after_hand: bool
    scores: list[int]
    hand_results: list[HandResultView]


def project(state: State, viewer: Seat | None) -> dict[str, Plain]:
    """Build the view of a seat, or of a spectator (None)."""
    hand, table = state.hand, state.table
    exchanger = hand.contract.exchanger if hand.contract else None
    knows_exchange = viewer is not None and viewer == exchanger
    view: View = {
        "phase": state.phase,
        "hand_number": hand.number,
        "deal_number": hand.deal_number,
        "hands_total": state.options.hands,
        "dealer": hand.dealer,
        "board": {"tokens": list(hand.tokens), "owners": _owners(state)},
        "hands": [_hand(state, seat, viewer) for seat in range(len(table.held))],
        "talon": {
            "count": len(hand.talon) - len(hand.taken) - len(hand.talon_dealt),
            "cards": None,
            "taken": list(hand.taken) if hand.taken and knows_exchange else None,
            "dealt": [{"to": d.to, "card": d.card if viewer == d.to else None} for d in hand.talon_dealt],
            "groups": [list(group) for group in hand.groups] or None,
            "chosen": hand.chosen,
        },
        "discard": {
            "count": len(hand.discard),
            "cards": list(hand.discard) if hand.discard and knows_exchange else None,
        },
        "gifts": [
            {
                "from": gift.from_,
                "to": gift.to,
                "card": gift.card if viewer in (gift.from_, gift.to) else None,
            }
            for gift in hand.gifts
        ],
        "bids": [_spoken(spoken) for spoken in hand.bids],
        "contract": _contract(hand.contract),
        "raises": [
            {"seat": raised.seat, "objective": raised.objective, "abdicated": raised.abdicated}
            for raised in hand.raises
        ],
        "announced": [announced.card for announced in hand.announced],
        "holders": {announced.card: announced.holder for announced in hand.announced if announced.answered},
        "trick": _trick(state),
        "tricks": [
            {"number": trick.number, "winner": trick.winner, "cards": _played(trick.cards)} for trick in table.tricks
        ],
        "stops_after_hand": state.stops,
        "scores": list(state.scores),
        "hand_results": [cast("HandResultView", result) for result in state.results],
    }
    return cast("dict[str, Plain]", view)


def _owners(state: State) -> dict[str, Side]:
    """Map the claimed spaces to their side, in ring order."""
    table = state.table
    owners: dict[str, Side] = {}
    for space in state.hand.tokens:
        if space in table.declarer_spaces:
            owners[space] = "declarer"
        elif space in table.opposing_spaces:
            owners[space] = "opposing"
    return owners


def _hand(state: State, seat: Seat, viewer: Seat | None) -> HandView:
    held = state.table.held[seat]
    piles = state.table.piles[seat] if state.table.piles else ()
    dealt = state.hand.dealt_piles[seat] if piles else ()
    return {
        "seat": seat,
        "count": len(held),
        "cards": list(held) if seat == viewer else None,
        "piles": [_pile(now, then) for now, then in zip(piles, dealt, strict=True)],
    }


def _pile(now: Pile, then: Pile) -> PileView:
    both = [card for card in (then.top, then.under) if card is not None]
    gone = [card for card in both if card not in (now.top, now.under)]
    return {"top": now.top, "under": now.under is not None, "played": gone}


def _spoken(spoken: Spoken) -> SpokenView:
    bid = spoken.bid
    if bid is None:
        return {"seat": spoken.seat, "bid": None, "value": None}
    shown: BidView = {"objective": bid.objective, "team": bid.team}
    if bid.exchange is not None:
        shown = {"exchange": bid.exchange, **shown}
    return {"seat": spoken.seat, "bid": shown, "value": bid.value}


def _contract(contract: Contract | None) -> ContractView | None:
    if contract is None:
        return None
    return {
        "declarer": contract.declarer,
        "partners": list(contract.partners),
        "exchanger": contract.exchanger,
        "exchange": contract.exchange,
        "objective": contract.objective,
        "team": contract.team,
        "value": contract.value,
    }


def _trick(state: State) -> TrickView | None:
    """Show the trick on the table, from the moment the play begins until the hand is decided."""
    if state.phase != "play" or state.won is not None:
        return None
    number = len(state.table.tricks) + 1
    return {"number": number, "leader": leader(state), "cards": _played(state.table.trick)}


def _played(cards: tuple[TrickCard, ...]) -> list[PlayedView]:
    return [{"seat": played.seat, "card": played.card} for played in cards]
