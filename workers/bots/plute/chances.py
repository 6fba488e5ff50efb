"""How likely a card is to win its trick, from the unseen cards and the seats that can still hold them."""

from collections.abc import Sequence

from domain.table import Seat
from workers.bots.chances import SURE
from workers.bots.plute import cards as c
from workers.bots.plute.knowledge import Known

RUFF_OF_A_POOR_TRICK = SURE * 2 // 5
"""How often a seat spends a trump on a trick without a ten or a point: it may trump, but need not."""


def lacks_all(known: Known, seat: Seat, cards: int) -> int:
    """Return the chance that a seat holds none of these cards."""
    chance, miss = SURE, known.miss[seat]
    for _ in range((known.may[seat] & cards).bit_count()):
        chance = chance * miss // SURE
    return chance


def of_beating(known: Known, seat: Seat, led: int, best: int, *, rich: bool) -> int:
    """Return the chance that a seat beats the best card of a trick, by suit or by a trump."""
    order = known.order
    by_suit = SURE - lacks_all(known, seat, order.above[best])
    if order.suit[best] == c.TRUMP:
        return by_suit if led == c.TRUMP or rich else by_suit * RUFF_OF_A_POOR_TRICK // SURE
    by_trump = SURE - lacks_all(known, seat, order.cards[c.TRUMP])
    if not rich:
        by_trump = by_trump * RUFF_OF_A_POOR_TRICK // SURE
    return by_suit + (SURE - by_suit) * by_trump // SURE


def of_winning(known: Known, after: Sequence[Seat], led: int, best: int, mine: int, *, rich: bool) -> int:
    """Return the chance that a team wins a trick in which its card is the best with the chance ``mine``.

    A seat that can take the trick from the other team is expected to. Then the best card is a higher one, unknown, and
    later seats beat it half as often.
    """
    theirs, mine_raised, theirs_raised = SURE - mine, 0, 0
    for seat in after:
        beats = of_beating(known, seat, led, best, rich=rich)
        if known.is_ally(seat):
            taken, again = theirs * beats // SURE, theirs_raised * beats // (2 * SURE)
            theirs, theirs_raised, mine_raised = theirs - taken, theirs_raised - again, mine_raised + taken + again
        else:
            lost, again = mine * beats // SURE, mine_raised * beats // (2 * SURE)
            mine, mine_raised, theirs_raised = mine - lost, mine_raised - again, theirs_raised + lost + again
    return mine + mine_raised


def if_played(known: Known, number: int, *, rich: bool) -> int:
    """Return the chance that this team wins the trick if it plays a card now."""
    order = known.order
    if not known.trick:
        return of_winning(known, known.after, order.suit[number], number, SURE, rich=rich)
    led = order.suit[known.trick[0][1]]
    seat, best = known.trick[0]
    for other, card in known.trick:
        if beats(known, card, best):
            seat, best = other, card
    if beats(known, number, best):
        return of_winning(known, known.after, led, number, SURE, rich=rich)
    return of_winning(known, known.after, led, best, SURE if known.is_ally(seat) else 0, rich=rich)


def beats(known: Known, number: int, best: int) -> bool:
    """Return whether a card beats the best one of a trick; of two jokers, the first one on the table is higher."""
    suit, other = known.order.suit[number], known.order.suit[best]
    return known.order.strength[number] > known.order.strength[best] if suit == other else suit == c.TRUMP


def if_led(known: Known, number: int) -> int:
    """Return the chance that this team wins a later trick by leading a card."""
    return of_winning(known, known.others, known.order.suit[number], number, SURE, rich=True)
