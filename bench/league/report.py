"""The table of a league in Markdown, and its place in a page, between two markers."""

import platform
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from bench.league.manners import RULES
from bench.league.statistics import Mean, milliseconds, ratings
from bench.league.summaries import Bot, Summary

BEGIN, END = "<!-- league: begin -->", "<!-- league: end -->"


def in_order(found: Sequence[Summary]) -> list[Summary]:
    """Sort summaries in the order of the table."""
    return sorted(found, key=_order)


def markdown(found: Sequence[Summary]) -> str:
    """Write all results: each duel, then ratings and manners."""
    duels = in_order(found)
    lines = [
        "| game | options | seed | bot | against | deals | win share | score | playouts | the other's "
        "| ms a move: p50, p95 | the other's |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
        *map(_row, duels),
        "",
        *_ratings(duels),
        "",
        *_manners(duels),
        "",
        f"On one core each of {platform.machine()}, Python {platform.python_version()}.",
    ]
    return "\n".join(lines)


def put_into(page: Path, text: str) -> None:
    """Replace the text between the markers of a page."""
    before, _, rest = page.read_text().partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise ValueError(f"{page} has no {BEGIN} and {END}")
    page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


def _order(summary: Summary) -> tuple[Any, ...]:
    table = summary.duel["table"]
    return table["ruleset_id"], table["seats"], table["options"], *summary.bots, summary.duel["seed"]


def _row(summary: Summary) -> str:
    table = summary.duel["table"]
    cells = (
        f"{table['ruleset_id']}, {table['seats']}",
        " ".join([*table["options"], *["whole games"] * table["whole"]]),
        summary.duel["seed"],
        *map(_named, summary.bots),
        len(summary.deals),
        _share(Mean.of_shares(summary.shares)),
        _lead(Mean.of(summary.leads)),
        *(_playouts(summary, bot) for bot in (0, 1)),
        *(_times(summary, bot) for bot in (0, 1)),
    )
    return "| " + " | ".join(map(str, cells)) + " |"


def _named(bot: Bot) -> str:
    return f"{bot.label}, version {bot.version}"


def _share(mean: Mean) -> str:
    """Write a share and its interval, which is one-sided only if all deals were lost or won."""
    side = {0.0: "+", 1.0: "−"}.get(mean.value, "±")
    return f"{100 * mean.value:.1f} {side} {100 * mean.reach:.1f} %" if mean.reach else f"{100 * mean.value:.1f} %"


def _lead(mean: Mean) -> str:
    return f"{mean.value:+.1f} ± {mean.reach:.1f}" if mean.reach else f"{mean.value:+.1f}"


def _playouts(summary: Summary, bot: int) -> str:
    moves, playouts = summary.searches[bot]
    return f"{playouts / moves:.0f}" if moves else "–"


def _times(summary: Summary, bot: int) -> str:
    times = summary.times[bot]
    return f"{milliseconds(times, 0.5):.2g}, {milliseconds(times, 0.95):.2g}"


def _ratings(duels: Sequence[Summary]) -> Iterator[str]:
    """Rate the bots in each game, over all numbers of players and options."""
    yield "| game | bot | rating (openskill) |"
    yield "|---|---|---|"
    for game, of_game in groupby(duels, key=lambda each: each.ruleset_id):
        for bot, (mean, deviation) in sorted(ratings(of_game).items(), key=lambda item: -item[1][0]):
            yield f"| {game} | {_named(bot)} | {mean:.1f} ± {1.96 * deviation:.1f} |"


def _manners(duels: Sequence[Summary]) -> Iterator[str]:
    """Write how often each bot broke each rule per 1,000 chances, over all its deals of a game, and its chances."""
    sums: dict[tuple[str, Bot], Counter[tuple[str, int]]] = {}
    for each in duels:
        for bot, manners in zip(each.bots, each.manners, strict=True):
            counted = sums.setdefault((each.ruleset_id, bot), Counter())
            for rule, pair in manners.items():
                counted.update({(rule, place): many for place, many in enumerate(pair)})
    yield f"| game | bot | {' | '.join(RULES)} |"
    yield "|---|---|" + "---|" * len(RULES)
    for (game, bot), counted in sorted(sums.items()):
        if counted:
            cells = (_per_thousand(counted[rule, 0], counted[rule, 1]) for rule in RULES)
            yield f"| {game} | {_named(bot)} | {' | '.join(cells)} |"


def _per_thousand(chances: int, broken: int) -> str:
    return f"{1000 * broken / chances:.0f} of {chances:,}" if chances else "–"
