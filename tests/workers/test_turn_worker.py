"""Workers: bots move, failing ones are replaced, turns time out, pauses end; each once, however often it is queued.

A bot's seed is that of the version at which it was asked, whatever comes in before its move is written.
A job continues the trace of the append that made it.
"""

import random
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from domain.audit.bundle import read
from domain.chance import bot_seed
from domain.events import Clock
from domain.game import aggregate
from domain.game.bot_seeds import is_seed_of
from domain.game.durations import DAY, HOUR, MINUTE, moment
from domain.game.time_control import PLAY_BY_POST
from domain.game.timeouts import ENDLESS
from domain.le_plateau.actions import Pass
from domain.log import chain
from domain.log.record import visible
from domain.registry import RULESETS
from service.bots import BOTS, Bot
from service.common import observability
from service.common.errors import AtVersion, Forbidden
from service.games.commands import Act, ClaimTimeout, Propose, Vote, bot_caller
from service.games.due_commands import TakeTurn
from service.games.store_audit import StoreAudit
from service.store import keys
from service.store.event_store import StoreUnavailable
from service.store.heartbeat import Heartbeat
from tests.support import tender_ruleset
from tests.support.bundles import judged, written
from tests.support.games import ADA, BOB, order, requests_of, wish
from tests.support.traces import named
from tests.support.wiring import Games
from tests.web.verifier import verdicts
from tests.workers.places import START
from workers import choosing, tasks
from workers.bots.policy import Thought

PER_MINUTE = Clock("PT1M", None, None, "bot", "random")


def verify(house, game_id):
    """The log is whole, and its chain verifies."""
    game, log = house.game(game_id), house.store.read(game_id)
    assert chain.verify([visible(each, game.secrets, None, everything=True) for each in log]) == game.head


# -- bots ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "moves", "work"),
    [(("random", "random", "random"), 1, b"bot pl_ada"), (("random", "random", "me"), 2, None)],
    ids=["alone", "table"],
)
def test_bots_alone_give_way_to_a_game_that_a_player_waits_for(house, seats, moves, work):
    worker = house.worker_where_a_game_is_urgent()
    game_id = house.begin(*seats)
    worker.handle(game_id, None)
    assert house.counted("bot_moves") == moves
    changes = house.client.xrange(house.store.shard(game_id).changes)
    assert changes[-1][1].get(b"w") == work, "a game that gives way is queued again"


def test_a_job_that_comes_too_late_or_twice_does_nothing(house):
    game_id = house.begin("random", "me", "me")
    version = house.game(game_id).version
    house.worker.handle(game_id, version)
    after = house.game(game_id)
    for _ in range(3):
        house.worker.handle(game_id, version)
        house.process()[1].handle(game_id, version)
    assert house.game(game_id) == after
    assert house.counted("outdated") == 6


def test_a_job_of_a_game_that_there_is_not_does_nothing(house):
    house.worker.handle("gm_none", 3)


@pytest.mark.parametrize("is_late", [False, True])
def test_of_many_workers_at_one_version_one_moves(house, is_late):
    game_id = house.begin("me" if is_late else "random", "me", "me", clock=PER_MINUTE)
    house.ms += MINUTE * is_late
    version = house.game(game_id).version
    workers = [house.process()[1] for _ in range(8)]
    for worker in workers:
        worker.policy_process = _Quick()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda worker: worker.handle(game_id, version), workers))
    assert len(requests_of(house.store.read(game_id))) == 2
    assert house.types(game_id).count("turn_timed_out") == is_late
    assert house.counted("outdated") == 7


class _Quick:
    """A policy process without a process: it chooses at once, or after the test has done something."""

    def __init__(self, meanwhile=lambda: None):
        self._rng, self._meanwhile, self.views = random.Random(1), meanwhile, []

    def think(self, _policy, view, _seed, _playouts):
        self.views.append(view)
        self._meanwhile()
        return Thought(self._rng.choice(view["legal_actions"]["actions"]))


