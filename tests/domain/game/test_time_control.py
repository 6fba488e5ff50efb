"""Clocks on given times: what a seat has left, what a timeout, a claim and a hand-over do.

Who waits for what the service has to do: players who are there, at a table with others or with bots.
"""

from dataclasses import replace

import pytest

from domain.errors import InvalidOptions
from domain.events import GamePaused, ProposalClosed, TimeoutClaimed, TurnTimedOut
from domain.game import aggregate as games
from domain.game import history, proposals, seating, time_control, timeouts
from domain.game.durations import DAY, HOUR, MINUTE, SECOND
from domain.game.time_control import PLAY_BY_POST, Times
from domain.game.timeouts import Patience
from domain.le_plateau import RULESET as le_plateau
from domain.le_plateau.actions import Pass
from domain.registry import RULESETS
from tests.support import tender_ruleset
from tests.support.timed_games import START, Played, clock, refusal


def test_without_a_clock_there_is_no_deadline_and_nothing_is_due():
    played = Played(None)
    assert played.left(0) == {}
    assert played.due() is None


@pytest.mark.parametrize(
    ("given", "speed"),
    [
        (None, "none"),
        (clock(per_move="PT5S"), "live"),
        (clock(per_move="PT10M"), "live"),
        (clock(per_move="PT10M1S"), "daily"),
        (clock(per_move="P1D"), "daily"),
        (clock(per_move="P1DT1S"), "slow"),
        (PLAY_BY_POST, "slow"),
        (clock(per_move="PT1M", bank="P30D"), "live"),
        (clock(bank="PT5M", increment="PT5S"), "live"),
        (clock(bank="PT400M"), "live"),
        (clock(bank="PT401M"), "daily"),
        (clock(bank="PT1H", increment="P1D"), "slow"),
    ],
)
def test_the_speed_of_a_game_follows_from_the_time_for_a_turn(given, speed):
    assert time_control.speed_of(given) == speed


def test_a_bank_is_spent_by_the_seat_that_thinks_and_grows_by_the_increment():
    played = Played(clock(bank="PT10M", increment="PT5S"))
    assert played.left(MINUTE) == {0: 9 * MINUTE}
    played.passes(MINUTE)
    assert played.game.times.banks == (9 * MINUTE + 5 * SECOND, 10 * MINUTE, 10 * MINUTE)
    assert played.left(MINUTE) == {1: 10 * MINUTE}


def test_seats_that_act_at_once_have_their_own_clocks(monkeypatch):
    monkeypatch.setitem(RULESETS, "tender", tender_ruleset.RULESET)
    played = Played(clock(per_move="PT1M"), ruleset=tender_ruleset.RULESET, rounds=2)
    played.then(20 * SECOND, games.act(played.game, 1, tender_ruleset.Tender(2)))
    assert played.left(20 * SECOND) == {0: 40 * SECOND, 2: 40 * SECOND}
    played.then(30 * SECOND, games.act(played.game, 0, tender_ruleset.Tender(2)))
    assert played.left(30 * SECOND) == {2: 30 * SECOND}
    played.then(40 * SECOND, games.act(played.game, 2, tender_ruleset.Tender(1)))
    assert played.left(40 * SECOND) == {0: MINUTE, 1: MINUTE, 2: MINUTE}


def test_the_clock_of_a_seat_that_may_act_but_need_not_stands_still(monkeypatch):
    rules = replace(tender_ruleset.RULESET, waiting_for=lambda state: tender_ruleset.to_act(state) - {0})
    monkeypatch.setitem(RULESETS, "tender", rules)
    played = Played(clock(per_move="PT1M", bank="PT1M"), None, "pl_b", "pl_c", ruleset=rules, bots=((0, "random"),))
    assert (set(played.game.pending), played.game.waiting_for) == ({0, 1, 2}, (1, 2))
    assert played.left(0) == {1: 2 * MINUTE, 2: 2 * MINUTE}
    assert timeouts.bots_to_act(played.game) == []
    assert timeouts.due(played.game, Patience(bot=5000)) == START + 2 * MINUTE
    played.then(HOUR, games.act(played.game, 0, tender_ruleset.Tender(1)))
    assert played.game.times.banks == (MINUTE,) * 3
    assert timeouts.late_seat(played.game, START + HOUR) == 1


