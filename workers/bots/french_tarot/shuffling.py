"""Worlds that are consistent with a view, one after the other: two unseen cards change places, many times.

A world is an array of integers: the place of each unseen card, and the places that it can have, as bits. Places are the
players in turn, then the chien, then the écart. A swap that contradicts the view is not made. A swap and its reverse
are equally likely, so worlds that are equally likely at first stay so: ``worlds`` begins with one sampled from all.

If the auction has shown something about a hand (``hearing``), or the play about a card (``watching``), a swap that
makes a world less likely is made less often, in proportion. So worlds occur in proportion to their likelihood
(Metropolis).
"""

from typing import Final

from workers.bots.chances import SURE
from workers.bots.compiled import INT, WORDS, Words, kernel, popcount
from workers.bots.drawing import SEED, drawn
from workers.bots.french_tarot.hearing import FAR, LIKELY, STRENGTH_OF
from workers.bots.french_tarot.kernel import (
    COLUMN,
    EXCUSE,
    HALVES,
    LENGTH,
    OUDLERS,
    PETIT,
    PLAYERS,
    RANKS,
    SUIT_CARDS,
    T21,
    TRUMP_CARDS,
    WORTH,
    halves_of,
)
from workers.bots.signs import CHANCE

(
    COUNT,  # the unseen cards that can lie in more places than one
    CALLED,  # the called card while its holder is secret, -1 otherwise
    ASIDE,  # the place whose cards count for the attack, -1 for none
    LONE_PETIT,  # the players who can have been dealt the petit without any other trump, as bits
) = range(SEED + 1, SEED + 5)
PLACES: Final = 7
CARDS: Final = 78
CHIEN, ECART = 5, 6
SUITS_AT, TRUMPS_AT = 5, 12
"""The two sets of cards of each place (``kernel``)."""
PAST = 19
"""The trumps and Excuse that a player was dealt and no longer holds, as bits of the second set."""
TAKEN_IN = 24
"""Those that a player holds or can hold, but was not dealt."""
CARD, LIES, MAY = 29, 107, 185
"""Each unseen card, its place, and the places that it can have; 78 words each."""
DEALT_TO = 263
"""The player to whom the cards of a place were dealt, or ``NOBODY``."""
SHOWN = 270
"""What the auction has shown of each player's hand: 1 strong, -1 weak, 0 nothing."""
STRENGTH = 276
"""By how many points each player's hand is above the line between the two."""
LEAN = 282
"""How much likelier each unseen card is in each place, by exchange and play; ``CARDS`` words for each place."""
SIZE = 828

NOBODY = 5


@kernel(INT, WORDS, INT)
def stir(world: Words, swaps: int) -> int:
    """Try so many swaps; return how many were made."""
    count, made = world[COUNT], 0
    if count < 2:
        return 0
    for _ in range(swaps):
        one, other = drawn(world, count), drawn(world, count)
        here, there = world[LIES + one], world[LIES + other]
        if here == there or not world[MAY + one] >> there & 1 or not world[MAY + other] >> here & 1:
            continue
        if is_as_watched(world, one, other):
            _swap(world, one, other)
            if is_as_declared(world) and is_as_heard(world, one, other):
                made += 1
            else:
                _swap(world, one, other)
    return made


@kernel(INT, WORDS, INT, INT)
def _swap(world: Words, one: int, other: int) -> int:
    here, there = world[LIES + one], world[LIES + other]
    _toggle(world, world[CARD + one], here, there)
    _toggle(world, world[CARD + other], there, here)
    world[LIES + one], world[LIES + other] = there, here
    return there


@kernel(INT, WORDS, INT, INT, INT)
def _toggle(world: Words, card: int, here: int, there: int) -> int:
    """Move a card from one place to another."""
    if card < PETIT:
        world[SUITS_AT + here] ^= 1 << card
        world[SUITS_AT + there] ^= 1 << card
    else:
        world[TRUMPS_AT + here] ^= 1 << (card - PETIT)
        world[TRUMPS_AT + there] ^= 1 << (card - PETIT)
    return card


