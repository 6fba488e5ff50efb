"""Options of a game: what is agreed by default, and what is refused (rules.md, options)."""

import pytest

from domain.errors import InvalidOptions
from domain.plute.option_rules import OPTION_RULES
from domain.plute.options import Options


def problems(given):
    with pytest.raises(InvalidOptions) as refused:
        OPTION_RULES.complete(given, 6)
    assert all(problem.message.startswith(problem.option) for problem in refused.value.problems)
    return {(problem.option, problem.code) for problem in refused.value.problems}


@pytest.mark.rule(
    "plute", "Options", "`joker_order` / `first", "`early_stop` / `claim`", "`stuck_dealer_may_raise` / false",
    "`dealer_may_steal` / false", "`declare_off_jack_lead` / false", "`low` / `holder`",
)  # fmt: skip
def test_the_defaults():
    options = OPTION_RULES.complete({}, 6)
    assert options == Options(
        joker_order="first_played_high",
        early_stop="claim",
        stuck_dealer_may_raise=False,
        dealer_may_steal=False,
        declare_off_jack_lead=False,
        win_at=3,
        lose_at=3,
        low="holder",
        show_points=False,
        chat_in_hand=False,
    )


@pytest.mark.rule(
    "plute", "Options", "`joker_order` / `first", "`early_stop` / `claim`", "`stuck_dealer_may_raise` / false",
    "`dealer_may_steal` / false", "`declare_off_jack_lead` / false", "`low` / `holder`",
)  # fmt: skip
@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("joker_order", "marked"),
        ("early_stop", "auto"),
        ("early_stop", "off"),
        ("stuck_dealer_may_raise", True),
        ("dealer_may_steal", True),
        ("declare_off_jack_lead", True),
        ("low", "taker"),
        ("show_points", True),
        *(("win_at", number) for number in range(1, 10)),
        *(("lose_at", number) for number in range(1, 10)),
    ],
)
def test_every_option_takes_every_value_of_the_rules_and_leaves_the_others_alone(option, value):
    options = OPTION_RULES.complete({option: value}, 6)
    assert getattr(options, option) == value
    others = {name: getattr(options, name) for name in Options.__slots__ if name != option}
    assert others == {name: getattr(Options(), name) for name in others}


@pytest.mark.rule("plute", "Options", "`win_at`, `lose_at`")
@pytest.mark.parametrize("option", ["win_at", "lose_at"])
@pytest.mark.parametrize("number", [0, -1, 10])
def test_a_number_that_is_out_of_range_is_refused(option, number):
    assert problems({option: number}) == {(option, "out-of-range")}


@pytest.mark.rule("plute", "Options", "`chat_in_hand` / false")
def test_talking_during_a_hand_can_be_agreed_on():
    assert OPTION_RULES.complete({}, 6).chat_in_hand is False
    assert OPTION_RULES.complete({"chat_in_hand": True}, 6).chat_in_hand is True


def test_all_problems_are_listed_at_once():
    assert problems({"win_at": 0, "lose_at": 10}) == {("win_at", "out-of-range"), ("lose_at", "out-of-range")}