def test_a_player_who_acts_while_a_bot_thinks_of_another_seat_is_not_overruled(house, monkeypatch):
    monkeypatch.setitem(RULESETS, "tender", tender_ruleset.RULESET)
    game_id = house.begin("random", "me", "me", ruleset="tender", clock=None)
    elsewhere = house.process()[0]
    tender = order(tender_ruleset.Tender(2), seat=1)
    house.worker.policy_process = _Quick(lambda: elsewhere.act(game_id, ADA, tender))
    house.handle(game_id)
    assert house.types(game_id).count("tendered") == 2
    assert set(house.game(game_id).pending) == {2}


def talk(house, game_id):
    """Let seat 1 propose a pause in another process, and seat 2 decline it."""
    elsewhere = house.process()[0]
    elsewhere.do(game_id, Propose(caller=ADA, seat=1, kind="pause"))
    made = elsewhere.current(game_id).proposals[0].id
    elsewhere.do(game_id, Vote(caller=ADA, seat=2, proposal=made, accept=False))


@pytest.mark.parametrize("is_late", [False, True])
def test_what_is_proposed_while_a_bot_thinks_does_not_hinder_it(house, is_late):
    game_id = house.begin("me" if is_late else "random", "me", "me", clock=PER_MINUTE)
    house.ms += MINUTE * is_late
    house.worker.policy_process = _Quick(lambda: talk(house, game_id))
    house.handle(game_id)
    assert set(house.game(game_id).pending) == {1}
    assert house.types(game_id).count("turn_timed_out") == is_late


def test_a_job_is_not_too_late_because_something_was_proposed(house):
    game_id = house.begin("random", "me", "me")
    version = house.game(game_id).version
    talk(house, game_id)
    house.worker.handle(game_id, version)
    assert house.counted("bot_moves") == 1


def test_a_pause_ends_though_something_was_proposed_since_its_job_was_queued(house):
    game_id = house.begin("me", "me", "me")
    house.games.do(game_id, Propose(caller=ADA, seat=0, kind="pause", duration="PT1H"))
    for seat in (1, 2):
        made = house.game(game_id).proposals[0].id
        house.games.do(game_id, Vote(caller=ADA, seat=seat, proposal=made, accept=True))
    paused = house.game(game_id)
    house.ms += HOUR
    house.games.do(game_id, Propose(caller=ADA, seat=0, kind="resume"))
    house.worker.handle(game_id, paused.version)
    assert (paused.status, house.game(game_id).status) == ("paused", "active")


def test_a_turn_that_was_taken_before_its_bot_had_decided_is_not_taken_twice(house):
    game_id = house.begin("me", "me", "me", clock=PER_MINUTE)
    house.ms += MINUTE
    elsewhere, game = house.process()[0], house.game(game_id)
    action = order(next(iter(game.ruleset.legal_actions(game.state, 0))), seat=0)
    house.worker.policy_process = _Quick(lambda: elsewhere.act(game_id, ADA, action))
    house.handle(game_id)
    assert "turn_timed_out" not in house.types(game_id)
    assert house.counted("outdated") == 1


@pytest.mark.parametrize("policy", ["hangs", "raises"])
def test_a_bot_that_fails_is_replaced_for_that_move(house, bot, policy, hasty_policy_process, caplog):
    if policy == "hangs":
        house.worker.policy_process = hasty_policy_process
    game_id = house.begin(bot(policy), "me", "me")
    before = house.game(game_id).version
    house.handle(game_id)
    assert house.game(game_id).version > before
    assert set(house.game(game_id).pending) == {1}
    (failure,) = [record for record in caplog.records if "a bot failed" in record.message]
    assert (failure.fields["bot"], failure.fields["game"], failure.fields["version"]) == (policy, game_id, before)
    assert (failure.fields["reason"] == "hung") == (policy == "hangs")
    assert "secret" not in str(failure.fields)
    assert house.counts()["bot_failures", policy] == 1


