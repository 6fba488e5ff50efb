"""A service whose time no two moments share, and a private game with open seats."""

import pytest

from tests.service.api.invitations.asking import Ticking, new_game
from tests.support.people import Server
from tests.support.stores import BUNDLED, empty_store


@pytest.fixture
def time():
    """The time; it goes on by milliseconds, and as the test sets it."""
    return Ticking()


@pytest.fixture(params=BUNDLED)
def server(request, time, contract, closing):
    """A service that goes by the test's time, on every kind of store."""
    for client in empty_store(request):
        server = Server(client, contract, time)
        yield server
        server.players.close()


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
