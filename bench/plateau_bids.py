"""Fit how real play of Le Plateau differs from random play: ``python -m bench.plateau_bids [hands] [playouts]``.

The first to bid takes contracts that somebody would think of; its hand is played out at random as the bots do before
they bid, then in earnest: first with ``greedy`` in all seats, then with ``searcher`` (so many playouts for a move) as
the declarer and either of the two in every other seat. A logistic fit gives the odds for a hundred in random play,
with their 95 % interval, before the exchange and after it. They go into ``workers/bots/le_plateau/calibration.py``.
"""

import random
from collections.abc import Callable, Iterator
from itertools import count, islice
from math import exp, log
from typing import Any, TypeAlias

from bench.greedy_deals import Table
from bench.sizes import is_quick, size
from domain.le_plateau import RULESET
from domain.le_plateau import bidding as rules
from domain.le_plateau.actions import ACTIONS, Bid, Keep, Pass, TeamSize
from domain.le_plateau.board import OBJECTIVES
from domain.serialization import from_plain
from domain.table import Seat
from workers.bots.compiled import warm
from workers.bots.le_plateau import calibration, greedy, prospects, searcher
from workers.bots.le_plateau.seen import Seen
from workers.bots.policy import Asked
from workers.bots.ranking import Valued

THOUGHT_OF = range(prospects.ONE // 6, prospects.ONE * 9 // 10)
"""The chances, as reckoned now, of contracts that are played."""

ESTIMATED_BY = 50 if is_quick() else 1000
"""Playouts for an estimate."""

PRIOR = 0.1
"""How much the prior of the fit counts, as information."""

Hand: TypeAlias = tuple[float, float | None, bool]
"""The odds in random play, as a logarithm, before the exchange and after it (there is no raise above the highest
objective), and whether the contract was made."""


def main() -> None:
    """Print the odds of each bot, number of players and team."""
    hands, playouts = size(0, 200, 1), size(1, 1000, 10)
    if not is_quick():
        warm()
    for name, opponents, odds in (
        ("greedy", (_greedy,), calibration.GREEDY),
        ("searcher", (_greedy, _searcher(playouts)), calibration.SEARCHER),
    ):
        for seats, teams in rules.TEAMS.items():
            for team in teams:
                found = list(islice(_found(seats, team, opponents, odds), hands))
                bids = _odds([(before, won) for before, _, won in found])
                raises = _odds([(after, won) for _, after, won in found if after is not None])
                made = f"made {sum(won for *_, won in found)} of {len(found)}"
                print(name, seats, team, "bid", *bids, "raise", *raises, made, flush=True)


def _found(
    seats: int, team: TeamSize, bots: tuple[Callable[[Seen], Any], ...], odds: calibration.Odds
) -> Iterator[Hand]:
    """Play hands in which the first to bid takes a contract with such a team."""
    for number in count():
        rng = random.Random(f"{seats} {team} {number}")
        plays: list[Callable[[Seen], Any]] = [rng.choice(bots) for _ in range(seats)]
        raises: list[prospects.Tally] = []
        table = Table(RULESET, seats, {}, _seated(plays, raises, rng))
        state = table.dealt(number)
        taker = min(RULESET.waiting_for(state))
        plays[taker] = bots[-1]
        seen = Seen(state.options, RULESET.project(state, taker), taker, rng)
        exchange = rng.random() < 1 / 2
        hands = prospects.of_bids(seen, exchange=exchange)
        hands.play(ESTIMATED_BY)
        tally = hands.tally(prospects.PARTNERS[team])
        for action in rules.legal_actions(state, taker):
            if isinstance(action, Bid) and (action.team, action.exchange) == (team, exchange):
                index = OBJECTIVES.index(action.objective)
                if calibration.chance_of(odds, seats, team, index, tally) in THOUGHT_OF:
                    raises.clear()
                    ended = table.played(state, taker, action, Pass())
                    after = _estimated(raises[-1], index) if raises else None
                    yield _estimated(tally, index), after, ended.scores[taker] > 0


def _estimated(tally: prospects.Tally, objective: int) -> float:
    made = tally.made[objective] + 1 / 2
    return log(made / (tally.playouts + 1 - made))


def _seated(
    plays: list[Callable[[Seen], Any]], raises: list[prospects.Tally], rng: random.Random
) -> Callable[[Any, Any, Seat], list[Valued]]:
    """Return what chooses for all seats. Nobody raises, but the last who could, the declarer, notes its chances."""

    def weighed(options: Any, view: Any, seat: Seat) -> list[Valued]:
        seen = Seen(options, view, seat, rng)
        if view.phase != "raise":
            return [(0, plays[seat](seen))]
        hands = prospects.of_contract(seen)
        hands.play(ESTIMATED_BY)
        raises.append(hands.tally())
        return [(0, Keep())]

    return weighed


def _greedy(seen: Seen) -> object:
    return max(greedy.weighed(seen), key=lambda pair: pair[1])[0]


def _searcher(playouts: int) -> Callable[[Seen], object]:
    def choose(seen: Seen) -> object:
        action = dict(searcher.chosen(seen, Asked({}, 0, playouts)).action)
        return from_plain(ACTIONS[action.pop("type")], action)

    return choose


def _odds(hands: list[tuple[float, bool]]) -> tuple[int, str]:
    """Fit the constant of a logistic curve with slope one; return it as odds, and its interval.

    A weak prior, of odds that are the same, keeps a few hands with one result finite.
    """
    constant, information = 0.0, PRIOR
    for _ in range(50):
        chances = [1 / (1 + exp(-estimate - constant)) for estimate, _ in hands]
        information = PRIOR + sum(chance * (1 - chance) for chance in chances)
        constant += (sum(won for _, won in hands) - sum(chances) - PRIOR * constant) / information
    reach = 1.96 / information**0.5
    return round(100 * exp(constant)), f"({100 * exp(constant - reach):.0f} to {100 * exp(constant + reach):.0f})"


if __name__ == "__main__":
    main()
