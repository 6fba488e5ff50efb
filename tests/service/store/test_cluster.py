"""A cluster whose slots move and whose nodes fail while games go on, and what a client of it does beside."""

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
from redis.crc import key_slot

from service.store import keys
from service.store.change_feed import ChangeFeed
from service.store.connections import connect
from service.store.event_store import EventStore, StoreMisconfigured, StoreUnavailable
from tests.clusters import RealCluster
from tests.servers import RealServer, wait_until
from tests.service import builders
from tests.service.builders import Games, sandbox
from tests.service.store.tables import Table

TABLES = 3
SLOTS = [key_slot(keys.Shard(number).tag.encode()) for number in range(16)]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealCluster]:
    """Three primaries, each with a replica; the tests of this module share it and leave it whole."""
    cluster = RealCluster("valkey", tmp_path_factory.mktemp("cluster"), replicas=1)
    yield cluster
    cluster.stop()


@pytest.fixture
def client(cluster: RealCluster) -> Iterator[redis.Redis]:
    with connect(cluster.url) as client:
        client.flushall()
        yield client


@contextmanager
def tables_on(url: str, number: int = TABLES) -> Iterator[list[Table]]:
    """Let games be played at tables, each by a process of its own as far as Redis can tell, until the block ends."""
    clients = [connect(url) for _ in range(number)]
    tables = [Table(builders.games_on(client)) for client in clients]
    with ThreadPoolExecutor(number) as threads:
        playing = [threads.submit(table.play) for table in tables]
        try:
            yield tables
        finally:
            for table in tables:
                table.stop()
        for each in playing:
            each.result()
    for client in clients:
        client.close()


def wait_for_more(tables: Sequence[Table], more: int) -> None:
    """Wait until each table has some more acknowledgements."""
    wanted = [len(table.acknowledged) + more for table in tables]
    wait_until(
        lambda: all(len(table.acknowledged) >= most for table, most in zip(tables, wanted, strict=True)),
        f"{more} more actions at each table",
    )


def move_all(cluster: RealCluster, slots: Sequence[int]) -> None:
    """Move slots to the next primary."""
    for slot in slots:
        place = cluster.primaries.index(cluster.owner(slot))
        cluster.move(slot, cluster.primaries[(place + 1) % len(cluster.primaries)])


@pytest.mark.parametrize("slots", [SLOTS[:3], pytest.param(SLOTS * 2, marks=pytest.mark.long)], ids=["few", "all"])
def test_while_slots_move_games_go_on_and_nothing_is_lost_or_doubled(
    cluster: RealCluster, client: redis.Redis, slots: list[int]
) -> None:
    with tables_on(cluster.url) as tables:
        wait_for_more(tables, 20)
        move_all(cluster, slots)
        wait_for_more(tables, 20)
    assert [table.lost(client) for table in tables] == [[]] * TABLES
    tables[0].check_logs(client)


def test_a_reader_of_the_feeds_gets_every_change_though_the_slots_move(
    cluster: RealCluster, client: redis.Redis
) -> None:
    feed, games = ChangeFeed(client, 16, "group", "reader"), builders.games_on(client)
    feed.join()
    heard: set[str] = set()
    stopped = threading.Event()

    def read() -> None:
        while not stopped.is_set():
            try:
                changes = feed.read(200)
            except StoreUnavailable:
                feed.join()
                changes = feed.reread()
            heard.update(change.game_id for change in changes)
            feed.acknowledge(changes)

    with ThreadPoolExecutor(1) as thread:
        reading = thread.submit(read)
        made = {_created(games) for _ in range(20)}
        for slot in SLOTS[:4]:
            move_all(cluster, [slot])
            made |= {_created(games) for _ in range(10)}
        wait_until(lambda: made <= heard or reading.done(), "all changes to be heard of")
        stopped.set()
        reading.result()
    assert feed.lag().unacknowledged == 0


def _created(games: Games) -> str:
    while True:
        try:
            return sandbox(games)
        except StoreUnavailable:
            time.sleep(0.01)


def test_a_transaction_that_watches_a_key_goes_on_where_its_slot_has_moved(
    cluster: RealCluster, client: redis.Redis
) -> None:
    slot = key_slot(b"{x}a")
    client.set("{x}a", 1)
    with client.pipeline() as pipe:
        pipe.watch("{x}a")
        move_all(cluster, [slot])
        pipe.multi()
        pipe.set("{x}b", 2)
        with pytest.raises(redis.WatchError):
            pipe.execute()
    with client.pipeline() as pipe:
        pipe.watch("{x}a")
        found = pipe.get("{x}a")
        pipe.multi()
        pipe.set("{x}b", found)
        assert pipe.execute() == [True]
    assert client.get("{x}b") == b"1"


