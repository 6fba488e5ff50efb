"""Playouts of a hand of Plute in which every seat plays by its own view, in plain integers.

A seat knows its own cards, the tricks, and so the unseen cards. It values each legal card as ``playing`` does, only
more coarsely: the stake of the trick times the chance to win it, less the value of keeping the card. Constants were
tuned by playing 5,000 deals for each step of each of them.
"""

from typing import Final

from workers.bots.compiled import INT, WORDS, Words, kernel, popcount
from workers.bots.drawing import drawn, nth
from workers.bots.plute import cards as c
from workers.bots.plute.kernel import (
    BEST,
    BEST_SEAT,
    BIDDER,
    CARDS,
    CODES,
    HAND,
    HELD,
    LED,
    LEGAL,
    LENGTH,
    LOW_IS_TAKEN,
    PLAYED,
    SEATS,
    TRICKS,
    TRUMP,
    TURN,
    beats,
    list_legal,
    play,
    points_of,
    worth_of,
)

SURE: Final = 1024
"""A chance of one."""
CARELESS: Final = 154
"""How often a seat plays any legal card instead, so that no world is taken for granted."""

POINT, OF_GAME, A_CARD = 100, 5, 2
"""Hundredths of a point: of a point card, of each of the 80 of Game, and of a card that is still to come."""
FALLING: Final = 30
"""The value of each unseen point card that a trump trick can catch."""

STAYS: Final = 668
"""The chance that none of the opponents has a given higher card, for each of them who plays later."""
TRUMPED: Final = 183
"""The chance that an opponent trumps another suit, if 16 trumps are unseen."""
TAKEN_LATER: Final = (0, 426, 473)
"""The chance that a partner wins a trick that the opponents are winning, by the partners who play later."""

KEPT_TRUMPS: Final = {c.ACE: 93, c.KING: 88, c.QUEEN: 55}
KEPT_TRUMP, KEPT_JACK, KEPT_JOKER = 25, 123, 6
"""The value of keeping a card, in hundredths of a point; of a joker, for each trick that is left."""
KEPT_SIDE: Final = {c.ACE: 16, c.TEN: 9, c.JACK: 6, c.QUEEN: 6, c.KING: 6}

_PACK, _TRUMP, _JOKER, _CHANCES = 54, 4, 52, 4
_SUIT_OF = tuple(suit for order in c.ORDERS for suit in order.suit)
_ABOVE = tuple(above for order in c.ORDERS for above in order.above)
_TRUMPS = tuple(order.cards[c.TRUMP] for order in c.ORDERS)
_POINTS = tuple(order.points for order in c.ORDERS)
_DEUCE = tuple(order.deuce for order in c.ORDERS)
_VALUE = tuple(
    POINT * (order.points >> card & 1) + OF_GAME * c.GAME[card] for order in c.ORDERS for card in range(_PACK)
)


def _power(chance: int, times: int) -> int:
    """Return the chance that something happens so many times."""
    return SURE if times == 0 else chance * _power(chance, times - 1) // SURE


def _kept(order: c.Order, card: int) -> int:
    """Return the value of keeping a card, in eighths, and a little for its rank, so that the lowest is played."""
    rank, height = card % c.RANKS, 2 * order.strength[card]
    if order.points >> card & 1:
        return 8 * (0 if card >= _JOKER else KEPT_JACK) + height
    if order.suit[card] == c.TRUMP:
        return 8 * KEPT_TRUMPS.get(rank, KEPT_TRUMP) + height
    return 8 * KEPT_SIDE.get(rank, 0) + height


