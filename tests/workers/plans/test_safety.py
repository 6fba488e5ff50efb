"""No step is played twice, none is lost, and none on a turn that its player did not mean; whatever comes in between."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from domain.game.durations import SECOND
from service.accounts.players import Players
from service.games.projections.representations import action_data
from service.store import keys
from service.store.beside_log.plan_store import PlanStore
from service.store.event_store import EventStore, StoreUnavailable
from tests.support.games import requests_of
from tests.support.random_games import played

PASS = {"action": {"type": "pass"}}


def stored(at):
    """Return what Redis holds of the plans of a game."""
    return at.hall.server.redis.hgetall(at.hall.store.keys_of(at.table.id).plans)


# -- workers that are killed --------------------------------------------------------------------------------------


def test_a_plan_whose_job_is_lost_is_carried_out_by_the_sweep(moment, hall):
    at = moment()
    at.plan({"action": at.replies[1], "then": [PASS]})
    at.act()
    assert hall.lose_work() == 1
    assert at.played() is None
    assert hall.sweep() == 1
    assert at.played() == 1
    assert at.planned()["steps"] == [PASS]


def test_a_plan_made_on_the_turn_is_carried_out_by_the_sweep_if_its_job_is_lost(moment, hall):
    at = moment()
    at.act()
    at.plan({"action": at.replies[1]})
    assert hall.lose_work() == 1
    assert hall.sweep() == 1
    assert at.played() == 1


@pytest.mark.parametrize("has_taken_effect", [False, True])
def test_a_worker_that_dies_in_its_append_plays_a_step_once(moment, hall, monkeypatch, has_taken_effect):
    at = moment()
    at.plan({"action": at.replies[1], "then": [{"action": at.replies[0]}]})
    at.act()
    append = EventStore.append

    def die(self, what):
        if has_taken_effect:
            append(self, what)
        raise StoreUnavailable("killed")

    with monkeypatch.context() as killed:
        killed.setattr(EventStore, "append", die)
        with pytest.raises(StoreUnavailable):
            hall.work()
    assert at.played() == (1 if has_taken_effect else None)
    for _ in range(3):
        hall.sweep()
        hall.work()
    assert at.played() == 1
    assert at.planned()["steps"] == [{"action": at.replies[0]}]


def test_a_worker_that_dies_while_it_drops_steps_leaves_them_to_the_next(moment, hall, monkeypatch):
    at = moment()
    at.plan(PASS, forced=True)
    at.act()

    def die(self, what):
        raise StoreUnavailable("killed")

    with monkeypatch.context() as killed:
        killed.setattr(PlanStore, "write", die)
        with pytest.raises(StoreUnavailable):
            hall.work()
    assert at.planned()["steps"]
    hall.sweep()
    assert at.planned()["steps"] == []


def test_jobs_that_come_twice_or_late_play_a_step_once(moment, hall):
    at = moment()
    at.plan({"action": at.replies[1], "then": [{"action": at.replies[0]}]})
    at.act()
    version = hall.game(at.table.id).version
    for _ in range(3):
        hall.worker.handle(at.table.id, version)
        hall.new_worker()[1].handle(at.table.id, version)
        hall.new_worker()[1].handle(at.table.id, None)
    assert at.played() == 1


def test_of_many_workers_one_plays_the_step(moment, hall):
    at = moment()
    at.plan({"action": at.replies[1], "then": [{"action": at.replies[0]}]})
    at.act()
    before = len(requests_of(hall.store.read(at.table.id)))
    workers = [hall.new_worker()[1] for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda worker: worker.handle(at.table.id, None), workers))
    assert at.played() == 1
    assert len(requests_of(hall.store.read(at.table.id))) == before + 1


def test_what_is_due_without_plans_is_due_again_once_a_plan_is_done_with(moment, hall):
    at = moment()
    deadlines = hall.store.shard(at.table.id).deadlines
    at.plan(forced=True)
    at.act()
    assert hall.server.redis.zscore(deadlines, at.table.id) is not None
    hall.work()
    assert hall.server.redis.zscore(deadlines, at.table.id) is None
    assert hall.sweep() == 0


# -- races --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_whether_the_plan_or_the_turn_comes_first_the_step_is_played(moment, hall, seed):
    at = moment()
    doings = [at.act, lambda: at.plan({"action": at.replies[1]})]
    random.Random(seed).shuffle(doings)
    with ThreadPoolExecutor(2) as pool:
        for each in [pool.submit(doing) for doing in doings]:
            each.result()
    hall.work()
    assert at.played() == 1


def test_a_plan_that_is_replaced_while_a_worker_decides_is_not_carried_out(moment, hall, monkeypatch):
    at = moment()
    at.plan({"action": at.replies[1]})
    at.act()
    append, replaced = EventStore.append, []

    def meanwhile(self, what):
        if not replaced:
            replaced.append(at.plan({"action": at.replies[0]}))
        return append(self, what)

    with monkeypatch.context() as slow:
        slow.setattr(EventStore, "append", meanwhile)
        hall.work()
    assert at.played() == 0


def test_a_plan_that_is_removed_while_a_worker_decides_is_not_carried_out(moment, hall, monkeypatch):
    at = moment()
    at.plan({"action": at.replies[1]})
    at.act()
    append = EventStore.append

    def meanwhile(self, what):
        assert at.player.delete(at.path).status_code == 204
        return append(self, what)

    with monkeypatch.context() as slow:
        slow.setattr(EventStore, "append", meanwhile)
        hall.work()
    assert at.played() is None


def test_a_player_who_acts_while_a_worker_decides_is_not_overruled(moment, hall, monkeypatch):
    at = moment()
    at.plan({"action": at.replies[1], "then": [{"action": at.replies[0]}]})
    at.act()
    append, acted = EventStore.append, []

    def meanwhile(self, what):
        if not acted:
            acted.append(True)
            assert at.table.act(at.second, at.replies[0]).status_code == 201
        return append(self, what)

    with monkeypatch.context() as slow:
        slow.setattr(EventStore, "append", meanwhile)
        hall.work()
    assert at.played() == 0
    assert at.planned()["steps"] == []


def test_a_proposal_in_between_changes_nothing(moment, hall, monkeypatch):
    at = moment()
    at.plan({"action": at.replies[1]})
    at.act()
    append, proposed = EventStore.append, []

    def meanwhile(self, what):
        with monkeypatch.context() as undisturbed:
            undisturbed.setattr(EventStore, "append", append)
            proposed.append(at.table.people[at.first].post(f"{at.table.path}/proposals", {"kind": "pause"}))
        return append(self, what)

    with monkeypatch.context() as slow:
        slow.setattr(EventStore, "append", meanwhile)
        hall.work()
    assert [each.status_code for each in proposed] == [201, 409]
    assert at.played() == 1


# -- turns that were not meant ------------------------------------------------------------------------------------


def test_steps_are_dropped_once_their_player_has_acted(moment, hall):
    at = moment()
    at.act()
    hall.work()
    at.plan({"action": at.replies[0], "then": [PASS]})
    assert at.table.act(at.second, at.replies[1]).status_code == 201
    assert at.planned()["steps"] == []
    hall.work()
    assert at.played() == 1


def test_steps_do_not_outlive_their_hand(table_of, hall):
    """All pass, so the cards are dealt again; who planned to pass on may well hold another hand now."""
    table = table_of("le-plateau", 4)
    first = table.to_act
    second = (first + 1) % 4
    plan = f"{table.path}/plan"
    twice = {"steps": [{**PASS, "then": [PASS]}]}
    assert table.people[second].put(plan, twice).status_code == 200
    for number in range(4):
        if number != 1:
            assert table.act((first + number) % 4, {"type": "pass"}).status_code == 201
        hall.work()
    assert [each["type"] for each in table.events()].count("hand_dealt") == 2
    assert table.people[second].get(plan).json["steps"] == []
    while table.to_act != second:
        assert table.act(table.to_act, {"type": "pass"}).status_code == 201
        hall.work()
    assert table.to_act == second


def test_steps_do_not_outlive_a_hand_that_ends_with_the_planned_move_itself(table_of, hall):
    table = table_of("le-plateau", 4)
    last = (table.to_act + 3) % 4
    plan = f"{table.path}/plan"
    for _ in range(3):
        assert table.act(table.to_act, {"type": "pass"}).status_code == 201
    assert table.to_act == last
    assert table.people[last].put(plan, {"steps": [{**PASS, "then": [PASS]}]}).status_code == 200
    hall.work()
    assert [each["type"] for each in table.events()].count("hand_dealt") == 2
    assert table.people[last].get(plan).json["steps"] == []
    while table.to_act != last:
        assert table.act(table.to_act, {"type": "pass"}).status_code == 201
        hall.work()
    assert table.to_act == last


def test_nothing_is_played_in_a_paused_game_and_all_is_once_it_goes_on(moment, hall):
    at = moment()
    at.act()
    agree(at.table, "pause")
    at.plan({"action": at.replies[1]})
    hall.work()
    hall.sweep()
    assert at.played() is None
    agree(at.table, "resume")
    hall.work()
    assert at.played() == 1


def agree(table, kind):
    """Let all players agree."""
    (proposal,) = (
        each["data"]["proposal"]
        for each in table.people[0].post(f"{table.path}/proposals", {"kind": kind}).json["events"]
        if each["type"] == "proposal_made"
    )
    for person in table.people[1:]:
        assert person.post(f"{table.path}/proposals/{proposal}/votes", {"accept": True}).status_code == 201


def test_a_seat_that_is_handed_over_loses_its_plan(moment, hall):
    at = moment()
    at.plan({"action": at.replies[1]}, forced=True)
    assert stored(at)
    assert at.player.put(f"{at.table.path}/seats/{at.second}", {"bot": "random"}).status_code == 200
    assert stored(at) == {}


def test_a_plan_of_another_player_is_not_carried_out(moment, hall):
    """Such as one that was written while the seat was handed over."""
    at = moment()
    at.plan({"action": at.replies[1]}, forced=True)
    plans = hall.store.keys_of(at.table.id).plans
    kept = hall.server.redis.hget(plans, at.second).replace(at.player.id.encode(), b"pl_other")
    hall.server.redis.hset(plans, at.second, kept)
    assert at.planned()["steps"] == []
    at.act()
    hall.work()
    assert at.played() is None
    assert stored(at) == {}


def test_the_plans_of_a_game_end_with_it(table_of, hall):
    table = table_of("plateau", 2)
    for seat in table.seats:
        assert table.people[seat].put(f"{table.path}/plan", {"forced": True}).status_code == 200
    plans = hall.store.keys_of(table.id).plans
    assert hall.server.redis.hlen(plans) == 2
    assert 0 < hall.server.redis.pttl(plans) <= 180 * 24 * 3600 * SECOND
    assert table.people[0].post(f"{table.path}/resign", {"confirm": True}).status_code == 201
    assert not hall.server.redis.exists(plans)
    refused = table.people[0].put(f"{table.path}/plan", {"forced": True})
    assert (refused.status_code, refused.json["code"]) == (409, "game-not-active")
    assert table.people[0].delete(f"{table.path}/plan").status_code == 204


@pytest.mark.parametrize(("ruleset_id", "seats"), [("le-plateau", 2), ("plateau", 2)])
def test_the_plans_of_a_game_end_with_it_also_if_one_of_them_makes_the_last_move(hall, ruleset_id, seats):
    *steps, last = played(ruleset_id, seats, 1)
    table = hall.server.table_of_log(steps)
    step = {"action": action_data(last.game.ruleset, last.action)}
    plan = {"steps": [{**step, "then": [step]}], "forced": True}
    assert table.people[last.seat].put(f"{table.path}/plan", plan).status_code == 200
    hall.work()
    assert hall.game(table.id).is_over
    assert not hall.server.redis.exists(hall.store.keys_of(table.id).plans)


def test_a_deleted_account_leaves_no_plan(table_of, hall):
    table = table_of("plateau", 2)
    for person in table.people:
        assert person.put(f"{table.path}/plan", {"forced": True}).status_code == 200
    plans = hall.store.keys_of(table.id).plans
    assert table.people[0].delete(f"/v1/me?confirm={table.people[0].id}").status_code == 204
    assert list(hall.server.redis.hgetall(plans)) == [b"1"]


def test_an_account_leaves_no_plan_though_the_process_dies_once_it_is_deleted(table_of, hall, monkeypatch):
    table = table_of("plateau", 2)
    assert table.people[0].put(f"{table.path}/plan", {"forced": True}).status_code == 200
    delete = Players.delete

    def die(self, player):
        delete(self, player)
        raise StoreUnavailable("killed")

    with monkeypatch.context() as killed:
        killed.setattr(Players, "delete", die)
        assert table.people[0].delete(f"/v1/me?confirm={table.people[0].id}").status_code == 503
    assert table.people[0].get("/v1/me").status_code == 401
    assert not hall.server.redis.exists(hall.store.keys_of(table.id).plans)


def test_an_account_that_is_deleted_while_it_plans_leaves_no_plan(table_of, hall, monkeypatch):
    table = table_of("plateau", 2)
    write, player = PlanStore.write, table.people[0]

    def meanwhile(self, what):
        hall.server.players.delete(player.id)
        return write(self, what)

    with monkeypatch.context() as slow:
        slow.setattr(PlanStore, "write", meanwhile)
        player.put(f"{table.path}/plan", {"forced": True})
    assert not hall.server.redis.exists(hall.store.keys_of(table.id).plans)


# -- clocks -------------------------------------------------------------------------------------------------------


def test_a_planned_move_counts_as_the_player_s_own(table_of, hall):
    clock = {"per_move": "PT1H", "bank": "P1D", "increment": "PT5M", "on_timeout": "bot"}
    table = table_of("plateau", 2, clock=clock)
    first = table.to_act
    pieces = table.legal(first)[0]["pieces"]
    plan = {"steps": [{"action": {"type": "open", "square": "d4", "pieces": pieces}}]}
    assert table.people[1 - first].put(f"{table.path}/plan", plan).status_code == 200
    assert table.act(first, {"type": "open", "square": "a1", "pieces": pieces}).status_code == 201
    hall.work()
    view = table.view(first)
    assert view["to_act"] == [first]
    assert view["times"]["banks"] == ["P1DT5M", "P1DT5M"]
    assert not any(each["type"] == "turn_timed_out" for each in table.events())


def test_a_late_turn_with_a_switch_that_cannot_help_is_taken_by_the_bot(table_of, hall, monkeypatch):
    table = table_of("plateau", 2, clock={"per_move": "PT5S", "on_timeout": "bot"})
    seat = table.to_act
    assert table.people[seat].put(f"{table.path}/plan", {"forced": True}).status_code == 200
    hall.work()
    hall.advance(seconds=6)
    hall.worker.handle(table.id, None)
    assert [each["seat"] for each in table.events() if each["type"] == "turn_timed_out"] == [seat]


def test_steps_are_outdated_once_a_bot_has_taken_a_late_turn(table_of, hall):
    table = table_of("plateau", 2, clock={"per_move": "PT5S", "on_timeout": "bot"})
    seat = table.to_act
    pieces = table.legal(seat)[0]["pieces"]
    steps = [{"when": {"path": "/version", "op": "lt", "value": 0}, "action": {"type": "pass"}}]
    hall.advance(seconds=6)
    assert table.people[seat].put(f"{table.path}/plan", {"steps": steps}).status_code == 200
    hall.work()
    assert pieces
    assert [each["seat"] for each in table.events() if each["type"] == "turn_timed_out"] == [seat]
    assert table.people[seat].get(f"{table.path}/plan").json["steps"] == []


def test_keys_are_those_that_the_page_of_keys_names():
    game = keys.GameKeys("gm_1", keys.Shard(7))
    assert game.plans == "{s07}:game:gm_1:plans"
