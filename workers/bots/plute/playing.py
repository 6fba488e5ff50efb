"""How good each card is to play: what the trick is worth by the chance to win it, less what the card is worth later.

All values are in 1/1024 of a hundredth of a point, so that a decision needs integers only.
"""

from workers.bots.chances import SURE
from workers.bots.plute import cards as c
from workers.bots.plute.chances import if_led, if_played
from workers.bots.plute.knowledge import Known

UNIT = 1024
"""A hundredth of a point."""

POINT = 100
OF_GAME = 5
"""What each of the 80 units of Game is worth: all of them decide one point, and most of all the tens."""

A_CARD = 7
"""What another seat adds to a trick on average: 80/54 of Game."""

FALLING = 30
"""What a trump lead can hope to catch of each point card that is out."""

RICH = 40
"""From here on a trick is worth a trump."""

DECAY = 870
"""In 1024ths, how much of its chance a high card keeps until it is led later."""

OF_HIGH_TRUMPS = {c.ACE: 40, c.KING: 30, c.QUEEN: 22}
"""What a high trump is kept for: it catches the points of others, or brings home those of partners."""

OF_A_TRUMP = 16
OF_A_JOKER = 8
"""What a joker waits for, with each card still in hand: a trick that is surely the team's own."""


def value_of(known: Known, number: int) -> int:
    """Return how good it is to play a card now."""
    stake = sum(worth(known, other) for _, other in known.trick) + worth(known, number)
    chance = if_played(known, number, rich=stake >= RICH)
    stake += A_CARD * len(known.after) + _hoped_for(known, number)
    return _swing(chance) * stake - _kept(known, number)


def _swing(chance: int) -> int:
    """Return what a chance to win is worth of a stake that one team gains or the other."""
    return (2 * chance - SURE) * UNIT // SURE


def worth(known: Known, number: int) -> int:
    """Return what a card is worth to who takes it."""
    points = known.order.points >> number & 1
    if known.low_is_taken and number == known.order.deuce:
        points = 1
    return POINT * points + OF_GAME * c.GAME[number]


def _hoped_for(known: Known, number: int) -> int:
    """Return what a trump lead can catch: all must follow it, with a jack or a joker if nothing else is left."""
    led = known.trick[0][1] if known.trick else number
    if known.order.suit[led] != c.TRUMP:
        return 0
    return FALLING * (known.unseen & known.order.points).bit_count()


def _kept(known: Known, number: int) -> int:
    """Return what a card is worth in the hand if it is not played now."""
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
