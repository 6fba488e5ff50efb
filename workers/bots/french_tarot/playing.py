"""How good each card is to play: the value of the trick times the chance to win it, less the card's value later.

All values are in 1/1024 of half a card point, so that a decision needs only integers.
"""

from workers.bots.chances import SURE
from workers.bots.french_tarot import cards as c
from workers.bots.french_tarot.chances import if_led, if_played, lacks_all
from workers.bots.french_tarot.knowledge import Known

HALF = 1024
"""Half a card point."""

PETIT_WORTH = 30
"""The value of the petit in halves: its 4½ points, and the oudler, which lowers the target by 5 to 15."""

DOOMED = -HALF // 2
"""Even with few other trumps, the petit is not played as if it were already lost."""

A_CARD = 3
"""The average contribution of another seat to a trick, in halves."""

AU_BOUT = 24
"""The bonus of 10 points for the petit in the last trick, in halves, and some more because it is multiplied."""

DECAY = 870
"""In 1024ths, the part of its chance that a high card keeps until it is led later, because others become void."""


def value_of(known: Known, number: int) -> int:
    """Return how good it is to play a card now."""
    gain = _swing(if_played(known, number)) * _at_stake(known, number) - _kept(known, number)
    return gain if known.trick else gain + _as_lead(known, number)


def _swing(chance: int) -> int:
    """Return the value of a chance to win, for a stake that one of the two sides gains."""
    return (2 * chance - SURE) * HALF // SURE


def _at_stake(known: Known, number: int) -> int:
    """Return the value of the trick with a card, in halves, and of what others will add."""
    on_table = sum(_worth(known, other) for _, other in known.trick)
    return on_table + _worth(known, number) + A_CARD * len(known.after)


def _worth(known: Known, number: int) -> int:
    """Return the value of a card to the winner of the trick: an Excuse stays with its owner."""
    if known.loose >> number & 1:
        return 0
    return PETIT_WORTH if number == c.PETIT else c.HALVES[number]


# -- the value of a card later ---------------------------------------------------------------------------------------


def _kept(known: Known, number: int) -> int:
    """Return the value of a card in the hand if it is not played now."""
    if known.loose >> number & 1:
        return _excuse_kept(known, number)
    if number == c.PETIT:
        return _petit_kept(known)
    return _trump_kept(known, number) if number > c.PETIT else _suit_card_kept(known, number)


def _excuse_kept(known: Known, number: int) -> int:
    """Value the Excuse: it saves a better card, and is lost in the last trick, unless it completes a slam."""
    if number == c.EXCUSE and known.completes_slam:
        return 400 * HALF
    if known.left <= 2:
        return -100 * HALF
    return 2 * HALF if known.left <= 4 else 7 * HALF


def _petit_kept(known: Known) -> int:
    """Value the petit: safe behind many trumps, doomed behind few; with no other trump unseen, it waits for the end."""
    trumps = c.TRUMPS & ~known.loose
    out = (known.unseen & trumps).bit_count()
    if not out:
        return (PETIT_WORTH + AU_BOUT) * HALF
    escort = (known.hand & trumps).bit_count() - 1
    safe = SURE * escort * len(known.others) // (escort * len(known.others) + out)
    return max(_swing(safe * DECAY // SURE), DOOMED) * PETIT_WORTH


def _trump_kept(known: Known, number: int) -> int:
    """Value a trump: it takes a trick later, a high one more surely; if no other trump is unseen, any one does."""
    if not known.unseen & c.TRUMPS & ~known.loose:
        return 8 * HALF
    rank = number - c.PETIT + 1
    return 3 * HALF + 9 * HALF * rank * rank // 441


def _suit_card_kept(known: Known, number: int) -> int:
    """Value a high card by its points and the chance that it wins when led; low ones differ by rank only."""
    tie = 20 * (number % c.RANKS)
    if c.HALVES[number] == 1:
        return tie
    chance = if_led(known, number) * DECAY // SURE
    return max(0, _swing(chance) * c.HALVES[number]) + tie


# -- the value of a lead --------------------------------------------------------------------------------------------


def _as_lead(known: Known, number: int) -> int:
    suit = known.suit_of(number)
    if suit == c.NO_SUIT:
        return -8 * HALF
    if suit == c.TRUMP:
        return _trump_lead(known, number)
    return _long_suit_lead(known, suit) if known.is_attack else _defence_lead(known, suit)


def _trump_lead(known: Known, number: int) -> int:
    """Let the longest hand in trumps draw them, and hunt the petit; all others keep theirs for ruffs."""
    trumps = c.TRUMPS & ~known.loose
    out, mine = (known.unseen & trumps).bit_count(), (known.hand & trumps).bit_count()
    if not out:
        return 0
    is_longest = mine * len(known.others) > out + len(known.others)
    hunts = bool(known.unseen >> c.PETIT & 1) and not known.loose >> c.PETIT & 1
    if not is_longest:
        return -5 * HALF
    if not known.is_attack:
        return -2 * HALF + (4 * HALF if hunts and number > c.PETIT + 14 else 0)
    drawn = sum(SURE - lacks_all(known, seat, trumps) for seat in known.others if known.ally[seat] < SURE)
    return 2 * HALF * drawn // SURE + (4 * HALF if hunts else 0)


def _long_suit_lead(known: Known, suit: int) -> int:
    """Favour the taker's long suit, which costs the defence trumps, round by round."""
    length = (known.hand & c.SUITS[suit]).bit_count()
    return max(0, length - 3) * HALF


def _defence_lead(known: Known, suit: int) -> int:
    """Favour a suit that the taker must ruff, which costs trumps, and a short one, which this seat soon ruffs."""
    trumps = c.TRUMPS & ~known.loose
    is_void = lacks_all(known, known.taker, c.SUITS[suit])
    has_trumps = SURE - lacks_all(known, known.taker, trumps)
    shortens = 5 * HALF * is_void // SURE * has_trumps // SURE
    is_short = (known.hand & c.SUITS[suit]).bit_count() == 1 and bool(known.hand & trumps)
    return shortens + (HALF if is_short else 0)
