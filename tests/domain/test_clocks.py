"""Clocks on given times: what a seat has left, what a timeout, a claim, a pause and a downtime do."""

import sys
from dataclasses import replace

import pytest

from domain import clocks, le_plateau, proposals, seats, timing
from domain import game as games
from domain.clocks import PLAY_BY_POST, Times
from domain.durations import DAY, HOUR, MINUTE, SECOND, instant, moment
from domain.events import (
    BotSeated,
    Clock,
    GamePaused,
    GameResumed,
    ProposalClosed,
    TimeCredited,
    TimeoutClaimed,
    TurnTimedOut,
)
from domain.game import WrongMoment
from domain.le_plateau.actions import Pass
from domain.registry import RULESETS
from domain.ruleset import InvalidOptions
from domain.seats import NewGame
from tests.domain import tender

START = instant("2026-01-01T12:00:00.000Z")
NO_TIME = Clock(None, None, None, "bot", "random")


def clock(**given):
    return replace(NO_TIME, **given)


class Played:
    """A game, and its log, played on at given times; at every step the log folds to the game."""

    def __init__(self, rule, *sitters, ruleset=le_plateau, bots=(), **options):
        sitters = sitters or ("pl_a", "pl_b", "pl_c")
        chosen = ruleset.options(options or {"first_dealer": 2} if ruleset is le_plateau else options, len(sitters))
        new = NewGame(
            "gm_1", ruleset, chosen, "public", sandbox=False, creator="pl_a", sitters=sitters, bots=bots, clock=rule
        )
        self.game, self.log = None, []
        self.then(0, seats.create(new, bytes(32)))

    def then(self, after, step):
        """Record a step so many ms after the start; give its events."""
        before = self.game
        records, self.game = games.record(before, step, moment(START + after), f"rq_{after}_{len(self.log)}")
        self.log += records
        assert games.fold(self.log) == self.game
        assert before is None or games.fold(records, before) == self.game
        return step[0]

    def passes(self, after):
        """Have the seat to act pass."""
        (seat,) = self.game.pending
        return self.then(after, games.act(self.game, seat, Pass()))

    def left(self, after):
        """Give what each seat to act has left so many ms after the start."""
        return {seat: at - START - after for seat, at in self.game.deadlines.items()}

    def due(self):
        """Say, in ms after the start, when the service has to see to the game."""
        at = timing.due(self.game, 12 * SECOND)
        return None if at is None else at - START


def refusal(call, *arguments):
    with pytest.raises(WrongMoment) as refused:
        call(*arguments)
    return refused.value.code


# -- time per move and bank ---------------------------------------------------------------------------------------


def test_without_a_clock_there_is_no_deadline_and_nothing_is_due():
    played = Played(None)
    assert played.left(0) == {}
    assert played.due() is None


def test_every_move_has_its_own_time():
    played = Played(PLAY_BY_POST)
    assert played.left(0) == {0: 3 * DAY}
    assert played.due() == 3 * DAY
    played.passes(2 * DAY)
    assert played.left(2 * DAY) == {1: 3 * DAY}
    played.passes(2 * DAY + HOUR)
    assert played.left(2 * DAY + HOUR) == {2: 3 * DAY}


def test_a_bank_is_spent_by_the_seat_that_thinks_and_grows_by_the_increment():
    played = Played(clock(bank="PT10M", increment="PT5S"))
    assert played.left(MINUTE) == {0: 9 * MINUTE}
    played.passes(MINUTE)
    assert played.game.times.banks == (9 * MINUTE + 5 * SECOND, 10 * MINUTE, 10 * MINUTE)
    assert played.left(MINUTE) == {1: 10 * MINUTE}


def test_with_both_the_bank_is_for_what_goes_beyond_the_time_per_move():
    played = Played(clock(per_move="PT30S", bank="PT2M", increment="PT1S"))
    assert played.left(0) == {0: 150 * SECOND}
    played.passes(20 * SECOND)
    assert played.game.times.banks[0] == 121 * SECOND
    played.passes(60 * SECOND)
    assert played.game.times.banks[1] == 111 * SECOND


def test_a_bank_that_is_overdrawn_is_empty():
    played = Played(clock(bank="PT1M"))
    played.passes(HOUR)
    assert played.game.times.banks[0] == 0


