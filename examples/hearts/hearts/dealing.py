"""The deal, and what is drawn for it (rules.md, section 1)."""

from collections.abc import Iterator

from domain.chance import Chance
from domain.draws import Draw, DrawnNumbers, DrawnOrder, Packet
from domain.log.record import Shown
from domain.table import Seat
from hearts import nouns as ev
from hearts.deck import PACK, PLAYERS, in_pack_order
from hearts.passing import direction_of
from hearts.state import State

RULE = "1. Table and deal"


def settle(state: State, chance: Chance) -> list[ev.Event]:
    """Shuffle and deal the next hand, a card at a time, clockwise from the dealer's left."""
    number, dealer = state.hand.number + 1, _dealer(state, chance)
    cards = chance.permutation("deal", number, PACK)
    dealt = (in_pack_order(cards[(seat - dealer - 1) % PLAYERS :: PLAYERS]) for seat in range(PLAYERS))
    hands = tuple(ev.DealtHand(seat, len(hand), hand) for seat, hand in enumerate(dealt))
    return [ev.HandDealt(number, dealer, direction_of(state.options, number), hands)]


def _dealer(state: State, chance: Chance) -> Seat:
    return (state.hand.dealer + 1) % PLAYERS if state.hand.number else chance.below("first_dealer", 1, PLAYERS)


def draws(_options: ev.Options, _seats: int, event: Shown) -> Iterator[Draw]:
    """State what is drawn for a hand: the first dealer, and the deal."""
    if event["type"] != "hand_dealt":
        return
    number, dealer = event["data"]["hand_number"], event["data"]["dealer"]
    if number == 1:
        yield DrawnNumbers("first_dealer", 1, PLAYERS, "/dealer")
    packets = (Packet(f"/hands/{(dealer + 1 + turn) % PLAYERS}/cards", 1) for turn in range(len(PACK)))
    yield DrawnOrder("deal", number, PACK, tuple(packets))
