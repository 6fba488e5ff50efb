"""Options of a game: what is agreed by default, and what is refused (rules.md, options)."""

import pytest

from domain.errors import InvalidOptions
from domain.plute.option_rules import OPTION_RULES


def problems(given):
    with pytest.raises(InvalidOptions) as refused:
        OPTION_RULES.complete(given, 6)
    assert all(problem.message.startswith(problem.option) for problem in refused.value.problems)
    return {(problem.option, problem.code) for problem in refused.value.problems}


VALUES = {
    "joker_order": ("first_played_high", "marked"),
    "early_stop": ("claim", "auto", "off"),
    "stuck_dealer_may_raise": (False, True),
    "dealer_may_steal": (False, True),
    "declare_off_jack_lead": (False, True),
    "win_at": (3, *range(1, 10)),
    "lose_at": (3, *range(1, 10)),
    "low": ("holder", "taker"),
    "show_points": (False, True),
    "chat_in_hand": (False, True),
}
"""The table of the rules: values, the default first."""


@pytest.mark.rule(
    "plute", "Options", "`joker_order` / `first", "`early_stop` / `claim`", "`stuck_dealer_may_raise` / false",
    "`dealer_may_steal` / false", "`declare_off_jack_lead` / false", "`low` / `holder`", "`win_at`, `lose_at`",
    "`chat_in_hand` / false",
)  # fmt: skip
def test_the_choices_are_the_values_of_the_rules_and_every_one_is_accepted():
    choices = OPTION_RULES.choices(6)
    assert {name: {*choice.values} for name, choice in choices.items()} == {
        name: {*values} for name, values in VALUES.items()
    }
    for name, values in VALUES.items():
        assert getattr(OPTION_RULES.complete({}, 6), name) == choices[name].default == values[0]
        for value in values:
            assert getattr(OPTION_RULES.complete({name: value}, 6), name) == value


def test_numbers_out_of_range_are_all_refused_at_once():
    assert problems({"win_at": 0, "lose_at": 10}) == {("win_at", "out-of-range"), ("lose_at", "out-of-range")}
