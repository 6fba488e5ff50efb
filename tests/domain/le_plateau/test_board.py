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
    standard_tokens,
)
from tests.domain.le_plateau import reference_rules
from tests.domain.le_plateau.reference_rules import words

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
    ("seats", "deck"),
    [*((seats, "standard") for seats in range(2, 7)), *((seats, "full") for seats in (3, 4, 5))],
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
    for position, token in enumerate(tokens):
        assert {tokens[other] for other in NEIGHBOURS[position]} == reference_rules.neighbours(tokens)[token]


@pytest.mark.rule("le-plateau", "2", "37 spaces form a hexagon")
@every_board
def test_the_last_trick_lies_between_the_excuse_the_21_and_the_kings(tokens):
    assert reference_rules.neighbours(tokens)[tokens[36]] == {"EX", "T21", "RS", "RH", "RD", "RC"}
    assert {tokens[other] for other in NEIGHBOURS[36]} == {"EX", "T21", "RS", "RH", "RD", "RC"}


@pytest.mark.rule(
    "le-plateau", "2", "the diagrams for the full deck are lost", "The last trick is in the centre",
    "from the top corner on, as evenly as", "full deck the middle and inner rings",
)  # fmt: skip
@pytest.mark.parametrize(
    ("seats", "trumps"),
    [(3, {"T1": 0, "T2": 9}), (4, {"T1": 0}), (5, {"T1": 0, "T2": 3, "T3": 9, "T4": 12})],
)
def test_the_boards_of_the_full_deck_have_their_trumps_on_corners_and_the_tricks_clockwise_between(seats, trumps):
    rim = standard_tokens(seats, "full")[:18]
    assert {token: place for place, token in enumerate(rim) if token[0] == "T"} == trumps
    tricks = [token for token in rim if token[0] == "#"]
    assert tricks == [f"#{number}" for number in range(1, 19 - len(trumps))]


@pytest.mark.rule("le-plateau", "2", "37 spaces form a hexagon")
def test_the_21_lies_beside_the_kings_of_clubs_and_hearts_and_not_of_diamonds():
    tokens = standard_tokens(4)
    beside = {tokens[other] for other in NEIGHBOURS[tokens.index("T21")]}
    assert beside == {"RC", "RH", "#13", "VH", "CD", "VC"}


@pytest.mark.rule("le-plateau", "2", "37 spaces form a hexagon")
def test_corners_have_three_neighbours_edges_four_and_inner_spaces_six():
    corners = set(range(0, 18, 3))
    for position, around in enumerate(NEIGHBOURS):
        assert len(around) == (3 if position in corners else 4 if position < 18 else 6)
    assert len(set(COORDINATES)) == 37


@pytest.mark.rule("le-plateau", "2", "a corner belongs to both sides")
def test_the_sides_of_the_standard_board():
    tokens = standard_tokens(4)
    assert [{tokens[p] for p in side} for side in SIDES] == [
        {"T1", "#1", "#2", "T2"},
        {"T2", "#3", "#4", "T3"},
        {"T3", "#5", "#6", "T4"},
        {"T4", "#7", "#8", "T5"},
        {"T5", "#9", "#10", "T6"},
        {"T6", "#11", "#12", "T1"},
    ]


@pytest.mark.rule("le-plateau", "2", "a corner belongs to both sides")
def test_the_sides_of_the_board_for_two():
    tokens = standard_tokens(2)
    assert [{tokens[p] for p in side} for side in SIDES] == [
        {"T1", "#1", "#2", "#3"},
        {"#3", "#4", "#5", "T2"},
        {"T2", "#6", "#7", "#8"},
        {"#8", "#9", "#10", "T3"},
        {"T3", "#11", "#12", "#13"},
        {"#13", "#14", "#15", "T1"},
    ]


@pytest.mark.rule("le-plateau", "2", "a corner belongs to both sides")
@every_board
def test_the_sides_are_those_of_the_plane_and_a_corner_lies_on_two(tokens):
    assert [{tokens[p] for p in side} for side in SIDES] == reference_rules.sides(tokens)
    for place in range(18):
        assert sum(place in side for side in SIDES) == (2 if place % 3 == 0 else 1)


