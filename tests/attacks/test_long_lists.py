"""The attack: many requests at once for the longest list that a game offers, from its beginning and from far inside.

Before lists came in pages, 32 requests for some 100,000 écarts took a minute of processor time and a gibibyte.
"""

import sys
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.attacks.memory import Client, peak, web_processes
from tests.support.server import RunningService, running_service

ATTACKERS = 32
REQUESTS = 3
MOST_GROWTH = 64 * 1024 * 1024
MOST_SECONDS = 10.0
"""For any answer, under attack: far more than is needed, and far less than a whole list would take 32 times."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is read as Linux tells it")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A whole service with one web process, so that all requests meet."""
    with running_service(tmp_path_factory.mktemp("service")) as running:
        yield running


def before_an_ecart(client: Client) -> tuple[str, int, str]:
    """Play a sandbox up to an écart; return the path, the number of écarts, and the decision."""
    while True:
        wanted = {"ruleset": "french-tarot", "seats": [{"player": "me"}] * 3, "sandbox": True}
        path = f"/v1/games/{client.ask('POST', '/v1/games', wanted)[2]['id']}"
        for action in ({"type": "bid", "contract": "garde"}, {"type": "pass"}, {"type": "pass"}):
            client.ask("POST", f"{path}/actions", action)
        view = client.ask("GET", f"{path}/view")[2]
        if view["state"]["phase"] == "discard" and view["legal_actions"]["count"] > 30_000:
            return path, view["legal_actions"]["count"], view["decision"]["id"]


@pytest.mark.long
def test_many_who_ask_for_the_longest_list_fill_no_memory_and_delay_nobody(
    service: RunningService,
) -> None:
    eve, honest = Client(service), Client(service)
    path, count, decision = before_an_ecart(eve)
    far = urlsafe_b64encode(f"{path.removeprefix('/v1/games/')} {decision} {count - 2000}".encode()).decode()
    paths = [f"{path}/legal-actions", f"{path}/legal-actions?cursor={far}", f"{path}/view"]
    for each in paths:
        eve.ask("GET", each)
    before = {process: peak(process) for process in web_processes(service)}
    assert before

    def attack(number: int) -> list[tuple[int, int]]:
        return [eve.ask("GET", paths[(number + turn) % len(paths)])[:2] for turn in range(REQUESTS)]

    is_over, waits = threading.Event(), []

    def watch() -> None:
        while not is_over.is_set():
            began = time.monotonic()
            assert honest.ask("GET", "/healthz")[0] == 200
            waits.append(time.monotonic() - began)

    with ThreadPoolExecutor(ATTACKERS + 1) as threads:
        watching = threads.submit(watch)
        answers = [answer for each in threads.map(attack, range(ATTACKERS)) for answer in each]
        is_over.set()
        watching.result()

    assert {status for status, _ in answers} == {200}
    assert max(size for _, size in answers) < 256 * 1024
    assert waits
    assert max(waits) < MOST_SECONDS
    grown = {process.name: peak(process) - most for process, most in before.items()}
    assert max(grown.values()) < MOST_GROWTH, grown
