"""Stopping after the current hand, and the lack of resignation (rules.md, score)."""

import pytest

from domain.errors import IllegalAction
from domain.game import aggregate as games
from domain.game.proposals import propose, vote
from domain.laws.texts import fault_of
from domain.le_plateau import RULESET as le_plateau
from domain.le_plateau import events as ev
from domain.le_plateau.actions import Pass
from tests.domain.le_plateau import builders
from tests.domain.le_plateau.typed_texts import after_the_deal, wrong_at_the_mark
from tests.support.random_games import starting
from tests.support.sampling import TABLES
from tests.support.timed_games import refusal

every_table = pytest.mark.parametrize("seats", [seats for ruleset, seats in TABLES if ruleset == le_plateau.id])


def started(seats, **options):
    return list(starting(le_plateau.id, seats, 0, **options))[-1].game


def pass_out(game):
    """Pass with every seat, to the next deal or the end of the game."""
    events, number = [], game.state.hand.deal_number
    while not game.is_over and game.state.hand.deal_number == number:
        events, game = games.act(game, *game.pending, Pass())
    return events, game


def agreed_to_stop(game):
    events, game = propose(game, 0, "stop_after_hand")
    for seat in range(1, len(game.sitters)):
        events, game = vote(game, seat, game.proposals[0].id, accept=True)
    return events, game


@pytest.mark.rule("le-plateau", "8", "agree to stop after the current hand")
@every_table
def test_the_game_ends_with_the_hand_in_which_all_agree_to_stop(seats):
    _, game = pass_out(started(seats, hands=3 * seats))
    events, game = agreed_to_stop(game)
    assert events[-1] == ev.StopAgreed()
    assert game.state.stops
    _, game = pass_out(game)
    assert (game.status, game.outcome.reason) == ("finished", "stop_agreed")
    assert len(game.state.results) == 2


def test_a_void_hand_that_would_be_dealt_again_is_the_last_all_the_same():
    _, game = agreed_to_stop(started(4, void_hands="redeal"))
    _, game = pass_out(game)
    assert game.is_over


@pytest.mark.rule("le-plateau", "8", "agree to stop after the current hand")
def test_the_proposal_lapses_with_the_hand():
    _, game = propose(started(3), 1, "stop_after_hand")
    _, game = pass_out(game)
    assert game.proposals == ()
    assert not game.state.stops


def test_there_is_nothing_to_propose_once_it_is_agreed_or_in_the_last_hand():
    _, agreed = agreed_to_stop(started(3))
    assert refusal(propose, agreed, 1, "stop_after_hand") == "nothing-to-propose"
    last = started(3)
    for _ in range(2):
        _, last = pass_out(last)
    assert refusal(propose, last, 1, "stop_after_hand") == "nothing-to-propose"


@pytest.mark.rule(
    "le-plateau", "8", "with `scoring: zero_sum`, every player with a positive score wins",
    "if there is none, all share the win", "After the agreed hands, the highest score wins",
)  # fmt: skip
@pytest.mark.parametrize(
    ("stopped", "scoring", "scores", "winners"),
    [
        (True, "zero_sum", (5, -3, 1, -3), (0, 2)),
        (True, "zero_sum", (0, 3, -3), (1,)),
        (True, "zero_sum", (0, 0, 0), (0, 1, 2)),
        (True, "positive", (5, 0, 1, 5), (0, 3)),
        (False, "zero_sum", (5, -3, 1, -3), (0,)),
    ],
)
def test_who_wins_depends_on_whether_players_stopped_and_on_the_scoring(stopped, scoring, scores, winners):
    state = builders.state(len(scores), "over", scores=scores, options={"scoring": scoring})
    state = le_plateau.evolve(state, ev.StopAgreed()) if stopped else state
    assert le_plateau.outcome(state).winners == winners


@pytest.mark.rule("le-plateau", "8", "Le Plateau has no resignation")
def test_resignation_is_refused():
    game = started(3)
    with pytest.raises(IllegalAction) as refused:
        games.resign(game, 0)
    assert (refused.value.code, refused.value.rule) == ("no-resignation", "8. Score")


# -- in text --------------------------------------------------------------------------------------------------------


def test_an_agreement_to_stop_is_a_word_in_the_text_of_the_hand():
    assert fault_of(after_the_deal(3, "0:pass stop 1:pass 2:pass\nresult: stop_agreed won 0 1 2 scores 0 0 0")) is None


def test_agreeing_to_stop_twice_is_refused_and_so_is_one_seat_alone():
    no_hand = "there is no hand now after which the players could agree to stop (rule 8. Score)"
    assert wrong_at_the_mark(after_the_deal(3, "stop 0:pass ^stop"), no_hand)
    assert wrong_at_the_mark(
        after_the_deal(3, "0:pass ^1:stop"), "all players agree to stop: leave the seat out (rule 8. Score)"
    )
