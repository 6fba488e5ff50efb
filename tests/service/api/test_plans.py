"""Plans: who can make them, what form they have, how two devices share them, and that nobody else learns of them."""

import json
import random

import pytest

from service.games.plans.plan import MOST_BYTES, MOST_STEPS, MOST_TURNS
from service.games.projections.representations import action_data
from tests.support.live import NDJSON, live
from tests.support.other_worlds import empty, questions, told, viewers
from tests.support.random_games import played
from tests.support.sampling import TABLES, part
from tests.support.server import wait_until

PASS = {"action": {"type": "pass"}}
PLAN = {"steps": [{"when": {"path": "/state/phase", "op": "eq", "value": "bid"}, **PASS}], "forced": True}


@pytest.fixture
def streams(server):
    with live(server) as app:
        yield app


def path_of(table, seat=None):
    return f"{table.path}/plan" + ("" if seat is None else f"?as={seat}")


# -- reading and writing ------------------------------------------------------------------------------------------


def test_a_seat_without_a_plan_has_an_empty_one(table, ada):
    answer = ada.get(path_of(table))
    assert answer.json == {"game_id": table.id, "seat": 0, "steps": [], "forced": False}
    assert ada.get(path_of(table), If_None_Match=answer.headers["ETag"]).status_code == 304


def test_a_plan_is_shown_as_it_was_written_until_it_is_removed(table, ada):
    written = ada.put(path_of(table), PLAN)
    assert written.status_code == 200
    assert written.json == {"game_id": table.id, "seat": 0, **PLAN}
    read = ada.get(path_of(table))
    assert (read.json, read.headers["ETag"]) == (written.json, written.headers["ETag"])
    assert ada.delete(path_of(table)).status_code == 204
    assert ada.delete(path_of(table)).status_code == 204
    assert ada.get(path_of(table)).json["steps"] == []


def test_a_plan_replaces_the_earlier_one_and_what_is_left_out_is_nothing(table, ada):
    ada.put(path_of(table), PLAN)
    assert ada.put(path_of(table), {}).json == {"game_id": table.id, "seat": 0, "steps": [], "forced": False}
    assert not table.server.redis.exists(table.server.store.keys_of(table.id).plans)


def test_a_seat_token_plans_for_its_seat(table, ada):
    phone = ada.holding(ada.post(f"{table.path}/seats/0/tokens", {"label": "phone"}).json["token"])
    assert phone.put(path_of(table), PLAN).status_code == 200
    assert phone.get(path_of(table)).json == ada.get(path_of(table)).json
    assert phone.put(path_of(table, 1), PLAN).json["code"] == "not-your-seat"
    assert phone.delete(path_of(table)).status_code == 204


def test_two_devices_do_not_overwrite_each_other(table, ada):
    nothing = ada.get(path_of(table)).headers["ETag"]
    first = ada.put(path_of(table), PLAN, If_Match=nothing)
    assert first.status_code == 200
    refused = ada.put(path_of(table), {"forced": True}, If_Match=nothing)
    assert (refused.status_code, refused.json["code"]) == (412, "plan-changed")
    assert ada.get(path_of(table)).json["steps"]
    assert ada.ask("DELETE", path_of(table), headers={"If-Match": nothing}).status_code == 412
    compressed = first.headers["ETag"][:-1] + ':gzip"'
    assert ada.put(path_of(table), {"forced": True}, If_Match=f"W/{compressed}").status_code == 200
    assert ada.put(path_of(table), PLAN, If_Match="*").status_code == 200
    assert ada.ask("DELETE", path_of(table), headers={"If-Match": first.headers["ETag"]}).status_code == 204


# -- who and when -------------------------------------------------------------------------------------------------


def test_faults_are_reported_in_the_documented_order(table, ada, finished):
    ends = finished.people[0]
    assert ends.put(path_of(finished), {"more": 1}, If_Match='"x"').json["code"] == "malformed"
    assert ends.put(path_of(finished), {"forced": True}, If_Match='"x"').json["code"] == "game-not-active"
    assert ada.put(path_of(table, 1), {"more": 1}).json["code"] == "not-your-seat"
    assert ada.put(path_of(table), {"more": 1}, If_Match='"x"').json["code"] == "malformed"
    assert ada.put(path_of(table), PLAN, If_Match='"x"').json["code"] == "plan-changed"


