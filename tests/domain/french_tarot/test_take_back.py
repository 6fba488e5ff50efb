"""An écart can be taken back as long as it has disclosed nothing (rules.md, chien and écart)."""

import pytest

from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot.actions import Discard, NoSlam
from domain.game import aggregate
from tests.support.random_games import playing


def before_an_ecart():
    """Return a random game before an écart without trumps, its taker, and that écart."""
    for seed in range(100):
        for step in playing(french_tarot.id, 4, seed):
            state = step.game.state
            if step.game.status == "active" and state.phase == "discard":
                taker = state.deal.contract.taker
                ecart = french_tarot.legal_actions(state, taker)[0]
                if not any(card[0] == "T" for card in ecart.cards):
                    return step.game, taker, ecart
    raise AssertionError


@pytest.mark.rule("french-tarot", "6", "can be taken back by agreement")
def test_an_ecart_without_trumps_can_be_taken_back_until_the_first_card():
    game, taker, ecart = before_an_ecart()
    assert isinstance(ecart, Discard)
    _, after = aggregate.act(game, taker, ecart)
    _, after = aggregate.act(after, taker, NoSlam())
    assert game.version in [position.version for position in after.positions]
    (seat,) = after.pending
    card = next(action for action in french_tarot.legal_actions(after.state, seat) if hasattr(action, "card"))
    _, played = aggregate.act(after, seat, card)
    assert game.version not in [position.version for position in played.positions]
