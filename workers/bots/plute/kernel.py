"""The play of one hand of Plute in plain integers: legal cards, tricks, the seven points, whether the bid is decided.

A game is one array of integers; the names below are places in it. A card is its number in the pack (``cards``), a hand
is a set of bits. Everything is known here: this is one world, not the view of a seat. ``loading`` makes such an array
from a state of the rules.
"""

from typing import Final

from workers.bots.compiled import INT, WORDS, Words, kernel, popcount
from workers.bots.drawing import SEED
from workers.bots.plute.cards import GAME, ORDERS

(
    TURN,
    TRICKS,  # complete tricks
    PLAYED,  # cards in the trick on the table
    LED,  # the suit led: 0 to 3, 4 for trumps
    BEST,  # the best card in the trick
    BEST_SEAT,
    TRUMP,  # the trump suit, 0 to 3; -1 before the first card
    HIGH_JOKER,  # the high joker, -1 while it has no name
    LOW_IS_TAKEN,  # whether Low goes to who takes the deuce
    LOW,  # the team that has the deuce, by the option; -1 until its trick is complete
    LOW_COMING,  # the same for the trick on the table
    BIDDER,
    BID,
    LEGAL,
) = range(SEED + 1, SEED + 15)
POINTS = 15
"""The points of each team except Low and Game, as bits: high, jack, off-jack, high joker, low joker."""
VALUES = 17
"""The value of each team's cards for Game."""
WON = 19
"""The tricks of each team."""
CARDS = 21
"""The cards in the trick on the table, in the order in which they were played."""
HELD = 27
"""The cards of each seat."""
LENGTH = 33

SEATS, HAND = 6, 9
TO_WIN_GAME, HALF, ALL_POINTS = 41, 40, 7
_PACK, _SUITS, _TRUMP, _JOKER = 54, 5, 4, 52
_SUIT_OF = tuple(suit for order in ORDERS for suit in order.suit)
_STRENGTH = tuple(strength for order in ORDERS for strength in order.strength)
_CARDS_OF = tuple(cards for order in ORDERS for cards in order.cards)
_GAME = tuple(GAME)
_DEUCE = tuple(order.deuce for order in ORDERS)
_ACE = tuple(order.deuce + 12 for order in ORDERS)
_JACK = tuple(order.deuce + 9 for order in ORDERS)
_OFF_JACK = _JACK[::-1]
"""By trump, as the others: spades and clubs stand first and last, hearts and diamonds between them."""


@kernel(INT, WORDS)
def list_legal(game: Words) -> int:
    """Write the cards that the seat in turn can play to the place for them; return how many they are.

    The first lead is a trump once trump is set; before that, any card can name it.
    """
    hand = game[HELD + game[TURN]]
    legal = hand
    if game[TRICKS] == 0 and game[PLAYED] == 0 and game[TRUMP] >= 0:
        trumps = hand & _CARDS_OF[_SUITS * game[TRUMP] + _TRUMP]
        legal = trumps if trumps else hand
    if game[PLAYED]:
        first = _SUITS * game[TRUMP]
        if hand & _CARDS_OF[first + game[LED]]:
            legal = hand & (_CARDS_OF[first + game[LED]] | _CARDS_OF[first + _TRUMP])
    game[LEGAL] = legal
    return popcount(legal)


@kernel(INT, WORDS, INT)
def play(game: Words, card: int) -> int:
    """Play a legal card of the seat in turn; trump must be set before the first one.

    Return the number of complete tricks.
    """
    seat, order = game[TURN], _PACK * game[TRUMP]
    game[HELD + seat] ^= 1 << card
    game[CARDS + game[PLAYED]] = card
    if card >= _JOKER and game[HIGH_JOKER] < 0:
        game[HIGH_JOKER] = card
    if game[PLAYED] == 0:
        game[LED] = _SUIT_OF[order + card]
    if game[PLAYED] == 0 or beats(game, card, game[BEST]):
        game[BEST], game[BEST_SEAT] = card, seat
    if card == _DEUCE[game[TRUMP]]:
        game[LOW_COMING] = seat % 2
    game[PLAYED] += 1
    game[TURN] = (seat + 1) % SEATS
    if game[PLAYED] == SEATS:
        _settle(game)
    return game[TRICKS]


