"""Le Plateau's play in plain integers: a hand is played out from any point, even within a trick.

A *world* is one array of integers (``loader`` makes it from the domain's ``State``). Cards of the four suits are bits
of one number, 14 a suit, trumps with the excuse bits of another, in deck order; a higher bit is a higher card. A French
excuse is a bit of its own above the trumps: it has no suit, and claims for its player.

Counters only ever join groups, and every space is claimed in the end. So whether an objective is made is tested once,
after the last trick, and one playout answers for all objectives.
"""

from typing import Final

from workers.bots.compiled import INT, WORDS, Words, kernel, popcount
from workers.bots.le_plateau.grid import OBJECTIVE_BITS, found

SUIT: Final = 14
LOWEST_SUIT: Final = (1 << SUIT) - 1
TRUMPS_ALL: Final = (1 << 22) - 1
FRENCH_EXCUSE: Final = 1 << 22
NO_SUIT: Final = -1
"""In ``LED``: no card has set a suit yet. Otherwise ``LED`` has the bits of the suit led, or none for trumps."""

HELD, HELD_TRUMPS, WON, WON_TRUMPS, WON_TRICKS = 0, 6, 12, 18, 24
"""Where the cards held, the cards won and the tricks won begin: one entry for each seat."""

NEXT, LED, BEST, BEST_TRUMP, WINNER, TABLE, TABLE_TRUMPS, ON_TABLE = 30, 31, 32, 33, 34, 35, 36, 37
"""The trick: the seat to play, the suit led, the best cards and their player, all its cards, how many."""

TRICK, LAST, SEATS, FREE, PILES, TEAM, EXTRA = 38, 39, 40, 41, 42, 43, 44
"""The number of the trick and of the last one, seats, the excuse's bit if it is of no suit, how many piles there are,
the seats of the declarer's team as bits, and whether it gets the spaces of the talon too."""

TOPS, TOP_TRUMPS, BELOW, BELOW_TRUMPS = 45, 55, 65, 75
"""The piles, five a seat: the card on top while one lies below it, and the card below."""

VOIDS, VOID_TRUMPS, DECK, DECK_TRUMPS = 85, 91, 92, 93
"""What all have seen: the suits that each seat has shown to lack, the seats that have shown no trump, and the deck."""

TALON, TALON_TRUMPS = 94, 95
"""The cards of a talon that was not taken."""

SIZE: Final = 96

LOW_TRUMPS, HIGH_TRUMPS, TRICK_SPACES, MAKES = 64, 128, 136, 160
"""The *board*, another array: the spaces of the four highest cards of each suit (16 sets each), of T1 to T6, of T21 and
the excuse, of each trick, then the table of what touching sides makes."""

BOARD_SIZE: Final = MAKES + 64

FOR_OBJECTIVE: Final = 54
"""The reward of an objective that is made; each of the six sides touched counts one, a tenth of all together."""

MULTIPLIER: Final = 747796405
INCREMENT: Final = 1013904223
WORD: Final = (1 << 32) - 1


@kernel(INT, INT)
def drawn(chance: int) -> int:
    """Return the next 32-bit state of the generator, whose high bits are used."""
    return (chance * MULTIPLIER + INCREMENT) & WORD


@kernel(INT, INT, INT)
def bit_at(bits: int, place: int) -> int:
    """Return one of the set bits, counted from the lowest."""
    while place > 0:
        bits &= bits - 1
        place -= 1
    return bits & -bits


@kernel(INT, INT)
def suit_of(card: int) -> int:
    """Return all cards of a card's suit."""
    if card < 1 << 2 * SUIT:
        return LOWEST_SUIT if card < 1 << SUIT else LOWEST_SUIT << SUIT
    return LOWEST_SUIT << 2 * SUIT if card < 1 << 3 * SUIT else LOWEST_SUIT << 3 * SUIT


@kernel(INT, WORDS)
def legal_suits(world: Words) -> int:
    """Return the cards of the four suits that the seat to play can play: of the suit led, otherwise none or all."""
    seat, led = world[NEXT], world[LED]
    held = world[HELD + seat]
    if led == NO_SUIT:
        return held
    if held & led:
        return held & led
    return 0 if world[HELD_TRUMPS + seat] & TRUMPS_ALL else held


@kernel(INT, WORDS, INT)
def legal_trumps(world: Words, suits: int) -> int:
    """Return the trumps, and the free excuse, that the seat to play can play beside these cards of the suits."""
    trumps = world[HELD_TRUMPS + world[NEXT]]
    return trumps & world[FREE] if world[LED] > 0 and suits & world[LED] else trumps


@kernel("void", WORDS, INT, INT)
def put(world: Words, card: int, trump: int) -> None:
    """Play a card for the seat to play: of the suits, or a trump if ``card`` is 0."""
    seat = world[NEXT]
    if card:
        world[HELD + seat] ^= card
        _put_card(world, seat, card)
    else:
        world[HELD_TRUMPS + seat] ^= trump
        _put_trump(world, seat, trump)
    count = world[ON_TABLE] + 1
    if count == world[SEATS]:
        take(world)
        return
    world[ON_TABLE] = count
    seat += 1
    world[NEXT] = 0 if seat == world[SEATS] else seat


