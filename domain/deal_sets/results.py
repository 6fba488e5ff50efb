"""Results of a deal set: points against the field, and percent of matchpoints beside them.

The field of a deal are the ranked players who opened it, and the bots' own table. Its mean leaves out an eighth of the
scores at each end, so that one wild table does not move the others. A deal that was opened and not finished counts as
the lowest score of the field, and wins no matchpoint. Who finished more deals comes first, since the lowest score can
be better than what a player was about to get. Points and percent are whole numbers.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

_LEFT_OUT = 8


@dataclass(frozen=True, slots=True)
class Table:
    """A deal as a player played it, in a game; the score is None if it was not finished in time."""

    player: str
    number: int
    game: str
    score: int | None


@dataclass(frozen=True, slots=True)
class Standing:
    """What a player reached, with ``deals`` finished of those opened in ``games``; no rank for a guest."""

    rank: int | None
    player: str
    points: int
    percent: int
    deals: int
    games: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealMean:
    """What a deal was worth: the bots' score, and the mean of the field; None where there is none."""

    number: int
    par: int | None
    mean: int | None


@dataclass(frozen=True, slots=True)
class Results:
    """The standings, best first and guests last, and the deals that count."""

    standings: tuple[Standing, ...]
    deals: tuple[DealMean, ...]


def results(
    tables: Sequence[Table], ranked: Collection[str], par: Mapping[int, int], numbers: Sequence[int]
) -> Results:
    """Compare all tables of the deals of these numbers; ``par`` are the bots' scores by deal."""
    deals, of_players = list[DealMean](), defaultdict[str, list[tuple[Table, int, int]]](list)
    for number in numbers:
        played = [table for table in tables if table.number == number]
        field = [table.score for table in played if table.player in ranked]
        field += [par[number]] if number in par else []
        scores = sorted(score for score in field if score is not None)
        unfinished, mean = len(field) - len(scores), robust_mean(scores)
        deals.append(DealMean(number, par.get(number), mean))
        for table in played:
            score = next(iter(scores), 0) if table.score is None else table.score
            points = 0 if mean is None else score - mean
            percent = _percent(table.score, scores, unfinished, in_field=table.player in ranked)
            of_players[table.player].append((table, points, percent))
    standings = [_standing(player, own) for player, own in of_players.items()]
    ordered = sorted(standings, key=lambda each: (each.player not in ranked, -each.deals, -each.points, each.player))
    return Results(tuple(_ranked(ordered, ranked)), tuple(deals))


def robust_mean(scores: Sequence[int]) -> int | None:
    """Return the mean of ordered scores without the extremes, a whole number."""
    left_out = len(scores) // _LEFT_OUT
    kept = scores[left_out : len(scores) - left_out]
    return round(sum(kept) / len(kept)) if kept else None


def _percent(score: int | None, scores: Sequence[int], unfinished: int, *, in_field: bool) -> int:
    """Return the share of others that a score beats, a tie as half, in thousandths; ``scores`` are in order."""
    if score is None:
        return 0
    others = len(scores) + unfinished - in_field
    below = bisect_left(scores, score)
    equal = bisect_right(scores, score) - below - in_field
    return round(1000 * (2 * (below + unfinished) + equal) / (2 * others)) if others else 500


def _standing(player: str, own: Sequence[tuple[Table, int, int]]) -> Standing:
    tables, points, percents = zip(*own, strict=True)
    finished, games = sum(table.score is not None for table in tables), tuple(table.game for table in tables)
    return Standing(None, player, sum(points), round(sum(percents) / (10 * len(own))), finished, games)


def _ranked(standings: Sequence[Standing], ranked: Collection[str]) -> Sequence[Standing]:
    """Give ranks to the standings of ranked players; those who are equal share a rank."""
    numbered, best = list[Standing](), dict[tuple[int, int], int]()
    for place, each in enumerate(standings, 1):
        rank = best.setdefault((each.deals, each.points), place) if each.player in ranked else None
        numbered.append(Standing(rank, each.player, each.points, each.percent, each.deals, each.games))
    return numbered
