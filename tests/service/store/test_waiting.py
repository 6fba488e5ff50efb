"""How much waits in the shards, and for how long."""

import pytest

from service.store import keys
from service.store.change_feed import DISPATCHERS, NOTIFIERS
from service.store.event_store import StoreUnavailable
from service.store.waiting import Backlog, Due, Lag, waiting
from tests.support.stores import KINDS, empty_store

client = pytest.fixture(params=KINDS)(empty_store)

SHARDS, NOW = 4, 1_000_000
FIRST, SECOND = keys.Shard(0), keys.Shard(3)


def entry(client, feed, ms):
    return client.xadd(feed, {"g": "gm_x", "v": "1"}, id=f"{ms}-0")


def test_in_an_empty_store_nothing_waits(client):
    found = waiting(client, SHARDS, NOW)
    assert found.feeds == {"changes": Backlog(), "notices": Backlog()}
    assert (found.deadlines, found.reminders, found.unlogged) == (Due(), Due(), 0)


def test_a_feed_without_readers_is_unread_since_its_first_entry(client):
    for shard, ms in ((FIRST, NOW - 9_000), (FIRST, NOW - 2_000), (SECOND, NOW - 5_000)):
        entry(client, shard.changes, ms)
    assert waiting(client, SHARDS, NOW).feeds["changes"] == Backlog(3, Lag(3, 0), 9.0)


def test_the_lag_is_the_age_of_the_oldest_entry_that_is_not_done(client):
    client.xgroup_create(FIRST.notices, NOTIFIERS, id="0", mkstream=True)
    ids = [entry(client, FIRST.notices, NOW - 1_000 * age) for age in (8, 6, 3)]

    def notices():
        return waiting(client, SHARDS, NOW).feeds["notices"]

    assert notices() == Backlog(3, Lag(3, 0), 8.0)
    client.xreadgroup(NOTIFIERS, "one", {FIRST.notices: ">"}, count=2)
    assert notices() == Backlog(3, Lag(1, 2), 8.0), "it was read, and not done"
    client.xack(FIRST.notices, NOTIFIERS, ids[0])
    assert notices() == Backlog(3, Lag(1, 1), 6.0)
    client.xack(FIRST.notices, NOTIFIERS, ids[1])
    assert notices() == Backlog(3, Lag(1, 0), 3.0)
    client.xreadgroup(NOTIFIERS, "one", {FIRST.notices: ">"}, count=2)
    client.xack(FIRST.notices, NOTIFIERS, ids[2])
    assert notices() == Backlog(3, Lag(0, 0), 0.0)


def test_a_group_of_somebody_else_does_not_count(client):
    client.xgroup_create(FIRST.changes, "other", id="0", mkstream=True)
    client.xgroup_create(FIRST.changes, DISPATCHERS, id="0")
    entry(client, FIRST.changes, NOW)
    client.xreadgroup("other", "one", {FIRST.changes: ">"}, count=1)
    assert waiting(client, SHARDS, NOW).feeds["changes"].lag == Lag(1, 0)


def test_what_is_due_is_counted_over_all_shards_with_the_time_of_the_first(client):
    for shard, late in ((FIRST, 4_000), (SECOND, 7_000), (SECOND, -5_000)):
        client.zadd(shard.deadlines, {f"gm_{late}": NOW - late})
        client.zadd(shard.reminders, {f"gm_{late} 0": NOW - late - 1_000})
    client.zadd(FIRST.second_looks, {"gm_bots": NOW - 60_000})
    client.zadd(FIRST.unlogged, {"gm_x": 3, "gm_y": 4})
    found = waiting(client, SHARDS, NOW)
    assert found.deadlines == Due(4, 2, 7.0), "games of bots alone are not overdue"
    assert found.reminders == Due(3, 2, 8.0)
    assert found.unlogged == 2


def test_a_feed_that_is_something_else_is_an_error_and_not_empty(client):
    client.set(FIRST.changes, "in the way")
    with pytest.raises(StoreUnavailable):
        waiting(client, SHARDS, NOW)