def test_a_bot_that_is_not_known_any_more_is_replaced(house, bot, monkeypatch):
    game_id = house.begin("random", "me", "me")
    monkeypatch.delitem(sys.modules["service.bots"].BOTS, "random")
    house.handle(game_id)
    assert set(house.game(game_id).pending) == {1}


def test_a_policy_knows_neither_the_settings_nor_the_store(policy_process, monkeypatch):
    monkeypatch.setenv("REDIS_URL", "redis://secret")
    monkeypatch.setenv("PLATEAU_DATA", "/secret")
    policy_process.stop()
    loaded = policy_process.think("tests.workers.looking_policy:around", {}, 1).action
    assert not {name for name in loaded["environment"] if name.startswith(("REDIS", "PLATEAU", "QUEUE"))}
    assert not {name for name in loaded["modules"] if name.split(".")[0] in ("redis", "rq", "flask", "service")}


# -- what is noted of a move ----------------------------------------------------------------------------------------


def noted(house, game_id):
    """Return the moves of bots in a log, each with its bot as everybody sees it after the end."""
    game, log = house.game(game_id), house.store.read(game_id)
    shown = [visible(each, game.secrets, None, everything=True) for each in log]
    return [(event["version"], event["type"], event["bot"]) for event in shown if "bot" in event]


def test_the_first_event_of_a_bots_move_says_which_bot_it_was_and_what_led_to_it(house):
    game_id = house.begin("random", "me", "me")
    before = house.game(game_id)
    house.handle(game_id)
    ((version, _, bot),) = noted(house, game_id)
    assert version == before.version + 1
    seed = bot_seed(before.secret, game_id, 0, before.version, ("random", 1))
    thought = {"seed": seed, "done": 0, "chosen": "policy"}
    assert bot == {"name": "random", "version": 1, "playouts": 0, "thought": thought}
    assert house.process()[0].current(game_id) == house.game(game_id)
    house.games.act(game_id, ADA, order(Pass(), seat=1))
    assert len(noted(house, game_id)) == 1, "a player is no bot"


def test_a_move_for_a_late_seat_says_so_and_which_bot_made_it(house):
    game_id = house.begin("me", "me", "me", clock=PER_MINUTE)
    house.ms += MINUTE
    house.handle(game_id)
    ((_, kind, bot),) = noted(house, game_id)
    assert (kind, bot["name"], bot["thought"]["chosen"]) == ("turn_timed_out", "random", "policy")


def test_a_move_that_no_bot_chose_says_so_and_follows_from_the_seed(house, bot):
    game_id = house.begin(bot("raises"), "me", "me")
    before = house.game(game_id)
    house.handle(game_id)
    ((_, _, by),) = noted(house, game_id)
    assert (by["name"], by["thought"]["chosen"]) == ("raises", "any_legal")
    again = choosing.any_legal(before, 0, "raises")
    _, after = aggregate.act(before, 0, again.action)
    assert after.state == house.game(game_id).state