def test_seats_that_act_at_once_have_their_own_clocks(monkeypatch):
    monkeypatch.setitem(RULESETS, tender.ID, sys.modules[tender.__name__])
    played = Played(clock(per_move="PT1M"), ruleset=tender, rounds=2)
    played.then(20 * SECOND, games.act(played.game, 1, tender.Tender(2)))
    assert played.left(20 * SECOND) == {0: 40 * SECOND, 2: 40 * SECOND}
    played.then(30 * SECOND, games.act(played.game, 0, tender.Tender(2)))
    assert played.left(30 * SECOND) == {2: 30 * SECOND}
    played.then(40 * SECOND, games.act(played.game, 2, tender.Tender(1)))
    assert played.left(40 * SECOND) == {0: MINUTE, 1: MINUTE, 2: MINUTE}


def test_the_clock_of_a_seat_that_may_act_but_need_not_stands_still(monkeypatch):
    monkeypatch.setitem(RULESETS, tender.ID, sys.modules[tender.__name__])
    monkeypatch.setattr(tender, "awaited", lambda state: tender.to_act(state) - {0})
    played = Played(clock(per_move="PT1M", bank="PT1M"), None, "pl_b", "pl_c", ruleset=tender, bots=((0, "random"),))
    assert (set(played.game.pending), played.game.awaited) == ({0, 1, 2}, (1, 2))
    assert played.left(0) == {1: 2 * MINUTE, 2: 2 * MINUTE}
    assert timing.bots_to_act(played.game) == []
    assert timing.due(played.game, 5000) == START + 2 * MINUTE
    played.then(HOUR, games.act(played.game, 0, tender.Tender(1)))
    assert played.game.times.banks == (MINUTE,) * 3
    assert timing.late_seat(played.game, START + HOUR) == 1


def test_at_a_version_in_the_middle_of_a_request_nobody_has_a_deadline():
    played = Played(PLAY_BY_POST)
    for version in range(1, len(played.log)):
        assert games.fold_to(played.log, version).deadlines == {}
    assert games.fold_to(played.log, len(played.log)).deadlines == played.game.deadlines


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


# -- timeout ------------------------------------------------------------------------------------------------------


def test_a_turn_that_times_out_is_decided_by_a_bot_and_the_game_goes_on():
    played = Played(PLAY_BY_POST)
    assert timing.late_seat(played.game, START + 3 * DAY - 1) is None
    assert timing.late_seat(played.game, START + 3 * DAY) == 0
    events = played.then(3 * DAY, timing.act_late(played.game, 0, "random", Pass()))
    assert events[0] == TurnTimedOut(0, "bot", "random")
    assert len(events) == 2
    assert set(played.game.pending) == {1}
    assert played.left(3 * DAY) == {1: 3 * DAY}
    assert played.log[-2].type == "turn_timed_out"


def test_a_seat_that_times_out_resigns_where_the_ruleset_knows_that(monkeypatch):
    monkeypatch.setitem(RULESETS, tender.ID, sys.modules[tender.__name__])
    played = Played(clock(per_move="PT1M", on_timeout="resign"), ruleset=tender)
    assert timing.resigns(played.game, 0)
    events = played.then(MINUTE, timing.resign_late(played.game, 0))
    assert events[0] == TurnTimedOut(0, "resign", None)
    assert events[1] == tender.Resigned(0)


def test_of_several_late_seats_the_latest_comes_first(monkeypatch):
    monkeypatch.setitem(RULESETS, tender.ID, sys.modules[tender.__name__])
    played = Played(clock(per_move="PT1M"), ruleset=tender)
    assert timing.late_seat(played.game, START + HOUR) == 0
    played.then(HOUR, timing.act_late(played.game, 0, "random", tender.Tender(1)))
    assert timing.late_seat(played.game, START + HOUR) == 1


def test_where_all_wait_nothing_happens_until_an_opponent_claims_it():
    played = Played(clock(per_move="PT1M", on_timeout="wait"))
    assert played.due() is None
    assert refusal(timing.claim, played.game, 1, START + MINUTE - 1) == "not-timed-out"
    assert timing.late_seat(played.game, START + HOUR) is None
    events = played.then(HOUR, timing.claim(played.game, 1, START + HOUR))
    assert events == [TimeoutClaimed(1, 0)]
    assert (played.due(), timing.late_seat(played.game, START + HOUR)) == (HOUR, 0)
    assert not timing.resigns(played.game, 0)
    assert refusal(timing.claim, played.game, 2, START + HOUR) == "not-timed-out"
    played.then(HOUR, timing.act_late(played.game, 0, "random", Pass()))
    assert (played.due(), played.game.times.claimed) == (None, frozenset())


