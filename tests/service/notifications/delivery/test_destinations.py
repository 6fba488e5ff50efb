"""The destinations of players: which there are, and how far each has read."""

import pytest
import redis

from service.accounts.players import Players
from service.common import wall_clock
from service.notifications.delivery.destinations import Destination, Destinations
from service.notifications.delivery.retries import ATTEMPTS, PAUSES, pause_after
from service.store import keys
from tests.support.stores import KINDS, empty_store

client = pytest.fixture(params=KINDS)(empty_store)

HOOK, MAIL, BOBS = (
    Destination("pl_ada", "webhook", "wh_1"),
    Destination("pl_ada", "mail"),
    Destination("pl_bob", "push", "ps_1"),
)


def add(client: redis.Redis, *destinations: Destination) -> Destinations:
    with client.pipeline(transaction=False) as pipe:
        for destination in destinations:
            Destinations.add(pipe, destination, "7-0")
        pipe.execute()
    return Destinations(client)


def test_the_destinations_of_many_players_come_in_one_trip(client: redis.Redis) -> None:
    destinations = add(client, HOOK, MAIL, BOBS)
    assert set(destinations.of(["pl_ada", "pl_cleo", "pl_bob"])) == {HOOK, MAIL, BOBS}
    assert destinations.of(["pl_cleo"]) == destinations.of([]) == []


def test_a_cursor_moves_on_only_from_where_it_is(client: redis.Redis) -> None:
    destinations = add(client, HOOK)
    assert destinations.advance(HOOK, "7-0", "8-0")
    assert not destinations.advance(HOOK, "7-0", "9-0")
    assert destinations.cursor(HOOK) == "8-0"


def test_a_destination_that_was_removed_has_no_cursor_and_gets_none(client: redis.Redis) -> None:
    destinations = add(client, HOOK, MAIL)
    with client.pipeline(transaction=False) as pipe:
        Destinations.remove(pipe, HOOK)
        pipe.execute()
    assert destinations.cursor(HOOK) is None
    assert not destinations.advance(HOOK, "7-0", "8-0")
    assert destinations.of(["pl_ada"]) == [MAIL]


def test_the_destinations_of_a_deleted_player_are_gone(client: redis.Redis) -> None:
    players = Players(client, wall_clock.now)
    ada = players.create("Ada")[0].id
    destinations = add(client, Destination(ada, "mail"))
    players.delete(ada)
    assert destinations.of([ada]) == []
    assert not client.exists(keys.destinations(ada))
    players.close()


def test_retries_spread_over_a_day_with_growing_pauses() -> None:
    assert sorted(PAUSES) == list(PAUSES)
    assert 23 * 3_600_000 < sum(PAUSES) * 1.01 < 24 * 3_600_000
    for attempts, pause in enumerate(PAUSES, 1):
        found = {pause_after(attempts) for _ in range(50)}
        assert pause <= min(found) < max(found) <= pause * 1.01
    assert pause_after(ATTEMPTS) is None
