"""What a process does with more requests than it can handle: it refuses some unread, and none that it let in."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import partial
from typing import Any

import jsonschema
import pytest

from service.api.http.asgi import AsgiApp
from service.api.http.environ import CONTINUATION, IN_THREAD, Environ, Message
from service.api.http.overload import Admission
from service.common.metrics import METRICS
from tests.support.contract import Contract
from tests.support.server import PATIENCE

MOST = 8
"""A token has two of these places, an address four."""


class Again:
    """Waits for nothing, and lets the request be handled again."""

    continues = False

    async def run(self, _receive: object, _send: object) -> bool:
        return True

    def close(self) -> None:
        pass


class Gate:
    """A WSGI app whose answers wait until the gate opens; a request for /again is handled a second time."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.handled: list[str] = []

    def __call__(self, environ: Environ, start_response: Callable[..., object]) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        assert environ[IN_THREAD](partial(self.opened.wait, PATIENCE))
        if path == "/again" and path not in self.handled:
            environ[CONTINUATION] = Again()
        self.handled.append(path)
        start_response("200 OK", [])
        return [b"well"]


class Crowd:
    """Clients that send requests at the same time."""

    def __init__(self, gate: Gate, threads: int = 1, body_seconds: float = PATIENCE) -> None:
        self.gate = gate
        self.app = AsgiApp(gate, threads, body_seconds, [{"/healthz"}], Admission(MOST))

    async def send(self, token: int = 0, address: str = "192.0.2.1", path: str = "/", **more: str) -> Any:
        """Send a request; return its status, its headers and its body."""
        sent: list[Message] = []
        headers = [(name.lower().replace("_", "-").encode(), value.encode()) for name, value in more.items()]
        headers.append((b"authorization", f"Bearer {token}".encode()))
        scope = {
            "type": "http", "method": "POST", "raw_path": path.encode(), "query_string": b"", "scheme": "http",
            "headers": headers, "server": ("127.0.0.1", 8000), "client": (address, 4321),
        }  # fmt: skip

        async def receive() -> Message:
            await asyncio.sleep(PATIENCE)
            raise AssertionError("nothing more is sent")

        async def send(message: Message) -> None:
            sent.append(message)

        await asyncio.wait_for(self.app(scope, receive, send), PATIENCE)
        start, content = sent
        return start["status"], {name.decode(): value.decode() for name, value in start["headers"]}, content["body"]

    async def wait_for(self, number: int) -> None:
        """Wait until so many requests are in."""
        while self.app.line.waiting + self.app.line.in_work != number:
            await asyncio.sleep(0.001)


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.opened.set()


async def fill(crowd: Crowd, addresses: int = 2) -> list[asyncio.Task[Any]]:
    """Take all places: each address half of them, with two tokens."""
    tasks = [
        asyncio.ensure_future(crowd.send(token, f"192.0.2.{address}"))
        for address in range(addresses)
        for token in (1, 1, 2, 2)
    ]
    await crowd.wait_for(4 * addresses)
    return tasks


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def within() -> None:
        await asyncio.wait_for(test(), PATIENCE)

    asyncio.run(within())


def test_a_request_beyond_all_places_is_refused_and_those_let_in_are_answered(gate, contract: Contract):
    async def test() -> None:
        crowd = Crowd(gate)
        inside = await fill(crowd)
        METRICS.take()
        status, headers, body = await crowd.send(
            9, "198.51.100.1", content_length="100", accept_language="xx, fr;q=0.5"
        )
        problem = json.loads(body)
        assert (status, problem["code"], headers["Retry-After"]) == (503, "overloaded", "1")
        assert headers["Content-Type"] == "application/problem+json"
        assert problem["instance"] == headers["X-Request-Id"]
        assert (headers["Content-Language"], problem["title"]) == ("fr", "Le serveur est surchargé")
        schema = {"$ref": "#/components/schemas/Problem", "components": contract.document["components"]}
        jsonschema.validate(problem, schema)
        assert {("refusals", "overloaded"): 1, ("responses", "5xx"): 1}.items() <= METRICS.take().items()
        gate.opened.set()
        assert [(await each)[0] for each in inside] == [200] * MOST
        assert (await crowd.send(9, "198.51.100.1"))[0] == 200

    run(test)


def test_a_token_or_an_address_with_its_part_is_refused_while_others_are_let_in(gate):
    async def test() -> None:
        crowd = Crowd(gate)
        inside = [asyncio.ensure_future(crowd.send(1)) for _ in range(2)]
        await crowd.wait_for(2)
        assert (await crowd.send(1))[0] == 503
        inside += [asyncio.ensure_future(crowd.send(2)) for _ in range(2)]
        await crowd.wait_for(4)
        assert (await crowd.send(3))[0] == 503, "an address cannot invent tokens to have more"
        inside.append(asyncio.ensure_future(crowd.send(3, "198.51.100.1")))
        await crowd.wait_for(5)
        gate.opened.set()
        assert [(await each)[0] for each in inside] == [200] * 5

    run(test)


def test_health_is_answered_while_all_places_are_taken(gate):
    async def test() -> None:
        crowd = Crowd(gate)
        inside = await fill(crowd)
        healthy = asyncio.ensure_future(crowd.send(path="/healthz"))
        gate.opened.set()
        assert (await healthy)[0] == 200
        await asyncio.gather(*inside)

    run(test)


def test_bodies_that_are_still_arriving_take_no_place(gate):
    async def test() -> None:
        crowd = Crowd(gate)
        slow = [asyncio.ensure_future(crowd.send(content_length="100")) for _ in range(3 * MOST)]
        await asyncio.sleep(0)
        inside = await fill(crowd)
        gate.opened.set()
        assert [(await each)[0] for each in inside] == [200] * MOST
        for each in slow:
            each.cancel()

    run(test)


def test_a_request_that_has_waited_is_handled_again_even_without_room(gate):
    async def test() -> None:
        crowd = Crowd(gate)
        again = asyncio.ensure_future(crowd.send(1, path="/again"))
        await crowd.wait_for(1)
        inside = [asyncio.ensure_future(crowd.send(1))]
        await crowd.wait_for(2)
        gate.opened.set()
        assert (await again)[0] == 200
        await asyncio.gather(*inside)
        assert gate.handled.count("/again") == 2

    run(test)


@pytest.mark.parametrize(
    ("origins", "shown"), [({"*"}, "*"), ({"https://play.example"}, "https://play.example"), (set(), None)]
)
def test_a_page_that_may_call_can_read_why_it_was_refused(gate, origins, shown):
    async def test() -> None:
        crowd = Crowd(gate)
        crowd.app = AsgiApp(gate, 1, PATIENCE, [], Admission(1, 0, frozenset(origins)))
        inside = asyncio.ensure_future(crowd.send())
        await crowd.wait_for(1)
        _, headers, _ = await crowd.send(origin="https://play.example")
        assert headers.get("Access-Control-Allow-Origin") == shown
        assert ("Retry-After" in headers.get("Access-Control-Expose-Headers", "")) == (shown is not None)
        gate.opened.set()
        await inside

    run(test)
