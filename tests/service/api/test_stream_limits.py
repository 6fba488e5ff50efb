"""How many streams a player, an address and a process can have open, and what is refused beyond that."""

from contextlib import ExitStack

import pytest

from tests.support.live import NDJSON, SSE, live
from tests.support.people import assert_limited, limited
from tests.support.server import wait_until

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
