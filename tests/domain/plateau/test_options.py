"""The options: rules.md, options."""

import pytest

from domain.errors import InvalidOptions
from domain.plateau import RULESET as plateau
from domain.serialization import to_plain


@pytest.mark.rule(
    "plateau", "Options", "`onboard_under_enemy` / `true`", "`pin` / `any`", "`merged_strength` / `false`",
    "`refused_tender_keeps_turn` / `true`", "`repetition` / 3", "`no_progress_plies` / 100", "`max_plies` / 600",
)  # fmt: skip
def test_the_defaults_are_written_out():
    assert to_plain(plateau.options.complete({}, 2)) == {
        "onboard_under_enemy": True,
        "pin": "any",
        "merged_strength": False,
        "refused_tender_keeps_turn": True,
        "repetition": 3,
        "no_progress_plies": 100,
        "max_plies": 600,
    }


@pytest.mark.rule("plateau", "Options", "`repetition` / 3", "`no_progress_plies` / 100", "`max_plies` / 600")
@pytest.mark.parametrize(
    ("option", "low", "high"), [("repetition", 2, 100), ("no_progress_plies", 2, 1000), ("max_plies", 4, 2000)]
)
def test_a_number_has_bounds(option, low, high):
    for value in (low, high):
        assert getattr(plateau.options.complete({option: value}, 2), option) == value
    for value in (low - 1, high + 1):
        with pytest.raises(InvalidOptions) as refused:
            plateau.options.complete({option: value}, 2)
        (problem,) = refused.value.problems
        assert (problem.option, problem.code) == (option, "out-of-range")
        assert str(value) in problem.message
