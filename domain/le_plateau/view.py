"""What one viewer can know of a game of Le Plateau.

Clients receive these records as JSON (rules.md, view). Every public fact is here, and of the private ones only the
viewer's own: their hand, and what they took, discarded, gave and received. A view shares with the state all values
that are public as they stand. Where a key cannot be an attribute, or is left out at times, a dictionary stands for the
record.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NotRequired, TypedDict

from domain.cardplay.cards import Card
from domain.cardplay.tricks import TrickCard
from domain.le_plateau.actions import TableSeat
from domain.le_plateau.board import Space
from domain.le_plateau.dealt import DealtPile
from domain.le_plateau.events import PhaseName, Side, TrickWon
from domain.le_plateau.play import leader
from domain.le_plateau.state import Contract, Hand, HandResult, Pile, Raised, Spoken, State
from domain.table import EVERYTHING, Seat, Viewer


@dataclass(frozen=True)
class BoardView:
    """The tokens in ring order (rim, middle, inner, centre), and the side that owns each claimed space."""

    tokens: tuple[Space, ...]
    owners: Mapping[str, Side]


class PileView(TypedDict):
    """A pile: its card on top (null once played), whether a face-down card lies below, and what was played from it.

    ``under_card`` is the card below, and only a view with full knowledge has it.
    """

    top: Card | None
    under: bool
    under_card: NotRequired[Card]
    played: tuple[Card, ...]


@dataclass(frozen=True)
class HandView:
    """One seat's cards: how many in the hand, which (own ones only, in deck order), and the piles."""

    seat: TableSeat
    count: int
    cards: tuple[Card, ...] | None
    piles: tuple[PileView, ...]


@dataclass(frozen=True)
class TalonDealtView:
    """A talon card dealt to a player (6 players); the card for its receiver only."""

    to: TableSeat
    card: Card | None


@dataclass(frozen=True)
class TalonView:
    """The talon: cards that still lie there, what the exchanger took (for the exchanger), and what was dealt out.

    Only a view with full knowledge has the ``cards``; in it, they and those ``taken`` are in the order dealt.
    ``groups`` are those of a talon turned face up (4 players, full deck), in the order dealt, and ``chosen`` is the one
    that the exchanger took.
    """

    count: int
    cards: tuple[Card, ...] | None
    taken: tuple[Card, ...] | None
    dealt: tuple[TalonDealtView, ...]
    groups: tuple[tuple[Card, ...], ...] | None
    chosen: int | None


@dataclass(frozen=True)
class DiscardView:
    """The discard; its cards for the exchanger only."""

    count: int
    cards: tuple[Card, ...] | None


GiftView = TypedDict("GiftView", {"from": TableSeat, "to": TableSeat, "card": Card | None})
GiftView.__doc__ = "A card given (6 players); the card for giver and receiver only."


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
    hand_number: int
    deal_number: int
    hands_total: int
    dealer: TableSeat
    board: BoardView
    hands: tuple[HandView, ...]
    talon: TalonView
    discard: DiscardView
    gifts: tuple[GiftView, ...]
    bids: tuple[Spoken, ...]
    contract: Contract | None
    raises: tuple[Raised, ...]
    announced: tuple[Card, ...]
    holders: Mapping[str, TableSeat | None]
    trick: TrickView | None
    tricks: tuple[TrickWon, ...]
    stops_after_hand: bool
    scores: tuple[int, ...]
    hand_results: tuple[HandResult, ...]


def result_of(view: View) -> HandResult | None:
    """Return the result of the hand on the board, None while it is running."""
    last = view.hand_results[-1] if view.hand_results else None
    return last if last and last.deal_number == view.deal_number else None


def project(state: State, viewer: Viewer) -> View:
    """Build the view of a viewer."""
    hand, table = state.hand, state.table
    exchanger = hand.contract.exchanger if hand.contract else None
    knows_exchange = viewer == EVERYTHING or (exchanger is not None and viewer == exchanger)
    return View(
        phase=state.phase,
        hand_number=hand.number,
        deal_number=hand.deal_number,
        hands_total=state.options.hands,
        dealer=hand.dealer,
        board=BoardView(hand.tokens, _owners(hand.tokens, table.declarer_spaces, table.opposing_spaces)),
        hands=tuple([_hand(state, seat, viewer) for seat in range(len(table.held))]),
        talon=_talon(hand, viewer, knows_exchange=knows_exchange),
        discard=DiscardView(len(hand.discard), hand.discard if hand.discard and knows_exchange else None),
        gifts=tuple(
            {
                "from": gift.from_,
                "to": gift.to,
                "card": gift.card if viewer in (gift.from_, gift.to, EVERYTHING) else None,
            }
            for gift in hand.gifts
        ),
        bids=hand.bids,
        contract=hand.contract,
        raises=hand.raises,
        announced=tuple([announced.card for announced in hand.announced]),
        holders={announced.card: announced.holder for announced in hand.announced if announced.answered},
        trick=_trick(state),
        tricks=table.tricks,
        stops_after_hand=state.stops,
        scores=state.scores,
        hand_results=state.results,
    )


@lru_cache(maxsize=256)
def _owners(
    tokens: tuple[Space, ...], declarer_spaces: frozenset[Space], opposing_spaces: frozenset[Space]
) -> Mapping[Space, Side]:
    """Map the claimed spaces to their side, in ring order."""
    sides: dict[Space, Side] = dict.fromkeys(declarer_spaces, "declarer")
    sides |= dict.fromkeys(opposing_spaces, "opposing")
    return {space: sides[space] for space in tokens if space in sides}


def _hand(state: State, seat: Seat, viewer: Viewer) -> HandView:
    held = state.table.held[seat]
    piles: tuple[PileView, ...] = ()
    if state.table.piles:
        piles = tuple(map(_pile, state.table.piles[seat], state.hand.dealt_piles[seat]))
        if viewer == EVERYTHING:
            piles = tuple(map(_opened, piles, state.table.piles[seat]))
    return HandView(seat, len(held), held if viewer in (seat, EVERYTHING) else None, piles)


def _pile(now: Pile, then: DealtPile) -> PileView:
    gone = tuple([card for card in (then.top, then.under) if card not in (now.top, now.under)])
    return {"top": now.top, "under": now.under is not None, "played": gone}


def _opened(shown: PileView, now: Pile) -> PileView:
    return shown if now.under is None else {**shown, "under_card": now.under}


def _talon(hand: Hand, viewer: Viewer, *, knows_exchange: bool) -> TalonView:
    sees_all = viewer == EVERYTHING
    return TalonView(
        count=len(hand.talon) - len(hand.taken) - len(hand.talon_dealt),
        cards=_lying(hand) if sees_all else None,
        taken=_as_dealt(hand) if sees_all else hand.taken if hand.taken and knows_exchange else None,
        dealt=tuple([TalonDealtView(d.to, d.card if viewer in (d.to, EVERYTHING) else None) for d in hand.talon_dealt]),
        groups=hand.groups or None,
        chosen=hand.chosen,
    )


def _lying(hand: Hand) -> tuple[Card, ...]:
    gone = {*hand.taken, *(dealt.card for dealt in hand.talon_dealt)}
    return tuple(card for card in hand.talon if card not in gone)


def _as_dealt(hand: Hand) -> tuple[Card, ...] | None:
    return tuple(card for card in hand.talon if card in hand.taken) or None


def _trick(state: State) -> TrickView | None:
    """Return the trick on the table, from the moment the play begins until the hand is decided."""
    if state.phase != "play" or state.won is not None:
        return None
    return TrickView(len(state.table.tricks) + 1, leader(state), state.table.trick)
