"""What the operator can do: end a game, or replace a player by a bot, with a reason in the log."""

import pytest

from domain.events import BotSeated, GameAborted, GameResumed, OperatorActed, ProposalClosed
from domain.game import history, operating, proposals, seating
from domain.registry import RULESETS
from tests.support.random_games import log_of, played
from tests.support.timed_games import created, refusal

WHY = "stuck for a month"


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_the_operator_ends_a_game_at_any_time_and_its_secret_is_revealed(ruleset_id):
    steps = played(ruleset_id, RULESETS[ruleset_id].seats[0], 0)
    for step in (steps[0], steps[len(steps) // 2]):
        events, game = operating.abort(step.game, WHY)
        assert events == [OperatorActed("abort", WHY), GameAborted("operator", step.game.secret.hex())]
        assert (game.status, game.aborted_because, game.outcome) == ("aborted", "operator", None)
        assert (game.pending, game.waiting_for, game.proposals) == ({}, (), ())
    assert refusal(operating.abort, steps[-1].game, WHY) == "game-not-active"


def test_a_paused_game_and_one_that_has_not_started_are_ended_too():
    _, game = operating.abort(created("pl_a", None), WHY)
    assert game.status == "aborted"
    assert (
        refusal(operating.abort, game, WHY) == refusal(operating.replace, game, 0, "random", WHY) == "game-not-active"
    )
    paused = created("pl_a", "pl_b")
    for seat in (0, 1):
        made = paused.proposals
        paused = (
            proposals.vote(paused, seat, made[0].id, accept=True) if made else proposals.propose(paused, 0, "pause")
        )[1]
    assert paused.status == "paused"
    assert operating.abort(paused, WHY)[1].status == "aborted"


def test_a_replaced_player_gives_the_seat_to_a_bot_as_if_by_their_own_hand():
    game = created("pl_a", "pl_b")
    _, game = proposals.propose(game, 0, "pause")
    own, other = seating.put_bot(game, "pl_b", 1, "random")
    events, after = operating.replace(game, 1, "random", WHY)
    assert events == [OperatorActed("replace", WHY), *own]
    assert BotSeated(1, "random") in events
    assert any(isinstance(event, ProposalClosed) for event in events)
    assert (after.sitters, after.status) == (other.sitters, "active")
    assert set(after.pending) == set(other.pending)


def test_a_pause_that_nobody_is_left_to_end_is_over():
    game = created("pl_a", "pl_b")
    _, game = operating.replace(game, 1, "random", WHY)
    _, game = proposals.propose(game, 0, "pause")
    assert game.status == "paused"
    events, game = operating.replace(game, 0, "random", WHY)
    assert events[-1] == GameResumed("agreed")
    assert game.status == "active"


def test_only_a_player_is_replaced():
    game = created("pl_a", None)
    assert refusal(operating.replace, game, 1, "random", WHY) == "no-player-there"
    assert refusal(operating.replace, game, 9, "random", WHY) == "no-such-seat"
    _, game = operating.replace(game, 0, "random", WHY)
    assert refusal(operating.replace, game, 0, "random", WHY) == "no-player-there"


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_a_log_with_the_operators_acts_folds_to_the_same_game(ruleset_id):
    steps = played(ruleset_id, RULESETS[ruleset_id].seats[0], 1)
    begun = steps[len(steps) // 2]
    log, game = log_of(steps[: len(steps) // 2 + 1]), begun.game
    for act in (lambda game: operating.replace(game, 0, "random", WHY), lambda game: operating.abort(game, WHY)):
        records, game = history.record(game, act(game), game.at, f"r{game.version}")
        log = [*log, *records]
        assert history.fold(log) == game
