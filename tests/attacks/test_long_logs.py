"""The attack: many connections that read the longest logs, in every way that takes the longer, the longer a log is.

Before these requests had a line of their own, 64 that looked back delayed a view by 14 s, won a live game on time, and
32 at once took a gibibyte.
"""

import http.client
import json
import random
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from domain.laws.play import log_of, random_game
from domain.log.record import Record
from domain.registry import RULESETS
from service.store.event_store import Append, EventStore
from service.store.redis.connections import connect
from tests.attacks.memory import Client, peak, web_processes
from tests.support.server import RunningService, running_service

CONNECTIONS, TURNS = 64, 60
MOST_GROWTH = 160 * 1024 * 1024
"""Two long requests at once, each with a whole log, and what a process keeps anyway."""

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is read as Linux tells it"),
]


@cache
def log() -> Sequence[Record]:
    """Play a game of 6,000 events."""
    return log_of([*random_game(RULESETS["french-tarot"], 4, 1, {"deals": 60}, "")])


@pytest.fixture
def service(tmp_path: Path, valkey_url: str) -> Iterator[RunningService]:
    """A service with one web process, and a finished game of 6,000 events."""
    with connect(valkey_url) as client:
        store = EventStore(client)
        store.begin()
        store.append(Append(log()[0].game_id, 0, log(), head="", finished=1))
    with running_service(tmp_path, {"REDIS_URL": valkey_url, "PLATEAU_ALLOW_UNSAFE_REDIS": "1"}) as running:
        yield running


def attack(service: RunningService, number: int, is_over: threading.Event, statuses: Counter[int]) -> None:
    """Ask for one long thing after the other."""
    place, rng, game = urlsplit(service.url).netloc, random.Random(number), f"/v1/games/{log()[0].game_id}"
    token = Client(service)._headers["Authorization"]
    while not is_over.is_set():
        at = rng.randrange(2, len(log()) - 200)
        method, path, body = rng.choice((
            ("GET", f"{game}/view?at={at}", None),
            ("GET", f"{game}/scene?at={at}", None),
            ("GET", f"{game}/events?limit=1000&lang=fr&after={at}", None),
            ("GET", f"{game}/export?format={rng.choice(('text', 'audit', 'bundle'))}", None),
            ("POST", f"{game}/forks", {"at": at}),
        ))  # fmt: skip
        connection = http.client.HTTPConnection(place, timeout=120)
        headers = {"Authorization": token, "Content-Type": "application/json"}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        answer.read()
        statuses[answer.status] += 1
        connection.close()


def test_who_plays_is_answered_while_many_read_the_longest_logs(service: RunningService) -> None:
    """However many they are, each request of somebody else comes after few of theirs, and the memory holds."""
    honest, statuses, is_over = Client(service), Counter[int](), threading.Event()
    before = {process: peak(process) for process in web_processes(service)}
    attackers = [
        threading.Thread(target=attack, args=(service, number, is_over, statuses)) for number in range(CONNECTIONS)
    ]
    for each in attackers:
        each.start()
    try:
        game = honest.ask("POST", "/v1/games", {"ruleset": "plute", "seats": [{"player": "me"}] * 6, "sandbox": True})
        path = f"/v1/games/{game[2]['id']}"
        for _ in range(TURNS):
            done = statuses.total()
            status, _, view = honest.ask("GET", f"{path}/view")
            assert status == 200
            assert statuses.total() - done <= CONNECTIONS, "a short request waited for the long ones"
            status, _, _ = honest.ask("POST", f"{path}/actions", view["legal_actions"]["actions"][0])
            assert status == 201
    finally:
        is_over.set()
        for each in attackers:
            each.join()
    assert set(statuses) <= {200, 201, 429, 503}, statuses
    assert statuses[200] > 10, "there was an attack"
    for process, most in before.items():
        assert peak(process) - most < MOST_GROWTH, process
