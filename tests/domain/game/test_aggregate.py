"""The life of a game: seats, start, turns, pending decisions, the end.

What the operator can do: end a game, or replace a player by a bot, with a reason in the log.
"""

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from domain.chance import commitment
from domain.errors import InvalidOptions
from domain.events import (
    BotSeated,
    GameAborted,
    GameCreated,
    GameFinished,
    GameResumed,
    GameStarted,
    OperatorActed,
    ProposalClosed,
    SeatLeft,
    SeatTaken,
)
from domain.game import aggregate as games
from domain.game import history, operating, proposals, seating
from domain.game.seating import create
from domain.le_plateau.actions import Pass
from domain.registry import RULESETS
from domain.sequences import Subsets
from domain.serialization import to_plain
from tests.support import tender_ruleset
from tests.support.random_games import log_of, played, starting, written
from tests.support.timed_games import SECRET, created, new, refusal


def test_a_new_game_is_open_and_commits_to_its_secret_before_anyone_sits():
    events, game = seating.create(new(None, None, None, hands=6), SECRET)
    (event,) = events
    assert isinstance(event, GameCreated)
    assert (event.ruleset, event.seats, event.creator, event.options["hands"]) == ("le-plateau", 3, "pl_a", 6)
    assert event.commitment == commitment(SECRET)
    assert (game.status, game.version, game.sitters, dict(game.pending)) == ("open", 1, (None, None, None), {})
    assert game.state is None


def test_a_game_starts_by_itself_when_the_last_seat_is_taken():
    _, game = seating.join(created(None, None, None), "pl_a", None, None)
    _, game = seating.join(game, "pl_b", None, None)
    assert game.status == "open"
    events, game = seating.join(game, "pl_c", None, "my seed")
    assert events[:2] == [SeatTaken(2, "pl_c", "my seed"), GameStarted(("pl_a", "pl_b", "pl_c"))]
    assert game.status == "active"
    assert len(game.pending) == 1


def test_a_seat_notes_the_head_that_its_player_named_if_any():
    (bound,), _ = seating.join(created(None, None), "pl_a", 1, "my seed", "ab" * 32)
    (free,), _ = seating.join(created(None, None), "pl_a", 1, "my seed")
    assert to_plain(bound) == {**to_plain(free), "joined_after": "ab" * 32}
    assert to_plain(free) == {"seat": 1, "player": "pl_a", "client_seed": "my seed"}


def test_a_game_whose_seats_are_all_named_starts_at_once():
    events, game = seating.create(new("pl_a", "pl_b"), SECRET)
    assert [type(event) for event in events[:4]] == [GameCreated, SeatTaken, SeatTaken, GameStarted]
    assert game.status == "active"


def test_a_player_takes_the_seat_asked_for_or_the_first_open_one():
    _, game = seating.join(created(None, None, None, None), "pl_a", 2, None)
    events, game = seating.join(game, "pl_b", None, None)
    assert events == [SeatTaken(0, "pl_b", None)]
    assert [sitter and sitter.player for sitter in game.sitters] == ["pl_b", None, "pl_a", None]
    assert (game.seats_of("pl_a"), game.seats_of("pl_x"), game.seats_of(None)) == ((2,), (), ())


def test_an_open_game_is_aborted_for_a_reason_and_reveals_its_secret():
    events, game = seating.abort(created("pl_a", None, None), "cancelled")
    assert events == [GameAborted("cancelled", SECRET.hex())]
    assert (game.status, game.is_over, game.aborted_because, game.outcome) == ("aborted", True, "cancelled", None)
    assert dict(game.pending) == {}


def test_a_player_is_named_for_one_seat_only():
    with pytest.raises(InvalidOptions):
        seating.create(new("pl_a", "pl_a", None), SECRET)


def test_in_a_sandbox_a_player_may_hold_every_seat():
    game = created("pl_a", "pl_a", None, sandbox=True)
    _, game = seating.join(game, "pl_a", None, None)
    assert game.seats_of("pl_a") == (0, 1, 2)
    assert game.status == "active"


