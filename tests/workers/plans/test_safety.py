"""No step is played twice, none is lost, and none on a turn that its player did not mean; whatever comes in between."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from domain.game.durations import SECOND
from service.accounts.players import Players
from service.games.plans.planning import PlanStore
from service.games.projections.representations import action_data
from service.store.event_store import EventStore, StoreUnavailable
from tests.support.games import requests_of
from tests.support.random_games import played

PASS = {"action": {"type": "pass"}}


@contextmanager
def patched(monkeypatch, owner, name, do):
    """Put a function in the place of a method: it gets the method, the object and the argument."""
    real = getattr(owner, name)
    with monkeypatch.context() as context:
        context.setattr(owner, name, lambda self, what: do(real, self, what))
        yield


def die(*_):
    raise StoreUnavailable("killed")


def stored(at):
    """Return what Redis holds of the plans of a game."""
    return at.hall.server.redis.hgetall(at.hall.store.keys_of(at.table.id).plans)


# -- workers that are killed --------------------------------------------------------------------------------------


@pytest.mark.parametrize("on_the_turn", [False, True])
def test_a_plan_whose_job_is_lost_is_carried_out_by_the_sweep(moment, hall, on_the_turn):
    at = moment()
    doings = [lambda: at.plan({"action": at.replies[1], "then": [PASS]}), at.act]
    for doing in doings[::-1] if on_the_turn else doings:
        doing()
    assert hall.lose_work() == 1
    assert at.played() is None
    assert hall.sweep() == 1
    assert at.played() == 1
    assert at.planned()["steps"] == [PASS]


@pytest.mark.parametrize("has_taken_effect", [False, True])
def test_a_worker_that_dies_in_its_append_plays_a_step_once(moment, hall, monkeypatch, has_taken_effect):
    at = moment()
    at.plan({"action": at.replies[1], "then": [{"action": at.replies[0]}]})
    at.act()

    def dying(append, store, what):
        if has_taken_effect:
            append(store, what)
        die()

    with patched(monkeypatch, EventStore, "append", dying), pytest.raises(StoreUnavailable):
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
    with patched(monkeypatch, PlanStore, "write", die), pytest.raises(StoreUnavailable):
        hall.work()
    assert at.planned()["steps"]
    hall.sweep()
    assert at.planned()["steps"] == []


def test_however_many_workers_and_jobs_come_one_plays_the_step(moment, hall):
    at = moment()
    at.plan({"action": at.replies[1], "then": [{"action": at.replies[0]}]})
    at.act()
    version = hall.game(at.table.id).version
    before = len(requests_of(hall.store.read(at.table.id)))
    workers = [hall.new_worker()[1] for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda worker: worker.handle(at.table.id, None), workers))
    for worker in (workers[0], hall.new_worker()[1]):
        worker.handle(at.table.id, version)
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


@pytest.mark.parametrize("seed", range(2))
def test_whether_the_plan_or_the_turn_comes_first_the_step_is_played(moment, hall, seed):
    at = moment()
    doings = [at.act, lambda: at.plan({"action": at.replies[1]})]
    with ThreadPoolExecutor(2) as pool:
        for each in [pool.submit(doing) for doing in doings[:: 1 - 2 * seed]]:
            each.result()
    hall.work()
    assert at.played() == 1


@pytest.mark.parametrize(
    ("comes", "status", "played"),
    [("a plan", 200, 0), ("a removal", 204, None), ("an action", 201, 0), ("a proposal", 201, 1)],
)
def test_what_comes_while_a_worker_decides_counts(moment, hall, monkeypatch, comes, status, played):
    at, done = moment(), []
    at.plan({"action": at.replies[1]})
    at.act()
    ways = {
        "a plan": lambda: at.plan({"action": at.replies[0]}),
        "a removal": lambda: at.player.delete(at.path),
        "an action": lambda: at.table.act(at.second, at.replies[0]),
        "a proposal": lambda: at.table.people[at.first].post(f"{at.table.path}/proposals", {"kind": "pause"}),
    }

    def meanwhile(append, store, what):
        if not done:
            done.append(None)
            done[0] = ways[comes]().status_code
        return append(store, what)

    with patched(monkeypatch, EventStore, "append", meanwhile):
        hall.work()
    assert done == [status]
    assert at.played() == played
    assert at.planned()["steps"] == []


# -- turns that were not meant ------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [1, 3])
def test_steps_do_not_outlive_their_hand(table_of, hall, place):
    """All pass, so the cards are dealt again; who planned to pass on may well hold another hand now."""
    table = table_of("le-plateau", 4)
    first = table.to_act
    planner = (first + place) % 4
    plan = f"{table.path}/plan"
    assert table.people[planner].put(plan, {"steps": [{**PASS, "then": [PASS]}]}).status_code == 200
    for number in range(4):
        if number != place:
            assert table.act((first + number) % 4, {"type": "pass"}).status_code == 201
        hall.work()
    assert [each["type"] for each in table.events()].count("hand_dealt") == 2
    assert table.people[planner].get(plan).json["steps"] == []
    while table.to_act != planner:
        assert table.act(table.to_act, {"type": "pass"}).status_code == 201
        hall.work()
    assert table.to_act == planner


def test_nothing_is_played_in_a_paused_game_and_all_is_once_it_continues(moment, hall):
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


def test_an_account_leaves_no_plan_though_the_process_dies_once_it_is_deleted(table_of, hall, monkeypatch):
    table = table_of("plateau", 2)
    for person in table.people:
        assert person.put(f"{table.path}/plan", {"forced": True}).status_code == 200

    def dying(delete, players, player):
        delete(players, player)
        die()

    with patched(monkeypatch, Players, "delete", dying):
        assert table.people[0].delete(f"/v1/me?confirm={table.people[0].id}").status_code == 503
    assert table.people[0].get("/v1/me").status_code == 401
    assert list(hall.server.redis.hgetall(hall.store.keys_of(table.id).plans)) == [b"1"]


def test_an_account_that_is_deleted_while_it_plans_leaves_no_plan(table_of, hall, monkeypatch):
    table = table_of("plateau", 2)
    player = table.people[0]

    def meanwhile(write, store, what):
        hall.server.players.delete(player.id)
        return write(store, what)

    with patched(monkeypatch, PlanStore, "write", meanwhile):
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
    steps = [{"when": {"path": "/version", "op": "lt", "value": 0}, "action": {"type": "pass"}}]
    hall.advance(seconds=6)
    assert table.people[seat].put(f"{table.path}/plan", {"steps": steps}).status_code == 200
    hall.work()
    assert [each["seat"] for each in table.events() if each["type"] == "turn_timed_out"] == [seat]
    assert table.people[seat].get(f"{table.path}/plan").json["steps"] == []