@pytest.mark.rule("le-plateau", "7", "`y` three sides of which no two meet", "`fork` both; `five_sides`; `six_sides`")
@pytest.mark.parametrize(
    ("objective", "owned"),
    [
        ("bridge", "#1 CH EX #13 T21 VC #7"),
        ("bridge", "#4 CS RC #13 RH CC #9"),
        ("y", "#1 CH EX #13 RC VH #5 RH DS #9"),
        ("fork", "#1 CH EX #13 RC VH #5 RH DS #9 VC #7 T21"),
        ("five_sides", "T1 #1 #2 T2 #3 #4 T3 #5 #6 T4"),
        ("six_sides", "T1 #1 #2 T2 #3 #4 T3 #5 #6 T4 #7 #8 T5"),
        ("six_sides", "T2 DC RD #13 T21 CD T4 RS DH T6"),
    ],
)
def test_an_objective_is_made_by_one_connected_group(objective, owned):
    tokens = standard_tokens(4)
    owned = owned.split()
    path = formation(tokens, owned, objective)
    assert set(path) <= set(owned)
    assert [list(path)] == reference_rules.paths(tokens, owned, objective)


def touching(tokens, numbers):
    """Return a connected group that touches these sides: all inside, and of each side a space that is no corner."""
    return [*tokens[18:], *(tokens[3 * number - 2] for number in numbers)]


@pytest.mark.rule("le-plateau", "2", "are opposite each other")
@pytest.mark.rule("le-plateau", "7", "`bridge` two opposite sides")
@pytest.mark.parametrize("edition", ["2023", "2022"])
@every_board
def test_a_bridge_joins_any_two_opposite_sides_and_no_others(tokens, edition):
    joined = {
        pair for pair in combinations(range(1, 7), 2) if formation(tokens, touching(tokens, pair), "bridge", edition)
    }
    assert joined == {(1, 4), (2, 5), (3, 6)}


@pytest.mark.rule("le-plateau", "7", "`y` three sides of which no two meet", "`fork` both; `five_sides`; `six_sides`")
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


@pytest.mark.rule(
    "le-plateau", "7", "The declarer's side wins if one connected group of its counters makes the objective"
)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_spaces_that_touch_all_sides_make_nothing_unless_they_are_connected(objective):
    assert formation(standard_tokens(4), words("T1 T2 T3 T4 T5 T6 #13 RH RC"), objective) == ()
    assert formation(standard_tokens(4), [], objective) == ()


@pytest.mark.rule("le-plateau", "7", "`bridge` two opposite sides")
def test_one_more_space_is_needed_for_a_bridge():
    tokens = standard_tokens(4)
    bridge = words("#1 CH EX #13 T21 VC #7")
    assert formation(tokens, bridge, "bridge")
    for space in bridge:
        assert not formation(tokens, set(bridge) - {space}, "bridge")


@pytest.mark.rule("le-plateau", "7", "a `y` without a bridge does not make a `bridge`")
def test_a_y_that_touches_only_three_sides_is_not_a_bridge():
    tokens, owned = standard_tokens(4), words("#1 CH EX #13 RC VH #5 RH DS #9")
    places = {tokens.index(space) for space in owned}
    assert {number for number, side in enumerate(SIDES, start=1) if side & places} == {1, 3, 5}
    assert set(formation(tokens, owned, "y")) == set(owned)
    assert formation(tokens, owned, "bridge") == ()
    assert formation(tokens, owned, "fork") == ()


@pytest.mark.rule("le-plateau", "7", "The group can touch more sides; the value stays the same")
def test_a_group_that_touches_more_sides_than_asked_for_makes_the_objective_too():
    tokens = standard_tokens(4)
    for objective in OBJECTIVES:
        assert formation(tokens, tokens, objective) == tokens


@pytest.mark.rule(
    "le-plateau", "7", "the whole group that made the objective, in ring order; it is empty when the other side wins"
)
def test_the_path_is_the_whole_group_in_ring_order_without_other_groups():
    tokens = standard_tokens(4)
    group = words("T1 #1 #2 CH EX #13 T21 VC #7 RC")
    path = formation(tokens, [*reversed(group), "#4", "#10"], "bridge")
    assert path == tuple(token for token in tokens if token in group)


@pytest.mark.one_in(3)
@pytest.mark.rule("le-plateau", "7", "`y` three sides of which no two meet", "`fork` both; `five_sides`; `six_sides`")
@every_board
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_formations_agree_with_a_second_opinion(tokens, data):
    owned = data.draw(st.sets(st.sampled_from(tokens), min_size=8))
    for objective in OBJECTIVES:
        path = list(formation(tokens, owned, objective))
        made = reference_rules.paths(tokens, owned, objective)
        assert path in made if made else path == []


