"""The league: a short one, what it starts from, and what its figures mean."""

from statistics import fmean

import orjson
import pytest
from click.testing import CliRunner

from bench.league import report, results, summaries
from bench.league.__main__ import main
from bench.league.duels import Duel, deal, lead, share, started
from bench.league.statistics import Mean, milliseconds, ratings, student
from bench.league.summaries import Summary
from bench.league.tables import Table, tables
from domain.errors import IllegalAction
from domain.registry import BUILT_IN
from workers.bots.policy import Thought
from workers.research.entrants import Entrant, NoSuchBot, entrants

EVERYWHERE = tables([ruleset.id for ruleset in BUILT_IN], [])
RANDOM, OTHER = entrants(["random", "random"])
QUICK = Table("le-plateau", 3)


def games(table, one=RANDOM, other=OTHER):
    return deal(Duel(table, one, other, 5), 0)["games"]


def league(*arguments):
    return CliRunner().invoke(main, [*map(str, arguments), "--processes", "1"], catch_exceptions=False)


def test_a_league_prints_a_table_goes_on_where_it_stopped_and_fills_a_page(tmp_path):
    file, page = tmp_path / "league.jsonl", tmp_path / "league.md"
    wanted = ("--bots", "random,random", "--ruleset", "le-plateau", "--seats", 2, "--seats", 3, "--results", file)
    row = "| le-plateau, {} |  | 1 | random, version 1 | random (2), version 1 | {} |"
    assert row.format(3, 2) in league(*wanted, "--deals", 2).output
    first = file.read_bytes()
    file.write_bytes(first[:-20])  # the last deal was cut off
    page.write_text(f"Before.\n{report.BEGIN} earlier table {report.END}\nAfter.\n")
    league(*wanted, "--deals", 3, "--write", page)
    assert page.read_text().startswith("Before.")
    assert page.read_text().endswith("After.\n")
    assert row.format(2, 3) in page.read_text()
    assert "earlier table" not in page.read_text()
    kept = results.read(file)
    assert [sorted(deals) for deals in kept.values()] == [[0, 1, 2]] * 2
    for line in first.splitlines():
        record = orjson.loads(line)
        assert kept[record["duel"]][record["deal"]]["games"] == record["games"]


def test_deals_that_are_played_at_once_come_to_the_same_and_a_bar_shows_how_many_are_done(tmp_path):
    wanted = ["--bots", "random,random", "--ruleset", "le-plateau", "--seats", "2", "--deals", "4"]
    found = []
    for processes in (1, 2):
        file = tmp_path / f"{processes}.jsonl"
        ran = CliRunner().invoke(main, [*wanted, "--results", str(file), "--processes", str(processes)])
        assert (ran.exit_code, "4/4" in ran.stderr, "4/4" in ran.stdout) == (0, True, False)
        [deals] = results.read(file).values()
        found.append({number: record["games"] for number, record in deals.items()})
    assert found[0] == found[1]


QUICKER = ("win_at=1", "lose_at=1")
"""Plute with games of one hand."""


@pytest.mark.parametrize(
    ("better", "worse", "table", "deals"),
    [
        ("greedy", "random", Table("plute", 6, QUICKER), 1),
        ("greedy-novice", "random", Table("plute", 6, QUICKER), 2),
        ("greedy", "greedy-novice", Table("plute", 6, QUICKER), 4),
        *(
            pytest.param(*long, marks=pytest.mark.long)
            for long in (
                ("searcher-club", "greedy", Table("plute", 6, QUICKER), 5),
                ("searcher-club", "greedy", Table("le-plateau", 2), 8),
                ("greedy", "random", Table("le-plateau", 2), 12),
                ("greedy-novice", "random", Table("le-plateau", 2), 12),
            )
        ),
    ],
)
def test_each_level_is_ahead_of_those_below_it(better, worse, table, deals):
    """In so many deals of a seed, which always come to the same; how certain it is, the league says."""
    one, other = entrants([better, worse])
    played = [game for number in range(deals) for game in deal(Duel(table, one, other, 1), number)["games"]]
    assert fmean(map(share, played)) > 0.5
    assert fmean(map(lead, played)) > 0


