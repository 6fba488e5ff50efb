"""A service whose time no two moments share, and a private game with open seats."""

import fakeredis
import pytest

from tests.service.api.invitations.asking import Ticking, new_game
from tests.support.people import Server


@pytest.fixture
def time():
    """The time; it advances by milliseconds, and as the test sets it."""
    return Ticking()


@pytest.fixture
def server(time, contract, closing):
    """A service that goes by the test's time."""
    server = Server(fakeredis.FakeRedis(server=fakeredis.FakeServer()), contract, time)
    yield server
    closing.submit(server.players.close)


@pytest.fixture
def game(ada):
    """A private game of Ada's with two open seats, 1 and 2."""
    return new_game(ada)


@pytest.fixture
def cleo(server):
    return server.newcomer("Cleo")


@pytest.fixture(params=["private", "public"])
def any_game(ada, request):
    """A game of Ada's with two open seats, which others can see or not."""
    return new_game(ada, visibility=request.param)
