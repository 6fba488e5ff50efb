"""Streams of a real service hold no thread, outlast all timeouts, and end when their client or the service does."""

import contextlib
import json
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.attacks.raw_sockets import HEALTHY_SECONDS, healthy_within
from tests.support.server import RealServer, RunningService, running_service, wait_until

MANY = 12
"""More than the threads of the service, and as many as it allows."""
SETTINGS = {
    "PLATEAU_WEB_THREADS": "4", "PLATEAU_CLIENT_SECONDS": "1",
    "PLATEAU_LIMITS": f"streams-in-process={MANY}",
}  # fmt: skip
ME = {"player": "me"}


class Player:
    """A player with a game of their own, and streams of it."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=url, timeout=20, verify=False)
        token = self.http.post("/v1/players", json={"name": "Ada"}).json()["token"]
        self.http.headers["Authorization"] = f"Bearer {token}"
        game = self.http.post("/v1/games", json={"ruleset": "le-plateau", "seats": [ME] * 4, "sandbox": True}).json()
        self.path = f"/v1/games/{game['id']}"
        self._url = url

    def close(self) -> None:
        """Close their own connection."""
        self.http.close()

    def act(self) -> int:
        """Pass, or whatever else is possible first; return the version after it."""
        view = self.http.get(f"{self.path}/view").json()
        made = self.http.post(f"{self.path}/actions", json=view["legal_actions"]["actions"][0])
        assert made.status_code == 201, made.text
        return int(made.json()["version"])

    @contextlib.contextmanager
    def stream(self) -> Iterator[tuple[httpx.Response, Iterator[str]]]:
        """Open a stream on a connection of its own, from the current version on."""
        headers = {**self.http.headers, "Accept": "application/x-ndjson"}
        now = self.http.get(self.path).json()["version"]
        with (
            httpx.Client(base_url=self._url, headers=headers, timeout=20, verify=False) as http,
            http.stream("GET", f"{self.path}/events?after={now}") as response,
        ):
            yield response, (line for line in response.iter_lines() if line)


def next_version(lines: Iterator[str]) -> int:
    return int(json.loads(next(lines))["version"])


@pytest.fixture
def service(store: RealServer, tmp_path) -> Iterator[RunningService]:
    with running_service(tmp_path, SETTINGS | {"REDIS_URL": store.url}) as running:
        yield running


@pytest.fixture
def open_streams(service: RunningService) -> Iterator[Callable[[], Any]]:
    with contextlib.ExitStack() as stack:
        ada = stack.enter_context(contextlib.closing(Player(service.url)))
        yield ada, lambda: stack.enter_context(ada.stream())


def test_more_streams_than_threads_hold_none_outlast_every_timeout_and_are_asked_to_come_back(service, open_streams):
    ada, open_one = open_streams
    opened = [open_one() for _ in range(MANY)]
    assert all(response.status_code == 200 for response, _ in opened)
    time.sleep(4)  # more than head and body have
    assert healthy_within(service) < HEALTHY_SECONDS
    version = ada.act()
    for _, lines in opened:
        while next_version(lines) < version:
            pass
    refused, _ = open_one()
    assert refused.status_code == 429
    assert refused.headers["Retry-After"]
    began = time.monotonic()
    assert service.stop(signal.SIGTERM) == 0
    assert time.monotonic() - began < 5
    for _, lines in opened:
        assert json.loads(next(lines)) == {"reconnect": {"code": "restarting"}}
        assert next(lines, None) is None
    assert "Traceback" not in service.errors


@pytest.mark.long
def test_the_places_of_clients_that_have_left_are_free_again(open_streams):
    ada, _ = open_streams
    for _ in range(3):
        with contextlib.ExitStack() as stack:
            opened = [stack.enter_context(ada.stream()) for _ in range(MANY)]
            assert all(response.status_code == 200 for response, _ in opened)

        def is_free() -> bool:
            with ada.stream() as (response, _):
                return response.status_code == 200

        wait_until(is_free, "a free place", 15)


@pytest.mark.sampled
@pytest.mark.parametrize("settings", [{"PLATEAU_WEB_PROCESSES": "2"}, {"PLATEAU_MEMORY": "1"}])
def test_every_stream_hears_of_every_event_whatever_process_wrote_it(store, tmp_path, settings):
    where = {} if "PLATEAU_MEMORY" in settings else {"REDIS_URL": store.url}
    with running_service(tmp_path, settings | where) as service, contextlib.ExitStack() as stack:
        players = [stack.enter_context(contextlib.closing(Player(service.url))) for _ in range(4)]
        opened = {each: [stack.enter_context(each.stream())[1] for _ in range(4)] for each in players}
        for _ in range(3):
            versions = {each: each.act() for each in players}
            for each, streams in opened.items():
                for lines in streams:
                    while next_version(lines) < versions[each]:
                        pass
