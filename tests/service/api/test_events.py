"""The log as a viewer can read it: pages, redaction, and the chain.

A game whose log has lost its end, as in a fail-over: anyone who names a version that is gone is told so, everywhere.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from domain.events import EVENTS
from domain.log import chain
from domain.log.secrets import REVEALED, Secrets, of_deals
from domain.registry import RULESETS
from service.api.json_schema import event_schemas
from tests.domain.laws.facts import module_of
from tests.support.live import NDJSON, SSE, Live, Response, live
from tests.support.people import Person, Server, Table
from tests.support.random_games import log_of, played
from tests.support.sampling import FULL
from tests.support.server import wait_until
from tests.support.transparency import judged, receipt_of

SECRET_TYPES = {"game_created", "hand_dealt", "talon_taken", "cards_discarded", "card_given", "talon_card_dealt"}


def pages(person, path, limit):
    after = 0
    while after is not None:
        answer = person.get(f"{path}/events?after={after}&limit={limit}&as=spectator")
        assert answer.status_code == 200
        yield answer.json
        after = answer.json["next"]


@pytest.fixture
def running(server):
    """A game of three in the middle of the play."""
    return server.table_of_log(played("le-plateau", 3, 3)[:-30])


@pytest.mark.parametrize("limit", [7, 1000])
def test_the_pages_make_up_the_whole_log_without_gaps(running, stranger, limit):
    found = list(pages(stranger, running.path, limit))
    assert all(len(page["events"]) == limit for page in found[:-1])
    assert all(page["next"] == page["events"][-1]["version"] for page in found[:-1])
    events = [event for page in found for event in page["events"]]
    assert [event["version"] for event in events] == [*range(1, running.version + 1)]
    assert events == running.events()


def test_a_seat_reads_its_own_secrets_and_a_spectator_none(running):
    for viewer in (*running.seats, None):
        for event in running.events(viewer):
            if event["type"] == "hand_dealt":
                assert [hand["seat"] for hand in event["data"]["hands"] if "cards" in hand] == (
                    [] if viewer is None else [viewer]
                )
                assert "cards" not in event["data"]["talon"]
            if event["type"] in ("talon_taken", "cards_discarded"):
                assert ("cards" in event["data"]) == (viewer == event["seat"])
            assert event["salts"].keys() <= event["sealed"].keys()
            assert bool(event["sealed"]) == (event["type"] in SECRET_TYPES)


@pytest.mark.rule("le-plateau", "7", "its earlier events stay sealed until the game is over")
def test_the_events_of_a_finished_hand_stay_sealed_until_the_game_is_over(running, finished):
    results = running.view()["state"]["hand_results"]
    assert len(results) == 2
    assert all(hand["cards"] for result in results for hand in result["dealt"])
    for table, is_open in ((running, False), (finished, True)):
        deals = [event["data"] for event in table.events() if event["type"] == "hand_dealt"]
        assert len(deals) == 3
        for dealt in deals:
            assert {"cards" in part for part in (*dealt["hands"], dealt["talon"])} == {is_open}


def test_a_reader_without_a_wish_reads_from_their_own_seat(running, stranger, server):
    for seat, person in enumerate(running.people):
        page = person.get(f"{running.path}/events?limit=1000").json
        assert page["events"] == running.events(seat)
    for person in (stranger, server.newcomer("Eve")):
        assert person.get(f"{running.path}/events?limit=1000").json["events"] == running.events()


def test_in_a_sandbox_the_log_is_read_from_the_lowest_seat_no_matter_who_acts(sandbox, ada):
    for _ in range(3):
        assert ada.get(f"{sandbox.path}/events").json["events"] == sandbox.events(0) != sandbox.events(1)
        sandbox.act(sandbox.to_act, {"type": "pass"})


def test_the_secret_of_the_game_stands_nowhere_while_it_continues(running):
    secret = played("le-plateau", 3, 3)[0].game.secret.hex()
    for viewer in (*running.seats, None):
        assert secret not in json.dumps(running.events(viewer))


def test_everything_is_open_once_the_game_is_over_and_every_seal_opens(finished, stranger):
    for viewer in (*finished.seats, None):
        person = stranger if viewer is None else finished.people[viewer]
        events = person.get(f"{finished.path}/events?limit=1000").json["events"]
        for event in events:
            assert event["salts"].keys() == event["sealed"].keys()
        secret = bytes.fromhex(events[-1]["data"]["secret"])
        revealed = tuple(event["version"] for event in events if event["type"] == REVEALED)
        secrets = Secrets(finished.id, secret, of_deals(secret, finished.id), revealed)
        for event in events:
            for pointer, salt in event["salts"].items():
                assert salt == secrets.salt(event["version"], pointer)
        dealt = next(event for event in events if event["type"] == "hand_dealt")
        assert all(len(hand["cards"]) == hand["count"] for hand in dealt["data"]["hands"])
        assert len(dealt["data"]["talon"]["cards"]) == dealt["data"]["talon"]["count"]


@pytest.mark.sampled
@pytest.mark.parametrize(("ruleset_id", "seats"), FULL)
def test_the_log_that_each_viewer_receives_verifies_against_one_chain(server, ruleset_id, seats):
    steps = played(ruleset_id, seats, 2)
    for moment in (steps[: len(steps) // 2], steps):
        table = server.table_of_log(moment)
        logs = [table.events(viewer) for viewer in (*table.seats, None)]
        assert {chain.verify(log) for log in logs} == {moment[-1].game.head}
        assert len(log_of(moment)) == len(logs[0])
        server.redis.flushall()
        server.forget_games()


@pytest.mark.sampled
@pytest.mark.parametrize(("ruleset_id", "seats"), FULL)
def test_every_event_is_of_the_published_schema_of_its_type_for_every_viewer(server, ruleset_id, seats):
    schemas = event_schemas(EVENTS | RULESETS[ruleset_id].events)
    validators = {
        name: jsonschema_rs.Draft202012Validator({"$ref": f"#/$defs/{name}", **schemas}) for name in schemas["$defs"]
    }
    told = Counter()
    steps = played(ruleset_id, seats, 0)
    for moment in (steps[:-5], steps):
        table = server.table_of_log(moment)
        for viewer in (0, 1, None):
            for event in table.events(viewer):
                validators[event["type"]].validate(event["data"])
                told[event["type"]] += 1
        server.redis.flushall()
        server.forget_games()
    assert told.keys() >= {"game_created", "seat_taken", "game_started", "game_finished"}
    assert told.keys() >= module_of(ruleset_id).IN_EVERY_LOG


LOST = 3


@pytest.fixture
def streams(server: Server) -> Iterator[Live]:
    with live(server) as app:
        yield app


@pytest.fixture
def table(server: Server) -> Table:
    """A game of three in the middle of the play."""
    return server.table_of_log(played("le-plateau", 3, 3)[:-30])


def lose_the_end(table: Table) -> None:
    """Let the store be as a replica that lacks the last events; the process keeps what it has cached."""
    key, redis = table.server.store.keys_of(table.id).events, table.server.redis
    entries, pipe = redis.xrange(key), redis.pipeline()
    pipe.delete(key)
    for entry, fields in entries[:-LOST]:
        pipe.xadd(key, fields, entry)
    pipe.execute()


def head(table: Table) -> str:
    (last,) = table.people[0].get(f"{table.path}/events?after={table.version - 1}").json["events"]
    return str(last["hash"])


def check_is_told(answer: Any, table: Table) -> None:
    """Check that an answer says what the server has, and what to do."""
    assert answer.status_code == 412, answer.json
    assert (answer.json["code"], answer.json["type"]) == ("game-went-back", "/v1/problems/game-went-back")
    assert (answer.json["game_version"], answer.json["head"]) == (table.version, head(table))
    assert answer.json["events"] == f"{table.path}/events?after={table.version}"
    assert str(table.version) in answer.json["detail"]
    assert "verify your receipt" in answer.json["detail"]


@pytest.mark.parametrize(
    "path",
    ["view?at={}", "scene?at={}", "board.svg?at={}", "events?after={}", "events?after={}&wait=1", "view?as=0&at={}"],
)
def test_reading_at_a_version_that_is_gone(table: Table, path: str) -> None:
    held = table.version
    assert table.people[0].get(f"{table.path}/{path.format(held)}").status_code == 200
    lose_the_end(table)
    for seen in (held, table.version + 1):
        check_is_told(table.people[0].get(f"{table.path}/{path.format(seen)}"), table)
    assert table.people[0].get(f"{table.path}/{path.format(table.version)}").status_code == 200


@pytest.mark.parametrize("form", [SSE, NDJSON])
def test_resuming_a_stream_after_a_version_that_is_gone(table: Table, form: str) -> None:
    held = table.version
    lose_the_end(table)
    reader = table.people[0]
    check_is_told(reader.get(f"{table.path}/events", Accept=form, Last_Event_ID=str(held)), table)
    check_is_told(reader.get(f"{table.path}/events?after={held}", Accept=form), table)
    check_is_told(reader.get(f"{table.path}/events?phrases=0", Accept=form, Last_Event_ID=f"{held}:0"), table)


def test_writing_for_a_version_that_is_gone(table: Table) -> None:
    held, seat = table.version, table.to_act
    action, decision = table.legal(seat)[0], table.view(seat)["decision"]["id"]
    lose_the_end(table)
    for path, body in (("actions", action), ("actions?dry_run=true", action), ("proposals", {"kind": "abort"})):
        check_is_told(table.people[seat].post(f"{table.path}/{path}", body, If_Match=f'"{held}"'), table)
    late = table.people[seat].post(f"{table.path}/actions", {**action, "decision_id": decision})
    check_is_told(late, table)
    check_is_told(table.people[seat].post(f"{table.path}/forks", {"at": held}), table)


def has_ended(response: Response, table: Table) -> bool:
    """Have all who follow look at the store again, as when the connection to it was lost."""
    table.server.app.extensions["plateau"].streams.account_changed(None)
    return response.is_complete


def test_an_open_stream_ends_with_what_the_server_has(table: Table, streams: Live) -> None:
    response = streams.open(None, f"{table.path}/events?after={table.version - 1}", NDJSON)
    response.wait_for_version(table.version)
    lose_the_end(table)
    wait_until(lambda: has_ended(response, table), "the end of the stream")
    end = json.loads(response.wait_for_end().data)
    detail = end.pop("detail")
    assert end == {"code": "game-went-back", "game_version": table.version, "head": head(table)}
    assert "read the game again" in detail


def test_a_request_that_waits_is_told(table: Table, streams: Live) -> None:
    held = table.version
    response = streams.ask(None, f"{table.path}/events?after={held}&wait=60")
    lose_the_end(table)
    wait_until(lambda: has_ended(response, table), "the answer")
    assert (response.status, json.loads(response.body)["code"]) == (412, "game-went-back")


def test_those_who_cannot_see_a_game_are_not_told(server: Server, ada: Person, stranger: Person) -> None:
    wanted = {"ruleset": "plateau", "visibility": "private", "seats": [{"player": "me"}, {"open": True}]}
    path = f"/v1/games/{ada.post('/v1/games', wanted).json['id']}"
    assert ada.get(f"{path}/view?at=99").json["code"] == "game-went-back"
    assert stranger.get(f"{path}/view?at=99").json["code"] == "no-such-game"


def test_a_log_that_has_grown_again_to_the_same_version_is_found_by_the_receipt(table: Table, ada: Person) -> None:
    seat = table.to_act
    kept = receipt_of(table.people[seat].get(f"{table.path}/view"))
    lose_the_end(table)
    assert judged(ada, kept) == (True, "contradicts")
    while table.version < kept.version:
        table.act(table.to_act, table.legal(table.to_act)[-1])
    assert table.people[seat].get(f"{table.path}/view?at={kept.version}").status_code == 200
    assert judged(ada, kept) == (True, "contradicts")
