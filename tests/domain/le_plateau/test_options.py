"""Options of a game: what is agreed by default, and what is refused (rules, section Variants)."""

from itertools import product

import pytest

from domain.errors import InvalidOptions
from domain.le_plateau.option_rules import OPTION_RULES, choices
from tests.domain.le_plateau.reference_rules import printed_board

VALUES = {
    "edition": ["2023", "2022"],
    "deck": ["standard", "full"],
    "excuse": ["trump", "french"],
    "board": ["standard", "random_game", "random_deal", "custom"],
    "scoring": ["zero_sum", "positive"],
    "abdication": [None, "on", "off"],
    "void_hands": ["count", "redeal"],
}
every_table = pytest.mark.parametrize("seats", range(2, 7))


def problems(given, seats):
    with pytest.raises(InvalidOptions) as refused:
        OPTION_RULES.complete(given, seats)
    return {(problem.option, problem.code) for problem in refused.value.problems}


def message(given, seats):
    """Return the message of the only problem."""
    with pytest.raises(InvalidOptions) as refused:
        OPTION_RULES.complete(given, seats)
    (problem,) = refused.value.problems
    assert problem.message == str(refused.value)
    return problem.message


def combinations(seats):
    """List all combinations of values, allowed or not; a custom board comes with its tokens."""
    for values in product(*VALUES.values()):
        given = dict(zip(VALUES, values, strict=True))
        if given["board"] == "custom":
            given["board_tokens"] = [
                *reversed(printed_board(seats, given["deck"] if seats in (3, 4, 5) else "standard"))
            ]
        yield given


def refused_by_the_rules(given, seats):
    """Name the options that the table of variants refuses."""
    all_cards = seats == 6 or (seats in (4, 5) and given["deck"] == "full")
    refused = {
        "deck": given["deck"] == "full" and seats in (2, 6),
        "excuse": given["excuse"] == "french" and not all_cards,
        "abdication": given["abdication"] is not None and seats != 5,
    }
    return {option for option, is_refused in refused.items() if is_refused}


@pytest.mark.rule(
    "le-plateau", "Options", "`edition` / `2023`, `2022`", "`scoring` / `zero_sum`, `positive`",
    "`board` / `standard`, `random_game`", "`void_hands` / `count`, `redeal`",
    "Every combination that this table does not exclude is allowed",
)  # fmt: skip
@every_table
def test_a_combination_is_allowed_exactly_if_the_rules_allow_it(seats):
    allowed = 0
    for given in combinations(seats):
        refused = refused_by_the_rules(given, seats)
        if refused:
            assert {option for option, _ in problems(given, seats)} == refused
        else:
            options = OPTION_RULES.complete(given, seats)
            assert all(getattr(options, name) == value for name, value in given.items() if isinstance(value, str))
            allowed += 1
    assert allowed == {2: 32, 3: 64, 4: 96, 5: 288, 6: 64}[seats]


@pytest.mark.rule("le-plateau", "Options", "lists under `choices` the values of each")
@every_table
def test_the_published_choices_agree_with_the_rejections_for_every_combination(seats):
    told = choices(seats)
    for given in combinations(seats):
        chosen = {name: given[name] if given[name] is not None else told[name].default for name in VALUES}
        fits = all(chosen[name] in told[name].values for name in VALUES) and all(
            chosen[other] in values
            for name in VALUES
            for other, values in told[name].needs.get(chosen[name], {}).items()
        )
        assert fits == (not refused_by_the_rules(given, seats))


@pytest.mark.rule("le-plateau", "Options", "a multiple of it up to 120")
@every_table
def test_exactly_the_published_numbers_are_allowed(seats):
    told = choices(seats)
    for hands in range(-1, 130):
        if hands in told["hands"].values:
            assert OPTION_RULES.complete({"hands": hands}, seats).hands == hands
        else:
            assert problems({"hands": hands}, seats) == {("hands", "not-a-multiple")}
    for seat in range(-1, 7):
        if seat in told["first_dealer"].values:
            assert OPTION_RULES.complete({"first_dealer": seat}, seats).first_dealer == seat
        else:
            assert problems({"first_dealer": seat}, seats) == {("first_dealer", "no-such-seat")}
    assert None in told["first_dealer"].values


@pytest.mark.rule(
    "le-plateau", "Options", "`edition` / `2023`, `2022`", "`scoring` / `zero_sum`, `positive`",
    "`board` / `standard`, `random_game`", "`void_hands` / `count`, `redeal`",
)  # fmt: skip
@every_table
def test_the_defaults(seats):
    options = OPTION_RULES.complete({}, seats)
    assert (options.edition, options.deck, options.excuse) == ("2023", "standard", "trump")
    assert (options.board, options.board_tokens, options.scoring) == ("standard", None, "zero_sum")
    assert (options.void_hands, options.hands, options.first_dealer) == ("count", seats, None)
    assert options.abdication == ("on" if seats == 5 else None)
    for name, choice in choices(seats).items():
        assert getattr(options, name) == choice.default


