"""Measure what contracts of French Tarot are worth by the points of a hand: ``python -m bench.tarot_bids [deals]``.

The first to bid takes each contract in turn with any hand that somebody would think of bidding on, all seats play as
``greedy`` does, and a line is fitted through what the taker wins of each other player. The constants go into
``workers/bots/french_tarot/contracts.py``.
"""

from collections.abc import Iterable
from itertools import count, islice
from statistics import linear_regression
from typing import get_args

from bench.greedy_deals import Table
from bench.sizes import size
from domain.french_tarot import RULESET
from domain.french_tarot.actions import Bid, ContractName, Pass
from workers.bots.french_tarot import cards, contracts, greedy

SCALE = 8
"""The constants are in eighths of a point."""

LEAST = {3: 46, 4: 38, 5: 28}
"""By players, the points below which nobody would bid; the high contracts need more."""

MORE = {"petite": 0, "garde": 0, "garde_sans": 12, "garde_contre": 18}


def main() -> None:
    """Print the line of each table and contract, and how often the taker succeeds by tens of points."""
    deals = size(0, 500, 10)
    for seats in RULESET.seats:
        for contract in get_args(ContractName):
            found = list(islice(_found(seats, contract), deals))
            line = linear_regression([points for points, _ in found], [worth for _, worth in found])
            print(seats, contract, round(line.intercept * SCALE), round(line.slope * SCALE), *_rates(found), flush=True)


def _rates(found: Iterable[tuple[int, float]]) -> Iterable[str]:
    fives: dict[int, list[float]] = {}
    for points, worth in found:
        fives.setdefault(points // 5 * 5, []).append(worth)
    for five, worths in sorted(fives.items()):
        won = sum(worth > 0 for worth in worths) * 100 // len(worths)
        yield f"{five}:{won}%,{sum(worths) / len(worths):.0f},n={len(worths)}"


def _found(seats: int, contract: ContractName) -> Iterable[tuple[int, float]]:
    """List the points of hands, and what their takers won of each other player."""
    table = Table(RULESET, seats, {"deals": 1}, greedy.weighed)
    for number in count():
        state = table.dealt(number)
        taker = state.deal.players[0]
        points = contracts.points_of(cards.mask_of(state.table.held[taker]))
        if points >= LEAST[seats] + MORE[contract]:
            ended = table.played(state, taker, Bid(contract), Pass())
            yield points, ended.scores[taker] / (seats - 1)


if __name__ == "__main__":
    main()
