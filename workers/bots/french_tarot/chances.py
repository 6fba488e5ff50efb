"""How likely a card is to win its trick, from the unseen cards and the seats that can still hold them."""

from collections.abc import Sequence

from domain.table import Seat
from workers.bots.chances import SURE
from workers.bots.french_tarot import cards as c
from workers.bots.french_tarot.knowledge import Known


def lacks_all(known: Known, seat: Seat, cards: int) -> int:
    """Return the chance that a seat holds none of these cards."""
    if known.surely[seat] & cards:
        return 0
    chance, miss = SURE, known.miss[seat]
    for _ in range((known.may[seat] & cards).bit_count()):
        chance = chance * miss // SURE
    return chance


def of_beating(known: Known, seat: Seat, led: int, best: int) -> int:
    """Return the chance that a seat can beat the best card of a trick: by suit, or without the suit by a trump."""
    trumps = c.TRUMPS & ~known.loose
    higher = c.above(best) & ~known.loose
    if led == c.TRUMP:
        return SURE - lacks_all(known, seat, higher)
    is_void = lacks_all(known, seat, c.SUITS[led])
    if best >= c.PETIT:
        return is_void * (SURE - lacks_all(known, seat, higher)) // SURE
    by_trump = is_void * (SURE - lacks_all(known, seat, trumps)) // SURE
    return min(SURE, SURE - lacks_all(known, seat, higher) + by_trump)


def of_winning(known: Known, after: Sequence[Seat], led: int, best: int, mine: int) -> int:
    """Return the chance that a side wins a trick in which its card is the best with the chance ``mine``.

    A seat that can take the trick from the other side is expected to. Then the best card is a higher one, unknown, and
    later seats beat it half as often. Without a suit led, each side's chance is in proportion to its seats.
    """
    if led == c.NO_SUIT:
        return sum(known.ally[seat] for seat in after) // max(1, len(after))
    theirs, mine_raised, theirs_raised = SURE - mine, 0, 0
    for seat in after:
        beats, ally = of_beating(known, seat, led, best), known.ally[seat]
        lost, lost_again = (of * beats // SURE * (SURE - ally) // SURE for of in (mine, mine_raised // 2))
        taken, taken_again = (of * beats // SURE * ally // SURE for of in (theirs, theirs_raised // 2))
        mine, theirs = mine - lost, theirs - taken
        mine_raised += taken + taken_again - lost_again
        theirs_raised += lost + lost_again - taken_again
    return mine + mine_raised


def standing(known: Known) -> tuple[int, int, int]:
    """Return the suit led, the best card on the table, and the chance that it belongs to this side."""
    led, best, mine = c.NO_SUIT, -1, 0
    for seat, number in known.trick:
        suit = known.suit_of(number)
        if suit == c.NO_SUIT:
            continue
        if led == c.NO_SUIT or beats(known, number, best):
            best, mine = number, known.ally[seat]
        led = suit if led == c.NO_SUIT else led
    return led, best, mine


def beats(known: Known, number: int, best: int) -> bool:
    """Return whether a card beats the best one of a trick."""
    suit, other = known.suit_of(number), known.suit_of(best)
    return number > best if suit == other else suit == c.TRUMP


def if_played(known: Known, number: int) -> int:
    """Return the chance that this side wins the trick if it plays a card now."""
    led, best, mine = standing(known)
    suit = known.suit_of(number)
    if suit == c.NO_SUIT:
        return of_winning(known, known.after, led, best, mine)
    if led == c.NO_SUIT:
        return of_winning(known, known.after, suit, number, SURE)
    if beats(known, number, best):
        return of_winning(known, known.after, led, number, SURE)
    return of_winning(known, known.after, led, best, mine)


def if_led(known: Known, number: int) -> int:
    """Return the chance that this side wins a later trick by leading a card."""
    return of_winning(known, known.others, known.suit_of(number), number, SURE)
