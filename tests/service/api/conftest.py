"""The service in this process on a fakeredis, and the people who use it."""

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor

import fakeredis
import pytest

from tests.support.contract import Contract
from tests.support.people import ME, OPEN, Person, Server, Table
from tests.support.random_games import played
from tests.support.transparency import begin, log_heads


@pytest.fixture(scope="session")
def closing() -> Iterator[Executor]:
    """Where servers are closed while the next tests run, since each takes its time to stop listening."""
    with ThreadPoolExecutor(16) as executor:
        yield executor


@pytest.fixture(scope="session")
def reading() -> Server:
    """A service for tests that only read its document and its pages, which take seconds to make."""
    return Server(fakeredis.FakeRedis(server=fakeredis.FakeServer()))


@pytest.fixture(scope="session")
def contract(reading: Server) -> Contract:
    """The API's own description."""
    return reading.contract


@pytest.fixture
def server(closing: Executor, contract: Contract) -> Iterator[Server]:
    """A service on an empty fakeredis."""
    server = Server(fakeredis.FakeRedis(server=fakeredis.FakeServer()), contract)
    yield server
    closing.submit(server.players.close)


@pytest.fixture
def stranger(server: Server) -> Person:
    """Somebody without a token."""
    return server.stranger()


@pytest.fixture
def ada(server: Server) -> Person:
    """A player."""
    return server.newcomer("Ada")


@pytest.fixture
def bob(server: Server) -> Person:
    """Another player."""
    return server.newcomer("Bob")


@pytest.fixture
def sandbox(server: Server, ada: Person) -> Table:
    """A started game of four, in which Ada holds every seat."""
    game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME] * 4, "sandbox": True}).json
    return Table(game["id"], [ada] * 4, server)


@pytest.fixture
def table(server: Server, ada: Person, bob: Person) -> Table:
    """A started game of four players, of whom Ada is the first."""
    return server.table([ada, bob, server.newcomer("Cleo"), server.newcomer("Dan")])


@pytest.fixture
def finished(server: Server) -> Table:
    """A game of three players that is over."""
    return server.table_of_log(played("le-plateau", 3, 0))


@pytest.fixture
def logged(server, ada):
    """The paths of three games whose heads are logged."""
    paths = [begin(ada) for _ in range(3)]
    log_heads(server)
    return paths


@pytest.fixture
def yesterdays(server, ada, logged):
    """The path of a game that can be rewritten; its head is logged."""
    made = ada.post("/v1/games", {"ruleset": "plateau", "seats": [ME, OPEN]}, Idempotency_Key="yesterday").json
    log_heads(server)
    return f"/v1/games/{made['id']}"


@pytest.fixture
def worlds(contract, closing):
    """Two servers: one for the true world, one for others."""
    servers = [Server(fakeredis.FakeRedis(server=fakeredis.FakeServer()), contract) for _ in range(2)]
    yield servers
    for server in servers:
        closing.submit(server.players.close)