def test_a_pipeline_goes_to_all_nodes_and_takes_the_text_of_scripts_that_they_lack_along(client: redis.Redis) -> None:
    client.script_flush()
    script = client.register_script("return {KEYS[1], redis.call('INCR', KEYS[1])}")
    pipe = client.pipeline(transaction=False)
    for number in range(9):
        script(keys=[f"key {number}"], client=pipe)
        pipe.set(f"other {number}", number)
    replies = pipe.execute()
    assert replies[::2] == [[f"key {number}".encode(), 1] for number in range(9)]
    assert replies[1::2] == [True] * 9


def test_an_error_in_a_pipeline_is_raised_after_all_was_done(client: redis.Redis) -> None:
    client.set("text", "x")
    pipe = client.pipeline(transaction=False)
    for number in range(6):
        pipe.set(f"key {number}", 1)
    pipe.lpush("text", 1)
    with pytest.raises(redis.ResponseError, match="Command # 7"):
        pipe.execute()
    assert [client.get(f"key {number}") for number in range(6)] == [b"1"] * 6


def test_keys_of_all_nodes_are_found_and_not_while_slots_move(cluster: RealCluster, client: redis.Redis) -> None:
    names = {f"key {number}".encode() for number in range(50)}
    for name in names:
        client.set(name, 1)
    assert {*client.scan_iter("key *")} == names
    found = client.scan_iter("key *", count=1)
    next(found)
    move_all(cluster, [key_slot(b"key 1")])
    with pytest.raises(redis.ConnectionError, match="slots of the cluster have moved"):
        list(found)


def test_a_message_reaches_listeners_at_every_node(cluster: RealCluster, client: redis.Redis) -> None:
    for node in cluster.primaries:
        with redis.Redis.from_url(node.server.url) as alone, alone.pubsub() as listener:
            listener.subscribe("news")
            listener.get_message(timeout=5)
            client.publish("news", node.id)
            assert listener.get_message(timeout=5)["data"].decode() == node.id


def test_the_address_of_one_node_is_enough(cluster: RealCluster, client: redis.Redis) -> None:
    client.set("a", 1)
    with connect(f"redis+cluster://127.0.0.1:{cluster.replicas[0].port}") as other:
        assert other.get("a") == b"1"


def test_a_store_on_a_whole_cluster_passes_its_check(client: redis.Redis) -> None:
    assert EventStore(client).check() == []


@pytest.mark.parametrize("part", ["primaries", "replicas"])
def test_each_node_is_checked_and_named(cluster: RealCluster, client: redis.Redis, part: str) -> None:
    node = getattr(cluster, part)[1]
    node.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    with pytest.raises(StoreMisconfigured, match=f"the node 127.0.0.1:{node.port}: maxmemory-policy is allkeys-lru"):
        EventStore(client).check()
    node.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")


def test_a_node_alone_is_refused_with_the_form_of_the_address(cluster: RealCluster) -> None:
    with (
        connect(cluster.primaries[0].server.url) as alone,
        pytest.raises(StoreMisconfigured, match=r"redis\+cluster://"),
    ):
        EventStore(alone).check()


def test_a_single_server_is_no_cluster(tmp_path: Path) -> None:
    server = RealServer.start("valkey", tmp_path, tcp=True)
    url = server.url.replace("redis://", "redis+cluster://")
    with connect(url) as client, pytest.raises(StoreUnavailable, match="Cluster mode is not enabled"):
        EventStore(client).check()
    server.stop()


@pytest.mark.long
def test_a_replica_takes_over_from_a_killed_primary_and_the_games_go_on_by_themselves(
    cluster: RealCluster, client: redis.Redis
) -> None:
    with tables_on(cluster.url) as tables:
        wait_for_more(tables, 20)
        failed = cluster.owner(SLOTS[0])
        failed.kill()
        wait_until(lambda: cluster.owner(SLOTS[0]) is not failed, "the replica to take over")
        wait_for_more(tables, 30)
    lost = [answer for table in tables for answer in table.lost(client)]
    assert len(lost) <= TABLES  # each had at most one reply that its replica had not heard of
    assert {key_slot(EventStore(client).shard(each["game_id"]).tag.encode()) for each in lost} <= {*SLOTS}
    tables[0].check_logs(client)
    failed.restart()
    cluster.wait_until_whole()