@pytest.mark.rule("le-plateau", "Options", "a multiple of it up to 120")
@every_table
def test_the_number_of_hands_must_be_a_multiple_of_the_players(seats):
    assert OPTION_RULES.complete({"hands": 3 * seats}, seats).hands == 3 * seats
    for hands in (1, seats - 1, seats + 1, 2 * seats + 1):
        if hands % seats:
            assert problems({"hands": hands}, seats) == {("hands", "not-a-multiple")}


@pytest.mark.rule("le-plateau", "Options", "drawn at random, or a seat", "`no-such-seat`")
@every_table
def test_the_first_dealer_must_be_a_seat(seats):
    for seat in range(seats):
        assert OPTION_RULES.complete({"first_dealer": seat}, seats).first_dealer == seat
    assert problems({"first_dealer": seats}, seats) == {("first_dealer", "no-such-seat")}


@pytest.mark.rule("le-plateau", "Options", "`full` with 3, 4 or 5 players", "`deck: full` with 2 or 6 players")
@pytest.mark.parametrize("seats", [2, 6])
@pytest.mark.parametrize("edition", ["2023", "2022"])
def test_the_full_deck_is_refused_with_two_and_six_players_in_both_editions(seats, edition):
    assert problems({"deck": "full", "edition": edition}, seats) == {("deck", "no-full-deck")}


@pytest.mark.rule("le-plateau", "Options", "where all 78 cards are in play", "if cards are left out")
@pytest.mark.parametrize(
    ("seats", "deck"), [(2, "standard"), (3, "standard"), (3, "full"), (4, "standard"), (5, "standard")]
)
def test_the_french_excuse_is_refused_where_cards_are_left_out(seats, deck):
    assert problems({"excuse": "french", "deck": deck}, seats) == {("excuse", "needs-all-cards")}


@pytest.mark.rule("le-plateau", "Options", "where all 78 cards are in play", "if cards are left out")
@pytest.mark.parametrize(("seats", "deck"), [(4, "full"), (5, "full"), (6, "standard")])
def test_the_french_excuse_is_allowed_where_all_cards_are_in_play(seats, deck):
    assert OPTION_RULES.complete({"excuse": "french", "deck": deck}, seats).excuse == "french"


@pytest.mark.rule(
    "le-plateau", "Options", "with `scoring: positive` the default is `off`", "with any other number of players"
)
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
@pytest.mark.parametrize("value", ["on", "off"])
@pytest.mark.parametrize("scoring", ["zero_sum", "positive"])
def test_abdication_is_refused_where_it_makes_no_sense(seats, value, scoring):
    assert problems({"abdication": value, "scoring": scoring}, seats) == {("abdication", "five-players-only")}


@pytest.mark.rule(
    "le-plateau", "Options", "with `scoring: positive` the default is `off`", "with any other number of players"
)
def test_abdication_is_on_by_default_with_zero_sum_and_off_with_positive_scoring():
    assert OPTION_RULES.complete({}, 5).abdication == "on"
    assert OPTION_RULES.complete({"scoring": "zero_sum"}, 5).abdication == "on"
    assert OPTION_RULES.complete({"scoring": "positive"}, 5).abdication == "off"
    for seats in (2, 3, 4, 6):
        assert OPTION_RULES.complete({"scoring": "positive"}, seats).abdication is None


@pytest.mark.rule(
    "le-plateau", "Options", "with `scoring: positive` the default is `off`", "with any other number of players"
)
@pytest.mark.parametrize("value", ["on", "off"])
@pytest.mark.parametrize("scoring", ["zero_sum", "positive"])
def test_five_players_can_choose_abdication_with_either_scoring(value, scoring):
    assert OPTION_RULES.complete({"abdication": value, "scoring": scoring}, 5).abdication == value


@pytest.mark.rule("le-plateau", "Options", "37 tokens in ring order")
@pytest.mark.parametrize(
    ("seats", "deck"),
    [*((seats, "standard") for seats in range(2, 7)), *((seats, "full") for seats in (3, 4, 5))],
)
def test_a_custom_board_is_any_arrangement_of_the_tokens_for_the_players_and_the_deck(seats, deck):
    tokens = printed_board(seats, deck)
    turned = (*tokens[20:], *tokens[:20])
    given = {"board": "custom", "board_tokens": [*turned], "deck": deck}
    assert OPTION_RULES.complete(given, seats).board_tokens == turned


@pytest.mark.rule("le-plateau", "Options", "a custom board without `board_tokens`")
def test_a_custom_board_needs_its_tokens():
    assert problems({"board": "custom"}, 4) == {("board_tokens", "tokens-missing")}
    assert problems({"board": "custom", "board_tokens": None}, 4) == {("board_tokens", "tokens-missing")}


