"""A game that bots alone play counts for its creator, event by event, and waits once there is no room."""

import pytest

from domain.game.durations import HOUR
from service.accounts.limiter import Limiter
from tests.support.games import ADA, spec

MOST = 100


@pytest.fixture
def limited(house):
    """A worker that keeps the limit on events, by the clock of the test."""
    house.limiter = Limiter(house.client, {"events-written": MOST}, house.store.public_data, lambda: house.ms / 1000)
    house.games, house.worker = house.process()
    return house


def begun(house):
    bots = tuple((seat, "random") for seat in range(3))
    return house.games.create(ADA, spec([False] * 3, sandbox=False, more={"bots": bots}))[0]


def played(house, games):
    """Let the worker go through all games until nothing happens; return how many events they have together."""
    before = -1
    while (now := sum(house.game(game).version for game in games)) > before:
        before = now
        for game in games:
            house.handle(game)
    return now


def test_games_of_bots_alone_wait_while_their_creator_has_no_room(limited):
    games = [begun(limited) for _ in range(3)]
    first = played(limited, games)
    assert MOST <= first < 3 * MOST
    assert not all(limited.game(game).is_over for game in games)
    assert played(limited, games) == first
    limited.ms += 2 * HOUR
    assert played(limited, games) >= first + MOST


def test_the_bots_of_a_game_with_a_player_do_not_wait(limited):
    played(limited, [begun(limited) for _ in range(3)])
    game = limited.begin("me", "random", "random", clock=None)
    while not limited.game(game).pending.keys() & {0}:
        before = limited.game(game).version
        limited.handle(game)
        assert limited.game(game).version > before