# -- what a view says ---------------------------------------------------------------------------------------------


def test_a_view_says_only_to_who_may_read_a_plan_that_it_plays_the_turn(table):
    seat, mine = table.to_act, table.people[table.to_act]
    phone = mine.holding(mine.post(f"{table.path}/seats/{seat}/tokens", {"label": "phone"}).json["token"])
    view = f"{table.path}/view"
    before = {who: who.get(view) for who in (*table.people, phone, table.server.stranger())}
    assert mine.put(path_of(table), {"steps": [PASS]}).status_code == 200
    for who, answer in before.items():
        tag, now = answer.headers["ETag"], who.get(view, If_None_Match=answer.headers["ETag"])
        assert "planned" not in answer.json
        if who in (mine, phone):
            assert who.get(path_of(table)).status_code == 200
            assert now.json == {**answer.json, "planned": True}
            assert now.headers["ETag"] != tag
            assert who.get(view, If_None_Match=now.headers["ETag"]).status_code == 304
        else:
            assert (now.status_code, now.headers["ETag"]) == (304, tag)
    for at in ("?as=spectator", f"?at={table.version}", f"?at={table.version - 1}"):
        assert "planned" not in mine.get(view + at).json
    assert mine.delete(path_of(table)).status_code == 204
    assert mine.get(view).json == before[mine].json


@pytest.mark.parametrize(
    ("plan", "planned"),
    [
        ({"steps": [PASS]}, True),
        ({"steps": [{"when": {"path": "/state/phase", "op": "eq", "value": "play"}, **PASS}, PASS]}, True),
        ({"steps": [{"when": {"path": "/state/phase", "op": "eq", "value": "play"}, **PASS}]}, False),
        ({"steps": [{"when": {"path": "/planned", "op": "exists"}, **PASS}]}, False),
        ({"steps": [{"action": {"type": "play", "card": "RH"}}]}, False),
        ({"forced": True}, False),
    ],
)
def test_a_turn_is_planned_if_a_step_fits_it(table, plan, planned):
    mine = table.people[table.to_act]
    assert mine.put(path_of(table), plan).status_code == 200
    assert mine.get(f"{table.path}/view").json.get("planned", False) == planned
    assert mine.get(f"{table.path}/view?with=scene&lang=fr").json.get("planned", False) == planned


def test_a_turn_with_one_legal_action_is_planned_by_the_switch(server):
    steps = played("plateau", 2, 1)
    forced = next(at for at, step in enumerate(steps) if step.game.pending and legal(step.game) == 1)
    table = server.table_of_log(steps[: forced + 1])
    mine = table.people[table.to_act]
    for plan, planned in (
        ({"forced": True}, True),
        ({"steps": [PASS], "forced": True}, True),
        ({"steps": [PASS]}, False),
    ):
        assert mine.put(path_of(table), plan).status_code == 200
        assert mine.get(f"{table.path}/view").json.get("planned", False) == planned


def legal(game):
    return len(game.ruleset.legal_actions(game.state, min(game.pending)))


def test_a_turn_that_has_not_come_is_not_planned_yet(table):
    waits = table.people[(table.to_act + 1) % 4]
    assert waits.put(path_of(table), {"steps": [PASS], "forced": True}).status_code == 200
    assert "planned" not in waits.get(f"{table.path}/view").json
    assert table.act(table.to_act, PASS["action"]).status_code == 201
    assert waits.get(f"{table.path}/view").json["planned"]


def test_views_beside_events_say_it_too_and_change_with_the_plan(table, streams):
    mine, path = table.people[table.to_act], f"{table.path}/events?with=view&after={table.version}"

    def streamed():
        response = streams.open(mine, path, NDJSON)
        wait_until(response.frames, "the view")
        return json.loads(response.frames()[0].data)

    tags = []
    for plan in ({}, {"steps": [PASS]}, {}):
        assert mine.put(path_of(table), plan).status_code == 200
        page, stream = mine.get(path), streamed()
        assert page.json["view"] == stream == mine.get(f"{table.path}/view").json
        assert ("planned" in stream) == bool(plan)
        tags.append(page.headers["ETag"])
    assert tags[0] == tags[2] != tags[1]


