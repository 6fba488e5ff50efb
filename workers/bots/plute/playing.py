"""How good each card is to play: the value of the trick times the chance to win it, less the card's value later.

All values are in 1/1024 of a hundredth of a point, so that a decision needs only integers.
"""

from workers.bots.chances import SURE
from workers.bots.plute import cards as c
from workers.bots.plute.chances import if_led, if_played
from workers.bots.plute.knowledge import Known

UNIT = 1024
"""A hundredth of a point."""

POINT = 100
OF_GAME = 5
"""The value of each of the 80 units of Game: together they decide one point, most of all the tens."""

A_CARD = 7
"""The average contribution of another seat to a trick: 80/54 of Game."""

FALLING = 30
"""The chance of a trump lead to catch each unseen point card, as a value."""

RICH = 40
"""The value from which a trick is worth a trump."""

DECAY = 870
"""In 1024ths, the part of its chance that a high card keeps until it is led later."""

OF_HIGH_TRUMPS = {c.ACE: 40, c.KING: 30, c.QUEEN: 22}
"""The value of keeping a high trump: it catches the points of others, or brings home those of partners."""

OF_A_TRUMP = 16
OF_A_JOKER = 8
"""The value of keeping a joker, for each card still in hand: it waits for a trick that is certainly the team's own."""


def value_of(known: Known, number: int) -> int:
    """Return how good it is to play a card now."""
    stake = sum(worth(known, other) for _, other in known.trick) + worth(known, number)
    chance = if_played(known, number, rich=stake >= RICH)
    stake += A_CARD * len(known.after) + _hoped_for(known, number)
    return _swing(chance) * stake - _kept(known, number)


def _swing(chance: int) -> int:
    """Return the value of a chance to win, for a stake that one of the two teams gains."""
    return (2 * chance - SURE) * UNIT // SURE


def worth(known: Known, number: int) -> int:
    """Return the value of a card to the player who takes it."""
    points = known.order.points >> number & 1
    if known.low_is_taken and number == known.order.deuce:
        points = 1
    return POINT * points + OF_GAME * c.GAME[number]


def _hoped_for(known: Known, number: int) -> int:
    """Return what a trump lead can catch: all must follow it, with a jack or a joker if they have no other trump."""
    led = known.trick[0][1] if known.trick else number
    if known.order.suit[led] != c.TRUMP:
        return 0
    return FALLING * (known.unseen & known.order.points).bit_count()


def _kept(known: Known, number: int) -> int:
    """Return the value of a card in the hand if it is not played now."""
    if c.JOKERS >> number & 1:
        return OF_A_JOKER * known.left * UNIT
    rank, tie = number % c.RANKS, known.order.strength[number] * UNIT // 8
    if known.order.points >> number & 1:
        return max(0, _swing(if_led(known, number) * DECAY // SURE)) * POINT + tie
    if known.order.suit[number] == c.TRUMP:
        out = bool(known.unseen & known.order.points)
        return (OF_HIGH_TRUMPS.get(rank, OF_A_TRUMP) if out else OF_A_TRUMP) * UNIT + tie
    chance = if_led(known, number) * DECAY // SURE
    return max(0, _swing(chance)) * worth(known, number) + tie
