"""Profiles: what is kept, when a player was last here, and that nothing of it outlives the player."""

from collections.abc import Iterator

import pytest
import redis

from service.accounts import profiles as module
from service.accounts.players import Players
from service.accounts.profiles import PARTS
from service.store.redis.connections import connect
from tests.support.server import RealServer
from tests.support.stores import KINDS, empty_store, everything

NOON = "2026-05-01T12:00:00.000Z"


client = pytest.fixture(params=KINDS)(empty_store)


@pytest.fixture
def players(client: redis.Redis) -> Iterator[Players]:
    players = Players(client, lambda: NOON)
    yield players
    players.close()


def test_the_day_of_the_last_request_is_kept_only_while_it_is_shown(players: Players, client: redis.Redis) -> None:
    ada, _ = players.create("Ada")
    before = everything(client)
    players.profiles.saw(ada.id)
    assert everything(client) == before
    players.profiles.change(ada.id, {}, {"seen": True})
    assert players.profiles.find(ada.id).seen == "2026-05-01"
    players.profiles.change(ada.id, {}, {"seen": False})
    assert players.profiles.find(ada.id).seen is None
    assert everything(client) == before


def test_each_day_is_noted_once_by_a_process(
    players: Players, client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, _ = players.create("Ada")
    players.profiles.change(ada.id, {}, {"seen": True})
    key = f"{{{ada.id}}}:player"
    time = 1_000_000.0
    monkeypatch.setattr(module.time, "time", lambda: time)
    for passed, noted in ((0, NOON[:10]), (0, "long ago"), (86_400, NOON[:10])):
        time += passed
        client.hset(key, "seen", "long ago")
        players.profiles.saw(ada.id)
        assert players.profiles.find(ada.id).seen == noted, "only the first request of the day is noted"


def test_a_deleted_player_leaves_nothing_and_nothing_comes_back(players: Players, client: redis.Redis) -> None:
    before = everything(client)
    ada, _ = players.create("Ada")
    players.profiles.change(ada.id, {"language": "fr", "time_zone": "Asia/Tokyo"}, dict.fromkeys(PARTS, True))
    players.delete(ada.id)
    players.profiles.saw(ada.id)
    players.profiles.change(ada.id, {"language": "fr"}, {"seen": True})
    assert everything(client) == before


def test_a_request_is_not_refused_because_nobody_can_note_that_it_came(tmp_path) -> None:
    server = RealServer.start("valkey", tmp_path)
    with connect(server.url) as client:
        players = Players(client, lambda: NOON)
        server.stop()
        players.profiles.saw("pl_ada")
        assert players.profiles._here_today == set()
        players.close()
