"""Stream tickets: what opens a stream in a browser, for a minute, and nothing else.

How many streams a player, an address and a process can have open, and what is refused beyond that.
"""

import json
from collections.abc import Iterator
from contextlib import ExitStack

import fakeredis
import pytest

from domain.game.durations import SECOND, instant, moment
from service.accounts.tickets import SECONDS
from tests.support.live import NDJSON, SSE, Live, live
from tests.support.people import ME, Server, Table, assert_limited, limited
from tests.support.server import wait_until

NOW = 1_800_000_000_000


@pytest.fixture
def clock():
    return {"ms": NOW}


@pytest.fixture
def server(closing, contract, clock):
    server = Server(fakeredis.FakeRedis(server=fakeredis.FakeServer()), contract, lambda: moment(clock["ms"]))
    yield server
    closing.submit(server.players.close)


@pytest.fixture
def streams(server) -> Iterator[Live]:
    with live(server) as app:
        yield app


@pytest.fixture
def private(server, ada) -> Table:
    wish = {"ruleset": "plateau", "seats": [ME, ME], "sandbox": True, "visibility": "private"}
    return Table(ada.post("/v1/games", wish).json["id"], [ada, ada], server)


def ticket_of(person):
    answer = person.post("/v1/me/stream-tickets", {})
    assert answer.status_code == 201
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.json["ticket"]


def test_a_ticket_opens_the_stream_of_its_player_in_place_of_the_token(streams, private, ada):
    response = streams.open(None, f"{private.path}/events?ticket={ticket_of(ada)}")
    own = streams.open(ada, f"{private.path}/events")
    for each in (response, own):
        each.wait_for_version(private.version)
    assert response.body == own.body


def test_a_ticket_opens_streams_for_a_minute_and_they_last_longer(streams, private, ada, clock):
    made = ada.post("/v1/me/stream-tickets", {}).json
    assert instant(made["expires_at"]) == clock["ms"] + SECONDS["stream"] * SECOND
    path = f"{private.path}/events?ticket={made['ticket']}"
    clock["ms"] += SECONDS["stream"] * SECOND - 1
    response = streams.open(None, path, NDJSON)
    clock["ms"] += 1
    refused = private.server.stranger().get(path, Accept=SSE)
    assert (refused.status_code, refused.json["code"]) == (401, "invalid-ticket")
    assert private.act(private.to_act, private.legal(private.to_act)[0]).status_code == 201
    response.wait_for_version(private.version)


def test_a_ticket_and_its_stream_end_with_the_token_that_made_it(streams, private, ada):
    made = ada.post("/v1/me/tokens", {"scopes": ["games:read"]}).json
    ticket = ticket_of(ada.holding(made["token"]))
    response = streams.open(None, f"{private.path}/events?ticket={ticket}")
    assert ada.delete(f"/v1/me/tokens/{made['id']}").status_code == 204
    assert json.loads(response.wait_for_end().data)["code"] == "invalid-token"
    refused = private.server.stranger().get(f"{private.path}/events?ticket={ticket}", Accept=SSE)
    assert (refused.status_code, refused.json["code"]) == (401, "invalid-ticket")


def test_a_ticket_opens_nothing_but_streams(private, ada, stranger):
    ticket = ticket_of(ada)
    page = stranger.get(f"{private.path}/events?ticket={ticket}")
    assert (page.status_code, page.json["errors"][0]["pointer"]) == (400, "?ticket")
    assert stranger.get(f"{private.path}/board.svg?ticket={ticket}").status_code == 404
    assert stranger.get(f"{private.path}/view?ticket={ticket}").status_code == 400
    assert stranger.holding(ticket).get("/v1/me").status_code == 401


def test_a_board_link_opens_no_stream(private, ada, stranger):
    link = ada.post(f"{private.path}/board-links", {}).json["url"].rpartition("=")[2]
    refused = stranger.get(f"{private.path}/events?ticket={link}", Accept=SSE)
    assert (refused.status_code, refused.json["code"]) == (401, "invalid-ticket")


def test_a_ticket_of_a_seat_token_opens_its_game_alone(streams, private, ada, server):
    seat_token = ada.post(f"{private.path}/seats/1/tokens", {}).json["token"]
    ticket = ticket_of(ada.holding(seat_token))
    response = streams.open(None, f"{private.path}/events?ticket={ticket}")
    response.wait_for_version(private.version)
    assert response.body == streams.open(ada, f"{private.path}/events?as=1").body
    wish = {"ruleset": "plateau", "seats": [ME, ME], "sandbox": True, "visibility": "private"}
    other = ada.post("/v1/games", wish).json["id"]
    assert server.stranger().get(f"/v1/games/{other}/events?ticket={ticket}", Accept=SSE).status_code == 404


BUCKETS = ("streams", "streams-from-address", "streams-in-process")


@pytest.fixture(params=BUCKETS)
def bucket(request):
    return request.param


def test_streams_beyond_a_limit_are_refused_until_one_ends(valkey_url, bucket):
    with ExitStack() as stack:
        server = stack.enter_context(limited(valkey_url, {bucket: 2}))
        app = stack.enter_context(live(server))
        ada = server.newcomer("Ada")
        path = f"/v1/games/{ada.post('/v1/games', {'ruleset': 'plateau', 'seats': [{'open': True}] * 2}).json['id']}"
        opened = [app.open(ada, f"{path}/events", form) for form in (SSE, NDJSON)]
        places = server.app.extensions["plateau"].streams.places
        wait_until(lambda: places.open() == 2, "two streams")
        refused = app.ask(ada, f"{path}/events", SSE)
        wait_until(lambda: refused.is_complete, "the refusal")
        assert refused.status == 429
        assert f'"bucket":"{bucket}"'.encode() in refused.body
        for what in (f"{path}/events?after={ada.get(path).json['version']}", "/v1/me/events?types=game_ended"):
            waiting = app.ask(ada, f"{what}&wait=60")
            wait_until(lambda waiting=waiting: waiting.is_complete, "the refusal of a request that would wait", 5)
            assert waiting.status == 429
            assert f'"bucket":"{bucket}"'.encode() in waiting.body
            assert waiting.headers["retry-after"] == "15"
        page = app.ask(ada, f"{path}/events?after=0&wait=60")
        wait_until(lambda: page.is_complete, "a page with events", 5)
        assert page.status == 200
        opened[0].leave()
        wait_until(lambda: places.open() == 1, "the end of a stream")
        app.open(ada, f"{path}/events")


def test_a_limit_on_players_leaves_room_for_others(valkey_url):
    with limited(valkey_url, {"streams": 1}) as server, live(server) as app:
        ada, bob = server.newcomer("Ada"), server.newcomer("Bob")
        path = f"/v1/games/{ada.post('/v1/games', {'ruleset': 'plateau', 'seats': [{'open': True}] * 2}).json['id']}"
        app.open(ada, f"{path}/events")
        places = server.app.extensions["plateau"].streams.places
        wait_until(lambda: places.open() == 1, "one stream")
        answer = ada.get(f"{path}/events", Accept=SSE)
        assert_limited(answer, "streams")
        for person in (bob, None):
            app.open(person, f"{path}/events")
