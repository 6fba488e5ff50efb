"""From the chance in random play to the chance in real play: the odds times a factor.

Careful play helps a declarer with partners and hurts one who is alone against many. Logistic fits with every team and
objective gave odds that are proportional within their errors: the exponent is mostly near 1, and the factor the same
for all objectives of a team. They were fitted in November 2026 (``bench/README.md``).
"""

from collections.abc import Mapping
from math import sqrt
from typing import Final, TypeAlias

from domain.le_plateau.actions import TeamSize
from workers.bots.le_plateau.prospects import ONE, Tally

Odds: TypeAlias = Mapping[tuple[int, TeamSize], int]
"""The real odds of making an objective per hundred in random play, by players and team."""

GREEDY: Final[Odds] = {
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
"""For tables of ``greedy`` bots, for bids and raises.

The winner of an auction usually overestimates the hand. So if both sides are equally strong and all bid, the factor is
lower than fitted: 100 for 115 with 2 players, 80 for 116 and 38 for 43 with 4, 90 for 103 for a trio.
"""

SEARCHER: Final[Odds] = {
    (2, "solo"): 170,
    (3, "solo"): 80,
    (4, "duo"): 135,
    (4, "solo"): 55,
    (5, "duo"): 98,
    (5, "solo"): 45,
    (6, "trio"): 145,
    (6, "duo"): 90,
    (6, "solo"): 45,
}
"""For a declarer who plays as ``searcher`` does, and other seats as ``greedy`` or ``searcher``, at random."""

SEARCHER_RAISES: Final[Odds] = {
    (2, "solo"): 135,
    (3, "solo"): 60,
    (4, "duo"): 103,
    (4, "solo"): 48,
    (5, "duo"): 84,
    (5, "solo"): 40,
    (6, "trio"): 98,
    (6, "duo"): 75,
    (6, "solo"): 40,
}
"""The same after the exchange, which is better than the playouts before it assume."""


def chance_of(odds: Odds, seats: int, team: TeamSize, objective: int, tally: Tally) -> int:
    """Return the chance that a team makes an objective, as a part of ``ONE``; one more playout counts as half made."""
    made = (2 * tally.made[objective] + 1) * odds[seats, team]
    lost = (2 * (tally.playouts - tally.made[objective]) + 1) * 100
    return ONE * made // (made + lost)


def error_of(odds: Odds, seats: int, team: TeamSize, objective: int, tally: Tally) -> float:
    """Return the standard error of that chance from the number of playouts, as a part of ``ONE``."""
    made = (2 * tally.made[objective] + 1) / (2 * tally.playouts + 2)
    factor = odds[seats, team] / 100
    steepness = factor / (factor * made + 1 - made) ** 2
    return ONE * steepness * sqrt(made * (1 - made) / max(tally.playouts, 1))
