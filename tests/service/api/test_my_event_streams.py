"""A player's events as a stream, and by requests that wait: the same as in pages, as they happen."""

import json
import time

import pytest

from service.streams import follower
from tests.support.live import NDJSON, SSE, live
from tests.support.people import ME, OPEN
from tests.support.server import wait_until
from tests.support.wiring import notifier_on

FORMS = pytest.mark.parametrize("form", [SSE, NDJSON])
EVENTS = "/v1/me/events"


@pytest.fixture
def streams(server):
    with live(server) as app:
        yield app


@pytest.fixture
def hear(server):
    """Let players hear of what has happened."""
    notifier = notifier_on(server.redis)

    def pass_on():
        while notifier.pass_on(1):
            pass

    return pass_on


@pytest.fixture
def happen(ada, bob, hear):
    """Let Ada and Bob begin a game, and let them hear of it."""

    def begin():
        game = ada.post("/v1/games", {"ruleset": "plateau", "seats": [ME, OPEN], "clock": {"per_move": "P3D"}}).json
        assert bob.post(f"/v1/games/{game['id']}/seats").status_code == 201
        hear()
        return game["id"]

    return begin


def in_pages(person):
    return person.get(f"{EVENTS}?limit=1000").json["events"]


def arrived(response, number):
    """Wait until so many events have arrived; return them."""
    wait_until(lambda: len(response.frames()) >= number, f"{number} events")
    return [json.loads(frame.data) for frame in response.frames()]


@FORMS
def test_a_stream_carries_the_events_of_the_pages_as_they_happen(streams, ada, happen, form):
    happen()
    response = streams.open(ada, EVENTS, form)
    before = in_pages(ada)
    assert arrived(response, len(before)) == before
    began = time.monotonic()
    happen()
    assert arrived(response, len(in_pages(ada))) == in_pages(ada)
    assert time.monotonic() - began < follower.HEARTBEAT_SECONDS, "news wake it"
    assert {frame.name for frame in response.frames()} == {"event"}
    if form == SSE:
        assert [frame.id for frame in response.frames()] == [each["id"] for each in in_pages(ada)]


def test_deletion_of_the_account_ends_its_streams(streams, ada, happen):
    happen()
    response = streams.open(ada, EVENTS, NDJSON)
    assert ada.delete(f"/v1/me?confirm={ada.id}").status_code == 204
    assert response.wait_for_end().name == "end"


def test_a_request_that_waits_returns_with_the_event_that_comes(streams, ada, happen):
    response = streams.ask(ada, f"{EVENTS}?wait=60")
    time.sleep(0.2)
    assert not response.headers
    happen()
    wait_until(lambda: response.is_complete, "the answer")
    page = json.loads(response.body)
    assert page["events"]
    assert page["events"] == in_pages(ada)[: len(page["events"])]


def test_a_request_waits_for_nothing_that_is_there_and_no_longer_than_asked(streams, ada, happen):
    happen()
    at_once = streams.ask(ada, f"{EVENTS}?wait=60")
    wait_until(lambda: at_once.is_complete, "the answer")
    assert json.loads(at_once.body)["events"] == in_pages(ada)
    began = time.monotonic()
    empty = streams.ask(ada, f"{EVENTS}?wait=1&after={in_pages(ada)[-1]['id']}")
    wait_until(lambda: empty.is_complete, "the answer")
    assert json.loads(empty.body) == {"events": [], "next": None}
    assert time.monotonic() - began >= 1


@FORMS
def test_a_stream_of_some_types_carries_these_and_passes_over_the_rest(streams, ada, happen, monkeypatch, form):
    monkeypatch.setattr("service.streams.notices._IN_BATCH", 1)
    for _ in range(2):
        happen()
    response = streams.open(ada, f"{EVENTS}?types=game_started,invited", form)
    for number in (2, 3):
        wanted = [each for each in in_pages(ada) if each["type"] == "game_started"]
        assert arrived(response, number) == wanted
        assert len(wanted) < len(in_pages(ada)), "there are others between them"
        happen()


def test_a_request_that_waits_for_a_type_waits_through_others(streams, ada, happen, hear, monkeypatch):
    monkeypatch.setattr("service.streams.notices._IN_BATCH", 1)
    response = streams.ask(ada, f"{EVENTS}?types=game_ended&wait=60")
    for _ in range(3):
        happen()
    created = ada.post("/v1/games", {"ruleset": "plateau", "seats": [ME, OPEN]}).json
    assert ada.delete(f"/v1/games/{created['id']}").status_code == 200
    hear()
    wait_until(lambda: response.is_complete, "the answer")
    assert [each["type"] for each in json.loads(response.body)["events"]] == ["game_ended"]


@FORMS
def test_a_stream_continues_after_any_event_and_the_header_beats_the_parameter(streams, ada, happen, form):
    happen()
    happen()
    events = in_pages(ada)
    for number, event in enumerate(events[:-1], 1):
        path = f"{EVENTS}?after={events[-1]['id']}"
        response = streams.open(ada, path, form, Last_Event_ID=event["id"])
        assert arrived(response, len(events) - number) == events[number:]


@pytest.mark.parametrize("last", ["x", "-", "1-2-3", "1" * 65])
def test_a_last_event_id_of_no_event_is_rejected(ada, last):
    answer = ada.get(EVENTS, Accept=SSE, Last_Event_ID=last)
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (400, "Last-Event-ID")
