"""Lots: everyone has one seat a round, nobody meets the same player twice while that is possible, seats take turns."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.chance import Chance
from domain.tournaments.designs import rounds
from domain.tournaments.pairing import BOT, by_lots, met, round_robin

REPEATS = {
    (30, 3): (0, 0, 0, 0, 0, 0, 0, 0),
    (12, 2): (0, 0, 0, 0, 0, 0),
    (8, 4): (0, 4, 12, 20, 32),
    (12, 3): (0, 0, 0, 0, 3, 9),
    (12, 4): (0, 3, 9, 17, 28),
    (16, 4): (0, 0, 0, 0, 0, 24),
    (20, 4): (0, 0, 0, 0, 0, 6),
    (23, 4): (0, 0, 0, 0, 0, 4),
    (24, 4): (0, 0, 0, 0, 0, 4),
    (24, 6): (0, 8, 23),
    (25, 5): (0, 0, 0, 0, 0, 0),
    (32, 4): (0, 0, 0, 0, 0, 0, 0, 0),
    (36, 6): (0, 0, 0),
    (64, 4): (0,) * 20,
    (64, 6): (0, 0, 0, 0, 0),
    (256, 5): (0,) * 6,
}
"""By numbers of players and of seats: at most so many pairs have met again after each round.

Eight players cannot do better, nor can 16 at tables of four, after a fifth round.
"""


def lots(number: int) -> Chance:
    """The lots of a round."""
    return Chance(number.to_bytes(32, "big"), "set_1", ())


def played(count: int, seats: int, rounds: int, seed: int = 0, *, swiss: bool = False) -> list[list[tuple[int, ...]]]:
    """Draw the tables of all rounds; in a Swiss tournament, the player who entered first wins every game."""
    past, points = list[list[tuple[int, ...]]](), dict.fromkeys(range(count), 0)
    for number in range(rounds):
        tables = by_lots(range(count), seats, past, lots(1000 * seed + number), points if swiss else None)
        for table in tables if swiss else ():
            points[min(place for place in table if place != BOT)] += 2
        past.append(tables)
    return past


@given(st.integers(2, 24), st.integers(2, 6), st.integers(1, 3), st.integers(0, 9), st.booleans())
def test_everyone_has_one_seat_a_round_and_bots_are_spread_over_the_tables(count, seats, rounds, seed, is_swiss):
    for tables in played(count, seats, rounds, seed, swiss=is_swiss and seats == 2):
        assert sorted(place for table in tables for place in table if place != BOT) == [*range(count)]
        assert {len(table) for table in tables} == {seats}
        bots = [table.count(BOT) for table in tables]
        assert sum(bots) == -count % seats
        assert max(bots) - min(bots) <= 1


def repeats(past) -> int:
    """Count the meetings after the first of all pairs, but for those with bots."""
    pairs = Counter(frozenset(pair) for tables in past for table in tables for pair in combinations(table, 2))
    return sum(count - 1 for pair, count in pairs.items() if BOT not in pair)


@pytest.mark.parametrize(("count", "seats"), sorted(REPEATS))
def test_players_meet_again_only_where_there_is_no_room_and_all_sit_everywhere(count, seats):
    most = REPEATS[count, seats]
    past = played(count, seats, len(most))
    assert all(repeats(past[: number + 1]) <= each for number, each in enumerate(most))
    history = met([table for tables in past for table in tables])
    sat = [[history.seats.get((place, seat), 0) for seat in range(seats)] for place in range(count)]
    assert max(max(each) - min(each) for each in sat) <= 2


def test_a_plan_is_followed_when_a_player_has_left():
    past, staying = played(16, 4, 4), [*range(1, 16)]
    tables = by_lots(staying, 4, past, lots(9))
    assert repeats([*past, tables]) == 0
    assert sorted(place for table in tables for place in table) == [BOT, *staying]


def test_a_player_who_was_not_in_the_first_round_has_a_seat_nevertheless():
    past = [by_lots(range(16), 4, [], lots(8))]
    tables = by_lots(range(1, 17), 4, past, lots(9))
    assert sorted(place for table in tables for place in table) == [*range(1, 17)]


@pytest.mark.parametrize(("tables", "seats", "count"), [(4, 4, 5), (5, 5, 6), (6, 4, 5), (8, 4, 9), (16, 4, 20)])
def test_in_a_design_two_spots_share_a_table_at_most_once(tables, seats, count):
    design = rounds(tables, seats)
    assert len(design) == count
    assert design[0] == [[(table, column) for column in range(seats)] for table in range(tables)]
    assert all(len({spot for spots in each for spot in spots}) == tables * seats for each in design)
    pairs = Counter(pair for each in design for spots in each for pair in combinations(sorted(spots), 2))
    assert {*pairs.values()} == {1}


def test_where_players_must_meet_again_all_do_so_about_equally_often():
    history = met([table for each in played(6, 3, 10) for table in each])
    times = [history.pairs[pair] for pair in combinations(range(6), 2)]
    assert sum(times) == 60
    assert max(times) - min(times) <= 2


def test_a_swiss_round_brings_together_those_with_equal_points_and_the_bye_goes_round_from_below():
    past = played(17, 2, 5, swiss=True)
    points = Counter[int]()
    byes = list[int]()
    for tables in past:
        gaps = [abs(points[one] - points[other]) for one, other in tables if BOT not in (one, other)]
        assert sum(gap > 2 for gap in gaps) <= 1
        (bye,) = [sum(table) - BOT for table in tables if BOT in table]
        assert bye not in byes
        assert points[bye] - min(points[place] for place in range(17) if place not in byes) <= 2
        byes.append(bye)
        points.update({min(place for place in table if place != BOT): 2 for table in tables})
    assert max(met([table for tables in past for table in tables]).pairs.values()) == 1


@given(st.integers(2, 30))
def test_in_a_round_robin_everyone_meets_everyone_once_and_sits_first_half_of_the_time(count):
    tables = [table for number in range(1, count + count % 2) for table in round_robin(range(count), number)]
    history = met(tables)
    assert all(history.pairs[pair] == 1 for pair in combinations(range(count), 2))
    firsts = [history.seats.get((place, 0), 0) - history.seats.get((place, 1), 0) for place in range(count)]
    assert max(map(abs, firsts)) <= 2


def test_the_same_lots_draw_the_same_tables_and_others_draw_others():
    assert played(23, 4, 4, 1) == played(23, 4, 4, 1) != played(23, 4, 4, 2)


@pytest.mark.parametrize(("seats", "swiss"), [(2, True), (4, False), (6, False)])
def test_the_largest_field_is_drawn_with_a_bounded_number_of_costs(monkeypatch, seats, swiss):
    """The price is counted, not timed: each exchange that is tried asks for a few costs."""
    from domain.tournaments import pairing  # noqa: PLC0415 - to count its exchanges

    asked, real = Counter[str](), pairing._saved

    def counted(*args):
        asked["tries"] += 1
        return real(*args)

    monkeypatch.setattr(pairing, "_saved", counted)
    for _ in played(256, seats, 3, swiss=swiss):
        assert asked["tries"] <= 3 * (pairing._TRIES + seats**2)
