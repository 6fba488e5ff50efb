"""The rest of an auction in a world, in plain integers: a seat that has not spoken bids by the count of its hand."""

from workers.bots.compiled import INT, WORDS, Words, kernel
from workers.bots.plute.bidding import EVEN, count_of
from workers.bots.plute.kernel import BID, BIDDER, HELD, LENGTH, LOW_IS_TAKEN, SEATS, TRUMP, TURN, pluting
from workers.bots.plute.playouts import play_out

LOWEST, HIGHEST = 4, 7
OVER_NOBODY, OVER_OPPONENTS, OVER_PARTNER = 1, -2, 19
"""The tenths of a point above even odds from which a seat bids, by who has the highest bid, as ``greedy`` does."""

_EVEN = tuple(EVEN.values())
DEALER, SPOKEN, STEALS, WORTHS = range(4)
"""An auction as an array: the dealer, how many have spoken, whether the dealer can equal the highest bid; then the
values of a hand to the team of the seat that speaks, by its result.
"""
MADE, SET, MADE_BY_OTHERS, SET_BY_OTHERS, PLUTE, PLUTE_OF_OTHERS = range(6)
"""The results of a hand for a team."""


@kernel(INT, INT, INT)
def best_suit(hand: int, low_is_taken: int) -> int:
    """Return the suit with which a hand counts most as trump."""
    best, most = 0, -1
    for suit in range(4):
        count = count_of(hand, suit, low_is_taken)
        if count > most:
            best, most = suit, count
    return best


@kernel(INT, WORDS, INT, INT)
def dares(game: Words, seat: int, bid: int) -> int:
    """Return whether a seat bids so much, by the count of its hand and by who has the highest bid."""
    hand, low = game[HELD + seat], game[LOW_IS_TAKEN]
    over = OVER_NOBODY
    if game[BID]:
        over = OVER_PARTNER if (game[BIDDER] - seat) % 2 == 0 else OVER_OPPONENTS
    return int(count_of(hand, best_suit(hand, low), low) - _EVEN[bid - LOWEST] >= over)


@kernel(INT, WORDS, WORDS)
def bid_out(game: Words, auction: Words) -> int:
    """Let all seats after the current one speak, and name trump; return the bidder, who has the turn."""
    for place in range(auction[SPOKEN] + 1, SEATS):
        seat = (auction[DEALER] + 1 + place) % SEATS
        deals, bid = seat == auction[DEALER], LOWEST
        if game[BID]:
            bid = game[BID] + (0 if deals and auction[STEALS] else 1)
        if bid <= HIGHEST and game[BID] < HIGHEST and ((deals and game[BID] == 0) or dares(game, seat, bid)):
            game[BID], game[BIDDER] = bid, seat
    game[TURN] = game[BIDDER]
    game[TRUMP] = best_suit(game[HELD + game[BIDDER]], game[LOW_IS_TAKEN])
    return game[BIDDER]


@kernel(INT, WORDS, WORDS, WORDS, WORDS)
def try_bids(game: Words, tried: Words, scratch: Words, auction: Words) -> int:
    """Make each of some bids, 0 for a pass, and play the auction and the hand to the end, with the same random numbers.

    Replace each by the result for the team of the seat that speaks.
    """
    seat = (auction[DEALER] + 1 + auction[SPOKEN]) % SEATS
    for place in range(len(tried)):
        for word in range(LENGTH):
            scratch[word] = game[word]
        if tried[place]:
            scratch[BID], scratch[BIDDER] = tried[place], seat
        bidder = bid_out(scratch, auction)
        is_made, others = play_out(scratch) >= scratch[BID], (bidder - seat) % 2
        plute = pluting(scratch)
        what = (MADE if is_made else SET) + 2 * others if plute < 0 else PLUTE + (plute - seat) % 2
        tried[place] = auction[WORTHS + what]
    return len(tried)
