"""Chien and écart: the cards that the taker takes in and lays aside (rules.md, chien and écart)."""

from collections.abc import Sequence
from dataclasses import dataclass

from domain.cardplay.cards import Card, in_deck_order
from domain.cardplay.tricks import only
from domain.errors import IllegalAction, Refusals
from domain.french_tarot import events as ev
from domain.french_tarot.actions import Action, Discard
from domain.french_tarot.deck import OUDLERS, is_free, is_king, is_trump
from domain.french_tarot.partners import in_turned_chien
from domain.french_tarot.state import State, contract_of, shape_of
from domain.sentences import message as msg
from domain.sequences import Mapped, Subsets
from domain.table import Seat

RULE = "6. Chien and écart"
_refuse = Refusals(__package__)
_TAKEN_IN = ("petite", "garde")


def turn_up(state: State) -> list[ev.Event]:
    """Turn the chien up for the taker, or leave it face down in the higher contracts."""
    contract = contract_of(state)
    if contract.contract not in _TAKEN_IN:
        return [ev.PhaseBegan("slam")]
    turned = ev.ChienTurned(contract.taker, state.deal.chien)
    return [turned, *in_turned_chien(state), ev.PhaseBegan("discard")]


def actors(state: State) -> frozenset[Seat]:
    """Return the taker, until the écart is made."""
    return only(None if state.deal.ecart else contract_of(state).taker)


def legal_actions(state: State, seat: Seat) -> Sequence[Action]:
    """List every écart: free cards, or all of them and as many trumps as are needed beside them."""
    hand, size = state.table.held[seat], shape_of(state).chien
    free = tuple(filter(is_free, hand))
    if len(free) >= size:
        return Mapped(Discard, Subsets(free, size))
    trumps_to_spare = tuple(card for card in trumps_in(hand) if card not in OUDLERS)
    return Mapped(_WithTrumps(free), Subsets(trumps_to_spare, size - len(free)))


@dataclass(frozen=True, slots=True)
class _WithTrumps:
    """Makes écarts of all free cards and some trumps."""

    free: tuple[Card, ...]

    def __call__(self, trumps: tuple[Card, ...]) -> Discard:
        return Discard(in_deck_order((*self.free, *trumps)))


def decide(state: State, seat: Seat, action: Action) -> list[ev.Event]:
    """Lay cards aside."""
    if not isinstance(action, Discard):
        raise _refuse("wrong-phase.discard", RULE)
    cards = action.cards
    check(state.table.held[seat], cards, shape_of(state).chien)
    return [ev.CardsDiscarded(seat, len(cards), in_deck_order(cards))]


def settle(state: State) -> list[ev.Event]:
    """Show the trumps of the écart, and continue to the slam."""
    if not state.deal.ecart:
        return []
    trumps = trumps_in(state.deal.ecart)
    shown = [ev.TrumpsShown(contract_of(state).taker, trumps)] if trumps else []
    return [*shown, ev.PhaseBegan("slam")]


def check(hand: Sequence[Card], cards: Sequence[Card], size: int) -> None:
    """Reject an écart that the rules do not allow from this hand."""
    if len(cards) != size or len(set(cards)) != size:
        raise _refuse("wrong-number-of-cards", RULE, wanted=msg.Number(size), given=msg.Number(len(set(cards))))
    for card in cards:
        if card not in hand:
            raise _refuse("card-not-held", RULE, card=msg.Card(card))
    for card in cards:
        if refusal := refusal_of(hand, card, size):
            raise refusal
    allowed = _trumps_allowed(hand, size)
    if len(trumps_in(cards)) > allowed:
        raise _refuse("trump-in-ecart", RULE, allowed=msg.Number(allowed), given=msg.Number(len(trumps_in(cards))))


def refusal_of(hand: Sequence[Card], card: Card, size: int) -> IllegalAction | None:
    """Return why a card of this hand can be in no écart, None if it can."""
    if card in OUDLERS:
        return _refuse("oudler-in-ecart", RULE, card=msg.Card(card))
    if is_king(card):
        return _refuse("king-in-ecart", RULE, card=msg.Card(card))
    if is_trump(card) and not _trumps_allowed(hand, size):
        return _refuse("trump-in-ecart.none", RULE, card=msg.Card(card))
    return None


def _trumps_allowed(hand: Sequence[Card], size: int) -> int:
    return max(0, size - sum(map(is_free, hand)))


def trumps_in(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return the trumps among cards."""
    return tuple(filter(is_trump, cards))