def test_the_view_that_follows_an_action_says_that_a_plan_plays_the_next_one(server):
    """As after the last trick but one, whose winner leads to the last with the only card."""
    steps = played("le-plateau", 4, 1)
    at = next(at for at, step in enumerate(steps) if step.game.pending.keys() == {step.seat} and legal(step.game) == 1)
    for forced in (False, True):
        empty(server)
        table = server.table_of_log(steps[:at])
        assert table.people[steps[at].seat].put(path_of(table), {"forced": forced}).status_code == 200
        action = action_data(steps[at].game.ruleset, steps[at].action)
        answer = table.act(steps[at].seat, action, "&with=view")
        assert answer.status_code == 201
        assert answer.json["view"].get("planned", False) == forced


# -- the form -----------------------------------------------------------------------------------------------------


def when(condition):
    return {"steps": [{"when": condition, **PASS}]}


PATH = {"path": "/version", "op": "eq", "value": 1}


@pytest.mark.parametrize(
    ("plan", "pointer"),
    [
        ({"more": 1}, "/more"),
        ({"forced": 1}, "/forced"),
        ({"steps": {}}, "/steps"),
        ({"steps": [1]}, "/steps/0"),
        ({"steps": [{}]}, "/steps/0/action"),
        ({"steps": [{**PASS, "more": 1}]}, "/steps/0/more"),
        ({"steps": [{**PASS, "then": [{"action": {"type": "fly"}}]}]}, "/steps/0/then/0/action/type"),
        ({"steps": [PASS, {"action": {"type": "play", "card": "ZZ"}}]}, "/steps/1/action/card"),
        ({"steps": [{"action": {"type": "pass", "more": 1}}]}, "/steps/0/action/more"),
        ({"steps": [{"action": []}]}, "/steps/0/action"),
        (when({}), "/steps/0/when"),
        (when([]), "/steps/0/when"),
        (when({**PATH, "all": [PATH]}), "/steps/0/when"),
        (when({"all": []}), "/steps/0/when/all"),
        (when({"all": [PATH], "op": "eq"}), "/steps/0/when"),
        (when({"any": [PATH, {"not": {"path": "version", "op": "exists"}}]}), "/steps/0/when/any/1/not/path"),
        (when({"path": "/a/~2", "op": "exists"}), "/steps/0/when/path"),
        (when({"path": "/a" * 101, "op": "exists"}), "/steps/0/when/path"),
        (when({"path": "/a*", "op": "exists"}), "/steps/0/when/path"),
        (when({"path": "/a/*/*/*", "op": "exists"}), "/steps/0/when/path"),
        (when({"path": "/version"}), "/steps/0/when"),
        (when({"path": "/version", "op": "matches", "value": "x"}), "/steps/0/when/op"),
        (when({"path": "/version", "op": "eq"}), "/steps/0/when/value"),
        (when({"path": "/version", "op": "eq", "value": [1]}), "/steps/0/when/value"),
        (when({"path": "/version", "op": "eq", "value": "x" * 101}), "/steps/0/when/value"),
        (when({"path": "/version", "op": "lt", "value": "1"}), "/steps/0/when/value"),
        (when({"path": "/version", "op": "lt", "value": True}), "/steps/0/when/value"),
        (when({"path": "/version", "op": "in", "value": []}), "/steps/0/when/value"),
        (when({"path": "/version", "op": "in", "value": [1] * 51}), "/steps/0/when/value"),
        (when({"path": "/version", "op": "ends_with", "value": 1}), "/steps/0/when/value"),
        (when({"path": "/version", "op": "exists", "value": 1}), "/steps/0/when/value"),
    ],
    ids=str,
)
def test_each_fault_of_the_form_is_pointed_at(table, ada, plan, pointer):
    answer = ada.put(path_of(table), plan)
    assert (answer.status_code, answer.json["code"]) == (400, "malformed")
    assert pointer in [fault["pointer"] for fault in answer.json["errors"]]
    assert not table.server.contract.is_valid({"$ref": "#/components/schemas/PlanInput"}, plan)


