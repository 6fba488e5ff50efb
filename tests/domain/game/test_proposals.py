"""Proposals that every seat must accept: made, voted on, carried, declined, lapsed; and resignation."""

import pytest

from domain.events import GameAborted, GameFinished, ProposalClosed, ProposalMade, VoteCast
from domain.game import aggregate as games
from domain.game import history
from domain.game.parts import Proposal
from domain.game.proposals import propose, vote
from domain.registry import RULESETS
from tests.support import tender_ruleset
from tests.support.random_games import log_of, starting, written
from tests.support.timed_games import refusal


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """Register a game with proposals that lapse, and with resignation."""
    monkeypatch.setitem(RULESETS, "tender", tender_ruleset.RULESET)


def started(seats=3, **options):
    return list(starting("tender", seats, 0, **options))[-1].game


def act(game, seat, amount=1):
    return games.act(game, seat, tender_ruleset.Tender(amount))


def voted(game, *votes, proposal=None):
    """Let seats accept or decline the open proposal, in turn; return the last events and the game."""
    events = []
    for seat, accept in votes:
        events, game = vote(game, seat, proposal or game.proposals[0].id, accept=accept)
    return events, game


def test_a_proposal_is_open_and_accepted_by_the_seat_that_made_it():
    game = started()
    events, after = propose(game, 1, "draw")
    name = f"p{game.version + 1}"
    assert events == [ProposalMade(1, name, "draw")]
    assert after.proposals == (Proposal(name, "draw", 1, (1,)),)
    assert after.version == game.version + 1


def test_a_proposal_that_every_seat_accepts_is_carried():
    _, game = propose(started(), 1, "draw")
    (made,) = game.proposals
    events, game = voted(game, (0, True), (2, True))
    assert events[:3] == [
        VoteCast(2, made.id, accept=True),
        ProposalClosed(made.id, "agreed"),
        tender_ruleset.DrawAgreed(),
    ]
    assert isinstance(events[3], GameFinished)
    assert (game.status, game.outcome.reason, game.outcome.winners) == ("finished", "draw", (0, 1, 2))
    assert game.proposals == ()


def test_one_who_declines_ends_a_proposal():
    _, game = propose(started(), 1, "draw")
    (made,) = game.proposals
    events, game = voted(game, (0, True), (2, False))
    assert events == [VoteCast(2, made.id, accept=False), ProposalClosed(made.id, "declined")]
    assert (game.proposals, game.status) == ((), "active")


def test_a_proposal_lapses_when_the_ground_it_was_made_on_is_gone():
    _, game = propose(started(), 1, "draw")
    (made,) = game.proposals
    events, game = act(game, 0)
    assert game.proposals == (made,)
    events, game = act(game, 1)
    assert events[-1] == ProposalClosed(made.id, "lapsed")
    assert game.proposals == ()


def test_what_is_proposed_already_is_voted_on_instead():
    _, game = propose(started(), 1, "draw")
    assert refusal(propose, game, 0, "draw") == "already-proposed"


def test_a_seat_votes_once():
    _, game = propose(started(), 1, "draw")
    proposal = game.proposals[0].id
    _, game = voted(game, (0, True))
    for seat in (0, 1):
        assert refusal(lambda seat=seat: vote(game, seat, proposal, accept=False)) == "already-voted"


def test_a_proposal_that_is_not_open_cannot_be_voted_on():
    _, game = propose(started(), 1, "draw")
    proposal = game.proposals[0].id
    _, game = voted(game, (0, False))
    for each in (proposal, "p1", "", "x"):
        assert refusal(lambda each=each: vote(game, 2, each, accept=True)) == "proposal-closed"


def test_nothing_is_proposed_or_given_up_before_the_start_or_after_the_end():
    waiting = next(starting("tender", 2, 0)).game
    _, over = games.resign(started(2), 0)
    for game in (waiting, over):
        assert refusal(propose, game, 0, "draw") == "game-not-active"
        assert refusal(lambda game=game: vote(game, 0, "p1", accept=True)) == "game-not-active"
        assert refusal(games.resign, game, 0) == "game-not-active"


def test_a_seat_may_resign_though_it_is_not_to_act():
    _, game = act(started(), 1)
    events, game = games.resign(game, 1)
    assert events[0] == tender_ruleset.Resigned(1)
    assert (game.outcome.reason, game.outcome.winners) == ("resigned", (0, 2))


def test_a_log_with_proposals_folds_to_the_same_game():
    steps = list(starting("tender", 3, 0, rounds=2))
    for decide in (
        lambda game: propose(game, 1, "draw"),
        lambda game: vote(game, 2, game.proposals[0].id, accept=True),
        lambda game: act(game, 0),
        lambda game: act(game, 1),
        lambda game: propose(game, 2, "draw"),
        lambda game: vote(game, 0, game.proposals[0].id, accept=False),
        lambda game: propose(game, 0, "draw"),
    ):
        steps.append(written(steps[-1].game, None, None, decide(steps[-1].game)))
        assert history.fold(log_of(steps)) == steps[-1].game
    assert len(steps[-1].game.proposals) == 1


def test_all_players_can_agree_to_end_the_game_without_a_result():
    _, game = propose(started(), 0, "draw")
    _, game = propose(game, 1, "abort")
    proposal = game.proposals[1].id
    events, game = voted(game, (0, True), (2, True), proposal=proposal)
    assert events == [
        VoteCast(2, proposal, accept=True),
        ProposalClosed(proposal, "agreed"),
        GameAborted("agreed", game.secret.hex()),
    ]
    assert (game.status, game.aborted_because, game.outcome) == ("aborted", "agreed", None)
    assert (game.proposals, dict(game.pending), game.waiting_for) == ((), {}, ())
    assert refusal(act, game, 0) == refusal(propose, game, 0, "abort") == "game-not-active"
