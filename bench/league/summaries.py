"""The result of a duel: each deal as two numbers, and the counts of both bots over all of them.

A page is made from summaries. They are small enough to be stored beside it, one a line, so it can be made again.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import orjson

from bench.league.duels import lead, share
from bench.league.results import Results

_DIGITS = 5
"""The precision of the numbers of a deal."""


class Bot(NamedTuple):
    """A bot in a duel: versions of a bot are different bots."""

    label: str
    version: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The win share and the lead of the first bot in each deal, by its number, and the counts of both bots.

    ``times`` has how many moves took how long, ``manners`` the chances to break each rule and how often it was broken,
    ``searches`` the moves with playouts, and the number of these playouts.
    """

    duel: Mapping[str, Any]
    deals: Mapping[int, tuple[float, float]]
    times: tuple[Mapping[int, int], Mapping[int, int]]
    manners: tuple[Mapping[str, tuple[int, int]], Mapping[str, tuple[int, int]]]
    searches: tuple[tuple[int, int], tuple[int, int]]

    @property
    def bots(self) -> tuple[Bot, Bot]:
        """Return both bots."""
        one, other = (Bot(self.duel[name]["label"], self.duel[name]["version"]) for name in ("one", "other"))
        return one, other

    @property
    def ruleset_id(self) -> str:
        """Return the game."""
        ruleset_id: str = self.duel["table"]["ruleset_id"]
        return ruleset_id

    @property
    def shares(self) -> list[float]:
        """Return the win share of the first bot in each deal."""
        return [part for part, _ in self.deals.values()]

    @property
    def leads(self) -> list[float]:
        """Return how much more the first bot scored, in each deal."""
        return [ahead for _, ahead in self.deals.values()]


def summed(results: Results) -> dict[str, Summary]:
    """Sum up all results, by duel."""
    return {key: _of_duel(orjson.loads(key), deals) for key, deals in results.items()}


def _of_duel(duel: Mapping[str, Any], deals: Mapping[int, Mapping[str, Any]]) -> Summary:
    records = [deals[number] for number in sorted(deals)]
    one, other = ([record["counted"][bot] for record in records] for bot in (0, 1))
    return Summary(
        duel,
        {number: _of_deal(deals[number]["games"]) for number in sorted(deals)},
        (_times(one), _times(other)),
        (_manners(one), _manners(other)),
        (_searches(one), _searches(other)),
    )


def _of_deal(games: Iterable[Mapping[str, Any]]) -> tuple[float, float]:
    played = [*games]
    return round(fmean(map(share, played)), _DIGITS), round(fmean(map(lead, played)), _DIGITS)


def _times(counted: Iterable[Mapping[str, Any]]) -> Mapping[int, int]:
    total: Counter[int] = Counter()
    for each in counted:
        total.update({int(step): many for step, many in each["times"].items()})
    return dict(sorted(total.items()))


def _manners(counted: Iterable[Mapping[str, Any]]) -> Mapping[str, tuple[int, int]]:
    total: dict[str, tuple[int, int]] = {}
    for each in counted:
        for rule, (chances, broken) in each["manners"].items():
            had, did = total.get(rule, (0, 0))
            total[rule] = had + chances, did + broken
    return dict(sorted(total.items()))


def _searches(counted: Iterable[Mapping[str, Any]]) -> tuple[int, int]:
    found = [each.get("searches", (0, 0)) for each in counted]  # earlier results have none
    return sum(moves for moves, _ in found), sum(playouts for _, playouts in found)


def read(path: Path) -> dict[str, Summary]:
    """Read the summaries in a file, by duel."""
    lines = path.read_bytes().splitlines() if path.exists() else []
    return {orjson.dumps(each.duel).decode(): each for each in map(_read, lines)}


def _read(line: bytes) -> Summary:
    plain = orjson.loads(line)
    one, other = ({int(step): many for step, many in times.items()} for times in plain["times"])
    return Summary(
        plain["duel"],
        {number: (part, ahead) for number, part, ahead in plain["deals"]},
        (one, other),
        plain["manners"],
        plain["searches"],
    )


def write(path: Path, found: Iterable[Summary]) -> None:
    """Write summaries to a file, one a line."""
    path.write_bytes(b"".join(_written(each) + b"\n" for each in found))


def _written(summary: Summary) -> bytes:
    plain = {
        "duel": summary.duel,
        "deals": [[number, *found] for number, found in summary.deals.items()],
        "times": summary.times,
        "manners": summary.manners,
        "searches": summary.searches,
    }
    return orjson.dumps(plain, option=orjson.OPT_NON_STR_KEYS)


def merged(kept: Mapping[str, Summary], found: Mapping[str, Summary]) -> dict[str, Summary]:
    """Return both; of a duel that is in both, the one with more deals, because equal deals have equal results."""
    return {**kept, **{key: each for key, each in found.items() if key not in kept or _is_more(each, kept[key])}}


def _is_more(one: Summary, other: Summary) -> bool:
    return len(one.deals) >= len(other.deals)