class Searching(_Quick):
    """A policy process whose search is stopped early, and which counts how often it is asked."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def think(self, policy, view, seed, playouts):
        """Choose at once, after some playouts."""
        self.asked.append((seed, playouts, view["legal_actions"]["count"]))
        return replace(super().think(policy, view, seed, playouts), playouts=playouts - 360)


def test_the_playouts_that_a_search_had_and_did_are_noted(house, monkeypatch):
    monkeypatch.setitem(BOTS, "seeker", Bot("For a test.", "none", playouts=1000, version=3))
    house.worker.policy_process = searching = Searching()
    game_id = house.begin("seeker", "me", "me")
    house.handle(game_id)
    ((_, _, by),) = noted(house, game_id)
    ((seed, playouts, _),) = searching.asked
    assert (by["version"], by["playouts"], by["thought"]["done"]) == (3, playouts, 640)
    assert by["thought"]["seed"] == seed


def test_bots_play_to_the_end_and_are_not_asked_for_the_only_legal_action(house):
    house.worker.policy_process = searching = Searching()
    game_id = house.begin("random", "random")
    while not house.game(game_id).is_over:
        house.handle(game_id)
    verify(house, game_id)
    counts, moves = [count for _, _, count in searching.asked], noted(house, game_id)
    assert house.counted("bot_moves") == len(moves) == len(requests_of(house.store.read(game_id))) - 1
    assert house.client.zscore(house.store.shard(game_id).deadlines, game_id) is None
    assert min(counts) > 1
    assert len(counts) < len(moves)
    assert {by["thought"]["done"] for _, _, by in moves} == {0}, "so that the log verifies"
    assert house.counted("bot_failures") == 0


# -- time ---------------------------------------------------------------------------------------------------------


def test_a_turn_that_times_out_is_played_by_a_bot_and_not_before(house):
    game_id = house.begin("me", "me", "me")
    house.ms = START + 3 * DAY - 1
    before = house.game(game_id).version
    house.handle(game_id)
    assert house.types(game_id, before) == []
    house.ms += 1
    house.handle(game_id)
    assert house.types(game_id, before)[0] == "turn_timed_out"
    assert set(house.game(game_id).pending) == {1}
    assert house.counts()["timeouts", "bot"] == 1


def test_a_seat_resigns_at_timeout_where_the_ruleset_knows_that(house, monkeypatch):
    monkeypatch.setitem(RULESETS, "tender", tender_ruleset.RULESET)
    game_id = house.begin("me", "me", ruleset="tender", clock=Clock("PT1M", None, None, "resign", "random"))
    house.ms += MINUTE
    house.handle(game_id)
    assert house.types(game_id)[-3:] == ["turn_timed_out", "resigned", "game_finished"]
    assert house.counts()["timeouts", "resign"] == 1


def test_an_event_of_a_clock_is_written_for_the_time_it_was_judged_for(house, monkeypatch):
    monkeypatch.setitem(RULESETS, "tender", tender_ruleset.RULESET)
    game_id = house.begin("me", "me", ruleset="tender", clock=Clock("PT1M", None, None, "resign", "random"))
    game, due = house.game(game_id), house.ms + MINUTE
    turn = TakeTurn(now=due, seat=0, decision=game.decision_id(0))
    house.games.do(game_id, turn)  # the clock of the machine has gone back since the turn was found to be late
    late = next(each for each in house.store.read(game_id) if each.type == "turn_timed_out")
    assert late.at == moment(due)


def test_a_pause_ends_when_it_is_over(house):
    game_id = house.begin("me", "random", "random")
    house.games.do(game_id, Propose(caller=ADA, seat=0, kind="pause", duration="PT1H"))
    assert house.game(game_id).status == "paused"
    house.handle(game_id)
    assert house.game(game_id).status == "paused"
    house.ms += HOUR
    house.handle(game_id)
    assert house.game(game_id).status == "active"
    assert house.types(game_id)[-1] == "game_resumed"


# -- downtime -----------------------------------------------------------------------------------------------------


def test_while_no_web_process_serves_nobodys_time_runs_out(house):
    game_id = house.begin("me", "me", "me", clock=PER_MINUTE)
    house.client.set(keys.HEARTBEAT, 1)
    house.ms += HOUR
    house.handle(game_id)
    assert "turn_timed_out" not in house.types(game_id)


def test_bots_continue_while_no_web_process_serves(house):
    game_id = house.begin("random", "me", "me")
    house.client.set(keys.HEARTBEAT, 1)
    house.handle(game_id)
    assert house.counted("bot_moves") == 1


def test_time_that_the_service_was_down_is_credited_before_anything_else_and_once(house):
    game_id = house.begin("me", "me", "me", clock=PER_MINUTE)
    version = house.game(game_id).version
    down = (START + 30_000, START + HOUR)
    house.client.zadd(keys.DOWNTIMES, {f"{down[0]}-{down[1]}": down[1]})
    house.ms = START + HOUR
    house.handle(game_id)
    assert house.types(game_id, version) == ["time_credited"]
    assert house.game(game_id).deadlines == {0: START + HOUR + 30_000}
    shard = house.store.shard(game_id)
    assert house.client.zscore(shard.deadlines, game_id) == START + HOUR + 30_000
    house.ms += 29_999
    house.handle(game_id)
    assert house.types(game_id, version) == ["time_credited"]
    house.ms += 1
    house.handle(game_id)
    assert house.types(game_id, version)[:2] == ["time_credited", "turn_timed_out"]


class Returned:
    """A web process at whose game Redis was away for an hour, and which has not heard anything since."""

    def __init__(self, house, clock):
        self.house, self.seconds = house, 1000.0
        self.heartbeat = Heartbeat(house.client, now=lambda: self.seconds)
        self.web = Games(house.store, house.now, ENDLESS, self.heartbeat.downtimes)
        self.game_id = house.begin("me", "me", clock=clock, ruleset="plateau")
        self.version = house.game(self.game_id).version
        self.heartbeat.silence()
        self.seconds += 3600
        house.client.zadd(keys.DOWNTIMES, {f"{START + MINUTE}-{START + HOUR}": START + HOUR})
        house.ms = START + HOUR + 300

    def act(self):
        """Take the first legal action of the player to act."""
        game = self.web.current(self.game_id)
        seat = min(game.pending)
        action = next(iter(game.ruleset.legal_actions(game.state, seat)))
        self.web.act(self.game_id, ADA, order(action, seat=seat))
        return seat


def test_a_claim_right_after_an_outage_finds_the_time_given_back(house):
    back = Returned(house, Clock("PT30M", None, None, "wait", "random"))
    (late,) = house.game(back.game_id).pending
    with pytest.raises(AtVersion) as refused:
        back.web.do(back.game_id, ClaimTimeout(caller=ADA, seat=1 - late, now=back.web.desk.now()))
    assert refused.value.refusal.code == "not-timed-out"
    assert house.types(back.game_id, back.version) == ["time_credited"]
    assert house.game(back.game_id).deadlines == {late: START + HOUR + 29 * MINUTE}


def test_an_action_right_after_an_outage_costs_no_bank_the_outage(house):
    back = Returned(house, Clock(None, "PT10M", None, "bot", "random"))
    seat = back.act()
    assert house.types(back.game_id, back.version)[0] == "time_credited"
    assert house.game(back.game_id).times.banks[seat] == 9 * MINUTE - 300
    credited = house.store.read(back.game_id, back.version)[0]
    assert credited.data == {"from": moment(START + MINUTE), "until": moment(START + HOUR)}


def test_of_downtimes_nobody_asks_without_a_clock_nor_again_soon_after(house, monkeypatch):
    asked, back = [], Returned(house, PLAY_BY_POST)
    untimed = house.begin("me", "me", clock=None, ruleset="plateau")
    hear = back.heartbeat._hear
    monkeypatch.setattr(back.heartbeat, "_hear", lambda how: asked.append(how) or hear(how))
    back.game_id, timed = untimed, back.game_id
    back.act()
    assert asked == []
    back.game_id = timed
    back.act()
    back.act()
    assert asked == ["listen"]


# -- what a bot knows ---------------------------------------------------------------------------------------------


def test_the_service_acts_for_a_bots_seat_alone(house):
    game_id = house.begin("random", "me", "me")
    game = house.game(game_id)
    action = next(iter(game.ruleset.legal_actions(game.state, 0)))
    with pytest.raises(Forbidden):
        house.games.act(game_id, bot_caller(1), order(action, seat=0))
    with pytest.raises(Forbidden):
        house.games.act(game_id, ADA, order(action, seat=0))


class Cut:
    """A turn worker for which Redis is away a number of times."""

    def __init__(self, times):
        self._times = times
        self.seen = []

    def handle(self, game_id, version):
        """Note it, or fail."""
        if self._times:
            self._times -= 1
            raise StoreUnavailable
        self.seen.append((game_id, version))


class Calls:
    """A queue of games to handle at once; it counts the calls for another worker."""

    def __init__(self, *games):
        self._games = list(games)
        self.called_on = 0

    def take(self):
        """Return the next one."""
        return (self._games.pop(0), 7) if self._games else None

    def call_on(self):
        """Count."""
        self.called_on += 1


def test_a_job_waits_for_a_redis_that_is_away_but_not_for_ever(monkeypatch):
    monkeypatch.setattr(tasks, "_on_duty", None)
    monkeypatch.setattr(tasks, "_AGAIN_SECONDS", (0, 0))
    patient, beaten = Cut(2), Cut(3)
    tasks.put_on_duty(patient, Calls("gm_1"))
    tasks.handle_next()
    assert patient.seen == [("gm_1", 7)]
    tasks.put_on_duty(beaten, Calls("gm_1"))
    with pytest.raises(StoreUnavailable):
        tasks.handle_next()


def test_a_game_that_fails_leaves_the_others_to_the_next_call(monkeypatch):
    monkeypatch.setattr(tasks, "_on_duty", None)
    monkeypatch.setattr(tasks, "_AGAIN_SECONDS", ())
    queue, turn_worker = Calls("gm_1", "gm_2"), Cut(0)
    tasks.put_on_duty(turn_worker, queue)
    tasks.handle_next()
    assert (turn_worker.seen, queue.called_on) == ([("gm_1", 7), ("gm_2", 7)], 1)
    queue, turn_worker = Calls("gm_1", "gm_2"), Cut(1)
    tasks.put_on_duty(turn_worker, queue)
    with pytest.raises(StoreUnavailable):
        tasks.handle_next()
    assert (turn_worker.seen, queue.called_on) == ([], 1)
    tasks.handle_next()
    assert turn_worker.seen == [("gm_2", 7)]


def test_a_call_ends_after_a_while_though_games_wait(monkeypatch):
    monkeypatch.setattr(tasks, "_on_duty", None)
    monkeypatch.setattr(tasks, "_SHIFT_SECONDS", 0)
    queue, turn_worker = Calls("gm_1"), Cut(0)
    tasks.put_on_duty(turn_worker, queue)
    tasks.handle_next()
    assert (turn_worker.seen, queue.called_on) == ([], 1)


# -- take-backs ---------------------------------------------------------------------------------------------------


def take_back(house, game_id, to_version=None):
    """Let the only player take something back."""
    house.games.do(game_id, Propose(caller=ADA, seat=1, kind="take_back", to_version=to_version))


def test_a_bot_moves_again_after_its_move_was_taken_back(house):
    game_id = house.begin("random", "me", "random")
    version = house.game(game_id).version
    house.handle(game_id)
    take_back(house, game_id, version)
    assert set(house.game(game_id).pending) == {0}
    work = house.client.xrange(house.store.shard(game_id).changes)[-1][1]
    assert b"w" in work
    house.worker.handle(game_id, house.game(game_id).version)
    assert house.counted("bot_moves") == 2
    verify(house, game_id)


def test_a_job_for_a_turn_that_was_taken_back_does_nothing(house):
    game_id = house.begin("random", "me", "random")
    version = house.game(game_id).version
    house.handle(game_id)
    take_back(house, game_id, version)
    house.worker.handle(game_id, version)
    assert (house.counted("bot_moves"), house.counted("outdated")) == (1, 1)


def test_what_a_bot_thought_of_before_a_take_back_is_not_played_after_it(house):
    game_id = house.begin("random", "me", "random")
    version = house.game(game_id).version
    house.handle(game_id)
    house.games.act(game_id, ADA, order(Pass(), seat=1))
    elsewhere = house.process()[0]
    back = Propose(caller=ADA, seat=1, kind="take_back", to_version=version)
    house.worker.policy_process = policy = _Quick(lambda: len(policy.views) == 1 and elsewhere.do(game_id, back))
    house.handle(game_id)
    assert house.types(game_id)[-1] == "taken_back"
    house.handle(game_id)
    assert set(house.game(game_id).pending) == {1}
    assert len({view["decision"]["id"] for view in policy.views}) == len(policy.views) == 2


def test_a_move_of_a_bot_that_a_proposal_overtook_verifies(house, policy_process, tmp_path):
    game_id = house.begin("me", "random", None)
    house.games.join(game_id, BOB, wish())
    act_once(house, game_id)
    asked = house.game(game_id)
    (seat,) = asked.pending
    chosen = choosing.choice(asked, seat, "random", policy_process)
    house.games.do(game_id, Propose(caller=ADA, seat=0, kind="pause"))
    decision = asked.decision_id(seat)
    move = Act(caller=bot_caller(seat), seat=seat, action=chosen.action, decision=decision, by_bot=chosen.by)
    house.games.do(game_id, move)
    first = house.store.read(game_id, asked.version + 1)[0]
    assert (first.bot or {})["name"] == "random"
    assert StoreAudit(house.store).check(game_id).fault is None
    house.games.do(game_id, Propose(caller=ADA, seat=0, kind="abort"))
    proposal = house.game(game_id).proposals[-1].id
    house.games.do(game_id, Vote(caller=BOB, seat=2, proposal=proposal, accept=True))
    bundle = written(house.game(game_id), house.store.read(game_id))
    assert judged(read(bundle)).fault is None
    if shutil.which("node"):
        assert verdicts(tmp_path, {"game": bundle})["game"]["fault"] is None


def test_a_seed_that_the_bot_could_not_have_is_found(house, policy_process):
    game_id = house.begin("me", "random", ruleset="plateau")
    act_once(house, game_id)
    game = house.game(game_id)
    (seat,) = game.pending
    by = choosing.choice(game, seat, "random", policy_process).by
    wrong = replace(by, thought=replace(by.thought, seed=by.thought.seed ^ 1))
    assert is_seed_of(game, seat, by)
    assert not is_seed_of(game, seat, wrong)
    house.games.do(game_id, Act(caller=bot_caller(seat), seat=seat, action=first_legal(game, seat), by_bot=wrong))
    fault = StoreAudit(house.store).check(game_id).fault
    assert fault is not None
    assert (fault.version, fault.field) == (game.version + 1, "/bot/thought/seed")


def act_once(house, game_id):
    game = house.game(game_id)
    house.games.do(game_id, Act(caller=ADA, seat=0, action=first_legal(game, 0)))


def first_legal(game, seat):
    return next(iter(game.ruleset.legal_actions(game.state, seat)))


def test_a_job_continues_the_trace_of_the_append_that_made_it(house, spans):
    with observability.span("request"):
        game = house.begin("random", "random", "random")
    (request,) = named(spans, "request")
    for _ in range(2):
        house.handle(game)
    first, second = named(spans, "job")
    assert first.context.trace_id == request.context.trace_id
    assert second.context.trace_id != request.context.trace_id
    assert second.parent is None
    assert first.attributes["plateau.game"] == game
    appends = [span for span in named(spans, "append") if span.parent.span_id == first.context.span_id]
    assert appends
    assert named(spans, "policy")[0].context.trace_id == request.context.trace_id
    assert house.client.hgetall(house.store.shard(game).traces) == {}


def test_a_trace_that_no_worker_takes_is_forgotten(house, spans):
    with observability.span("request"):
        game = house.begin("random", "random", "random")
    assert 0 < house.client.pttl(house.store.shard(game).traces) <= 3_600_000
    observability.use(None)
    other = house.begin("random", "random", "random")
    assert not house.client.hexists(house.store.shard(other).traces, other)
    house.handle(game)
