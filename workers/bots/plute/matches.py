"""How likely a team wins the game, by the tallies of both: the value of a hand depends on them."""

from functools import cache
from typing import Final

CERTAIN: Final = 1 << 20
"""A chance of one."""
HANDS_MADE, HANDS_SET = 9, 7
"""Of 16 bids, how many are made and set between equal teams; both teams bid equally often."""


@cache
def chance_to_win(made: int, set_: int, others_made: int, others_set: int) -> int:
    """Return a team's chance to win, by how often each team must still make a bid, or be set, until the game ends."""
    if made == 0 or others_set == 0:
        return CERTAIN
    if set_ == 0 or others_made == 0:
        return 0
    own = HANDS_MADE * chance_to_win(made - 1, set_, others_made, others_set)
    own += HANDS_SET * chance_to_win(made, set_ - 1, others_made, others_set)
    theirs = HANDS_MADE * chance_to_win(made, set_, others_made - 1, others_set)
    theirs += HANDS_SET * chance_to_win(made, set_, others_made, others_set - 1)
    return own + theirs >> 5


def worths_of(made: int, set_: int, others_made: int, others_set: int) -> list[int]:
    """Return the chance to win after a hand, by its result, in the order of ``auctions``."""
    after_a_hand = (
        chance_to_win(made - 1, set_, others_made, others_set),
        chance_to_win(made, set_ - 1, others_made, others_set),
        chance_to_win(made, set_, others_made - 1, others_set),
        chance_to_win(made, set_, others_made, others_set - 1),
    )
    return [*after_a_hand, CERTAIN, 0]