def chain(turns):
    steps = []
    for _ in range(turns):
        steps = [{**PASS, "then": steps}] if steps else [PASS]
    return {"steps": steps}


def nested(levels):
    condition = PATH
    for _ in range(levels - 1):
        condition = {"not": condition}
    return when(condition)


@pytest.mark.parametrize(
    ("within", "beyond", "code"),
    [
        ({"steps": [PASS] * MOST_STEPS}, {"steps": [PASS] * (MOST_STEPS + 1)}, "too-many-steps"),
        (chain(MOST_TURNS), chain(MOST_TURNS + 1), "plan-too-deep"),
        (nested(8), nested(9), "plan-too-deep"),
        (chain(MOST_TURNS), chain(100), "plan-too-deep"),
        (nested(8), nested(110), "plan-too-deep"),
    ],
    ids=["steps", "turns", "levels", "deep turns", "deep levels"],
)
def test_a_plan_has_bounds(table, ada, within, beyond, code):
    assert ada.put(path_of(table), within).status_code == 200
    refused = ada.put(path_of(table), beyond)
    assert (refused.status_code, refused.json["errors"][0]["code"]) == (400, code)


def test_a_plan_has_a_bounded_length(table, ada):
    body = json.dumps(PLAN).encode()
    assert ada.ask("PUT", path_of(table), body.ljust(MOST_BYTES)).status_code == 200
    refused = ada.ask("PUT", path_of(table), body.ljust(MOST_BYTES + 1))
    assert (refused.status_code, refused.json["errors"][0]["code"]) == (400, "plan-too-large")


def test_an_action_needs_not_be_legal_now_but_of_the_ruleset(server, ada, bob):
    duel = server.table([ada, bob], ruleset="plateau")
    idle = (ada, bob)[1 - duel.to_act]
    far = {"type": "move", "from": "a1", "lift": 1, "to": "a2"}
    assert idle.put(path_of(duel), {"steps": [{"action": far}]}).status_code == 200
    assert idle.put(path_of(duel), {"steps": [{"action": {"type": "play", "card": "RH"}}]}).status_code == 400


# -- nobody else --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset_id", "seats"),
    [table if table[0] == "plute" else pytest.param(*table, marks=pytest.mark.long) for table in TABLES],
)
def test_no_answer_tells_a_viewer_whether_others_have_plans(worlds, ruleset_id, seats):
    without, planned = worlds
    rng = random.Random(f"{ruleset_id} {seats}")
    steps = played(ruleset_id, seats, 1)
    elsewhere = [step.action for step in steps if step.action is not None]
    moments = [index for index, step in enumerate(steps) if step.game.pending][1:]
    compared = 0
    for number, index in enumerate(rng.sample(moments, part(2))):
        game = steps[index].game
        for viewer in viewers(game, number):
            for server in worlds:
                empty(server)
                table = server.table_of_log(steps[: index + 1])
            others = [seat for seat in range(seats) if seat != viewer]
            plan = {"steps": [{"action": action_data(game.ruleset, each)} for each in elsewhere[:9]], "forced": True}
            for seat in others:
                assert table.people[seat].put(path_of(table), plan).status_code == 200
            assert planned.redis.hlen(planned.store.keys_of(game.id).plans) == len(others)
            one, two = (each.stranger() if viewer is None else each.known(f"pl_{viewer}") for each in worlds)
            own = [
                ("GET", "/events?with=view", None, {}),
                ("GET", "/plan", None, {}),
                ("PUT", "/plan", plan, {}),
                ("GET", "/view", None, {}),
                ("DELETE", "/plan", None, {}),
            ]
            asked = [*questions(game, viewer, rng, elsewhere), *((m, table.path + p, b, h) for m, p, b, h in own)]
            for method, path, body, headers in asked:
                first, second = (person.ask(method, path, body, headers) for person in (one, two))
                assert told(first) == told(second), (viewer, method, path, body)
                compared += 1
    assert compared > 50 * part(2)
    assert without.contents() != planned.contents()