@kernel("void", WORDS, INT, INT)
def _put_card(world: Words, seat: int, card: int) -> None:
    world[TABLE] |= card
    led = world[LED]
    if led == NO_SUIT:
        world[LED] = led = suit_of(card)
    if not card & led:
        world[VOIDS + seat] |= led
        world[VOID_TRUMPS] |= 1 << seat
    elif card > world[BEST] and world[BEST_TRUMP] == 0:
        world[BEST] = card
        world[WINNER] = seat


@kernel("void", WORDS, INT, INT)
def _put_trump(world: Words, seat: int, trump: int) -> None:
    if trump & world[FREE]:
        world[WON_TRUMPS + seat] |= trump
        return
    world[TABLE_TRUMPS] |= trump
    if world[LED] == NO_SUIT:
        world[LED] = 0
    world[VOIDS + seat] |= world[LED]
    if trump > world[BEST_TRUMP]:
        world[BEST_TRUMP] = trump
        world[WINNER] = seat


@kernel("void", WORDS)
def take(world: Words) -> None:
    """Give a full trick to its winner, who leads next, and turn up the lower cards of piles."""
    winner = world[WINNER]
    world[WON + winner] |= world[TABLE]
    world[WON_TRUMPS + winner] |= world[TABLE_TRUMPS]
    world[WON_TRICKS + winner] |= 1 << world[TRICK]
    for pile in range(world[PILES]):
        if world[TOPS + pile] & world[TABLE] or world[TOP_TRUMPS + pile] & world[TABLE_TRUMPS]:
            seat = 0 if pile < 5 else 1
            world[HELD + seat] |= world[BELOW + pile]
            world[HELD_TRUMPS + seat] |= world[BELOW_TRUMPS + pile]
            world[TOPS + pile] = world[TOP_TRUMPS + pile] = 0
            world[BELOW + pile] = world[BELOW_TRUMPS + pile] = 0
    world[NEXT] = winner
    world[TRICK] += 1
    world[LED] = NO_SUIT
    world[BEST] = world[BEST_TRUMP] = world[TABLE] = world[TABLE_TRUMPS] = world[ON_TABLE] = world[WINNER] = 0


@kernel(INT, WORDS, INT)
def play_out(world: Words, chance: int) -> int:
    """Play to the end of the last trick, with every legal card equally likely; return the state of the generator."""
    while world[TRICK] <= world[LAST]:
        suits = legal_suits(world)
        trumps = legal_trumps(world, suits)
        of_suits = popcount(suits)
        count = of_suits + popcount(trumps)
        place = 0
        if count > 1:
            chance = (chance * MULTIPLIER + INCREMENT) & WORD
            place = chance * count >> 32
        if place < of_suits:
            put(world, bit_at(suits, place), 0)
        else:
            put(world, 0, bit_at(trumps, place - of_suits))
    return chance


@kernel(INT, INT, INT, WORDS)
def spaces_of_cards(cards: int, trumps: int, board: Words) -> int:
    """Return the spaces of some cards."""
    owned = board[LOW_TRUMPS + (trumps & 63)] | board[HIGH_TRUMPS + (trumps >> 20)]
    for suit in range(4):
        owned |= board[suit * 16 + (cards >> suit * SUIT + 10 & 15)]
    return owned


@kernel(INT, WORDS, INT, WORDS)
def spaces_of(world: Words, team: int, board: Words) -> int:
    """Return the spaces that the tricks of some seats claim."""
    cards = trumps = tricks = 0
    for seat in range(world[SEATS]):
        if team >> seat & 1:
            cards |= world[WON + seat]
            trumps |= world[WON_TRUMPS + seat]
            tricks |= world[WON_TRICKS + seat]
    owned = spaces_of_cards(cards, trumps, board)
    for trick in range(1, world[LAST] + 1):
        if tricks >> trick & 1:
            owned |= board[TRICK_SPACES + trick]
    return owned


@kernel(INT, WORDS, INT, WORDS)
def made_by(world: Words, team: int, board: Words) -> int:
    """Return what a team has made of its spaces (``grid.found``), with those of the talon if it gets them."""
    owned = spaces_of(world, team, board)
    if world[EXTRA]:
        owned |= spaces_of_cards(world[TALON], world[TALON_TRUMPS], board)
    return found(owned, board, MAKES)


@kernel("void", WORDS, WORDS, WORDS, INT, INT, WORDS)
def try_cards(world: Words, cards: Words, board: Words, wanted: int, chance: int, scratch: Words) -> None:
    """Play each card and then to the end, in the same world and with the same random numbers; replace it by its reward.

    ``cards`` are pairs of a card of the suits and a trump. The reward of the first goes into the first of the pair.
    """
    team = world[TEAM]
    for pair in range(0, len(cards), 2):
        scratch[:] = world
        put(scratch, cards[pair], cards[pair + 1])
        play_out(scratch, chance)
        cards[pair] = reward_of(made_by(scratch, team, board), wanted)


@kernel(INT, INT, INT)
def reward_of(made: int, wanted: int) -> int:
    """Return the reward of a hand for the declarer's team: for the objective, and a little for every side touched.

    So a hand that looks lost is still contested, and one that looks won is not played carelessly.
    """
    reward = popcount(made >> OBJECTIVE_BITS)
    return reward + FOR_OBJECTIVE if made & wanted else reward
