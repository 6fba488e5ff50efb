"""Converts the domain's states to the kernel's arrays, and its bits to cards."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import Final

from domain.cardplay.cards import EXCUSE, RANKS, SUITS, TRUMPS, Card
from domain.cardplay.tricks import TrickCard
from domain.le_plateau.board import Space, places
from domain.le_plateau.deck import SUIT_OF, shape_for
from domain.le_plateau.options import Edition, Options
from domain.le_plateau.state import State, forehand
from domain.table import Seat
from workers.bots.le_plateau import kernel as k
from workers.bots.le_plateau.grid import BITS, makes

SUIT_BITS: Final = {rank + suit: 1 << k.SUIT * s + r for s, suit in enumerate(SUITS) for r, rank in enumerate(RANKS)}
TRUMP_BITS: Final = {trump: 1 << number for number, trump in enumerate((*TRUMPS, EXCUSE))}
"""The bit of each card among the cards of the suits, or among the trumps."""

_CARD_OF_SUIT: Final = {bit: card for card, bit in SUIT_BITS.items()}
_TRUMP: Final = {bit: card for card, bit in TRUMP_BITS.items()} | {k.FRENCH_EXCUSE: EXCUSE}


FIRST_TRUMP: Final = 4 * k.SUIT
"""Cards of the suits are numbered from 0 by their bits, trumps from this number on."""


def number_of(card: Card, options: Options) -> int:
    """Return the number of a card."""
    suits, trumps = bits_of(card, options)
    return suits.bit_length() - 1 if suits else FIRST_TRUMP + trumps.bit_length() - 1


def bits_of(card: Card, options: Options) -> tuple[int, int]:
    """Return a card in the kernel's form: a bit of the suits and one of the trumps, one of which is 0."""
    if card == EXCUSE and options.excuse == "french":
        return 0, k.FRENCH_EXCUSE
    return SUIT_BITS.get(card, 0), TRUMP_BITS.get(card, 0)


def sets_of(cards: Iterable[Card], options: Options) -> tuple[int, int]:
    """Return a set of cards as the kernel has it."""
    pairs = [bits_of(card, options) for card in cards]
    return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)


def cards_of(suits: int, trumps: int) -> list[Card]:
    """List the cards of a set, in deck order."""
    found: list[Card] = []
    for names, bits in ((_CARD_OF_SUIT, suits), (_TRUMP, trumps)):
        found += [name for bit, name in names.items() if bits & bit]
    return found


@lru_cache(maxsize=64)
def board_of(tokens: tuple[Space, ...], edition: Edition) -> tuple[int, ...]:
    """Return the board in the kernel's form: the spaces that cards and tricks claim, on any arrangement."""
    where = {token: BITS[position] for token, position in places(tokens).items()}
    board = [0] * k.BOARD_SIZE
    tables: list[tuple[int, list[Card]]] = [(16 * s, [r + suit for r in RANKS[10:]]) for s, suit in enumerate(SUITS)]
    tables += [(k.LOW_TRUMPS, [*TRUMPS[:6]]), (k.HIGH_TRUMPS, ["T21", EXCUSE, EXCUSE])]
    for start, cards in tables:
        for count in range(len(cards) + 1):
            for chosen in combinations(range(len(cards)), count):
                spaces = {cards[index] for index in chosen}
                board[start + sum(1 << index for index in chosen)] = sum(where.get(card, 0) for card in spaces)
    for token, bit in where.items():
        if token.startswith("#"):
            board[k.TRICK_SPACES + int(token[1:])] = bit
    board[k.MAKES :] = makes(edition)
    return tuple(board)


def spaces_as_bits(tokens: tuple[Space, ...], spaces: Iterable[Space]) -> int:
    """Return spaces of a board as bits of the grid; codes that are not on it are ignored."""
    where = places(tokens)
    return sum(BITS[where[space]] for space in spaces if space in where)


def dealt(options: Options, seats: int, held: Iterable[Iterable[Card]], forehand: Seat) -> list[int]:
    """Return a world before its first trick, without piles and without a declarer."""
    world = [0] * k.SIZE
    world[k.SEATS], world[k.NEXT], world[k.LED], world[k.TRICK] = seats, forehand, k.NO_SUIT, 1
    shape = shape_for(seats, options.deck, options.edition)
    world[k.LAST] = shape.tricks
    world[k.DECK], world[k.DECK_TRUMPS] = sets_of(shape.deck, options)
    world[k.FREE] = 0 if SUIT_OF[options.excuse][EXCUSE] else k.FRENCH_EXCUSE
    for seat, cards in enumerate(held):
        world[k.HELD + seat], world[k.HELD_TRUMPS + seat] = sets_of(cards, options)
    return world


def add_piles(world: list[int], state: State) -> None:
    """Add the piles of a game of two: their tops can be played, the cards below once they are turned up."""
    options = state.options
    for seat, of_seat in enumerate(state.table.piles):
        world[k.PILES] += len(of_seat)
        for index, pile in enumerate(of_seat):
            place = 5 * seat + index
            if pile.top:
                suits, trumps = bits_of(pile.top, options)
                world[k.HELD + seat] |= suits
                world[k.HELD_TRUMPS + seat] |= trumps
            if pile.under:
                top = pile.top or next(p.card for p in state.table.trick if p.seat == seat)
                world[k.TOPS + place], world[k.TOP_TRUMPS + place] = bits_of(top, options)
                world[k.BELOW + place], world[k.BELOW_TRUMPS + place] = bits_of(pile.under, options)


def load(state: State) -> list[int]:
    """Return the world of a state, at any card of any trick or before the play."""
    options, table, contract = state.options, state.table, state.hand.contract
    world = dealt(options, state.seats, table.held, forehand(state))
    add_piles(world, state)
    gone = {*state.hand.taken, *(given.card for given in state.hand.talon_dealt)}
    world[k.TALON], world[k.TALON_TRUMPS] = sets_of((card for card in state.hand.talon if card not in gone), options)
    if contract is not None:
        world[k.TEAM] = sum(1 << seat for seat in (contract.declarer, *contract.partners))
        world[k.EXTRA] = int(not contract.exchange and options.edition == "2022")
    for cards in (*(won.cards for won in table.tricks), table.trick):
        _replay(world, cards, options)
    return world


def _replay(world: list[int], cards: Iterable[TrickCard], options: Options) -> None:
    """Play the cards of a trick again, so that the world has what they showed; piles are as they are now."""
    piles, world[k.PILES] = world[k.PILES], 0
    for played in cards:
        suits, trumps = bits_of(played.card, options)
        world[k.HELD + played.seat] |= suits
        world[k.HELD_TRUMPS + played.seat] |= trumps
        k.put(world, suits, trumps)
    world[k.PILES] = piles