_KEPT = tuple(_kept(order, card) for order in c.ORDERS for card in range(_PACK))
_NOT_BEATEN = tuple(_power(STAYS, cards) for cards in range(46))
"""By the number of higher unseen cards, times the opponents who play later."""
_NOT_TRUMPED = tuple(_power(SURE - TRUMPED * trumps // 16, later) for trumps in range(17) for later in range(_CHANCES))


@kernel(INT, INT, INT, INT, INT)
def holding(trump: int, best: int, out: int, later: int) -> int:
    """Return the chance that a card stays the best of a trick, by the unseen cards and the opponents after it."""
    order = _PACK * trump
    chance = _NOT_BEATEN[popcount(_ABOVE[order + best] & out) * later]
    if _SUIT_OF[order + best] == _TRUMP:
        return chance
    return chance * _NOT_TRUMPED[popcount(_TRUMPS[trump] & out) * _CHANCES + later] >> 10


@kernel(INT, WORDS, INT)
def out_for(game: Words, seat: int) -> int:
    """Return the cards that the other seats hold."""
    out = 0
    for other in range(SEATS):
        if other != seat:
            out |= game[HELD + other]
    return out


@kernel(INT, WORDS, INT, INT)
def chance_as_it_lies(game: Words, out: int, after: int) -> int:
    """Return the chance that the team of the seat in turn wins the trick on the table without its card."""
    if (game[BEST_SEAT] - game[TURN]) % 2 == 0:
        return holding(game[TRUMP], game[BEST], out, (after + 1) // 2)
    return TAKEN_LATER[after // 2]


@kernel(INT, WORDS, INT)
def stake_of(game: Words, after: int) -> int:
    """Return the value of the trick on the table, and of what later seats can be expected to add."""
    order, stake = _PACK * game[TRUMP], A_CARD * after
    for place in range(game[PLAYED]):
        stake += _VALUE[order + game[CARDS + place]]
    return stake


@kernel(INT, WORDS)
def next_card(game: Words) -> int:
    """Return the legal card that the seat in turn values most by its view, or sometimes any."""
    count = list_legal(game)
    if count > 1 and drawn(game, SURE) >= CARELESS:
        return best_by_view(game)
    return nth(game[LEGAL], drawn(game, count))


@kernel(INT, WORDS)
def best_by_view(game: Words) -> int:
    """Return the best of the cards listed as legal, by the view of the seat in turn."""
    legal = game[LEGAL]
    seat, trump, leads = game[TURN], game[TRUMP], game[PLAYED] == 0
    order, after = _PACK * trump, SEATS - 1 - game[PLAYED]
    out, stake = out_for(game, seat), stake_of(game, after)
    lying = 0 if leads else chance_as_it_lies(game, out, after)
    falling = FALLING * popcount(_POINTS[trump] & out)
    top, chosen = -(1 << 40), 0
    while legal:
        card = popcount((legal & -legal) - 1)
        legal &= legal - 1
        chance, value = lying, stake + _VALUE[order + card]
        if leads or beats(game, card, game[BEST]):
            chance = holding(trump, card, out, (after + 1) // 2)
        if (_SUIT_OF[order + card] if leads else game[LED]) == _TRUMP:
            value += falling
        if card == _DEUCE[trump] and game[LOW_IS_TAKEN]:
            value += POINT
        worth = ((2 * chance - SURE) * value >> 7) - _KEPT[order + card]
        if card >= _JOKER:
            worth -= 8 * KEPT_JOKER * (HAND - game[TRICKS])
        if worth > top:
            top, chosen = worth, card
    return chosen


@kernel(INT, WORDS)
def play_out(game: Words) -> int:
    """Play to the end of the hand, even if it is decided before; return the points of the bidding team."""
    while game[TRICKS] < HAND:
        play(game, next_card(game))
    return points_of(game, game[BIDDER] % 2)


@kernel(INT, WORDS, WORDS, WORDS)
def try_cards(game: Words, tried: Words, scratch: Words) -> int:
    """Play each of some cards, with its trump suit, and the hand to its end, with the same random numbers.

    Replace each by the value of the hand to the even team.
    """
    for place in range(len(tried)):
        for word in range(LENGTH):
            scratch[word] = game[word]
        scratch[TRUMP] = tried[place] // CODES
        play(scratch, tried[place] % CODES)
        play_out(scratch)
        tried[place] = worth_of(scratch)
    return len(tried)