@pytest.mark.rule("le-plateau", "Options", "a custom board without `board_tokens`")
@pytest.mark.parametrize("board", ["standard", "random_game", "random_deal"])
def test_tokens_go_with_a_custom_board_only(board):
    given = {"board": board, "board_tokens": [*printed_board(4)]}
    assert problems(given, 4) == {("board_tokens", "custom-board-only")}
    assert problems({"board": board, "board_tokens": []}, 4) == {("board_tokens", "custom-board-only")}
    assert f'"{board}"' in message(given, 4)


@pytest.mark.rule("le-plateau", "Options", "tokens missing, unknown or repeated")
def test_a_wrong_board_is_refused_with_the_tokens_missing_unknown_and_repeated():
    tokens = [*printed_board(4)]
    tokens[tokens.index("T3")] = "RH"
    tokens[tokens.index("#7")] = "T9"
    told = message({"board": "custom", "board_tokens": tokens}, 4)
    assert told.endswith("; missing: T3 #7; unknown: T9; repeated: RH")
    assert "standard deck with 4 players" in told
    assert problems({"board": "custom", "board_tokens": tokens}, 4) == {("board_tokens", "not-the-token-set")}


@pytest.mark.rule("le-plateau", "Options", "tokens missing, unknown or repeated")
@pytest.mark.parametrize(
    ("tokens", "fault"),
    [
        (printed_board(4)[:-1], "missing: #13"),
        ((*printed_board(4), "#13"), "repeated: #13"),
        ((*printed_board(4), "joker"), "unknown: joker"),
        (printed_board(4, "full"), "missing: T2 T3 T4 T5 T6; unknown: #14 #15 #16 #17 #18"),
        ((), f"missing: {' '.join(printed_board(4))}"),
    ],
)
def test_a_board_with_one_fault_is_refused_with_that_fault(tokens, fault):
    assert message({"board": "custom", "board_tokens": [*tokens]}, 4).endswith(f"each once; {fault}")


@pytest.mark.rule("le-plateau", "Options", "tokens missing, unknown or repeated")
def test_tokens_of_the_other_deck_or_of_another_number_of_players_are_refused():
    for seats, other in ((2, printed_board(3)), (3, printed_board(2)), (5, printed_board(5, "full"))):
        given = {"board": "custom", "board_tokens": [*other]}
        assert problems(given, seats) == {("board_tokens", "not-the-token-set")}


@pytest.mark.rule("le-plateau", "Options", "All others are rejected")
@pytest.mark.parametrize(
    ("given", "seats", "words"),
    [
        ({"deck": "full"}, 2, ["deck:", '"full"', "2 players", "3, 4 or 5"]),
        ({"deck": "full"}, 6, ["deck:", '"full"', "6 players", "3, 4 or 5"]),
        ({"excuse": "french"}, 3, ["excuse:", '"french"', "3 players", "78 cards"]),
        ({"excuse": "french"}, 4, ["excuse:", '"french"', 'needs deck "full", not "standard"', "4 players"]),
        ({"abdication": "on"}, 4, ["abdication:", '"on"', "4 players", "for 5 players"]),
        ({"hands": 5}, 4, ["hands:", "5", "4 players", "multiple"]),
        ({"first_dealer": 4}, 4, ["first_dealer:", "4", "4 players", "up to 3"]),
        ({"board": "custom"}, 4, ["board_tokens:", "custom", "37"]),
    ],
)
def test_a_refusal_names_option_value_players_and_reason(given, seats, words):
    told = message(given, seats)
    for word in words:
        assert word in told


def test_defaults_can_be_named():
    named = {"edition": "2023", "deck": "standard", "excuse": "trump", "board": "standard", "scoring": "zero_sum"}
    assert OPTION_RULES.complete(named, 4) == OPTION_RULES.complete({}, 4)
    assert OPTION_RULES.complete({"first_dealer": None, "board_tokens": None}, 4) == OPTION_RULES.complete({}, 4)


@pytest.mark.rule("le-plateau", "Options", "All others are rejected")
def test_all_problems_are_named_at_once():
    given = {"deck": "full", "excuse": "french", "hands": 5, "first_dealer": 5, "abdication": "on", "board": "custom"}
    assert problems(given, 2) == {
        ("deck", "no-full-deck"),
        ("excuse", "needs-all-cards"),
        ("hands", "not-a-multiple"),
        ("first_dealer", "no-such-seat"),
        ("abdication", "five-players-only"),
        ("board_tokens", "tokens-missing"),
    }


def test_an_unknown_value_is_refused():
    assert problems({"edition": "1999"}, 4) == {("edition", "no-such-value")}


@pytest.mark.parametrize(("option", "value"), [("hands", 0), ("hands", -4), ("first_dealer", -1), ("first_dealer", 4)])
def test_numbers_out_of_range_are_refused_by_the_rules_too(option, value):
    with pytest.raises(InvalidOptions) as refusal:
        OPTION_RULES.complete({option: value}, 4)
    assert [problem.option for problem in refusal.value.problems] == [option]
