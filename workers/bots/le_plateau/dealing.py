"""The hands of a world between the auction and the play: talon, discards, gifts, partners.

They change as ``greedy`` would do it (``exchange``): the cards that are laid aside or given away are those that can
take least and carry the least important spaces.
"""

from typing import Final

from workers.bots.compiled import INT, WORDS, Words, kernel, popcount
from workers.bots.le_plateau.kernel import (
    HELD,
    HELD_TRUMPS,
    LOWEST_SUIT,
    PILES,
    SEATS,
    SUIT,
    TALON,
    TALON_TRUMPS,
    TEAM,
    TOP_TRUMPS,
    TOPS,
    bit_at,
    drawn,
    made_by,
    play_out,
)
from workers.bots.le_plateau.loader import FIRST_TRUMP
from workers.bots.le_plateau.worlds import draw

OF_VOID, GONE, GONE_TRUMPS, ROW, HAND = 80, 81, 82, 83, 120
"""The *hand*, an array: how useful each card is, what an emptied suit is worth, then the cards that were laid
aside last, and a row of cards to sort; then its size."""

CONSIDERED: Final = 8
"""How many of the least useful cards are combined into discards."""

NOTHING, LAYS_ASIDE, DEALS, GIVES = 0, 1, 2, 3
"""What a declarer does with the talon: leave it; take of it and lay as many cards aside; with six players, have it
dealt out, or take three cards and give two away.
"""

PER_TEAM: Final = 8
"""The places of a team in a tally: how often each objective was made."""


@kernel("void", WORDS, INT, INT, WORDS)
def lay_aside(world: Words, seat: int, count: int, hand: Words) -> None:
    """Take the two or three least useful cards from a hand, and note them; an emptied suit has a value."""
    held, trumps = world[HELD + seat], world[HELD_TRUMPS + seat]
    for pile in range(5 * seat, 5 * seat + 5 if world[PILES] else 0):
        held &= ~world[TOPS + pile]
        trumps &= ~world[TOP_TRUMPS + pile]
    cards = _sorted_by_use(held, trumps, hand)
    best, chosen = 0, -1
    for first in range(cards):
        for second in range(first + 1, cards):
            for third in range(second + 1, cards if count > 2 else second + 2):
                three = third if count > 2 else -1
                value = _value_of(held, first, second, three, hand)
                if chosen < 0 or value > best:
                    best, chosen = value, first << 16 | second << 8 | three + 1
    hand[GONE] = hand[GONE_TRUMPS] = 0
    _note(hand, hand[ROW + (chosen >> 16)])
    _note(hand, hand[ROW + (chosen >> 8 & 255)])
    if chosen & 255:
        _note(hand, hand[ROW + (chosen & 255) - 1])
    world[HELD + seat] &= ~hand[GONE]
    world[HELD_TRUMPS + seat] &= ~hand[GONE_TRUMPS]


@kernel(INT, INT, INT, WORDS)
def _sorted_by_use(suits: int, trumps: int, hand: Words) -> int:
    """Put the numbers of the least useful cards into the row, the least useful first; return how many."""
    count = 0
    while suits or trumps:
        if suits:
            card = popcount((suits & -suits) - 1)
            suits &= suits - 1
        else:
            card = FIRST_TRUMP + popcount((trumps & -trumps) - 1)
            trumps &= trumps - 1
        place = count
        while place > 0 and hand[card] < hand[hand[ROW + place - 1]]:
            hand[ROW + place] = hand[ROW + place - 1]
            place -= 1
        hand[ROW + place] = card
        count += 1
    return min(count, CONSIDERED)


@kernel(INT, INT, INT, INT, INT, WORDS)
def _value_of(held: int, first: int, second: int, third: int, hand: Words) -> int:
    """Return the value of laying some cards of the row aside; the third can be missing."""
    cards = 0
    value = -hand[hand[ROW + first]] - hand[hand[ROW + second]]
    if hand[ROW + first] < FIRST_TRUMP:
        cards |= 1 << hand[ROW + first]
    if hand[ROW + second] < FIRST_TRUMP:
        cards |= 1 << hand[ROW + second]
    if third >= 0:
        value -= hand[hand[ROW + third]]
        if hand[ROW + third] < FIRST_TRUMP:
            cards |= 1 << hand[ROW + third]
    for suit in range(4):
        of_suit = LOWEST_SUIT << suit * SUIT
        if cards & of_suit and held & of_suit == cards & of_suit:
            value += hand[OF_VOID]
    return value


@kernel("void", WORDS, INT)
def _note(hand: Words, card: int) -> None:
    if card < FIRST_TRUMP:
        hand[GONE] |= 1 << card
    else:
        hand[GONE_TRUMPS] |= 1 << card - FIRST_TRUMP


