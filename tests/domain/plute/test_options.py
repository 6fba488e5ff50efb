"""Options of a game: what is agreed by default, and what is refused (rules.md, options).

There is nothing to agree on during a game, and no seat can resign (rules.md, tally).
"""

import pytest

from domain.errors import IllegalAction, InvalidOptions
from domain.game import aggregate as games
from domain.game.proposals import propose
from domain.plute import RULESET as plute
from domain.plute.option_rules import OPTION_RULES
from tests.support.random_games import starting
from tests.support.timed_games import refusal


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


def started():
    return [*starting("plute", 6, 0)][-1].game


@pytest.mark.rule("plute", "7", "Plute has no resignation or concession")
def test_there_is_nothing_to_propose():
    game = started()
    assert plute.proposal_kinds == {}
    assert [plute.offers(game.state, seat) for seat in range(6)] == [{}] * 6
    assert refusal(propose, game, 0, "stop_after_hand") == "nothing-to-propose"
    with pytest.raises(IllegalAction, match="draw") as refused:
        plute.agree(game.state, "draw")
    assert refused.value.code == "nothing-to-agree"


@pytest.mark.rule("plute", "7", "Plute has no resignation or concession")
@pytest.mark.parametrize("seat", range(6))
def test_no_seat_can_resign(seat):
    with pytest.raises(IllegalAction) as refused:
        games.resign(started(), seat)
    assert (refused.value.code, refused.value.rule) == ("no-resignation", "7. Tally and the end of the game")
