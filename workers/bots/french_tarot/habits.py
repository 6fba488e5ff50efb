"""How a deal is played out in a search: each seat follows a few habits, on its own hand and what the table has shown.

A seat knows its cards, the cards that are gone, the suits that others have shown to lack, and its own side. It does not
look at other hands, and treats the taker's partner like any other seat, until the called card falls.
"""

from typing import Final

from workers.bots.compiled import INT, WORDS, Words, kernel, popcount
from workers.bots.drawing import drawn, highest, nth
from workers.bots.french_tarot.kernel import (
    ATTACK,
    BEST,
    BEST_PLAYER,
    COLUMN,
    LED,
    LEGAL_SUITS,
    LEGAL_TRUMPS,
    LENGTH,
    LOOSE,
    PETIT,
    PLAYERS,
    RANKS,
    SIZE,
    SUIT,
    TAKER,
    TRICK_NUMBER,
    TRUMP,
    TURN,
    WORTH,
    halves_of,
    list_legal,
    play,
)
from workers.bots.french_tarot.noticing import holds, is_friend, lacking, opponents_behind, trumps_out
from workers.bots.french_tarot.scoring import score_of

AT_RANDOM: Final = 15
"""How many cards of a hundred are played at random, because no player is as predictable as habits are."""

DEAR: Final = 5
"""The half points from which a card is valuable enough to save it with the Excuse."""

_HIGH = 15
"""T16, the first of the trumps that are too good for a lost trick."""


@kernel(INT, WORDS)
def any_legal(game: Words) -> int:
    """Draw one of the legal cards, each as likely as the others."""
    return _any(game, list_legal(game))


@kernel(INT, WORDS, INT)
def _any(game: Words, count: int) -> int:
    number = drawn(game, count)
    in_suits = popcount(game[LEGAL_SUITS])
    if number < in_suits:
        return nth(game[LEGAL_SUITS], number)
    return PETIT + nth(game[LEGAL_TRUMPS], number - in_suits)


@kernel(INT, WORDS)
def by_habit(game: Words) -> int:
    """Choose a card for the player in turn."""
    count = list_legal(game)
    if count == 1 or drawn(game, 100) < AT_RANDOM:
        return _any(game, count)
    return _lead(game) if game[LED] < 0 else _follow(game)


# -- following ------------------------------------------------------------------------------------------------------


@kernel(INT, WORDS)
def _follow(game: Words) -> int:
    suits, loose = game[LEGAL_SUITS], game[LEGAL_TRUMPS] & game[LOOSE]
    usual = game[LEGAL_TRUMPS] & ~game[LOOSE]
    if not suits and not usual:
        return PETIT + highest(loose)
    behind = opponents_behind(game)
    is_ours = is_friend(game, game[BEST_PLAYER]) and holds(game, game[BEST], behind)
    if not suits:
        card = _trump(game, usual, behind, int(is_ours))
    elif game[LED] < TRUMP and suits >> RANKS * game[LED] & SUIT:
        card = _in_suit(game, suits, behind, int(is_ours))
    else:
        card = _discard(suits, int(is_ours))
    if loose and not is_ours and _is_time(game, card):
        return PETIT + highest(loose)
    return card