@pytest.mark.rule("le-plateau", "7", "All other harder formations contain the easier ones")
@settings(max_examples=200, deadline=None)
@given(owned=st.sets(st.sampled_from(reference_rules.printed_board(4)), min_size=15))
def test_harder_formations_contain_the_easier_ones_but_for_the_y_without_bridge(owned):
    tokens = standard_tokens(4)
    made = {objective for objective in OBJECTIVES if formation(tokens, owned, objective)}
    for easier, harder in (("bridge", "fork"), ("y", "fork"), ("fork", "five_sides"), ("five_sides", "six_sides")):
        assert easier in made or harder not in made


@pytest.mark.rule("le-plateau", "7", "`y` three sides of which no two meet", "`fork` both; `five_sides`; `six_sides`")
@settings(max_examples=200, deadline=None)
@given(owned=st.sets(st.sampled_from(reference_rules.printed_board(4)), min_size=15))
def test_a_fork_is_a_y_that_touches_a_fourth_side(owned):
    tokens = standard_tokens(4)
    touching = [reference_rules.touched(tokens, group) for group in reference_rules.groups(tokens, owned)]
    ys = [numbers for numbers in touching if reference_rules.makes("y", numbers)]
    assert bool(formation(tokens, owned, "fork")) == any(len(numbers) >= 4 for numbers in ys)


# A group that touches exactly sides 1, 3 and 5: a Y that holds no bridge.
Y_WITHOUT_BRIDGE = words("#1 CH EX #13 RC VH #5 RH DS #9")


@pytest.mark.rule("le-plateau", "7", "a harder formation always counts as an easier one too")
def test_in_the_edition_of_2022_a_y_makes_a_bridge():
    tokens = standard_tokens(4)
    assert set(formation(tokens, Y_WITHOUT_BRIDGE, "bridge", "2022")) == set(Y_WITHOUT_BRIDGE)
    assert formation(tokens, Y_WITHOUT_BRIDGE, "bridge", "2023") == ()
    for space in Y_WITHOUT_BRIDGE:
        assert not formation(tokens, set(Y_WITHOUT_BRIDGE) - {space}, "bridge", "2022")


@pytest.mark.rule("le-plateau", "7", "All other harder formations contain the easier ones")
@pytest.mark.parametrize("objective", ["fork", "five_sides", "six_sides"])
@pytest.mark.parametrize("edition", ["2023", "2022"])
def test_a_y_without_bridge_is_not_a_harder_formation_in_either_edition(objective, edition):
    assert formation(standard_tokens(4), Y_WITHOUT_BRIDGE, objective, edition) == ()


@pytest.mark.rule("le-plateau", "7", "All other harder formations contain the easier ones")
def test_a_bridge_makes_no_y_in_either_edition():
    for edition in ("2023", "2022"):
        assert formation(standard_tokens(4), words("#1 CH EX #13 T21 VC #7"), "bridge", edition)
        assert formation(standard_tokens(4), words("#1 CH EX #13 T21 VC #7"), "y", edition) == ()


@pytest.mark.one_in(4)
@pytest.mark.rule("le-plateau", "7", "loses if it could not make the objective even with every free space")
@pytest.mark.parametrize("edition", ["2023", "2022"])
@pytest.mark.parametrize("objective", OBJECTIVES)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_formations_on_any_arrangement_in_either_edition_agree_with_a_second_opinion(edition, objective, data):
    tokens = tuple(data.draw(st.permutations(data.draw(st.sampled_from([*BOARDS.values()])))))
    owned = data.draw(st.sets(st.sampled_from(tokens), min_size=8))
    made = reference_rules.paths(tokens, owned, objective, edition)
    path = list(formation(tokens, owned, objective, edition))
    assert path in made if made else path == []
    lost = set(tokens) - owned
    assert is_possible(tokens, lost, objective, edition) == bool(made)


@pytest.mark.rule("le-plateau", "5", "Three counters cannot make an objective impossible")
def test_no_three_counters_make_any_objective_impossible():
    tokens = standard_tokens(4, "full")
    for lost in combinations(tokens, 3):
        assert is_possible(tokens, lost, "six_sides")
