"""Actions: responses, protection against stale and repeated ones, and dry runs."""

import random

import fakeredis
import pytest

from domain.registry import RULESETS
from service.games.projections.representations import action_data
from tests.support.changed_rules import changed_rules
from tests.support.people import OPEN, Server, moment_before, some_action
from tests.support.random_games import played

BID = {"type": "bid", "exchange": True, "objective": "six_sides", "team": "duo"}


def posted(step):
    """Return the action of a step as a client posts it."""
    return action_data(step.game.ruleset, step.action)


@pytest.fixture
def seat(table):
    """The seat to act."""
    return table.to_act


# -- the answer ---------------------------------------------------------------------------------------------------


def test_an_action_is_answered_with_the_events_that_the_seat_may_see(table, seat):
    before = table.version
    answer = table.act(seat, BID)
    assert answer.status_code == 201
    assert answer.json.keys() == {
        "ruleset", "game_id", "version", "seat", "status", "to_act", "waiting_for", "events"
    }  # fmt: skip
    assert answer.json["ruleset"] == "le-plateau"
    assert (answer.json["game_id"], answer.json["seat"], answer.json["status"]) == (table.id, seat, "active")
    assert answer.json["version"] == before + 1 == table.version
    assert answer.json["to_act"] == answer.json["waiting_for"] == [table.to_act] == [(seat + 1) % 4]
    (event,) = answer.json["events"]
    assert (event["type"], event["version"], event["seat"]) == ("bid_made", before + 1, seat)
    assert event["data"] == {"exchange": True, "objective": "six_sides", "team": "duo", "value": 9}


@pytest.mark.parametrize("lang", ["", "&lang=fr"])
def test_with_a_view_or_a_scene_the_answer_has_what_the_seat_would_read_next(table, lang):
    for wanted, query in (("view", lang), ("scene", f"{lang}&with=scene")):
        seat = table.to_act
        answer = table.act(seat, BID if wanted == "view" else {"type": "pass"}, f"{lang}&with={wanted}")
        shown = table.people[seat].get(f"{table.path}/view?as={seat}{query}").json
        assert answer.status_code == 201
        assert answer.json["view"] == shown
        assert ("scene" in shown, shown["version"]) == (wanted == "scene", answer.json["version"])
        if wanted == "scene":
            assert shown["scene"] == table.people[seat].get(f"{table.path}/scene?as={seat}{lang}").json


def test_a_repeated_action_is_answered_as_before_with_the_view_of_now(table, seat):
    first = table.act(seat, BID, "&with=view", Idempotency_Key="k").json
    table.act(table.to_act, {"type": "pass"})
    again = table.act(seat, BID, "&with=view", Idempotency_Key="k")
    assert (again.status_code, again.json["view"]) == (201, table.view(seat))
    assert {**again.json, "view": None} == {**first, "view": None}
    assert first["view"]["version"] == first["version"] == table.version - 1


def test_a_token_that_cannot_read_plays_and_is_shown_no_view(table, seat):
    mine = table.people[seat]
    made = mine.post("/v1/me/tokens", {"scopes": ["games:play"], "label": "other"}).json
    answer = mine.holding(made["token"]).post(f"{table.path}/actions?with=scene", BID)
    assert (answer.status_code, "view" in answer.json) == (201, False)


def test_the_events_answered_are_those_of_the_log_as_the_seat_sees_it_then(table):
    rng = random.Random(2)
    for _ in range(10):
        seat, before = table.to_act, table.version
        answer = table.act(seat, some_action(rng, table.legal(seat)))
        assert answer.json["events"] == table.events(seat)[before:]
        assert answer.json["version"] == table.version


def test_the_action_that_ends_the_game_is_told_everything(server):
    steps = played("le-plateau", 3, 0)
    table = server.table_of_log(steps[:-1])
    answer = table.act(steps[-1].seat, posted(steps[-1]))
    assert (answer.json["status"], answer.json["to_act"]) == ("finished", [])
    assert answer.json["events"][-1]["type"] == "game_finished"
    assert answer.json["events"][-1]["data"]["secret"]
    refused = table.act(steps[-1].seat, posted(steps[-1]))
    assert (refused.status_code, refused.json["code"]) == (409, "game-not-active")


# -- If-Match and decisions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("off", [-1, -3, 1, 1000])
def test_an_action_for_another_version_is_refused_with_what_was_missed(table, seat, off):
    version = table.version
    answer = table.act(seat, BID, If_Match=f'"{version + off}"')
    code = "stale-version" if off < 0 else "game-went-back"
    assert (answer.status_code, answer.json["code"]) == (412, code)
    assert answer.json["game_version"] == version
    assert answer.json["events"] == f"{table.path}/events?after={min(version, version + off)}"
    missed = table.people[seat].get(answer.json["events"])
    assert [event["version"] for event in missed.json["events"]] == [*range(version + off + 1, version + 1)]
    assert table.version == version


def test_an_action_for_the_pending_decision_is_accepted_once(table, seat):
    decision = table.view(seat)["decision"]["id"]
    assert table.act(seat, {**BID, "decision_id": decision}, If_Match="*").status_code == 201
    answer = table.act(seat, {**BID, "decision_id": decision})
    assert (answer.status_code, answer.json["code"]) == (412, "decision-closed")
    assert answer.json["game_version"] == table.version
    assert table.people[seat].get(answer.json["events"]).status_code == 200