@pytest.mark.parametrize("seats", [1, 7])
def test_a_game_for_too_few_or_too_many_players_is_refused(seats):
    asked = replace(new(None, None), sitters=(None,) * seats)
    with pytest.raises(InvalidOptions) as refused:
        create(asked, SECRET)
    assert [problem.option for problem in refused.value.problems] == ["seats"]


def test_a_player_may_leave_before_the_start_and_another_take_the_seat():
    events, game = seating.leave(created("pl_a", "pl_b", None), "pl_a", 0)
    assert events == [SeatLeft(0, "pl_a")]
    assert game.seats_of("pl_a") == ()
    _, game = seating.join(game, "pl_c", None, None)
    assert game.seats_of("pl_c") == (0,)
    _, game = seating.join(game, "pl_a", None, None)
    assert game.status == "active"


OPEN = created("pl_a", None, None)
ACTIVE = created("pl_a", "pl_b", "pl_c", first_dealer=0)
ABORTED = seating.abort(OPEN, "declined")[1]
WRONG_MOMENTS = [
    ("game-not-open", seating.abort, ACTIVE, "cancelled"),
    ("game-not-open", seating.abort, ABORTED, "cancelled"),
    ("game-not-open", seating.join, ACTIVE, "pl_d", None, None),
    ("game-not-open", seating.join, ABORTED, "pl_b", 1, None),
    ("game-not-open", seating.leave, ACTIVE, "pl_a", 0),
    ("game-not-open", seating.leave, ABORTED, "pl_a", 0),
    ("game-not-active", seating.put_bot, ABORTED, "pl_a", 0, "random"),
    ("game-not-active", games.act, OPEN, 0, Pass()),
    ("game-not-active", games.act, ABORTED, 0, Pass()),
    ("not-your-turn", games.act, ACTIVE, 0, Pass()),
    ("not-your-turn", games.decide, ACTIVE, 2, Pass()),
    ("seat-taken", seating.join, OPEN, "pl_b", 0, None),
    ("seat-taken", seating.join, OPEN, "pl_b", -1, None),
    ("seat-taken", seating.join, OPEN, "pl_b", 3, None),
    ("already-seated", seating.join, OPEN, "pl_a", None, None),
    ("already-seated", seating.join, OPEN, "pl_a", 2, None),
    ("not-seated", seating.leave, OPEN, "pl_b", 0),
    ("not-seated", seating.leave, OPEN, "pl_a", 1),
]


@pytest.mark.parametrize(("code", "call", "game", "arguments"), [(c, f, g, rest) for c, f, g, *rest in WRONG_MOMENTS])
def test_a_request_at_the_wrong_moment_is_refused_with_its_reason(code, call, game, arguments):
    assert refusal(call, game, *arguments) == code


def test_deciding_settles_nothing():
    game = created("pl_a", "pl_b", first_dealer=0)
    game = games.act(game, 1, Pass())[1]
    (event,) = games.decide(game, 0, Pass())
    assert len(games.act(game, 0, Pass())[0]) > 1
    assert event == games.act(game, 0, Pass())[0][0]


def test_seeds_of_players_change_the_deal():
    deals = set()
    for seeds in ((None, None), ("a", None), (None, "a"), ("b", None)):
        game = created(None, None, first_dealer=0)
        for seat, seed in enumerate(seeds):
            _, game = seating.join(game, f"pl_{seat}", seat, seed)
        deals.add(game.state.hand.dealt)
    assert len(deals) == 4


def test_a_decision_is_named_by_the_version_at_which_it_came_up():
    game = created("pl_a", "pl_b", "pl_c", first_dealer=0)
    assert game.decision_id(1) == f"d{game.version}_1"
    _, later = games.act(game, 1, Pass())
    assert later.decision_id(2) == f"d{later.version}_2"
    assert 1 not in later.pending


