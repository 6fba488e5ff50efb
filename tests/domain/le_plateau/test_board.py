"""The board: tokens, neighbours, sides, formations (printed boards; rules of 16 June 2023, Objectives)."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.le_plateau.board import (
    COORDINATES,
    NEIGHBOURS,
    OBJECTIVES,
    SIDES,
    formation,
    is_possible,
    sides_of,
    sides_reached,
    standard_tokens,
)
from domain.le_plateau.view import project
from tests.domain.le_plateau import builders, reference_rules
from tests.domain.le_plateau.reference_rules import words
from tests.support.sampling import part

BOARDS = {
    "two": reference_rules.printed_board(2),
    "standard": reference_rules.printed_board(4),
    **{f"full {seats}": reference_rules.printed_board(seats, "full") for seats in (3, 4, 5)},
}
every_board = pytest.mark.parametrize("tokens", BOARDS.values(), ids=BOARDS)


@pytest.mark.rule(
    "le-plateau", "2", "lists its tokens in rings", "3-6 players rim T1 #1 #2", "2 players rim T1 #1 #2",
    "the diagrams for the full deck are lost", "The last trick is in the centre",
    "from the top corner on, as evenly as", "full deck the middle and inner rings",
)  # fmt: skip
@pytest.mark.parametrize(
    ("seats", "deck"), [*((seats, "standard") for seats in range(2, 7)), *((seats, "full") for seats in (3, 4, 5))]
)
def test_the_board_is_the_printed_one_ring_by_ring(seats, deck):
    tokens = standard_tokens(seats, deck)
    board = (
        reference_rules.FULL[seats]
        if deck == "full"
        else reference_rules.TWO_PLAYERS
        if seats == 2
        else reference_rules.STANDARD
    )
    assert tokens[:18] == tuple(board["rim"].split())
    assert tokens[18:30] == tuple(board["middle"].split())
    assert tokens[30:36] == tuple(board["inner"].split())
    assert tokens[36:] == (board["centre"],)


@pytest.mark.rule("le-plateau", "1", "trick space n")
@pytest.mark.parametrize(
    ("seats", "deck", "tricks"),
    [
        *((2, "standard", 16), (3, "standard", 13), (4, "standard", 13), (5, "standard", 13), (6, "standard", 13)),
        *((3, "full", 17), (4, "full", 18), (5, "full", 15)),
    ],
)
def test_every_trick_has_one_space_and_the_last_one_is_the_centre(seats, deck, tricks):
    tokens = standard_tokens(seats, deck)
    assert len(set(tokens)) == 37
    assert sorted(int(token[1:]) for token in tokens if token[0] == "#") == list(range(1, tricks + 1))
    assert tokens[36] == f"#{tricks}"


@pytest.mark.rule("le-plateau", "2", "37 spaces form a hexagon")
@every_board
def test_neighbours_are_those_of_the_plane(tokens):
    assert len(set(COORDINATES)) == 37
    for position, token in enumerate(tokens):
        assert {tokens[other] for other in NEIGHBOURS[position]} == reference_rules.neighbours(tokens)[token]


def touching(tokens, numbers):
    """Return a connected group that touches these sides: all inside, and of each side a space that is no corner."""
    return [*tokens[18:], *(tokens[3 * number - 2] for number in numbers)]


@pytest.mark.rule("le-plateau", "2", "are opposite each other")
@pytest.mark.rule(
    "le-plateau", "7", "`bridge` two opposite sides", "`y` three sides of which no two meet",
    "`fork` both; `five_sides`; `six_sides`", "All other harder formations contain the easier ones",
    "The group can touch more sides; the value stays the same",
)  # fmt: skip
@pytest.mark.parametrize(
    ("edition", "bridges"),
    [("2023", 64 - 27), ("2022", 64 - 27 + 2)],  # 27 sets hold no opposite sides; two of these are a Y
)
@every_board
def test_an_objective_is_made_by_the_sides_that_it_names(tokens, edition, bridges):
    """Of the 64 sets of sides 15 hold a Y, of which two touch no fourth side; 7 hold five sides, and one all six."""
    made = Counter()
    for numbers in (numbers for size in range(7) for numbers in combinations(range(1, 7), size)):
        group = touching(tokens, numbers)
        assert reference_rules.touched(tokens, group) == {*numbers}
        for objective in OBJECTIVES:
            makes = reference_rules.makes(objective, {*numbers}, edition)
            assert bool(formation(tokens, group, objective, edition)) == makes
            assert is_possible(tokens, {*tokens} - {*group}, objective, edition) == makes
            made[objective] += makes
    assert made == {"bridge": bridges, "y": 15, "fork": 13, "five_sides": 7, "six_sides": 1}


BRIDGE = words("#1 CH EX #13 T21 VC #7")
Y_WITHOUT_BRIDGE = words("#1 CH EX #13 RC VH #5 RH DS #9")
"""A group that touches exactly sides 1, 3 and 5."""


@pytest.mark.rule(
    "le-plateau",
    "7",
    "The declarer's side wins if one connected group of its counters makes the objective",
    "the whole group that made the objective, in ring order; it is empty when the other side wins",
)
def test_one_connected_group_makes_an_objective_and_is_the_path():
    tokens = standard_tokens(4)
    path = formation(tokens, [*reversed(BRIDGE), "T1", "RC", "#4", "#10"], "bridge")
    assert path == tuple(token for token in tokens if token in (*BRIDGE, "T1", "RC"))
    for space in BRIDGE:
        assert not formation(tokens, {*BRIDGE} - {space}, "bridge")
    for objective in OBJECTIVES:
        assert formation(tokens, words("T1 T2 T3 T4 T5 T6 #13 RH RC"), objective) == ()
        assert formation(tokens, [], objective) == ()


@pytest.mark.rule(
    "le-plateau", "7", "a `y` without a bridge does not make a `bridge`",
    "a harder formation always counts as an easier one too", "All other harder formations contain the easier ones",
)  # fmt: skip
@pytest.mark.parametrize(("edition", "made"), [("2023", {"y"}), ("2022", {"y", "bridge"})])
def test_a_y_makes_a_bridge_in_2022_alone_and_a_bridge_makes_no_y(edition, made):
    tokens = standard_tokens(4)
    assert {each for each in OBJECTIVES if formation(tokens, Y_WITHOUT_BRIDGE, each, edition)} == made
    assert {each for each in OBJECTIVES if formation(tokens, BRIDGE, each, edition)} == {"bridge"}


@pytest.mark.rule("le-plateau", "7", "loses if it could not make the objective even with every free space")
@pytest.mark.parametrize("edition", ["2023", "2022"])
@settings(max_examples=part(200))
@given(data=st.data())
def test_formations_on_any_arrangement_agree_with_a_second_opinion(edition, data):
    tokens = tuple(data.draw(st.permutations(data.draw(st.sampled_from([*BOARDS.values()])))))
    owned = data.draw(st.sets(st.sampled_from(tokens), min_size=8))
    for objective in OBJECTIVES:
        made = reference_rules.paths(tokens, owned, objective, edition)
        path = list(formation(tokens, owned, objective, edition))
        assert path in made if made else path == []
        assert is_possible(tokens, set(tokens) - owned, objective, edition) == bool(made)
        if edition == "2023":
            assert (sides_reached(tokens, owned, objective) in sides_of(objective)) == bool(made)


@pytest.mark.rule(
    "le-plateau", "2", "the diagrams for the full deck are lost", "The last trick is in the centre",
    "from the top corner on, as evenly as", "full deck the middle and inner rings",
)  # fmt: skip
@pytest.mark.parametrize(
    ("seats", "trumps"), [(3, {"T1": 0, "T2": 9}), (4, {"T1": 0}), (5, {"T1": 0, "T2": 3, "T3": 9, "T4": 12})]
)
def test_full_boards_have_trumps_on_corners_and_tricks_clockwise_between(seats, trumps):
    rim = standard_tokens(seats, "full")[:18]
    assert {token: place for place, token in enumerate(rim) if token[0] == "T"} == trumps
    tricks = [token for token in rim if token[0] == "#"]
    assert tricks == [f"#{number}" for number in range(1, 19 - len(trumps))]


@pytest.mark.rule("le-plateau", "2", "a corner belongs to both sides")
@every_board
def test_the_sides_are_those_of_the_plane_and_a_corner_lies_on_two(tokens):
    assert [{tokens[p] for p in side} for side in SIDES] == reference_rules.sides(tokens)
    for place in range(18):
        assert sum(place in side for side in SIDES) == (2 if place % 3 == 0 else 1)


@pytest.mark.rule("le-plateau", "5", "Three counters cannot make an objective impossible")
def test_no_three_counters_make_any_objective_impossible():
    tokens = standard_tokens(4, "full")
    for lost in combinations(tokens, 3):
        assert is_possible(tokens, lost, "six_sides")


@pytest.mark.rule("le-plateau", "2", "lists its tokens in rings", "3-6 players rim T1 #1 #2", "2 players rim T1 #1 #2")
def test_a_view_shows_the_tokens_and_who_owns_which_space():
    board = project(builders.state(4, "play", contract=builders.contract(4), mine="#1 RH", theirs="T1 EX"), 2).board
    assert board.tokens == reference_rules.printed_board(4)
    assert board.owners == {"#1": "declarer", "RH": "declarer", "T1": "opposing", "EX": "opposing"}
    assert list(board.owners) == ["T1", "#1", "EX", "RH"]
