"""The kernel of Plateau is held against the rules, action by action, with every option."""

import pytest

from domain.plateau.lines import read
from tests.domain.laws.facts import variants
from tests.domain.plateau import builders
from tests.support.random_games import playing
from tests.support.sampling import seeds
from workers.bots.plateau import generation
from workers.bots.plateau.translation import PHASES, domain_action, kernel_action, loaded, next_turn

FIELDS = ("phase", "mover", "stacks", "reserves", "prisoners", "tender", "min_tender", "placements", "plies", "winner")
VARIANTS = ("", *variants("plateau", 2), "repetition=2", "onboard_under_enemy=false")


def contents(position):
    """Return what a position consists of; nobody is to move when a game is over."""
    fields = {name: getattr(position, name) for name in (*FIELDS, "quiet", "forfeits", "reason")}
    return fields if position.phase != PHASES["over"] else fields | {"mover": None, "forfeits": None}


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_kernel_and_the_rules_agree_action_by_action(variant):
    for seed in seeds(4):
        position = None
        for step in playing("plateau", 2, seed, variant):
            state = step.game.state
            if state is None:
                continue
            if position is None or step.action is None:
                position, seen = loaded(state), ()
            else:
                position, seen = next_turn(position, seen, kernel_action(step.action))
            assert contents(position) == contents(loaded(state))
            if step.game.is_over:
                assert position.reason == step.game.outcome.reason
                assert step.game.outcome.winners == ((0, 1) if position.winner == 2 else (position.winner,))
            else:
                assert seen == state.seen
                listed = generation.legal(position)
                assert len(listed) == len(set(listed))
                legal = step.game.ruleset.legal_actions(state, state.to_move)
                assert {domain_action(action) for action in listed} == set(legal)
                assert {kernel_action(action) for action in legal} == set(listed)


def test_the_kernel_and_the_rules_agree_on_forced_passes():
    state = builders.state(to_move="B", phase="opening")
    position, seen = loaded(state), ()
    for line in builders.SHUT_IN:
        action = read(line, state.board)
        state = builders.acts(state, action)
        position, seen = next_turn(position, seen, kernel_action(action))
        assert contents(position) == contents(loaded(state))
    assert generation.legal(position) == [kernel_action(builders.PASS)]
    state = builders.acts(state, builders.PASS)
    position, seen = next_turn(position, seen, kernel_action(builders.PASS))
    assert contents(position) == contents(loaded(state))


def test_few_stops_and_no_idle_flips_leave_out_nothing_else():
    for step in playing("plateau", 2, 1):
        if step.game.status == "active" and step.game.state.phase == "play":
            position = loaded(step.game.state)
            some = set(generation.turns(position, 1))
            assert some <= set(generation.legal(position))
            assert all(action[0] != generation.MOVE or len(action[4]) <= 1 for action in some)
            straight = set(generation.turns(position, 0))
            assert straight == {action for action in some if action[0] != generation.MOVE or not action[4]}
