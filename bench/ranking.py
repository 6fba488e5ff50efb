"""How well a few deals rank a field: the same deals for all players beside deals of their own.

python -m bench.ranking [ruleset …] [--quick]

Forty players differ in how often they play any legal action instead of the action of the bot ``greedy``: from never to
every second time. Each has seat 0 at tables whose other seats ``greedy`` holds, and adds up the scores. This prints the
rank correlation of skill and these sums.
"""

import random
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from statistics import correlation, fmean

from bench.league.duels import started, view_of
from bench.league.tables import Table
from bench.sizes import given, is_quick
from domain.game import aggregate
from service.input.forms import action_of
from workers.research.entrants import entrants

FIELDS = (Table("le-plateau", 4), Table("french-tarot", 4), Table("plute", 6))
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


def played(table: Table, players: int, deals: int, common: bool, player: int) -> list[int]:
    """Return the scores of a player, the best of whom has number 0, in each deal."""
    slips = WORST * player / (players - 1)
    return [score(table, slips, f"{deal}" if common else f"{player} {deal}", f"{player}") for deal in range(deals)]


def power(scores: Sequence[Sequence[int]], deals: int) -> float:
    """Return the rank correlation of skill and the sum over so many deals: the mean over all groups of deals."""
    groups = range(0, len(scores[0]) - deals + 1, deals)
    return fmean(-correlation(range(len(scores)), _ranks([sum(own[g : g + deals]) for own in scores])) for g in groups)


def _ranks(results: Sequence[int]) -> list[float]:
    """Return the rank of each result; equal ones share the mean of their ranks."""
    return [sum(other < own for other in results) + results.count(own) / 2 for own in results]


if __name__ == "__main__":
    players, deals = (3, 4) if is_quick() else (40, max(DEALS))
    with ProcessPoolExecutor() as processes:
        for field in FIELDS:
            if given() and field.ruleset_id not in given():
                continue
            fields = {
                name: [*processes.map(partial(played, field, players, deals, name == "common"), range(players))]
                for name in ("common", "free")
            }
            for name, scores in fields.items():
                figures = (f"{each} deals {power(scores, each):.2f}" for each in DEALS if each <= deals)
                print(f"{field.ruleset_id}, {name}: {', '.join(figures)}", flush=True)