def test_a_seat_claims_neither_its_own_timeout_nor_one_that_comes_by_itself():
    waiting, own = Played(clock(per_move="PT1M", on_timeout="wait")), Played(PLAY_BY_POST)
    assert refusal(timing.claim, waiting.game, 0, START + HOUR) == "not-timed-out"
    assert refusal(timing.claim, own.game, 1, START + 9 * DAY) == "nothing-to-claim"
    assert refusal(timing.claim, Played(None).game, 1, START + 9 * DAY) == "nothing-to-claim"


def test_whoever_moves_after_a_claim_but_before_the_bot_has_moved():
    played = Played(clock(per_move="PT1M", on_timeout="wait"))
    played.then(HOUR, timing.claim(played.game, 1, START + HOUR))
    played.passes(HOUR)
    assert played.due() is None


def test_a_claim_lapses_when_downtime_gives_the_seat_its_time_back():
    played = Played(clock(per_move="PT1M", on_timeout="wait"))
    played.then(HOUR, timing.claim(played.game, 1, START + HOUR))
    played.then(HOUR + SECOND, timing.credit(played.game, [(START + 30 * SECOND, START + HOUR)]))
    assert played.left(HOUR) == {0: 30 * SECOND}
    assert (played.due(), timing.late_seat(played.game, START + HOUR + SECOND)) == (None, None)
    played.then(HOUR + MINUTE, timing.claim(played.game, 1, START + HOUR + MINUTE))
    assert timing.late_seat(played.game, START + HOUR + MINUTE) == 0


def test_a_claim_stands_where_downtime_gives_too_little_back():
    played = Played(clock(per_move="PT1M", on_timeout="wait"))
    played.then(HOUR, timing.claim(played.game, 1, START + HOUR))
    played.then(HOUR + SECOND, timing.credit(played.game, [(START + 2 * MINUTE, START + 4 * MINUTE)]))
    assert timing.late_seat(played.game, START + HOUR + SECOND) == 0


# -- bots ---------------------------------------------------------------------------------------------------------


def test_a_bot_has_no_deadline_but_its_turn_is_looked_at_again():
    played = Played(PLAY_BY_POST, None, "pl_b", None, bots=((0, "random"), (2, "random")))
    assert [sitter.bot for sitter in played.game.sitters] == ["random", None, "random"]
    assert played.left(0) == {}
    assert played.due() == 12 * SECOND
    played.passes(SECOND)
    assert played.left(SECOND) == {1: 3 * DAY}


def test_a_bot_takes_over_a_running_seat_with_its_seed_and_for_good():
    new = NewGame(
        "gm_1", le_plateau, le_plateau.options({}, 2), "public", sandbox=False, creator="pl_a", sitters=(None, None)
    )
    _, game = seats.create(new, bytes(32))
    _, game = seats.join(game, "pl_a", 0, "my seed")
    _, game = seats.join(game, "pl_b", 1, None)
    assert refusal(seats.put_bot, game, "pl_a", 1, "random") == "seat-taken"
    chance = game.chance
    events, game = seats.put_bot(game, "pl_a", 0, "random")
    assert events == [BotSeated(0, "random")]
    assert (game.chance, game.seats_of("pl_a"), game.bot_of(0)) == (chance, (), "random")
    assert refusal(seats.put_bot, game, "pl_a", 0, "random") == "seat-taken"


def test_a_bot_that_takes_over_takes_over_the_running_clock_and_has_decided_nothing():
    played = Played(clock(bank="PT10M", increment="PT1M"))
    decision = played.game.decision_id(0)
    played.then(4 * MINUTE, seats.put_bot(played.game, "pl_a", 0, "random"))
    assert played.game.times.banks == (10 * MINUTE,) * 3
    assert played.game.decision_id(0) == decision
    assert played.due() == 4 * MINUTE + 12 * SECOND
    played.passes(5 * MINUTE)
    assert played.game.times.banks == (6 * MINUTE, 10 * MINUTE, 10 * MINUTE)


def test_a_bot_on_the_last_open_seat_starts_the_game():
    new = NewGame(
        "gm_1", le_plateau, le_plateau.options({}, 2), "public", sandbox=False, creator="pl_a", sitters=("pl_a", None)
    )
    events, game = seats.put_bot(seats.create(new, bytes(32))[1], "pl_a", 1, "random")
    assert [type(event).__name__ for event in events[:2]] == ["BotSeated", "GameStarted"]
    assert events[1].players == ("pl_a", None)
    assert game.status == "active"