def test_the_decision_of_another_seat_or_version_is_closed(table, seat):
    version = table.version
    for decision in (f"d{version}_{table.idle}", f"d{version - 1}_{seat}", "d0_0"):
        answer = table.act(seat, {**BID, "decision_id": decision})
        assert (answer.status_code, answer.json["code"]) == (412, "decision-closed")
    answer = table.act(seat, {**BID, "decision_id": "d999999999999_99"})
    assert (answer.status_code, answer.json["code"]) == (412, "game-went-back")
    assert table.version == version


# -- other processes, other clocks --------------------------------------------------------------------------------


def test_a_process_that_is_behind_reads_on_before_it_refuses(server, contract, closing, table, seat):
    other = Server(server.redis, contract)
    behind = [other.stranger(person.token) for person in table.people]
    for person in behind:
        assert person.get(table.path).json["version"] == table.version
    table.act(seat, BID)
    second = (seat + 1) % 4
    answer = behind[second].post(f"{table.path}/actions", {"type": "pass"})
    assert answer.status_code == 201
    refused = behind[second].post(f"{table.path}/actions", {"type": "pass"})
    assert (refused.status_code, refused.json["game_version"]) == (409, table.version)
    closing.submit(other.players.close)


def test_time_never_goes_back_in_a_log_though_the_clock_does(contract, closing):
    times = (f"2026-01-01T00:00:{second:02}.000Z" for second in range(59, -1, -1))
    server = Server(fakeredis.FakeRedis(server=fakeredis.FakeServer()), contract, lambda: next(times))
    table = server.table([server.newcomer("Ada"), server.newcomer("Bob")])
    for _ in range(2):
        table.act(table.to_act, {"type": "pass"})
    logged = [event["at"] for event in table.events()]
    assert logged == sorted(logged)
    closing.submit(server.players.close)


# -- doing it once ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["k", "k" * 128, " ", "~!@#$%^&*(){}", '"quoted"', "a b"])
def test_a_key_is_up_to_128_printable_characters(table, seat, key):
    first, again = (table.act(seat, BID, Idempotency_Key=key) for _ in range(2))
    assert (first.status_code, again.data) == (201, first.data)


# -- dry runs -----------------------------------------------------------------------------------------------------


def test_a_dry_run_of_a_legal_action_says_so_and_does_nothing(server, table, seat):
    before = server.contents()
    answer = table.act(seat, BID, "&dry_run=true&with=view")
    assert (answer.status_code, answer.json) == (200, {"legal": True})
    assert server.contents() == before
    assert table.act(seat, BID, "&dry_run=false").status_code == 201


def test_a_dry_run_is_refused_exactly_as_the_action_would_be(server, table, seat):
    for who, action, headers in (
        (seat, {"type": "play", "card": "RH"}, {}),
        (seat, {"type": "keep"}, {}),
        (table.idle, {"type": "pass"}, {}),
        (seat, BID, {"If_Match": '"1"'}),
        (seat, {**BID, "decision_id": "d1_0"}, {}),
        (seat, {"type": "bid"}, {}),
        (seat, {"type": "fly"}, {}),
    ):
        before = server.contents()
        dry, wet = (table.act(who, action, query, **headers) for query in ("&dry_run=true", ""))
        assert dry.status_code == wet.status_code >= 400
        assert {**dry.json, "instance": ""} == {**wet.json, "instance": ""}
        assert server.contents() == before


def test_a_dry_run_decides_and_never_settles(table, seat):
    with changed_rules(RULESETS["le-plateau"], settle=lambda *_: pytest.fail("settled")):
        assert table.act(seat, BID, "&dry_run=true").json == {"legal": True}


# -- bids with and without an exchange part -----------------------------------------------------------------------


# -- integers -----------------------------------------------------------------------------------------------------


def with_points(value):
    """Return plain data with each integer as a number such as 7.0."""
    if isinstance(value, dict):
        return {key: with_points(each) for key, each in value.items()}
    if isinstance(value, list):
        return [with_points(each) for each in value]
    return float(value) if type(value) is int else value


@pytest.mark.parametrize(
    ("ruleset", "seats", "kind"), [("le-plateau", 6, "Give"), ("plateau", 2, "Move"), ("plute", 6, "Bid")]
)
def test_an_integer_in_an_action_may_be_written_with_a_fraction_of_zero(server, ruleset, seats, kind):
    table = server.table_of_log(moment_before(kind, seats, ruleset))
    action = next(each for each in table.legal(table.to_act) if each["type"] == kind.lower())
    assert any(type(value) is float for value in leaves(with_points(action)))
    answer = table.act(table.to_act, with_points(action))
    assert answer.status_code == 201
    assert not any(type(value) is float for value in leaves(answer.json["events"]))


def leaves(value):
    """Return the values in plain data that contain no others."""
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return [leaf for each in inner for leaf in leaves(each)]
    return [value]


def test_an_integer_in_an_option_or_a_seat_may_be_written_with_a_fraction_of_zero(ada, bob):
    options = {"deals": 2.0, "deal_packet_3p": 4.0}
    game = ada.post("/v1/games", {"ruleset": "french-tarot", "seats": [OPEN] * 3, "options": options}).json
    assert [repr(game["options"][name]) for name in options] == ["2", "4"]
    taken = bob.post(f"/v1/games/{game['id']}/seats", {"seat": 1.0}).json
    assert repr(taken["seat"]) == "1"