def test_at_a_version_in_the_middle_of_a_request_nobody_has_a_deadline():
    played = Played(PLAY_BY_POST)
    for version in range(1, len(played.log)):
        assert history.fold_to(played.log, version).deadlines == {}
    assert history.fold_to(played.log, len(played.log)).deadlines == played.game.deadlines


def test_proposals_and_votes_leave_the_clocks_alone():
    played = Played(PLAY_BY_POST)
    played.then(HOUR, proposals.propose(played.game, 1, "stop_after_hand"))
    assert played.left(0) == {0: 3 * DAY}


@pytest.mark.parametrize(
    ("given", "option"),
    [
        ({}, "clock"),
        ({"increment": "PT5S"}, "clock"),
        ({"per_move": "PT1M", "increment": "PT5S"}, "clock/increment"),
        ({"per_move": "PT0S"}, "clock/per_move"),
        ({"per_move": "PT4S", "bank": "P1D"}, "clock/per_move"),
        ({"bank": "PT59S"}, "clock/bank"),
        ({"bank": "PT59S", "increment": "PT4S"}, "clock/bank"),
        ({"per_move": "P91D"}, "clock/per_move"),
        ({"bank": "P366D"}, "clock/bank"),
        ({"bank": "soon"}, "clock/bank"),
        ({"per_move": "PT1M", "on_timeout": "resign"}, "clock/on_timeout"),
    ],
)
def test_a_clock_that_makes_no_sense_is_refused(given, option):
    with pytest.raises(InvalidOptions) as refused:
        Played(clock(**given))
    assert option in {problem.option for problem in refused.value.problems}
    assert all(problem.message.startswith(f"{problem.option}: ") for problem in refused.value.problems)


def test_the_least_time_for_a_move_is_the_services_to_set():
    time_control.check(clock(per_move="PT1S"), least_move=SECOND)
    with pytest.raises(InvalidOptions) as refused:
        time_control.check(clock(per_move="PT59S", bank="PT1S", increment="PT5S"), least_move=MINUTE)
    (problem,) = refused.value.problems
    assert problem.message == "clock/per_move: PT59S is out of bounds: PT1M to P90D"