def test_what_was_proposed_lapses_when_a_bot_takes_over_and_can_be_proposed_anew():
    played = Played(PLAY_BY_POST)
    for seat, others in ((0, (1,)), (1, ())):
        played.then(SECOND, proposals.propose(played.game, seat, "pause"))
        for other in others:
            played.then(SECOND, proposals.vote(played.game, other, played.game.proposals[0].id, accept=True))
        gone = 2 if others else 0
        events = played.then(SECOND, seats.put_bot(played.game, f"pl_{'abc'[gone]}", gone, "random"))
        assert [type(event).__name__ for event in events] == ["BotSeated", "ProposalClosed"]
        assert (played.game.proposals, played.game.status) == ((), "active")
    assert GamePaused("P14D") in played.then(SECOND, proposals.propose(played.game, 1, "pause"))


def test_a_pause_that_nobody_is_left_to_end_is_over():
    played = Played(PLAY_BY_POST, "pl_a", None, None, bots=((1, "random"), (2, "random")))
    played.then(SECOND, proposals.propose(played.game, 0, "pause", "P90D"))
    events = played.then(MINUTE, seats.put_bot(played.game, "pl_a", 0, "random"))
    assert events == [BotSeated(0, "random"), GameResumed("agreed")]
    assert played.game.status == "active"


def test_bots_have_no_say_in_what_the_players_agree_on():
    played = Played(PLAY_BY_POST, "pl_a", None, "pl_c", bots=((1, "random"),))
    played.then(SECOND, proposals.propose(played.game, 0, "stop_after_hand"))
    events = played.then(SECOND, proposals.vote(played.game, 2, played.game.proposals[0].id, accept=True))
    assert ProposalClosed(f"p{len(played.log) - 3}", "agreed") in events
    alone = Played(PLAY_BY_POST, "pl_a", None, None, bots=((1, "random"), (2, "random")))
    alone.then(SECOND, proposals.propose(alone.game, 0, "pause"))
    assert alone.game.status == "paused"


# -- pauses -------------------------------------------------------------------------------------------------------


def agree(played, after, kind, length=None):
    """Have all three seats agree on something."""
    played.then(after, proposals.propose(played.game, 0, kind, length))
    made = played.game.proposals[-1].id
    played.then(after, proposals.vote(played.game, 1, made, accept=True))
    return played.then(after, proposals.vote(played.game, 2, made, accept=True))


def test_a_pause_stops_the_clocks_and_all_play_until_it_is_over():
    played = Played(clock(per_move="PT1H", bank="PT1H"))
    assert GamePaused("P7D") in agree(played, 10 * MINUTE, "pause", "P7D")
    assert (played.game.status, dict(played.game.pending), played.left(0)) == ("paused", {}, {})
    assert refusal(games.act, played.game, 0, Pass()) == "game-not-active"
    assert played.due() == 7 * DAY + 10 * MINUTE
    assert refusal(timing.resume, played.game, START + 7 * DAY) == "not-over"
    events = played.then(8 * DAY, timing.resume(played.game, START + 8 * DAY))
    assert events == [GameResumed("over")]
    assert played.left(8 * DAY) == {0: 110 * MINUTE}
    played.passes(8 * DAY + HOUR)
    assert played.game.times.banks == (50 * MINUTE, HOUR, HOUR)


def test_a_pause_ends_early_when_all_agree_and_nothing_else_is_agreed_on_meanwhile():
    played = Played(PLAY_BY_POST)
    agree(played, HOUR, "pause")
    assert played.due() == 14 * DAY + HOUR
    for kind in ("pause", "stop_after_hand"):
        assert refusal(proposals.propose, played.game, 0, kind) == "game-not-active"
    assert GameResumed("agreed") in agree(played, DAY, "resume")
    assert played.left(DAY) == {0: 3 * DAY - HOUR}
    assert refusal(proposals.propose, played.game, 0, "resume") == "nothing-to-propose"


def test_a_proposal_to_go_on_lapses_with_the_pause():
    played = Played(PLAY_BY_POST)
    agree(played, 0, "pause", "PT1H")
    played.then(MINUTE, proposals.propose(played.game, 1, "resume"))
    events = played.then(HOUR, timing.resume(played.game, START + HOUR))
    assert [type(event).__name__ for event in events] == ["ProposalClosed", "GameResumed"]
    assert played.game.proposals == ()


def test_a_game_without_a_clock_can_be_paused_too():
    played = Played(None)
    agree(played, 0, "pause", "PT1H")
    assert played.due() == HOUR
    played.then(HOUR, timing.resume(played.game, START + HOUR))
    assert (played.game.status, played.due()) == ("active", None)


