"""Results of a tournament: points against the field, those of opponents, and what a director changes."""

import pytest

from domain.errors import WrongMoment
from domain.game.durations import instant
from domain.game.time_control import PLAY_BY_POST
from domain.tournaments import tournament
from domain.tournaments.events import Conditions, RoundClosed, RoundPaired, TableResult, TournamentCreated
from domain.tournaments.tournament import Tournament

CLOSE, START = "2026-11-28T18:00:00.000Z", "2026-11-28T20:00:00.000Z"
EARLY = instant(CLOSE) - 1


def announced(**more):
    """A tournament of a game without deals, or as ``more`` says."""
    terms = {
        "name": "T", "creator": "pl_d", "ruleset": "plateau", "rules_version": 1, "options": {}, "seats": 2, "deals": 0,
        "rounds": 3, "pairing": "swiss", "bot": None, "bot_version": None, "clock": PLAY_BY_POST, "round_time": "P1D",
        "entries_close": CLOSE, "starts": START, "most": 8, "conditions": Conditions(0, 0, invited=False),
    }  # fmt: skip
    return tournament.create("tn_1", TournamentCreated(**{**terms, **more}))[1]


def entered(count, **more):
    """A tournament with so many players, p0 and so on."""
    one = announced(**more)
    for number in range(count):
        one = tournament.enter(one, f"p{number}", EARLY)[1]
    return one


def played(one: Tournament, tables, scores, byes=()) -> Tournament:
    """Play a round: the scores of each table, by deal and seat."""
    number = len(one.closed) + 1
    paired = tournament.evolve(one, RoundPaired(number, "set_1", tuple(map(tuple, tables)), tuple(byes), START))
    results = tuple(TableResult(("gm_1",) * len(each), tuple(each)) for each in scores)
    return tournament.evolve(paired, RoundClosed(number, results))


def test_a_score_counts_against_the_robust_mean_of_its_seat_and_an_unfinished_deal_as_the_lowest_of_it():
    tables = [
        TableResult(("a", "b"), ((30, -30), (100, -100))),
        TableResult(("c", "d"), ((10, -10), None)),
        TableResult(("e", "f"), ((20, -20), (0, 0))),
    ]
    points = tournament.against_the_field(tables, 2)
    assert points == [(10 + 50, -10 - 50), (-10 - 50, 10 - 50), (0 - 50, 0 + 50)]
    assert tournament.against_the_field([TableResult(("a",), (None,))] * 2, 2) == [(0, 0), (0, 0)]


def test_wins_draws_and_byes_are_ranked_and_equal_points_by_those_of_the_opponents():
    one = entered(5)
    one = played(one, [("p0", "p1"), ("p2", "p3")], [[(2, 0)], [(1, 1)]], ["p4"])
    one = played(one, [("p0", "p4"), ("p1", "p2")], [[(2, 0)], [(2, 0)]], ["p3"])
    found = [(each.rank, each.player, each.points, each.opponents) for each in tournament.standings(one)]
    assert found == [(1, "p0", 4, 4), (2, "p3", 3, 1), (3, "p1", 2, 5), (4, "p4", 2, 4), (5, "p2", 1, 5)]


def test_a_substitute_takes_over_the_points_of_a_place_and_adjustments_count():
    one = tournament.enter(entered(2), "late", instant(CLOSE))[1]
    assert one.reserves == ("late",)
    one = played(one, [("p0", "p1")], [[(2, 0)]])
    one = tournament.substitute(one, "p0", "late", "ill")[1]
    one = tournament.adjust(one, "late", -1, "late")[1]
    assert [(each.player, each.points) for each in tournament.standings(one)] == [("late", 1), ("p1", 0)]
    assert not one.has("p0")
    with pytest.raises(WrongMoment, match="withdrawn"):
        tournament.enter(one, "p0", EARLY)


def test_a_round_robin_ends_when_all_have_met_and_all_of_a_field_are_places():
    assert [entered(count, pairing="round_robin", rounds=20).rounds for count in (2, 5, 6)] == [1, 5, 5]
    full = entered(10)
    assert (len(full.places), full.reserves) == (8, ("p8", "p9"))
    assert tournament.withdraw(full, "p3", EARLY)[1].places[-1] == "p8"
    assert tournament.enter(full, "p3", EARLY)[0] == []
