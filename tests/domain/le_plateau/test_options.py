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
    """List the options that the table of variants refuses, with the code of the refusal."""
    all_cards = seats == 6 or (seats in (4, 5) and given["deck"] == "full")
    refused = {
        ("deck", "no-full-deck"): given["deck"] == "full" and seats in (2, 6),
        ("excuse", "needs-all-cards"): given["excuse"] == "french" and not all_cards,
        ("abdication", "five-players-only"): given["abdication"] is not None and seats != 5,
    }
    return {problem for problem, is_refused in refused.items() if is_refused}


@pytest.mark.rule(
    "le-plateau", "Options", "`edition` / `2023`, `2022`", "`scoring` / `zero_sum`, `positive`",
    "`board` / `standard`, `random_game`", "`void_hands` / `count`, `redeal`",
    "Every combination that this table does not exclude is allowed", "`full` with 3, 4 or 5 players",
    "`deck: full` with 2 or 6 players", "where all 78 cards are in play", "if cards are left out",
    "with any other number of players", "All others are rejected",
)  # fmt: skip
@every_table
def test_a_combination_is_allowed_exactly_if_the_rules_allow_it(seats):
    allowed = 0
    for given in combinations(seats):
        refused = refused_by_the_rules(given, seats)
        if refused:
            assert problems(given, seats) == refused
        else:
            options = OPTION_RULES.complete(given, seats)
            assert all(getattr(options, name) == value for name, value in given.items() if isinstance(value, str))
            allowed += 1
    assert allowed == {2: 32, 3: 64, 4: 96, 5: 288, 6: 64}[seats]


FOUR = printed_board(4)
WRONG_BOARDS = {
    "one wrong and one twice": (
        [{"T3": "RH", "#7": "T9"}.get(token, token) for token in FOUR],
        "missing: T3 #7; unknown: T9; repeated: RH",
    ),
    "one too few": (FOUR[:-1], "missing: #13"),
    "one too many": ((*FOUR, "#13"), "repeated: #13"),
    "one unknown": ((*FOUR, "joker"), "unknown: joker"),
    "of the other deck": (printed_board(4, "full"), "missing: T2 T3 T4 T5 T6; unknown: #14 #15 #16 #17 #18"),
    "of two players": (printed_board(2), "missing: T4 T5 T6; unknown: #14 #15 #16"),
    "none": ((), f"missing: {' '.join(FOUR)}"),
}


@pytest.mark.rule("le-plateau", "Options", "tokens missing, unknown or repeated")
@pytest.mark.parametrize(("tokens", "fault"), WRONG_BOARDS.values(), ids=WRONG_BOARDS)
def test_a_wrong_board_is_refused_with_the_tokens_missing_unknown_and_repeated(tokens, fault):
    given = {"board": "custom", "board_tokens": [*tokens]}
    assert problems(given, 4) == {("board_tokens", "not-the-token-set")}
    assert "standard deck with 4 players" in message(given, 4)
    assert message(given, 4).endswith(f"each once; {fault}")


@pytest.mark.rule("le-plateau", "Options", "a custom board without `board_tokens`")
@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"board": "custom"}, "tokens-missing"),
        ({"board": "custom", "board_tokens": None}, "tokens-missing"),
        *(({"board": name, "board_tokens": []}, "custom-board-only") for name in VALUES["board"][:-1]),
        *(({"board": name, "board_tokens": [*FOUR]}, "custom-board-only") for name in VALUES["board"][:-1]),
    ],
)
def test_tokens_go_with_a_custom_board_and_with_no_other(given, code):
    assert problems(given, 4) == {("board_tokens", code)}
    assert f'"{given["board"]}"' in message(given, 4) or given["board"] == "custom"


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


@pytest.mark.rule("le-plateau", "Options", "a multiple of it up to 120", "drawn at random, or a seat", "`no-such-seat`")
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


@pytest.mark.rule(
    "le-plateau", "Options", "with `scoring: positive` the default is `off`", "with any other number of players"
)
def test_abdication_is_on_by_default_with_zero_sum_and_off_with_positive_scoring():
    assert OPTION_RULES.complete({}, 5).abdication == "on"
    assert OPTION_RULES.complete({"scoring": "positive"}, 5).abdication == "off"
    for seats in (2, 3, 4, 6):
        assert OPTION_RULES.complete({"scoring": "positive"}, seats).abdication is None


@pytest.mark.rule("le-plateau", "Options", "37 tokens in ring order")
@pytest.mark.parametrize(
    ("seats", "deck"), [*((seats, "standard") for seats in range(2, 7)), *((seats, "full") for seats in (3, 4, 5))]
)
def test_a_custom_board_is_any_arrangement_of_the_tokens(seats, deck):
    tokens = printed_board(seats, deck)
    turned = (*tokens[20:], *tokens[:20])
    given = {"board": "custom", "board_tokens": [*turned], "deck": deck}
    assert OPTION_RULES.complete(given, seats).board_tokens == turned


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