@kernel(INT, WORDS, INT)
def _is_time(game: Words, card: int) -> int:
    """Return whether to play the Excuse instead: before it is too late, or to save a valuable card."""
    if game[SIZE] - game[TRICK_NUMBER] <= 2:
        return 1
    best = game[BEST]
    if card >= PETIT:
        return int(card < best and (card == PETIT or card >= PETIT + _HIGH))
    return int((best >= PETIT or card < best or card // RANKS != best // RANKS) and halves_of(card) >= DEAR)


@kernel(INT, WORDS, INT, INT, INT)
def _in_suit(game: Words, suits: int, behind: int, is_ours: int) -> int:
    """Give a friend the highest card, win with the highest if it stays the best, or play the lowest."""
    top = highest(suits)
    if is_ours or (game[BEST] < PETIT and top > game[BEST] and holds(game, top, behind)):
        return top
    return nth(suits, 0)


@kernel(INT, WORDS, INT, INT, INT)
def _trump(game: Words, usual: int, behind: int, is_ours: int) -> int:
    """Play the lowest trump, but the petit only if it is safe, or alone."""
    others = usual & ~1
    if usual & 1 and (not others or (not behind and game[BEST] < PETIT) or (is_ours and game[BEST] > PETIT)):
        return PETIT
    return PETIT + nth(others, 0)


@kernel(INT, INT, INT)
def _discard(suits: int, is_ours: int) -> int:
    """Give a friend the highest card of all suits, an opponent the lowest."""
    for step in range(RANKS):
        rank = RANKS - 1 - step if is_ours else step
        found = suits & COLUMN << rank
        if found:
            return nth(found, 0)
    return -1


# -- leading --------------------------------------------------------------------------------------------------------


@kernel(INT, WORDS)
def _lead(game: Words) -> int:
    """Lead the most promising suit, with some randomness."""
    suits, usual = game[LEGAL_SUITS], game[LEGAL_TRUMPS] & ~game[LOOSE]
    if game[LEGAL_TRUMPS] & game[LOOSE] and (game[SIZE] - game[TRICK_NUMBER] == 2 or not (suits or usual)):
        return PETIT + highest(game[LEGAL_TRUMPS] & game[LOOSE])
    best, chosen, opponents = -1000, -1, _opponents(game)
    for suit in range(4):
        mine = suits >> RANKS * suit & SUIT
        if mine:
            top = highest(mine)
            is_master = holds(game, RANKS * suit + top, opponents)
            value = drawn(game, 16) + _suit_lead(game, suit, mine, is_master)
            if value > best:
                best, chosen = value, RANKS * suit + (top if is_master else nth(mine, 0))
    if usual and drawn(game, 16) + _trump_lead(game, usual) > best:
        chosen = _trump_led(game, usual)
    return chosen


@kernel(INT, WORDS)
def _opponents(game: Words) -> int:
    found = 0
    for other in range(game[PLAYERS]):
        if not is_friend(game, other):
            found |= 1 << other
    return found


@kernel(INT, WORDS, INT, INT, INT)
def _suit_lead(game: Words, suit: int, mine: int, is_master: int) -> int:
    if is_master:
        return 30 + 2 * WORTH[highest(mine)]
    if game[ATTACK] >> game[TURN] & 1:
        return 3 * popcount(mine) - 4 * WORTH[nth(mine, 0)]
    shortens = 12 if lacking(game, 1 << game[TAKER], suit) else 0
    return 8 + shortens - 4 * WORTH[nth(mine, 0)]


@kernel(INT, WORDS, INT)
def _trump_lead(game: Words, usual: int) -> int:
    """Return how good it is to lead trumps: for an attack with many, to draw those of the others."""
    out, others = popcount(trumps_out(game)), game[PLAYERS] - 1
    if not out:
        return 10
    is_long = popcount(usual) * others > out + others
    if game[ATTACK] >> game[TURN] & 1:
        return 32 if is_long else -10
    return 0 if is_long else -20


@kernel(INT, WORDS, INT)
def _trump_led(game: Words, usual: int) -> int:
    """Lead the highest trump if no other beats it, otherwise the lowest but the petit."""
    top = highest(usual)
    if not trumps_out(game) >> top:
        return PETIT + top
    others = usual & ~1
    return PETIT + nth(others if others else usual, 0)


# -- playing out ----------------------------------------------------------------------------------------------------


@kernel(INT, WORDS)
def play_out(game: Words) -> int:
    """Play the deal to its end by habit; return how many tricks it had."""
    while game[TRICK_NUMBER] < game[SIZE]:
        play(game, by_habit(game))
    return game[TRICK_NUMBER]


@kernel(INT, WORDS, WORDS, INT, WORDS)
def try_cards(game: Words, tried: Words, player: int, scratch: Words) -> int:
    """Play each of some cards and the deal to its end, with the same random numbers; replace it by a player's score."""
    for place in range(len(tried)):
        for word in range(LENGTH):
            scratch[word] = game[word]
        play(scratch, tried[place])
        play_out(scratch)
        tried[place] = score_of(scratch, player)
    return len(tried)