@pytest.mark.parametrize(("kind", "length"), [("pause", "PT59S"), ("pause", "P91D"), ("pause", "x"), ("resume", "P1D")])
def test_a_duration_that_does_not_fit_is_refused(kind, length):
    played = Played(PLAY_BY_POST)
    if kind == "resume":
        agree(played, 0, "pause")
    with pytest.raises(InvalidOptions, match="duration"):
        proposals.propose(played.game, 0, kind, length)


# -- downtime -----------------------------------------------------------------------------------------------------


def test_time_that_the_service_was_down_is_given_back_once_and_visibly():
    played = Played(clock(per_move="PT1H", bank="PT10M"))
    down = (START + 50 * MINUTE, START + 80 * MINUTE)
    assert timing.owed(played.game, [down]) == [down]
    events = played.then(80 * MINUTE, timing.credit(played.game, [down]))
    assert events == [TimeCredited(moment(down[0]), moment(down[1]))]
    assert played.left(80 * MINUTE) == {0: 20 * MINUTE}
    assert timing.owed(played.game, [down]) == []
    played.passes(90 * MINUTE + 5 * MINUTE)
    assert played.game.times.banks[0] == 5 * MINUTE


def test_only_what_a_clock_ran_through_is_given_back():
    played = Played(PLAY_BY_POST)
    played.passes(HOUR)
    before, across = (START, START + HOUR), (START + HOUR // 2, START + 2 * HOUR)
    assert timing.owed(played.game, [before]) == []
    played.then(2 * HOUR, timing.credit(played.game, [before, across]))
    assert played.left(2 * HOUR) == {1: 3 * DAY}


def test_nothing_is_owed_without_a_clock_or_during_a_pause():
    down = [(START + HOUR, START + 2 * HOUR)]
    assert timing.owed(Played(None).game, down) == []
    paused = Played(PLAY_BY_POST)
    agree(paused, 0, "pause")
    assert timing.owed(paused.game, down) == []


def test_a_downtime_within_a_pause_gives_nothing_back():
    played = Played(clock(per_move="PT1H"))
    agree(played, 50 * MINUTE, "pause", "P7D")
    end = 7 * DAY + 50 * MINUTE
    within, after = (end - 40 * MINUTE, end - 5 * MINUTE), (end + 2 * MINUTE, end + 5 * MINUTE)
    played.then(end, timing.resume(played.game, START + end))
    assert timing.owed(played.game, [(START + within[0], START + within[1])]) == []
    downs = [(START + began, START + ended) for began, ended in (within, after)]
    assert timing.owed(played.game, downs) == downs[1:]
    played.then(after[1], timing.credit(played.game, downs))
    assert played.left(end) == {0: 13 * MINUTE}


def test_of_a_downtime_that_began_within_a_pause_only_what_follows_the_pause_is_given_back():
    played = Played(clock(per_move="PT1H"))
    agree(played, 50 * MINUTE, "pause", "P7D")
    end = START + 7 * DAY + 50 * MINUTE
    played.then(end - START, timing.resume(played.game, end))
    played.then(end - START + MINUTE, timing.credit(played.game, [(end - HOUR, end + MINUTE)]))
    assert played.left(end - START) == {0: 11 * MINUTE}


def test_several_downtimes_add_up():
    played = Played(PLAY_BY_POST)
    downs = [(START + HOUR, START + 2 * HOUR), (START + 4 * HOUR, START + 7 * HOUR)]
    played.then(7 * HOUR, timing.credit(played.game, downs))
    assert played.left(0) == {0: 3 * DAY + 4 * HOUR}


def test_a_seat_that_others_took_a_decision_from_pays_nothing_for_it():
    rule = clock(bank="PT10M", increment="PT1M")
    times = Times(since={0: 0, 1: 0}, until={0: 600_000, 1: 600_000}, banks=(600_000, 600_000))
    acted = [TurnTimedOut(0, "bot", "random")]
    gone = clocks.passed(rule, times, 120_000, acted, {0: 5, 1: 5}, {0: 7})
    assert gone.banks == (540_000, 600_000)
    assert gone.since == {0: 120_000}
    anew = clocks.passed(rule, times, 120_000, acted, {0: 5, 1: 5}, {0: 7, 1: 7})
    assert anew.banks == (540_000, 600_000)
    assert anew.until == {0: 660_000, 1: 720_000}