def test_a_page_can_be_made_again_from_what_is_kept_beside_it_and_keeps_all_that_was_played(tmp_path):
    page, first, second = (tmp_path / name for name in ("league.md", "first.jsonl", "second.jsonl"))
    page.write_text(f"{report.BEGIN}{report.END}")
    wanted = ("--ruleset", "le-plateau", "--seats", 2, "--write", page)
    league("--bots", "searcher@2,random", "--deals", 1, "--results", first, *wanted)
    league("--bots", "random,random", "--deals", 2, "--results", second, *wanted)
    whole, kept = page.read_text(), page.with_name("league-duels.jsonl").read_text()
    assert ("| random, version 1 | 1 |" in whole, "| random (2), version 1 | 2 |" in whole) == (True, True)
    page.write_text(f"{report.BEGIN}{report.END}")
    league("--deals", 0, "--results", tmp_path / "none.jsonl", *wanted)
    assert (page.read_text(), page.with_name("league-duels.jsonl").read_text()) == (whole, kept)


def test_of_a_duel_that_was_played_twice_the_page_keeps_the_one_with_more_deals():
    few, many = (summary(dict.fromkeys(range(deals), (0.5, 0))) for deals in (1, 2))
    assert summaries.merged({"it": few}, {"it": many}) == summaries.merged({"it": many}, {"it": few}) == {"it": many}


def summary(deals, one=("strong", 1), other=("weak", 1), times=None):
    """Return what is kept of a duel in which deals came to so many shares and leads."""
    bots = {name: {"label": label, "version": version} for name, (label, version) in (("one", one), ("other", other))}
    table = {"ruleset_id": "plute", "seats": 6, "options": [], "whole": False}
    return Summary({"table": table, "seed": 1, **bots}, deals, (times or {0: 1},) * 2, ({}, {}), ((2, 300), (0, 0)))


def test_versions_of_a_bot_are_different_bots_in_rows_and_ratings():
    duels = [summary({0: (1, 1), 1: (0, -1)}, (label, version)) for label, version in (("strong", 2), ("strong", 3))]
    table = report.markdown(duels)
    assert table.count("| strong, version 2 | weak, version 1 | 2 | 50.0 ± 635.3 % |") == 1
    assert table.count("| strong, version 3 |") == 2, "in its row and among the ratings"
    assert "| 150 | – | 1e+03, 1e+03 |" in table, "playouts of a search, and none"


def test_where_all_deals_are_won_or_lost_the_interval_reaches_to_one_side_and_scores_have_none():
    shown = report.markdown([summary(dict.fromkeys(range(20), (won, 2.0)), ("a", won)) for won in (0, 1)])
    assert ("| 100.0 − 16.8 % | +2.0 |" in shown, "| 0.0 + 16.8 % | +2.0 |" in shown) == (True, True)


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
    outcome = league(*arguments, "--results", tmp_path / "league.jsonl")
    assert outcome.exit_code == 2
    assert said in outcome.output
    assert not (tmp_path / "league.jsonl").exists()


LONGER = pytest.param(Table("french-tarot", 4), marks=pytest.mark.long)


@pytest.mark.parametrize("table", [QUICK, LONGER, Table("plateau", 2, ("max_plies=12",))], ids=str)
def test_swapped_names_give_mirrored_results(table):
    one, other = games(table), games(table, OTHER, RANDOM)
    assert fmean(map(share, one)) == pytest.approx(1 - fmean(map(share, other)))
    assert fmean(map(lead, one)) == pytest.approx(-fmean(map(lead, other)))
    assert fmean(map(share, games(table, RANDOM, RANDOM))) == pytest.approx(0.5)


