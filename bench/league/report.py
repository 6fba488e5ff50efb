"""The table of a league in Markdown, and its place in a page between two markers."""

import platform
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from bench.league.manners import RULES
from bench.league.results import Results
from bench.league.statistics import Mean, leads, manners_of, milliseconds, ratings, shares, times_of

BEGIN, END = "<!-- league: begin -->", "<!-- league: end -->"


def markdown(results: Results) -> str:
    """Write all results: each duel, then ratings."""
    duels = {key: orjson.loads(key) for key in results}
    order = sorted(duels, key=lambda key: _order(duels[key]))
    lines = [
        "| game | options | seed | bot | against | deals | win share | score | ms a move: p50, p95 | the other's |",
        "|---|---|---|---|---|---|---|---|---|---|",
        *(_row(duels[key], [results[key][number] for number in sorted(results[key])]) for key in order),
        "",
        *_ratings(results, duels),
        "",
        *_manners(results, duels),
        "",
        f"On one core each of {platform.machine()}, Python {platform.python_version()}.",
    ]
    return "\n".join(lines)


def put_into(page: Path, text: str) -> None:
    """Replace what stands between the markers of a page."""
    before, _, rest = page.read_text().partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise ValueError(f"{page} has no {BEGIN} and {END}")
    page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


def _order(duel: Mapping[str, Any]) -> tuple[Any, ...]:
    table = duel["table"]
    return table["ruleset_id"], table["seats"], table["options"], duel["one"]["label"], duel["other"]["label"]


def _row(duel: Mapping[str, Any], deals: Sequence[Mapping[str, Any]]) -> str:
    table, share, score = duel["table"], Mean.of(shares(deals)), Mean.of(leads(deals))
    options = " ".join([*table["options"], *["whole games"] * table["whole"]])
    cells = (
        f"{table['ruleset_id']}, {table['seats']}",
        options,
        duel["seed"],
        duel["one"]["label"],
        duel["other"]["label"],
        len(deals),
        _with_reach(Mean(100 * share.value, None if share.reach is None else 100 * share.reach), " %"),
        _with_reach(score, "", sign="+"),
        *(_times(deals, bot) for bot in (0, 1)),
    )
    return "| " + " | ".join(map(str, cells)) + " |"


def _with_reach(mean: Mean, unit: str, sign: str = "") -> str:
    reach = "" if mean.reach is None else f" ± {mean.reach:.1f}"
    return f"{mean.value:{sign}.1f}{reach}{unit}"


def _times(deals: Sequence[Mapping[str, Any]], bot: int) -> str:
    times = times_of(deals, bot)
    return f"{milliseconds(times, 0.5):.2g}, {milliseconds(times, 0.95):.2g}"


def _ratings(results: Results, duels: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Rate the bots in each game, whatever the number of players and the options."""
    yield "| game | bot | rating (openskill) |"
    yield "|---|---|---|"
    for game in sorted({duel["table"]["ruleset_id"] for duel in duels.values()}):
        labels = {
            key: (duel["one"]["label"], duel["other"]["label"])
            for key, duel in duels.items()
            if duel["table"]["ruleset_id"] == game
        }
        rated = ratings({key: results[key] for key in labels}, labels)
        for label, (mean, deviation) in sorted(rated.items(), key=lambda item: -item[1][0]):
            yield f"| {game} | {label} | {mean:.1f} ± {1.96 * deviation:.1f} |"


def _manners(results: Results, duels: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Write how often each bot broke which rule per 1,000 chances, over all its deals of a game, and its chances."""
    sums: dict[tuple[str, str], Counter[tuple[str, int]]] = {}
    for key, duel in duels.items():
        for bot, name in enumerate(("one", "other")):
            counted = sums.setdefault((duel["table"]["ruleset_id"], duel[name]["label"]), Counter())
            for rule, pair in manners_of(results[key].values(), bot).items():
                counted.update({(rule, place): many for place, many in enumerate(pair)})
    yield f"| game | bot | {' | '.join(RULES)} |"
    yield "|---|---|" + "---|" * len(RULES)
    for (game, label), counted in sorted(sums.items()):
        if counted:
            cells = (_per_thousand(counted[rule, 0], counted[rule, 1]) for rule in RULES)
            yield f"| {game} | {label} | {' | '.join(cells)} |"


def _per_thousand(chances: int, broken: int) -> str:
    return f"{1000 * broken / chances:.0f} of {chances:,}" if chances else "–"
