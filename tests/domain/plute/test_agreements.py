"""There is nothing to agree on during a game, and no seat can resign (rules.md, tally)."""

import pytest

from domain.errors import IllegalAction
from domain.game import aggregate as games
from domain.game.proposals import propose
from domain.plute import RULESET as plute
from tests.support.random_games import starting
from tests.support.timed_games import refusal


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
