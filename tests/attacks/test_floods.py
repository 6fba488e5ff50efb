"""A client that sends without a pause: others are answered all the time, and the client is told to wait."""

import http.client
import json
import threading
import time
from collections import Counter
from urllib.parse import urlsplit

import pytest

from tests.support.people import Client
from tests.support.server import RunningService, fetch, running_service, wait_until

CONNECTIONS = 60
"""More than one token can have at once: a quarter of the places."""
OTHERS = "127.0.0.2"
TURNS = 30

pytestmark = pytest.mark.long


@pytest.fixture
def service(tmp_path):
    """A service with few threads and places."""
    with running_service(tmp_path, {"PLATEAU_WEB_THREADS": "8", "PLATEAU_REQUESTS": "64"}) as service:
        yield service


class Flood:
    """Many connections that ask for the same, over and over, with one token."""

    def __init__(self, service: RunningService, token: str) -> None:
        self._place = urlsplit(service.url).netloc
        self._token = token
        self.statuses: Counter[int] = Counter()
        self.waits: set[str | None] = set()
        self._stopped = threading.Event()
        self._threads = [threading.Thread(target=self._ask) for _ in range(CONNECTIONS)]

    def __enter__(self) -> "Flood":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    def _ask(self) -> None:
        connection = http.client.HTTPConnection(self._place, timeout=60)
        while not self._stopped.is_set():
            connection.request("GET", "/v1/games", headers={"Authorization": f"Bearer {self._token}"})
            answer = connection.getresponse()
            body = answer.read()
            self.statuses[answer.status] += 1
            if answer.status == 503:
                assert json.loads(body)["code"] == "overloaded"
                self.waits.add(answer.headers["Retry-After"])
        connection.close()


def test_a_flood_is_refused_beyond_its_part_and_nobody_else_is(service: RunningService):
    eve, ada = Client(service.url), Client(service.url)
    place = urlsplit(service.url)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60, source_address=(OTHERS, 0))
    with Flood(service, eve.token) as flood:
        wait_until(lambda: flood.statuses[503] > CONNECTIONS, "refusals")
        before = sum(flood.statuses.values())
        took = []
        for _ in range(TURNS):
            began = time.monotonic()
            connection.request("GET", "/v1/me", headers={"Authorization": f"Bearer {ada.token}"})
            answer = connection.getresponse()
            answer.read()
            took.append(time.monotonic() - began)
            assert answer.status == 200
        assert fetch(f"{service.url}/readyz")[0] == 200
        assert sum(flood.statuses.values()) > before, "the flood continues"
    connection.close()
    assert flood.waits == {"1"}
    assert flood.statuses.keys() == {200, 503}
    assert sorted(took)[TURNS // 2] < 10, "it waits for a few turns, not for the whole flood, on any machine"


def test_after_a_flood_all_are_answered_again(service: RunningService):
    eve = Client(service.url)
    with Flood(service, eve.token) as flood:
        wait_until(lambda: flood.statuses[503] > CONNECTIONS, "refusals")
    assert [eve.ask("GET", "/v1/me")[0] for _ in range(10)] == [200] * 10
    shown = fetch(f"{service.url}/metrics")[1].decode()
    assert "plateau_refusals_total" in shown
