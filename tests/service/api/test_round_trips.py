"""What a write costs: one round trip to Redis if it is accepted on a warm cache, at most two if it is refused."""

import random
import threading

import pytest
import redis

from service.store.redis.connections import connect
from tests.support.people import ME, OPEN, Server, some_action
from tests.support.server import wait_until

BID = {"type": "bid", "exchange": True, "objective": "six_sides", "team": "solo"}


class CountingConnection(redis.UnixDomainSocketConnection):
    """A connection that counts what the thread of the tests sends over it: what goes out in one piece is one trip."""

    trips = 0

    def send_packed_command(self, *args, **kwargs):
        """Count, and send."""
        if threading.current_thread() is threading.main_thread():
            CountingConnection.trips += 1
        return super().send_packed_command(*args, **kwargs)


def trips_of(request):
    """Send a request; return the status of the answer, and the trips that it took."""
    before = CountingConnection.trips
    answer = request()
    return answer.status_code, CountingConnection.trips - before


@pytest.fixture
def server(redis_url, monkeypatch):
    """A service on a real server, over connections that count, where cached tokens are believed however busy we are."""
    monkeypatch.setattr("service.accounts.players.Changes._BELIEVED_SECONDS", 3600)
    with connect(redis_url) as client:
        client.connection_pool.connection_class = CountingConnection
        server = Server(client)
        yield server
        server.players.close()


@pytest.fixture
def warm(server):
    """A table that the service has cached, with its players' tokens; the script is known to Redis."""
    table = server.table([server.newcomer(name) for name in ("Ada", "Bob", "Cleo", "Dan")])
    for person in table.people:
        wait_until(lambda person=person: trips_of(lambda: person.get(table.path)) == (200, 1), "the token to be cached")
    return table


def test_an_accepted_action_takes_one_trip(warm):
    rng = random.Random(1)
    for turn in range(30):
        seat = warm.to_act
        action = some_action(rng, warm.legal(seat))
        headers = {"Idempotency_Key": f"k{turn}"} if turn % 2 else {}
        assert trips_of(lambda seat=seat, action=action, headers=headers: warm.act(seat, action, **headers)) == (201, 1)


def test_a_refused_action_takes_at_most_two(warm):
    seat, idle = warm.to_act, warm.idle
    eve = warm.server.newcomer("Eve")
    wait_until(lambda: trips_of(lambda: eve.get(warm.path)) == (200, 1), "the token to be cached")
    for status, request in (
        (422, lambda: warm.act(seat, {"type": "play", "card": "RH"})),
        (409, lambda: warm.act(idle, {"type": "pass"})),
        (412, lambda: warm.act(seat, BID, If_Match='"1"')),
        (412, lambda: warm.act(seat, {**BID, "decision_id": "d1_0"})),
        (400, lambda: warm.act(seat, {"type": "bid"})),
        (400, lambda: warm.act(seat, {"type": "fly"})),
        (403, lambda: eve.post(f"{warm.path}/actions", BID)),
        (409, lambda: eve.post(f"{warm.path}/seats")),
        (422, lambda: warm.act(seat, {"type": "keep"}, "&dry_run=true")),
    ):
        answered, trips = trips_of(request)
        assert answered == status
        assert trips <= 2


def test_what_is_refused_for_its_form_or_its_caller_takes_no_trip(warm):
    path = f"{warm.path}/actions"
    stranger = warm.server.stranger()
    for status, request in (
        (413, lambda: stranger.ask("POST", path, b" " * 70_000)),
        (415, lambda: stranger.ask("POST", path, b"{}", content_type="text/plain")),
        (400, lambda: stranger.ask("POST", path, b"{")),
        (401, lambda: stranger.post(path, BID)),
        (401, lambda: warm.server.stranger("nonsense").post(path, BID)),
    ):
        assert trips_of(request) == (status, 0)


def test_a_look_takes_one_trip(warm):
    for path in ("", "/view", "/legal-actions"):
        assert trips_of(lambda path=path: warm.people[0].get(warm.path + path)) == (200, 1)


@pytest.mark.parametrize("plan", [{"steps": [{"action": {"type": "pass"}}]}, {"forced": True}])
def test_a_look_takes_one_trip_with_a_plan_for_the_turn_too(warm, plan):
    for person in warm.people:
        assert person.put(f"{warm.path}/plan", plan).status_code == 200
        assert trips_of(lambda person=person: person.get(f"{warm.path}/view")) == (200, 1)
    assert warm.view(warm.to_act).get("planned", False) == bool(plan.get("steps"))


@pytest.mark.long
def test_inviting_by_a_name_takes_no_more_trips_however_many_have_it(server):
    ada = server.newcomer("Ada")
    game = f"/v1/games/{ada.post('/v1/games', {'ruleset': 'plateau', 'seats': [ME, OPEN]}).json['id']}"
    wait_until(lambda: trips_of(lambda: ada.get(game)) == (200, 1), "the token to be cached")

    def trips(alike: int) -> int:
        for _ in range(alike):
            server.newcomer("Grace")
        status, trips = trips_of(lambda: ada.post(f"{game}/invitations", {"name": "Grace"}))
        assert status == 409
        return trips

    assert trips(2) == trips(18)
