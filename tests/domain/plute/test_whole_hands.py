"""Whole random games of Plute, with every option, watched by a referee."""

import pytest

from domain.plute import events as ev
from tests.domain.laws.facts import variants
from tests.domain.plute.referee import judge_game
from tests.support.random_games import played

VARIANTS = ["", *variants("plute", 6), "early_stop=off", "win_at=9 lose_at=9"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_referee_who_keeps_the_score_by_pencil_comes_to_the_same(variant):
    for seed in range(3):
        judge_game(seed, variant)
    games = [played("plute", 6, seed, variant) for seed in range(3)]
    kinds = {type(event) for steps in games for step in steps for event in step.events}
    options = games[0][0].game.options
    assert (ev.HandClaimed in kinds) == (options.early_stop == "claim")
    assert (ev.HandStopped in kinds) == (options.early_stop != "off")
    assert (ev.JokerNamed in kinds) == (options.joker_order != "marked")
    assert {ev.TeamSet, ev.TrumpNamed, ev.TrickWon} <= kinds
