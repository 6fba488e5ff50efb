"""The league: a short one, what its figures mean, and what it counts as bad manners."""

from statistics import fmean

import pytest
from click.testing import CliRunner

from bench.league import report, results, summaries
from bench.league.__main__ import main
from bench.league.duels import Duel, deal, lead, share
from bench.league.manners import FEEDS, OVERTAKES, TOO_HIGH, TRUMPS_NOTHING, WITHHOLDS, judged
from bench.league.statistics import Mean, milliseconds, ratings, student
from bench.league.summaries import Summary
from bench.league.tables import Table, tables
from domain.plute.actions import Play
from domain.registry import BUILT_IN
from tests.domain.plute import builders as plute
from workers.research.entrants import entrants

RANDOM, OTHER = entrants(["random", "random"])
WANTED = ("--bots", "random,random", "--ruleset", "le-plateau", "--seats", 2)


def games(table, one=RANDOM, other=OTHER):
    return deal(Duel(table, one, other, 1), 0)["games"]


def league(*arguments, processes=1):
    return CliRunner().invoke(main, [*map(str, arguments), "--processes", str(processes)], catch_exceptions=False)


def test_a_league_resumes_and_fills_a_page_that_can_be_made_again(tmp_path):
    file, page = tmp_path / "league.jsonl", tmp_path / "league.md"
    row = "| le-plateau, 2 |  | 1 | random, version 1 | random (2), version 1 | {} |"
    ran = league(*WANTED, "--results", file, "--deals", 2)
    assert (row.format(2) in ran.stdout, "2/2" in ran.stderr) == (True, True)
    [(duel, before)] = results.read(file).items()
    file.write_bytes(file.read_bytes()[:-20])  # the last deal was cut off
    page.write_text(f"Before.\n{report.BEGIN} earlier table {report.END}\nAfter.\n")
    league(*WANTED, "--results", file, "--deals", 3, "--write", page, processes=2)
    after = results.read(file)[duel]
    assert sorted(after) == [0, 1, 2]
    assert [after[number]["games"] for number in (0, 1)] == [before[number]["games"] for number in (0, 1)]
    whole = page.read_text()
    assert (row.format(3) in whole, "earlier table" in whole) == (True, False)
    page.write_text(f"Before.\n{report.BEGIN}{report.END}\nAfter.\n")
    league(*WANTED, "--results", tmp_path / "none.jsonl", "--deals", 0, "--write", page)
    assert page.read_text() == whole


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bots", "nobody,random"], "no bot nobody"),
        (["--bots", "random@many,random"], "number of playouts"),
        (["--bots", "random"], "no two of these bots"),
        (["--ruleset", "plute", "--bots", "random,random", "--option", "win_at=none"], "win_at"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is(tmp_path, arguments, said):
    refused = league(*arguments, "--results", tmp_path / "league.jsonl")
    assert (refused.exit_code, said in refused.output, (tmp_path / "league.jsonl").exists()) == (2, True, False)


@pytest.mark.parametrize("table", [Table("le-plateau", 3), Table("plateau", 2, ("max_plies=12",))], ids=str)
def test_swapped_names_give_mirrored_results(table):
    one, other = games(table), games(table, OTHER, RANDOM)
    assert fmean(map(share, one)) == pytest.approx(1 - fmean(map(share, other)))
    assert fmean(map(lead, one)) == pytest.approx(-fmean(map(lead, other)))


@pytest.mark.parametrize("table", tables([ruleset.id for ruleset in BUILT_IN], []), ids=str)
def test_both_bots_sit_in_every_seat_equally_often(table):
    assert {2 * sum(seat in each for each in table.lineups) for seat in range(table.seats)} == {len(table.lineups)}


def summary(deals, version=1):
    """Return what is kept of a duel in which deals came to so many shares and leads."""
    bots = {"one": {"label": "strong", "version": version}, "other": {"label": "weak", "version": 1}}
    table = {"ruleset_id": "plute", "seats": 6, "options": [], "whole": False}
    return Summary({"table": table, "seed": 1, **bots}, deals, ({0: 1},) * 2, ({}, {}), ((2, 300), (0, 0)))


def test_versions_are_told_apart_and_the_duel_with_more_deals_is_kept():
    few, many, other = summary({0: (1, 1)}), summary({0: (1, 1), 1: (0, -1)}), summary({0: (1, 1)}, version=2)
    assert summaries.merged({"it": few}, {"it": many}) == summaries.merged({"it": many}, {"it": few}) == {"it": many}
    table = report.markdown([many, other])
    assert table.count("| strong, version 1 | weak, version 1 | 2 | 50.0 ± 635.3 % |") == 1
    assert table.count("| strong, version 2 |") == 2, "in its row and among the ratings"
    assert "| 150 | – | 1e+03, 1e+03 |" in table, "playouts of a search, and none"


def test_the_figures_of_a_league_are_those_of_deals():
    game = {"seats": [0], "scores": [10, 10, -20]}
    assert (share(game), lead(game), share(game | {"seats": [1, 2]})) == (0.75, 15, 0.25)
    assert Mean.of([0.4, 0.4]) == Mean(0.4, None)
    assert Mean.of_shares([0, 1, 0, 1]) == Mean(0.5, pytest.approx(student(3) * 0.57735 / 2, rel=1e-4))
    assert Mean.of_shares([1] * 20).reach == pytest.approx(0.168, abs=0.001)
    assert [student(degrees) for degrees in (1, 2, 3, 9)] == pytest.approx([12.7062, 4.3027, 3.1824, 2.2622], abs=0.004)
    assert milliseconds({0: 50, 24: 49, 48: 1}, 0.95) == pytest.approx(10_000)
    rated = ratings([summary(dict.fromkeys(range(20), (1, 1)))])
    assert rated["strong", 1][0] > rated["weak", 1][0] + 5


MATES, FOES, POOR = "0:2H 1:KH 2:3H 3:4H 4:5H", "0:KH 1:2H 2:3H 3:4H 4:5H", "0:2H 1:3H 2:4H 3:4C 4:5H"


@pytest.mark.parametrize(
    ("trick", "hand", "card", "found"),
    [
        (MATES, "AH 6H", "AH", {OVERTAKES: True}),
        (MATES, "AH 6H", "6H", {OVERTAKES: False}),
        (MATES, "6H 7H", "6H", {}),
        (MATES, "6H 10H", "6H", {WITHHOLDS: True}),
        (FOES, "6H 10H", "10H", {FEEDS: True}),
        (FOES, "AH 10H 6H", "AH", {}),
        (POOR, "6H 8H", "8H", {TOO_HIGH: True}),
        (POOR, "6H 8H", "6H", {TOO_HIGH: False}),
        ("0:2H 1:3H 2:4H", "6H 3S", "3S", {TRUMPS_NOTHING: True}),
        ("0:2H 1:3H 2:QH", "6H 3S", "3S", {}),
    ],
)
def test_a_rule_of_manners_is_a_chance_only_where_a_seat_could_keep_it_or_break_it(trick, hand, card, found):
    """Seat 5 of Plute, the last one, is of the team of seats 1 and 3; spades are trumps."""
    state = plute.state("play", held=["", "", "", "", "", hand], trick=trick)
    assert dict(judged("plute", state, 5, Play(card))) == found


def test_a_league_counts_manners_in_all_its_deals():
    duel = Duel(Table("plute", 6), RANDOM, OTHER, 1)
    record = deal(duel, 0)
    chances, broken = record["counted"][0]["manners"][TRUMPS_NOTHING]
    shown = report.markdown([*summaries.summed({duel.key: {0: record}}).values()])
    assert f"{1000 * broken / chances:.0f} of {chances}" in shown
