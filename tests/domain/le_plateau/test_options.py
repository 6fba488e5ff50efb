"""Options of a game: what is agreed by default, and what is refused (rules, section Variants)."""

import pytest

from domain.le_plateau.choices import complete
from domain.ruleset import InvalidOptions


def problems(given, seats):
    with pytest.raises(InvalidOptions) as refused:
        complete(given, seats)
    return {(problem.option, problem.code) for problem in refused.value.problems}


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_defaults(seats):
    options = complete({}, seats)
    assert (options.edition, options.deck, options.excuse) == ("2023", "standard", "trump")
    assert (options.board, options.board_tokens, options.scoring) == ("standard", None, "zero_sum")
    assert (options.void_hands, options.hands, options.first_dealer) == ("count", seats, None)
    assert options.abdication == ("on" if seats == 5 else None)


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_number_of_hands_must_be_a_multiple_of_the_players(seats):
    assert complete({"hands": 3 * seats}, seats).hands == 3 * seats
    for hands in (1, seats - 1, seats + 1, 2 * seats + 1):
        if hands % seats:
            assert problems({"hands": hands}, seats) == {("hands", "not-a-multiple")}


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_first_dealer_must_be_a_seat(seats):
    for seat in range(seats):
        assert complete({"first_dealer": seat}, seats).first_dealer == seat
    assert problems({"first_dealer": seats}, seats) == {("first_dealer", "no-such-seat")}


@pytest.mark.parametrize("value", ["count", "redeal"])
def test_void_hands_may_count_or_be_redealt(value):
    assert complete({"void_hands": value}, 4).void_hands == value


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("edition", "2022"),
        ("deck", "full"),
        ("excuse", "french"),
        ("board", "random_game"),
        ("board", "random_deal"),
        ("board", "custom"),
        ("board_tokens", ["T1"]),
        ("scoring", "positive"),
    ],
)
def test_variants_that_are_not_there_yet_are_refused_by_name(option, value):
    assert problems({option: value}, 4) == {(option, "unsupported")}


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
@pytest.mark.parametrize("value", ["on", "off"])
def test_abdication_is_refused_where_it_makes_no_sense(seats, value):
    assert problems({"abdication": value}, seats) == {("abdication", "five-players-only")}


def test_five_players_may_ask_for_abdication_and_not_yet_do_without():
    assert complete({"abdication": "on"}, 5).abdication == "on"
    assert problems({"abdication": "off"}, 5) == {("abdication", "unsupported")}


def test_defaults_may_be_named():
    named = {"edition": "2023", "deck": "standard", "excuse": "trump", "board": "standard", "scoring": "zero_sum"}
    assert complete(named, 4) == complete({}, 4)
    assert complete({"hands": None, "first_dealer": None, "board_tokens": None}, 4) == complete({}, 4)


def test_all_problems_are_named_at_once():
    assert problems({"deck": "full", "hands": 5, "first_dealer": 5, "abdication": "on"}, 4) == {
        ("deck", "unsupported"),
        ("hands", "not-a-multiple"),
        ("first_dealer", "no-such-seat"),
        ("abdication", "five-players-only"),
    }


@pytest.mark.parametrize(("option", "value"), [("hands", 0), ("hands", -4), ("first_dealer", -1), ("first_dealer", 4)])
def test_numbers_out_of_range_are_refused_by_the_rules_too(option, value):
    with pytest.raises(InvalidOptions) as refusal:
        complete({option: value}, 4)
    assert [problem.option for problem in refusal.value.problems] == [option]
