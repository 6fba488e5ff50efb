"""How well a few deals rank a field: the same deals for all players beside deals of their own.

python -m bench.ranking [fields] [ruleset …] [--quick]

Forty players differ in how often they play any legal action instead of the action of the bot ``greedy``: from never to
every second time. Each has seat 0 at tables whose other seats ``greedy`` holds, and adds up the scores. This prints the
rank correlation of skill and these sums, as the mean over the fields so far, with its standard error: each field has
other deals, and other slips.
"""

import random
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from math import nan, sqrt
from statistics import correlation, fmean, stdev

from bench.league.duels import started, view_of
from bench.league.tables import Table
from bench.sizes import given, is_quick
from domain.game import aggregate
from service.input.forms import action_of
from workers.research.entrants import entrants

TABLES = (Table("le-plateau", 4), Table("french-tarot", 4), Table("plute", 6))
DEALS = (4, 8, 12, 24, 48)
WORST = 0.5
BOTS = dict.fromkeys(range(6), "greedy")


def score(table: Table, slips: float, cards: str, choices: str) -> int:
    """Play a deal with a player on seat 0 who slips so often, and return the player's score."""
    (bot,), rng = entrants(["greedy"]), random.Random(f"{cards} {choices}")
    game = started(table, cards, {seat: BOTS[seat] for seat in range(table.seats)})
    while (scores := table.scores(game)) is None:
        seat = min(game.waiting_for)
        if seat == 0 and rng.random() < slips:
            action = rng.choice(game.ruleset.legal_actions(game.state, seat))
        else:
            action, _ = action_of(game.ruleset, bot.think(view_of(game, seat), f"{cards} {seat} {game.version}").action)
        _, game = aggregate.act(game, seat, action)
    return scores[0]


def played(table: Table, field: int, players: int, deals: int, common: bool, player: int) -> list[int]:
    """Return the scores of a player of a field, the best of whom has number 0, in each deal."""
    slips, own = WORST * player / (players - 1), f"{field} {player}"
    return [score(table, slips, f"{field if common else own} {deal}", own) for deal in range(deals)]


def power(scores: Sequence[Sequence[int]], deals: int) -> float:
    """Return the rank correlation of skill and the sum over so many deals: the mean over all groups of deals."""
    groups = range(0, len(scores[0]) - deals + 1, deals)
    ranks = (_ranks([sum(own[group : group + deals]) for own in scores]) for group in groups)
    return fmean(-correlation(range(len(own)), own) if len({*own}) > 1 else 0.0 for own in ranks)


def _ranks(results: Sequence[int]) -> list[float]:
    """Return the rank of each result; equal ones share the mean of their ranks."""
    return [sum(other < own for other in results) + results.count(own) / 2 for own in results]


def in_words(powers: Sequence[float]) -> str:
    """Return the mean of the powers of fields, and its standard error."""
    error = stdev(powers) / sqrt(len(powers)) if len(powers) > 1 else nan
    return f"{fmean(powers):.2f} ± {error:.2f}"


def main() -> None:
    """Let field after field play, and print the figures after each."""
    players, deals = (3, 4) if is_quick() else (40, max(DEALS))
    fields = next((int(argument) for argument in given() if argument.isdigit()), 1)
    rulesets = [argument for argument in given() if not argument.isdigit()]
    tables = [table for table in TABLES if not rulesets or table.ruleset_id in rulesets]
    powers = defaultdict[tuple[str, str, int], list[float]](list)
    with ProcessPoolExecutor() as processes:
        for field, table, name in product(range(fields), tables, ("common", "free")):
            play = partial(played, table, field, players, deals, name == "common")
            scores = [*processes.map(play, range(players))]
            counts = [count for count in DEALS if count <= deals]
            for count in counts:
                powers[table.ruleset_id, name, count].append(power(scores, count))
            figures = (f"{count} deals {in_words(powers[table.ruleset_id, name, count])}" for count in counts)
            print(f"{table.ruleset_id}, {name}, {field + 1} fields: {', '.join(figures)}", flush=True)


if __name__ == "__main__":
    main()
