"""What earlier releases left without an end gets one; what has an end keeps it."""

from collections.abc import Iterator
from typing import Any

import pytest
import redis

from domain.game.durations import DAY, moment
from domain.game.time_control import PLAY_BY_POST
from domain.game.timeouts import Patience
from service.games.commands import Resign
from service.store.event_store import EventStore
from service.store.leftovers import Leftovers
from tests.service import builders
from tests.service.builders import ADA, BOB, Games, spec, wish

NOW = 1_800_000_000_000
IDLE = 365 * DAY


@pytest.fixture(params=builders.KINDS)
def client(request: pytest.FixtureRequest) -> Iterator[redis.Redis]:
    yield from builders.empty_store(request)


@pytest.fixture
def earlier(client: redis.Redis) -> Games:
    """The use cases as a release has them that waits for ever for players in play."""
    return Games(EventStore(client), lambda: moment(NOW - 2 * IDLE), Patience(open_game=14 * DAY))


def limit(client: redis.Redis, idle_ms: int | None = IDLE) -> None:
    Leftovers(client, 16, DAY, idle_ms, lambda: NOW).limit()


def due(client: redis.Redis) -> Any:
    """When each game is due, whether players or only bots play it."""
    found = [
        client.zrange(key, 0, -1, withscores=True)
        for key in [*client.scan_iter("*:deadlines"), *client.scan_iter("*-looks")]
    ]
    return {game.decode(): at for games in found for game, at in games}


def begun(games: Games, ruleset: str = "le-plateau", **more: object) -> str:
    """Begin a game of Ada and Bob."""
    game_id = games.create(ADA, spec([True, False], sandbox=False, ruleset=ruleset, more=more))[0]
    games.join(game_id, BOB, wish())
    return game_id


def test_answers_without_a_lifetime_get_one_and_those_that_have_one_keep_it(
    client: redis.Redis, earlier: Games
) -> None:
    made = [EventStore(client)._keys(earlier.create(ADA, spec())[0]).earlier_answers for _ in range(3)]
    for key in made[:2]:
        client.hset(key, "a request", "an answer")
    client.pexpire(made[1], 60_000)
    for _ in range(2):
        limit(client)
        assert DAY - 60_000 < client.pttl(made[0]) <= DAY
        assert 0 < client.pttl(made[1]) <= 60_000
        assert not client.exists(made[2])


def test_a_game_in_play_that_was_due_at_no_time_is_due_after_its_time_from_now(
    client: redis.Redis, earlier: Games
) -> None:
    game_id = begun(earlier)
    assert due(client) == {}
    for _ in range(2):
        limit(client)
        assert due(client) == {game_id: NOW + IDLE}


def test_a_sandbox_a_game_that_is_over_and_games_that_are_due_anyway_stay_as_they_are(
    client: redis.Redis, earlier: Games
) -> None:
    builders.sandbox(earlier)
    earlier.create(ADA, spec([True, False], sandbox=False))
    begun(earlier, clock=PLAY_BY_POST)
    earlier.create(ADA, spec([False, False], sandbox=False, more={"bots": ((0, "random"), (1, "random"))}))
    over = begun(earlier, "plateau")
    earlier.do(over, Resign(caller=BOB, seat=None, expected=None))
    before = builders.everything(client)
    limit(client)
    assert builders.everything(client) == before


def test_without_a_time_for_idle_games_none_becomes_due(client: redis.Redis, earlier: Games) -> None:
    begun(earlier)
    limit(client, None)
    assert due(client) == {}
