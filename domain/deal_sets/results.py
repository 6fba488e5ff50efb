"""Results of a deal set: points against the field, and percent of matchpoints beside them.

The field of a deal are the ranked players who opened it, and the bots' own table. Its mean leaves out an eighth of the
scores at each end, so that one wild table does not move the others. A deal that was opened and not finished counts as
the lowest score of the field, and wins no matchpoint. Points and percent are kept as whole tenths.
"""

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
    """What a player reached in ``deals`` deals; no rank for a guest."""

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
    deals, of_players = list[DealMean](), defaultdict[str, list[tuple[int, int, str]]](list)
    for number in numbers:
        played = [table for table in tables if table.number == number]
        field = {table.player: table.score for table in played if table.player in ranked}
        scores = [score for score in (*field.values(), par.get(number)) if score is not None]
        mean = _mean(scores)
        deals.append(DealMean(number, par.get(number), mean))
        for table in played:
            others = [score for player, score in field.items() if player != table.player]
            others += [par[number]] if number in par else []
            score = min(scores, default=0) if table.score is None else table.score
            points = 0 if mean is None else score - mean
            of_players[table.player].append((points, _percent(table.score, others), table.game))
    standings = [_standing(player, own) for player, own in of_players.items()]
    ordered = sorted(standings, key=lambda each: (each.player not in ranked, -each.deals, -each.points, each.player))
    return Results(tuple(_ranked(ordered, ranked)), tuple(deals))


def _mean(scores: Sequence[int]) -> int | None:
    """Return the mean without the extremes, a whole number."""
    left_out = len(scores) // _LEFT_OUT
    kept = sorted(scores)[left_out : len(scores) - left_out]
    return round(sum(kept) / len(kept)) if kept else None


def _percent(score: int | None, others: Sequence[int | None]) -> int:
    """Return the share of others that a score beats, a tie as half, in thousandths."""
    if not others:
        return 0 if score is None else 500
    own, theirs = _place(score), map(_place, others)
    won = sum(2 * (own > other) + (own == other and score is not None) for other in theirs)
    return round(1000 * won / (2 * len(others)))


def _place(score: int | None) -> float:
    return float("-inf") if score is None else score


def _standing(player: str, own: Sequence[tuple[int, int, str]]) -> Standing:
    points, percents, games = zip(*own, strict=True)
    return Standing(None, player, sum(points), round(sum(percents) / (10 * len(own))), len(own), games)


def _ranked(standings: Sequence[Standing], ranked: Collection[str]) -> Sequence[Standing]:
    """Give ranks to the standings of ranked players; those who are equal share a rank."""
    numbered, best = list[Standing](), dict[tuple[int, int], int]()
    for place, each in enumerate(standings, 1):
        rank = best.setdefault((each.deals, each.points), place) if each.player in ranked else None
        numbered.append(Standing(rank, each.player, each.points, each.percent, each.deals, each.games))
    return numbered
