"""From the chance in random play to the chance in play between ``greedy`` bots: the odds times a factor.

Careful play helps a declarer with partners and hurts one who is alone against many. Logistic fits on 800 to 1,200 hands
for each number of players, with every team and objective, gave odds that are proportional within their errors: the
exponent was 0.75 to 1.3, mostly near 1, and the factor the same for all objectives of a team. Who wins an auction is
who thinks too well of a hand. So where a side is as strong as the other and everybody bids, the factor is lower than
fitted: 100 for 115 with 2 players, 80 for 116 and 38 for 43 with 4, 90 for 103 for a trio.
"""

from collections.abc import Mapping
from typing import Final

from domain.le_plateau.actions import TeamSize
from workers.bots.le_plateau.prospects import ONE, Tally

ODDS: Final[Mapping[tuple[int, TeamSize], int]] = {
    (2, "solo"): 100,
    (3, "solo"): 42,
    (4, "duo"): 80,
    (4, "solo"): 38,
    (5, "duo"): 75,
    (5, "solo"): 28,
    (6, "trio"): 90,
    (6, "duo"): 70,
    (6, "solo"): 29,
}
"""Real odds of making an objective for a hundred in random play, by players and team."""


def chance_of(seats: int, team: TeamSize, objective: int, tally: Tally) -> int:
    """Return the chance that a team makes an objective, as a part of ``ONE``; one playout more is half made."""
    made = (2 * tally.made[objective] + 1) * ODDS[seats, team]
    lost = (2 * (tally.playouts - tally.made[objective]) + 1) * 100
    return ONE * made // (made + lost)