def test_times_and_heads_move_on_and_the_time_of_creation_stays():
    steps = [*starting("le-plateau", 3, 0)]
    for before, after in pairwise(steps):
        assert before.game.at < after.game.at
        assert before.game.head != after.game.head
        assert after.game.created_at == steps[0].game.at
        assert {record.request for record in after.records} == {f"rq_{before.game.version}"}
    assert [record.version for record in log_of(steps)] == list(range(1, steps[-1].game.version + 1))


@pytest.fixture
def bidders(monkeypatch):
    """Three players at a game in which all act at once, over two rounds."""
    monkeypatch.setitem(RULESETS, "tender", tender_ruleset.RULESET)
    return written(
        None, None, None, seating.create(new("pl_a", "pl_b", "pl_c", ruleset=tender_ruleset.RULESET, rounds=2), SECRET)
    )


def test_a_sampled_world_of_secret_tenders_has_the_same_view(bidders):
    rules, game = tender_ruleset.RULESET, games.act(bidders.game, 1, tender_ruleset.Tender(2))[1]
    for viewer in (None, 0, 1):
        view = rules.project(game.state, viewer)
        assert rules.project(rules.sample(game.options, viewer, view, random.Random(1)), viewer) == view


def test_a_decision_stays_open_while_other_seats_act(bidders):
    game = bidders.game
    asked = {seat: game.decision_id(seat) for seat in (0, 1, 2)}
    first = written(game, 1, None, games.act(game, 1, tender_ruleset.Tender(2)))
    assert dict(first.game.pending) == {0: game.version, 2: game.version}
    assert {seat: first.game.decision_id(seat) for seat in (0, 2)} == {0: asked[0], 2: asked[2]}
    second = written(first.game, 0, None, games.act(first.game, 0, tender_ruleset.Tender(3)))
    assert second.game.decision_id(2) == asked[2]


@pytest.mark.parametrize(("now", "stays"), [(range(60), True), (range(61), False)])
def test_a_decision_among_too_many_actions_to_list_stays_open(bidders, monkeypatch, now, stays):
    """There are some 10 ** 17 of them: to compare them one by one would never end."""
    game = bidders.game

    def legal_actions(state, _seat):
        return Subsets(tuple(range(60) if state is bidders.game.state else now), 30)

    game = replace(game, ruleset=replace(tender_ruleset.RULESET, legal_actions=legal_actions))
    first = written(game, 1, None, games.act(game, 1, tender_ruleset.Tender(2)))
    assert (first.game.decision_id(0) == game.decision_id(0)) == stays


def test_a_seat_that_is_asked_again_has_a_new_decision(bidders):
    steps, game = [bidders], bidders.game
    for seat in (2, 0, 1):
        steps.append(written(game, seat, None, games.act(game, seat, tender_ruleset.Tender(1))))
        game = steps[-1].game
    assert game.pending[1] == game.version
    assert set(game.pending) == {0, 1, 2}
    assert all(version > bidders.game.version for version in game.pending.values())


def test_pending_decisions_are_the_same_after_a_fold(bidders):
    steps, game = [bidders], bidders.game
    for seat in (1, 2, 0, 0, 2, 1):
        steps.append(written(game, seat, None, games.act(game, seat, tender_ruleset.Tender(1 + seat))))
        game = steps[-1].game
        assert history.fold(log_of(steps)) == game
        assert history.fold(steps[-1].records, steps[-2].game) == game
    assert game.status == "finished"
    assert isinstance(steps[-1].events[-1], GameFinished)
    assert game.outcome.winners == (2,)
    assert dict(game.pending) == {}


def test_the_secret_is_published_with_the_end_and_not_before():
    steps = played("le-plateau", 2, 0)
    secret = steps[-1].game.secret.hex()
    assert steps[-1].events[-1].secret == secret
    assert steps[-1].records[-1].data["secret"] == secret
    for record in log_of(steps)[:-1]:
        assert secret not in repr(record.data)


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
