"""What a process does with more requests than it can handle: it refuses some unread, and none that it let in.

The line of requests: who is let in, and whose turn is next.
"""

import asyncio
import json
import random
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import partial
from typing import Any

import jsonschema
import pytest

from service.api.http.asgi import AsgiApp
from service.api.http.environ import CONTINUATION, IN_THREAD, Environ, Message
from service.api.http.overload import Admission, Client, FairLine
from service.common.observability import METRICS
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


ADA, BOB = Client("192.0.2.1", 1), Client("192.0.2.2", 2)
THREADS, MOST_WAITING = 8, 64


class Line(FairLine[tuple[Client, int]]):
    """A line, and what it has handed over that has not left."""

    def __init__(self) -> None:
        self.working: list[tuple[Client, int]] = []
        super().__init__(THREADS, MOST_WAITING, self.working.append)

    def send(self, client: Client, number: int = 1) -> None:
        """Put in so many requests of a client."""
        for each in range(number):
            self.put(client, (client, each))

    def finish(self) -> tuple[Client, int]:
        """Finish what was handed over first."""
        done = self.working.pop(0)
        self.leave(done[0])
        return done


@pytest.fixture
def line() -> Line:
    return Line()


def test_a_request_is_handed_over_at_once_while_threads_are_free(line):
    line.send(ADA)
    assert line.working == [(ADA, 0)]
    assert (line.in_work, line.waiting) == (1, 0)


def test_a_token_has_a_quarter_of_the_threads_and_an_address_half_of_them(line):
    line.send(ADA, 10)
    assert len(line.working) == THREADS // 4
    for token in range(20, 30):
        line.send(Client(ADA.address, token), 10)
    assert len(line.working) == THREADS // 2
    line.send(BOB)
    assert line.working[-1] == (BOB, 0)


def test_the_requests_of_a_client_keep_their_order(line):
    line.send(ADA, 10)
    assert [line.finish()[1] for _ in range(10)] == [*range(10)]


def test_addresses_take_turns_however_many_tokens_and_requests_each_has(line):
    for token in range(50):
        line.send(Client(ADA.address, token), 20)
    for token in range(THREADS):  # all that are free for others
        line.send(Client(f"198.51.100.{token}", 9), 1)
    line.send(BOB, 5)
    while not any(client == BOB for client, _ in line.working):
        line.finish()
    assert line.waiting > 900, "Bob did not wait for what was there before"


def test_tokens_of_an_address_take_turns(line):
    line.send(ADA, 40)
    other = Client(ADA.address, 7)
    line.send(other, 1)
    done = [line.finish()[0] for _ in range(4)]
    assert other in done


def test_a_token_has_room_for_a_quarter_and_an_address_for_half(line):
    def filled(client: Client) -> int:
        number = 0
        while line.has_room(client):
            line.send(client)
            number += 1
        return number

    assert filled(ADA) == MOST_WAITING // 4
    assert filled(Client(ADA.address, 7)) == MOST_WAITING // 4
    assert filled(Client(ADA.address, 8)) == 0
    assert filled(BOB) == MOST_WAITING // 4
    assert filled(Client(BOB.address, 7)) == MOST_WAITING // 4
    assert not line.has_room(Client("192.0.2.3", 3)), "the whole line is full"
    line.finish()
    assert line.has_room(Client("192.0.2.3", 3))


def test_what_was_let_in_before_is_put_in_again_where_there_is_no_room(line):
    line.send(ADA, MOST_WAITING)
    assert not line.has_room(ADA)
    assert line.waiting + line.in_work == MOST_WAITING


@pytest.mark.parametrize("seed", range(20))
def test_everything_is_handed_over_once_and_then_forgotten(line, seed):
    rng = random.Random(seed)
    clients = [Client(f"192.0.2.{rng.randrange(3)}", rng.randrange(4)) for _ in range(12)]
    done: list[tuple[Client, int]] = []
    for number in range(300):
        client = rng.choice(clients)
        line.put(client, (client, number))
        if line.working and rng.random() < 0.5:
            rng.shuffle(line.working)
            done.append(line.finish())
        working = Counter(client for client, _ in line.working)
        addresses = Counter(client.address for client, _ in line.working)
        assert max(working.values(), default=0) <= THREADS // 4
        assert max(addresses.values(), default=0) <= THREADS // 2
        assert len(line.working) == line.in_work <= THREADS
    while line.working:
        done.append(line.finish())
    assert sorted(number for _, number in done) == [*range(300)]
    assert (line.waiting, line.in_work, line._waiting, line._present, line._working) == (0, 0, {}, {}, {})