@kernel(INT, WORDS, INT, INT)
def beats(game: Words, card: int, best: int) -> int:
    """Return whether a card beats the best one of a trick; of the jokers, the high one is higher."""
    order = _PACK * game[TRUMP]
    if _SUIT_OF[order + card] != _SUIT_OF[order + best]:
        return int(_SUIT_OF[order + card] == _TRUMP)
    if card >= _JOKER and best >= _JOKER:
        return int(card == game[HIGH_JOKER])
    return int(_STRENGTH[order + card] > _STRENGTH[order + best])


@kernel(INT, WORDS)
def _settle(game: Words) -> int:
    """Count a full trick for the team of its winner, who leads the next one; return that seat."""
    winner = game[BEST_SEAT]
    team = winner % 2
    for place in range(SEATS):
        card = game[CARDS + place]
        game[VALUES + team] += _GAME[card]
        game[POINTS + team] |= _point(game, card)
    if game[LOW] < 0 and game[LOW_COMING] >= 0:
        game[LOW] = team if game[LOW_IS_TAKEN] else game[LOW_COMING]
    game[WON + team] += 1
    game[TRICKS] += 1
    game[PLAYED] = 0
    game[TURN] = winner
    return winner


@kernel(INT, WORDS, INT)
def _point(game: Words, card: int) -> int:
    """Return the point that a card takes, as a bit; 0 for none."""
    trump = game[TRUMP]
    if card == _ACE[trump]:
        return 1
    if card == _JACK[trump]:
        return 2
    if card == _OFF_JACK[trump]:
        return 4
    if card >= _JOKER:
        return 8 if card == game[HIGH_JOKER] else 16
    return 0


@kernel(INT, WORDS, INT)
def points_of(game: Words, team: int) -> int:
    """Return how many points a team has for certain after the tricks so far."""
    return popcount(game[POINTS + team]) + int(game[LOW] == team) + int(game[VALUES + team] >= TO_WIN_GAME)


@kernel(INT, WORDS)
def verdict(game: Words) -> int:
    """Return 1 if the bid is certainly made, 0 if it is certainly lost, -1 while it is open."""
    team = game[BIDDER] % 2
    if points_of(game, team) >= game[BID]:
        return 1
    lost = points_of(game, 1 - team) + int(game[VALUES + 1 - team] == HALF)
    return 0 if ALL_POINTS - lost < game[BID] else -1


@kernel(INT, WORDS)
def may_stop(game: Words) -> int:
    """Return whether the hand can be claimed: the bid is decided, and no Plute is possible."""
    has_both = game[WON] > 0 and game[WON + 1] > 0
    return int(has_both and game[PLAYED] == 0 and verdict(game) >= 0)


@kernel(INT, WORDS)
def pluting(game: Words) -> int:
    """Return the team that took all nine tricks, -1 for none."""
    if game[TRICKS] < HAND:
        return -1
    return 0 if game[WON] == HAND else 1 if game[WON + 1] == HAND else -1


FOR_THE_BID, FOR_A_POINT, FOR_A_PLUTE = 100, 10, 200
"""The value of a hand to the bidding team: for its bid, for each point over it, and for a Plute of either team."""
CODES: Final = 64
"""A card under a trump suit is coded as the suit times this, plus the card."""


@kernel(INT, WORDS)
def worth_of(game: Words) -> int:
    """Return the value of a finished hand to the even team; a lost one is still contested."""
    team = game[BIDDER] % 2
    points = points_of(game, team)
    worth = (FOR_THE_BID if points >= game[BID] else -FOR_THE_BID) + FOR_A_POINT * (points - game[BID])
    if team == 1:
        worth = -worth
    plutes = pluting(game)
    if plutes >= 0:
        worth += FOR_A_PLUTE if plutes == 0 else -FOR_A_PLUTE
    return worth