@kernel(INT, WORDS, INT, INT, INT)
def serve(world: Words, seat: int, count: int, chance: int) -> int:
    """Give a seat some random cards of the talon; return the state of the generator."""
    for _ in range(count):
        suits, trumps = world[TALON], world[TALON_TRUMPS]
        of_suits = popcount(suits)
        chance = drawn(chance)
        place = chance * (of_suits + popcount(trumps)) >> 32
        if place < of_suits:
            card = bit_at(suits, place)
            world[TALON] ^= card
            world[HELD + seat] |= card
        else:
            card = bit_at(trumps, place - of_suits)
            world[TALON_TRUMPS] ^= card
            world[HELD_TRUMPS + seat] |= card
    return chance


@kernel("void", WORDS, INT, WORDS)
def give(world: Words, seat: int, hand: Words) -> None:
    """Give the two cards that were laid aside to the next two seats."""
    suits, trumps = hand[GONE], hand[GONE_TRUMPS]
    for _ in range(2):
        seat += 1
        if seat == world[SEATS]:
            seat = 0
        if suits:
            world[HELD + seat] |= suits & -suits
            suits &= suits - 1
        else:
            world[HELD_TRUMPS + seat] |= trumps & -trumps
            trumps &= trumps - 1


@kernel(INT, WORDS, INT, INT, WORDS, INT)
def exchange(world: Words, seat: int, kind: int, hand: Words, chance: int) -> int:
    """Handle the talon as the declarer does; return the state of the generator."""
    if kind == LAYS_ASIDE:
        count = 2 if world[SEATS] == 2 else 3
        chance = serve(world, seat, count, chance)
        lay_aside(world, seat, count, hand)
    if kind == GIVES:
        chance = serve(world, seat, 3, chance)
        lay_aside(world, seat, 2, hand)
        give(world, seat, hand)
    if kind >= DEALS:
        for turn in range(3 if kind == GIVES else 0, world[SEATS]):
            chance = serve(world, (seat + turn) % world[SEATS], 1, chance)
    return chance


@kernel(INT, WORDS, INT, INT, INT, INT, INT)
def side_of(world: Words, seat: int, team: int, size: int, deck: int, first: int) -> int:
    """Return a team, completed with the holders of the highest cards that its declarer would announce.

    ``deck`` are the cards of the suits that have not been announced; ``first`` is announced before others of its rank.
    """
    rank = SUIT - 1
    while popcount(team) < size and rank >= 0:
        cards = deck & ~world[HELD + seat] & (1 | 1 << SUIT | 1 << 2 * SUIT | 1 << 3 * SUIT) << rank
        while cards and popcount(team) < size:
            card = cards & first if cards & first else cards & -cards
            cards ^= card
            for other in range(world[SEATS]):
                if world[HELD + other] & card:
                    team |= 1 << other
        rank -= 1
    return team


@kernel(INT, WORDS, WORDS, WORDS, INT, INT, INT, INT, INT, WORDS, WORDS, WORDS, WORDS)
def tally_bids(  # noqa: PLR0913, PLR0917 - a kernel gets its arrays one by one
    known: Words,
    plan: Words,
    lot: Words,
    seat: int,
    kind: int,
    playouts: int,
    deck: int,
    chance: int,
    board: Words,
    hand: Words,
    world: Words,
    tally: Words,
) -> int:
    """Play out hands in which a seat is the declarer, and add to the tally what each size of team has made.

    Return the state of the generator; more hands with it give the same results as one call for all of them.
    """
    for _ in range(playouts):
        chance = draw(known, plan, lot, world, chance)
        chance = exchange(world, seat, kind, hand, chance)
        duo = side_of(world, seat, 1 << seat, 2, deck, 0)
        trio = side_of(world, seat, duo, 3, deck, 0)
        chance = play_out(world, chance)
        _count(tally, 0, made_by(world, 1 << seat, board))
        _count(tally, PER_TEAM, made_by(world, duo, board))
        _count(tally, 2 * PER_TEAM, made_by(world, trio, board))
    return chance


@kernel(INT, WORDS, WORDS, WORDS, INT, INT, WORDS, WORDS, WORDS)
def tally_contract(  # noqa: PLR0913, PLR0917 - a kernel gets its arrays one by one
    known: Words, plan: Words, lot: Words, playouts: int, chance: int, board: Words, world: Words, tally: Words
) -> int:
    """Play out the hand with the current team, and add the result to the tally; return as ``tally_bids`` does."""
    for _ in range(playouts):
        chance = play_out(world, draw(known, plan, lot, world, chance))
        _count(tally, 0, made_by(world, world[TEAM], board))
    return chance


@kernel("void", WORDS, INT, INT)
def _count(tally: Words, team: int, made: int) -> None:
    for objective in range(5):
        tally[team + objective] += made >> objective & 1