@kernel(INT, WORDS)
def is_as_declared(world: Words) -> int:
    """Return whether no player was dealt the petit alone, without the Excuse: such a hand would have been shown."""
    for player in range(5):
        dealt = (world[TRUMPS_AT + player] | world[PAST + player]) & ~world[TAKEN_IN + player]
        if dealt == 1 and not world[LONE_PETIT] >> player & 1:
            return 0
    return 1


@kernel(INT, WORDS, INT, INT)
def is_as_watched(world: Words, one: int, other: int) -> int:
    """Return whether to try a swap, by the likelihood of the cards that were laid aside and played."""
    here, there = LEAN + CARDS * world[LIES + one], LEAN + CARDS * world[LIES + other]
    less = world[here + one] + world[there + other] - world[there + one] - world[here + other]
    return int(less <= 0 or drawn(world, SURE) < CHANCE[less])


@kernel(INT, WORDS, INT, INT)
def is_as_heard(world: Words, one: int, other: int) -> int:
    """Return whether to make a swap, by the likelihood of what both players did in the auction; note it if so."""
    mine, theirs = world[DEALT_TO + world[LIES + one]], world[DEALT_TO + world[LIES + other]]
    gain = STRENGTH_OF[world[CARD + one]] - STRENGTH_OF[world[CARD + other]]
    if mine == theirs or gain == 0:
        return 1
    before = _likely(world, mine, 0) * _likely(world, theirs, 0)
    after = _likely(world, mine, gain) * _likely(world, theirs, -gain)
    if after < before and drawn(world, SURE) * before >= after * SURE:
        return 0
    world[STRENGTH + mine] += gain
    world[STRENGTH + theirs] -= gain
    return 1


@kernel(INT, WORDS, INT, INT)
def _likely(world: Words, player: int, gain: int) -> int:
    """Return how likely a player's behaviour in the auction is, with a hand that is stronger by some points."""
    shown = world[SHOWN + player]
    if shown == 0:
        return SURE
    return LIKELY[min(max(shown * (world[STRENGTH + player] + gain) + FAR, 0), 2 * FAR)]


@kernel(INT, WORDS)
def partner_in(world: Words) -> int:
    """Return the player who holds the called card; -1 if no player does or it is not secret."""
    called = world[CALLED]
    if called < 0:
        return -1
    for player in range(5):
        if world[SUITS_AT + player] >> called & 1:
            return player
    return -1


@kernel(INT, WORDS, WORDS, WORDS)
def put(world: Words, bases: Words, game: Words) -> int:
    """Write the game of a world, with all cards dealt, from the base with its partner."""
    partner = partner_in(world)
    for word in range(LENGTH):
        game[word] = bases[LENGTH * (partner + 1) + word]
    for player in range(game[PLAYERS]):
        game[SUIT_CARDS + player] = world[SUITS_AT + player]
        game[TRUMP_CARDS + player] = world[TRUMPS_AT + player]
    aside = world[ASIDE]
    if aside >= 0:
        _count_aside(game, world[SUITS_AT + aside], world[TRUMPS_AT + aside])
    return partner


@kernel(INT, WORDS, INT, INT)
def _count_aside(game: Words, suits: int, trumps: int) -> int:
    """Count the cards aside for the attack."""
    game[HALVES] += popcount(suits) + popcount(trumps)
    for rank in range(RANKS - 4, RANKS):
        game[HALVES] += popcount(suits & COLUMN << rank) * (WORTH[rank] - 1)
    for oudler in (PETIT, T21, EXCUSE):
        if trumps >> (oudler - PETIT) & 1:
            game[HALVES] += halves_of(oudler) - 1
            game[OUDLERS] += 1
    return game[HALVES]