@pytest.mark.parametrize("table", EVERYWHERE, ids=str)
def test_both_bots_sit_in_every_seat_equally_often(table):
    for seat in range(table.seats):
        alone = sum(lineup == {seat} for lineup in table.lineups)
        assert sum(seat in lineup for lineup in table.lineups) == len(table.lineups) / 2
        assert alone == (table.ruleset_id != "plute")


@pytest.mark.long
def test_random_against_random_is_even_within_the_interval():
    duel = Duel(Table("le-plateau", 2), RANDOM, OTHER, 1)
    [found] = summaries.summed({duel.key: {number: deal(duel, number) for number in range(40)}}).values()
    mean = Mean.of_shares(found.shares)
    assert abs(mean.value - 0.5) < mean.reach < 0.15


def test_a_deal_has_the_same_cards_whoever_plays_and_others_with_another_number():
    who = dict.fromkeys(range(3), "random"), dict.fromkeys(range(3), "greedy")
    dealt = [started(QUICK, seed, bots).state.hand.dealt for seed in ("1 0", "1 1", "2 0") for bots in who]
    assert dealt[0] == dealt[1] != dealt[2] == dealt[3] != dealt[4]


def test_whole_games_have_as_many_hands_as_the_options_say():
    assert games(Table("le-plateau", 2, ("hands=2",), whole=True)) != games(Table("le-plateau", 2, ("hands=2",)))


def test_a_deal_is_a_hand_but_in_plute_a_whole_game_unless_options_say_otherwise():
    tarot, plute = (Table("french-tarot", 4, ("misere=on",)), Table("plute", 6, ("lose_at=2",)))
    assert (tarot.complete_options.deals, tarot.complete_options.misere) == (1, "on")
    assert (plute.complete_options.win_at, plute.complete_options.lose_at) == (3, 2)
    assert {tuple(sorted(game["scores"])) for game in games(plute)} == {(0, 0, 0, 1, 1, 1)}


def playing_too_early(_asked):
    return Thought({"type": "play", "card": "RH"})


def test_a_bot_whose_action_is_not_legal_ends_the_league():
    with pytest.raises(IllegalAction):
        games(QUICK, Entrant("bad", "tests.bench.test_league:playing_too_early"))


def test_a_policy_of_any_module_can_enter():
    mine, other = entrants(["workers.bots.uniform:think@7", "random"])
    assert (mine.playouts, other.playouts) == (7, 0)
    assert games(QUICK, mine, other)
    with pytest.raises(NoSuchBot, match="no policy"):
        entrants(["workers.bots.uniform:nothing"])


def test_a_share_is_of_pairs_of_opponents_and_a_lead_of_mean_scores():
    game = {"seats": [0], "scores": [10, 10, -20]}
    assert (share(game), lead(game)) == (0.75, 15)
    assert (share(game | {"seats": [1, 2]}), lead(game | {"seats": [1, 2]})) == (0.25, -15)


def test_an_interval_is_of_deals_and_wider_the_fewer_they_are():
    assert Mean.of([0.4]) == Mean.of([0.4, 0.4]) == Mean(0.4, None)
    mean = Mean.of_shares([0, 1, 0, 1])
    assert (mean.value, mean.reach) == (0.5, pytest.approx(student(3) * 0.57735 / 2, rel=1e-4))


@pytest.mark.parametrize(
    ("degrees", "reach"), [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (9, 2.2622), (40, 2.0211)]
)
def test_an_interval_reaches_as_far_as_the_tables_of_student_say(degrees, reach):
    assert student(degrees) == pytest.approx(reach, abs=0.004)


def test_times_are_kept_within_a_tenth():
    assert milliseconds({0: 50, 24: 49, 48: 1}, 0.5) == pytest.approx(1000)
    assert milliseconds({0: 50, 24: 49, 48: 1}, 0.95) == pytest.approx(10_000)


def test_the_bot_that_wins_its_deals_is_rated_higher():
    rated = ratings([summary(dict.fromkeys(range(20), (1, 1)))])
    assert rated["strong", 1][0] > rated["weak", 1][0] + 5
    assert fmean(mean for mean, _ in rated.values()) == pytest.approx(25)
