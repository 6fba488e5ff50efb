"""`plateau entries`: what the store of a service keeps of a game."""

import json

from domain.laws.play import log_of
from service.store.event_store import Append, EventStore
from service.store.redis.connections import connect
from tests.support.commands import plateau
from tests.support.random_games import played
from tests.support.stores import damage


def test_a_log_is_printed_as_json_unless_it_is_damaged(valkey_url: str) -> None:
    steps = played("plateau", 2, 0)
    game = steps[-1].game.id
    with connect(valkey_url) as client:
        client.flushall()
        EventStore(client).append(Append(game, 0, log_of(steps), head=""))
        shown = plateau("entries", game, REDIS_URL=valkey_url)
        created, *_ = log = [json.loads(line) for line in shown.output.splitlines()]
        assert [event["type"] for event in log] == [each.type for each in log_of(steps)]
        assert len(created["hidden"]["/secret"]["value"]) == 64
        assert plateau("entries", "gm_none", REDIS_URL=valkey_url).exit_code == 1
        damage(client, game, 2)
    damaged = plateau("entries", game, REDIS_URL=valkey_url)
    assert (damaged.exit_code, "damaged at version 2" in damaged.output) == (1, True)