def test_a_game_that_began_with_a_shorter_clock_continues_with_it():
    played = Played(clock(per_move="PT1S"), least_move=SECOND)
    assert history.fold(played.log).clock.per_move == "PT1S"
    played.passes(SECOND // 2)
    assert played.left(SECOND) == {1: SECOND // 2}


# -- timeout ------------------------------------------------------------------------------------------------------


def test_a_turn_that_times_out_is_decided_by_a_bot_and_the_game_continues():
    played = Played(PLAY_BY_POST)
    assert timeouts.late_seat(played.game, START + 3 * DAY - 1) is None
    assert timeouts.late_seat(played.game, START + 3 * DAY) == 0
    events = played.then(3 * DAY, timeouts.act_late(played.game, 0, "random", Pass()))
    assert events[0] == TurnTimedOut(0, "bot", "random")
    assert len(events) == 2
    assert set(played.game.pending) == {1}
    assert played.left(3 * DAY) == {1: 3 * DAY}
    assert played.log[-2].type == "turn_timed_out"


def test_a_seat_that_times_out_resigns_where_the_ruleset_supports_that(monkeypatch):
    monkeypatch.setitem(RULESETS, "tender", tender_ruleset.RULESET)
    played = Played(clock(per_move="PT1M", on_timeout="resign"), ruleset=tender_ruleset.RULESET)
    assert timeouts.loses(played.game)
    events = played.then(MINUTE, timeouts.lose_late(played.game, 0))
    assert events[0] == TurnTimedOut(0, "resign", None)
    assert events[1] == tender_ruleset.Resigned(0)


def test_of_several_late_seats_the_one_that_was_late_first_comes_first(monkeypatch):
    monkeypatch.setitem(RULESETS, "tender", tender_ruleset.RULESET)
    played = Played(clock(per_move="PT1M"), ruleset=tender_ruleset.RULESET)
    assert timeouts.late_seat(played.game, START + HOUR) == 0
    played.then(HOUR, timeouts.act_late(played.game, 0, "random", tender_ruleset.Tender(1)))
    assert timeouts.late_seat(played.game, START + HOUR) == 1


def test_where_all_wait_nothing_happens_until_an_opponent_claims_it():
    played = Played(clock(per_move="PT1M", on_timeout="wait"))
    assert played.due() is None
    assert refusal(timeouts.claim, played.game, 1, START + MINUTE - 1) == "not-timed-out"
    assert timeouts.late_seat(played.game, START + HOUR) is None
    events = played.then(HOUR, timeouts.claim(played.game, 1, START + HOUR))
    assert events == [TimeoutClaimed(1, 0)]
    assert (played.due(), timeouts.late_seat(played.game, START + HOUR)) == (HOUR, 0)
    assert not timeouts.loses(played.game)
    assert refusal(timeouts.claim, played.game, 2, START + HOUR) == "not-timed-out"
    played.then(HOUR, timeouts.act_late(played.game, 0, "random", Pass()))
    assert (played.due(), played.game.times.claimed) == (None, frozenset())


def test_a_seat_claims_neither_its_own_timeout_nor_one_that_comes_by_itself():
    waiting, own = Played(clock(per_move="PT1M", on_timeout="wait")), Played(PLAY_BY_POST)
    assert refusal(timeouts.claim, waiting.game, 0, START + HOUR) == "not-timed-out"
    assert refusal(timeouts.claim, own.game, 1, START + 9 * DAY) == "nothing-to-claim"
    assert refusal(timeouts.claim, Played(None).game, 1, START + 9 * DAY) == "nothing-to-claim"


def test_a_claim_lapses_when_downtime_gives_the_seat_its_time_back():
    played = Played(clock(per_move="PT1M", on_timeout="wait"))
    played.then(HOUR, timeouts.claim(played.game, 1, START + HOUR))
    played.then(HOUR + SECOND, timeouts.credit(played.game, [(START + 30 * SECOND, START + HOUR)]))
    assert played.left(HOUR) == {0: 30 * SECOND}
    assert (played.due(), timeouts.late_seat(played.game, START + HOUR + SECOND)) == (None, None)
    played.then(HOUR + MINUTE, timeouts.claim(played.game, 1, START + HOUR + MINUTE))
    assert timeouts.late_seat(played.game, START + HOUR + MINUTE) == 0


# -- bots ---------------------------------------------------------------------------------------------------------


def test_a_bot_has_no_deadline_but_its_turn_is_looked_at_again():
    played = Played(PLAY_BY_POST, None, "pl_b", None, bots=((0, "random"), (2, "random")))
    assert [sitter.bot for sitter in played.game.sitters] == ["random", None, "random"]
    assert played.left(0) == {}
    assert played.due() == 12 * SECOND
    played.passes(SECOND)
    assert played.left(SECOND) == {1: 3 * DAY}


def test_a_bot_that_takes_over_has_the_running_clock_and_decided_nothing():
    played = Played(clock(bank="PT10M", increment="PT1M"))
    decision = played.game.decision_id(0)
    played.then(4 * MINUTE, seating.put_bot(played.game, "pl_a", 0, "random"))
    assert played.game.times.banks == (10 * MINUTE,) * 3
    assert played.game.decision_id(0) == decision
    assert played.due() == 4 * MINUTE + 12 * SECOND
    played.passes(5 * MINUTE)
    assert played.game.times.banks == (6 * MINUTE, 10 * MINUTE, 10 * MINUTE)


def test_what_was_proposed_lapses_when_a_bot_takes_over_and_can_be_proposed_anew():
    played = Played(PLAY_BY_POST)
    for seat, others in ((0, (1,)), (1, ())):
        played.then(SECOND, proposals.propose(played.game, seat, "pause"))
        for other in others:
            played.then(SECOND, proposals.vote(played.game, other, played.game.proposals[0].id, accept=True))
        gone = 2 if others else 0
        events = played.then(SECOND, seating.put_bot(played.game, f"pl_{'abc'[gone]}", gone, "random"))
        assert [type(event).__name__ for event in events] == ["BotSeated", "ProposalClosed"]
        assert (played.game.proposals, played.game.status) == ((), "active")
    assert GamePaused("P14D") in played.then(SECOND, proposals.propose(played.game, 1, "pause"))


def test_bots_have_no_say_in_what_the_players_agree_on():
    played = Played(PLAY_BY_POST, "pl_a", None, "pl_c", bots=((1, "random"),))
    played.then(SECOND, proposals.propose(played.game, 0, "stop_after_hand"))
    events = played.then(SECOND, proposals.vote(played.game, 2, played.game.proposals[0].id, accept=True))
    assert ProposalClosed(f"p{len(played.log) - 3}", "agreed") in events
    alone = Played(PLAY_BY_POST, "pl_a", None, None, bots=((1, "random"), (2, "random")))
    alone.then(SECOND, proposals.propose(alone.game, 0, "pause"))
    assert alone.game.status == "paused"


def test_a_seat_that_others_took_a_decision_from_pays_nothing_for_it():
    rule = clock(bank="PT10M", increment="PT1M")
    times = Times(since={0: 0, 1: 0}, until={0: 600_000, 1: 600_000}, banks=(600_000, 600_000))
    acted = [TurnTimedOut(0, "bot", "random")]
    gone = time_control.passed(rule, times, 120_000, acted, {0: 5, 1: 5}, {0: 7})
    assert gone.banks == (540_000, 600_000)
    assert gone.since == {0: 120_000}
    anew = time_control.passed(rule, times, 120_000, acted, {0: 5, 1: 5}, {0: 7, 1: 7})
    assert anew.banks == (540_000, 600_000)
    assert anew.until == {0: 660_000, 1: 720_000}


RULE = clock(per_move="PT1M")


def times_out(played, after):
    """Have a bot pass for the seat to act."""
    (seat,) = played.game.pending
    played.then(after, timeouts.act_late(played.game, seat, "random", Pass()))


def test_all_but_the_one_to_act_wait_for_a_timeout():
    played = Played(RULE)
    assert timeouts.waiting(played.game) == ["pl_b", "pl_c"]
    played.passes(SECOND)
    assert timeouts.waiting(played.game) == ["pl_a", "pl_c"]


def test_who_let_their_turn_time_out_is_away_until_they_act():
    played = Played(RULE)
    times_out(played, HOUR)
    assert timeouts.waiting(played.game) == ["pl_c"]
    times_out(played, 2 * HOUR)
    times_out(played, 3 * HOUR)
    assert timeouts.waiting(played.game) == []
    played.passes(3 * HOUR + SECOND)
    assert timeouts.waiting(played.game) == ["pl_b"], "the next hand is begun by the seat after the dealer"


def test_who_proposes_something_is_back():
    played = Played(RULE)
    times_out(played, HOUR)
    assert played.game.times.absent == {0}
    played.then(HOUR + SECOND, proposals.propose(played.game, 0, "stop_after_hand"))
    assert timeouts.waiting(played.game) == ["pl_a", "pl_c"]


def test_players_wait_for_bots_and_only_while_they_are_there():
    played = Played(RULE, "pl_a", None, "pl_c", bots=((1, "random"),))
    times_out(played, HOUR)
    assert timeouts.bots_to_act(played.game) == [1]
    assert timeouts.waiting(played.game) == ["pl_c"]
    played.passes(HOUR + SECOND)
    times_out(played, 2 * HOUR)
    assert timeouts.bots_to_act(played.game) == [1]
    assert timeouts.waiting(played.game) == []


def test_nobody_waits_for_the_timeout_of_one_who_plays_with_bots_alone():
    played = Played(RULE, "pl_a", None, None, bots=((1, "random"), (2, "random")))
    assert timeouts.waiting(played.game) == []


def test_who_is_asked_at_once_with_others_waits_for_them(monkeypatch):
    monkeypatch.setitem(RULESETS, "tender", tender_ruleset.RULESET)
    played = Played(RULE, ruleset=tender_ruleset.RULESET, rounds=2)
    assert timeouts.waiting(played.game) == ["pl_a", "pl_b", "pl_c"]
    played.then(SECOND, games.act(played.game, 1, tender_ruleset.Tender(2)))
    played.then(2 * SECOND, games.act(played.game, 0, tender_ruleset.Tender(2)))
    assert timeouts.waiting(played.game) == ["pl_a", "pl_b"]


@pytest.mark.parametrize("rule", [None, RULE])
def test_all_wait_for_a_pause_to_end(rule):
    played = Played(rule, ruleset=le_plateau)
    played.then(SECOND, proposals.propose(played.game, 0, "pause", "PT1H"))
    for seat in (1, 2):
        (made,) = played.game.proposals
        played.then((seat + 1) * SECOND, proposals.vote(played.game, seat, made.id, accept=True))
    assert played.game.status == "paused"
    assert timeouts.waiting(played.game) == ["pl_a", "pl_b", "pl_c"]
