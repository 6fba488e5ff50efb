"""A cluster whose slots move and whose nodes fail while games continue, and what a client of it does beside."""

import json
import random
import re
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from operator import gt
from pathlib import Path

import pytest
import redis
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from domain.game.timeouts import ENDLESS
from service.doctor.games import GameChecks
from service.doctor.server import check as check_servers_of
from service.runtime.metrics import Metrics
from service.store import keys
from service.store.change_feed import DISPATCHERS, ChangeFeed
from service.store.event_store import EventStore, StoreMisconfigured, StoreUnavailable
from service.store.heartbeat import Heartbeat
from service.store.redis.connections import connect
from service.store.redis.redis_rights import CLUSTER, WEB
from service.store.waiting import waiting
from tests.service.store.tables import Table
from tests.support.backups import played_store
from tests.support.clusters import Node, RealCluster
from tests.support.games import play_on, sandbox
from tests.support.server import PATIENCE, PROGRAMS, RealServer, fetch, posted, running_service, wait_until
from tests.support.wiring import Games, games_on

TABLES = 3
SLOTS = [key_slot(keys.Shard(number).tag.encode()) for number in range(16)]


@pytest.fixture
def cluster(shared_cluster: RealCluster) -> RealCluster:
    """Three primaries, which all tests share; their slots can be moved."""
    return shared_cluster


@pytest.fixture(scope="module", params=PROGRAMS)
def replicated(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealCluster]:
    """Three primaries, each with a replica; the tests that use it leave it whole."""
    cluster = RealCluster(request.param, tmp_path_factory.mktemp("cluster"), replicas=1)
    yield cluster
    cluster.stop()


@pytest.fixture
def client(cluster: RealCluster) -> Iterator[redis.Redis]:
    with connect(cluster.url) as client:
        client.flushall()
        yield client


@pytest.fixture
def client_of_replicated(replicated: RealCluster) -> Iterator[redis.Redis]:
    with connect(replicated.url) as client:
        client.flushall()
        yield client


@contextmanager
def tables_on(url: str, number: int = TABLES) -> Iterator[list[Table]]:
    """Let games be played at tables, each by a process of its own as far as Redis can tell, until the block ends."""
    clients = [connect(url) for _ in range(number)]
    tables = [Table(games_on(client)) for client in clients]
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
def test_while_slots_move_games_continue_and_nothing_is_lost_or_doubled(
    cluster: RealCluster, client: redis.Redis, slots: list[int]
) -> None:
    play_while_slots_move(cluster, client, slots)


@pytest.mark.long
@pytest.mark.skipif("redis" not in PROGRAMS, reason="redis-server is not installed")
def test_a_cluster_of_redis_servers_is_checked_and_continues_while_slots_move(tmp_path: Path) -> None:
    cluster = RealCluster("redis", tmp_path)
    with connect(cluster.url) as client:
        EventStore(client).check()
        play_while_slots_move(cluster, client, SLOTS[:2])
    cluster.stop()


def play_while_slots_move(cluster: RealCluster, client: redis.Redis, slots: Sequence[int]) -> None:
    """Play, move slots, play on, and hold the logs against what was acknowledged."""
    with tables_on(cluster.url) as tables:
        wait_for_more(tables, 10)
        move_all(cluster, slots)
        wait_for_more(tables, 10)
    assert [table.lost(client) for table in tables] == [[]] * TABLES
    tables[0].check_logs(client)


@pytest.mark.long
def test_a_reader_of_the_feeds_gets_every_change_though_the_slots_move(
    cluster: RealCluster, client: redis.Redis
) -> None:
    feed, games = ChangeFeed(client, 16, DISPATCHERS, "reader"), games_on(client)
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
    assert waiting(client, 16, 0).feeds["changes"].lag.unacknowledged == 0


def test_the_figures_are_those_of_all_shards_and_of_the_memory_of_each_primary(
    cluster: RealCluster, client: redis.Redis
) -> None:
    games = games_on(client)
    made = {sandbox(games) for _ in range(8)}
    printed = Metrics(client, 16, Heartbeat(client), lambda: None).text().decode()
    assert f"plateau_unlogged_heads {len(made):.1f}" in printed
    nodes = set(re.findall(r'plateau_redis_memory_bytes\{node="([^"]+)"\}', printed))
    assert len(nodes) == len(cluster.primaries)


def _created(games: Games) -> str:
    while True:
        try:
            return sandbox(games)
        except StoreUnavailable:
            time.sleep(0.01)


def test_a_transaction_that_watches_a_key_continues_where_its_slot_has_moved(
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


def test_a_pipeline_goes_to_all_nodes_with_the_scripts_that_they_lack(client: redis.Redis) -> None:
    client.script_flush()
    script = client.register_script("return {KEYS[1], redis.call('INCR', KEYS[1])}")
    pipe = client.pipeline(transaction=False)
    for number in range(9):
        script(keys=[f"key {number}"], client=pipe)
        pipe.set(f"other {number}", number)
    replies = pipe.execute()
    assert replies[::2] == [[f"key {number}".encode(), 1] for number in range(9)]
    assert replies[1::2] == [True] * 9


@pytest.mark.long
def test_an_error_in_a_pipeline_is_raised_after_all_was_done(client: redis.Redis) -> None:
    client.set("text", "x")
    pipe = client.pipeline(transaction=False)
    for number in range(6):
        pipe.set(f"key {number}", 1)
    pipe.lpush("text", 1)
    with pytest.raises(redis.ResponseError, match="WRONGTYPE"):
        pipe.execute()
    assert [client.get(f"key {number}") for number in range(6)] == [b"1"] * 6


@pytest.mark.long
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


@pytest.mark.long
def test_a_message_reaches_listeners_at_every_node(cluster: RealCluster, client: redis.Redis) -> None:
    for node in cluster.primaries:
        with redis.Redis.from_url(node.server.url) as alone, alone.pubsub() as listener:
            listener.subscribe("news")
            listener.get_message(timeout=5)
            client.publish("news", node.id)
            assert listener.get_message(timeout=5)["data"].decode() == node.id


@pytest.mark.long
def test_the_address_of_one_node_is_enough(replicated: RealCluster, client_of_replicated: redis.Redis) -> None:
    client_of_replicated.set("a", 1)
    with connect(f"redis+cluster://127.0.0.1:{replicated.replicas[0].port}") as other:
        assert other.get("a") == b"1"


@pytest.mark.long
def test_a_store_on_a_whole_cluster_passes_every_check(client_of_replicated: redis.Redis) -> None:
    assert EventStore(client_of_replicated).check() == []
    assert [*check_servers_of(client_of_replicated)] == []


@pytest.mark.long
@pytest.mark.parametrize("part", ["primaries", "replicas"])
def test_each_node_is_checked_and_named(replicated: RealCluster, client_of_replicated: redis.Redis, part: str) -> None:
    node = getattr(replicated, part)[1]
    node.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    with pytest.raises(StoreMisconfigured, match=f"the node 127.0.0.1:{node.port}: maxmemory-policy is allkeys-lru"):
        EventStore(client_of_replicated).check()
    node.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")


def test_a_node_alone_is_refused_with_the_form_of_the_address(cluster: RealCluster) -> None:
    with (
        connect(cluster.primaries[0].server.url) as alone,
        pytest.raises(StoreMisconfigured, match=r"redis\+cluster://"),
    ):
        EventStore(alone).check()


@pytest.mark.long
def test_a_single_server_is_no_cluster(tmp_path: Path) -> None:
    server = RealServer.start("valkey", tmp_path, tcp=True)
    url = server.url.replace("redis://", "redis+cluster://")
    with connect(url) as client, pytest.raises(StoreUnavailable, match="Cluster mode is not enabled"):
        EventStore(client).check()
    server.stop()


def test_a_cluster_whose_slots_nobody_serves_yet_is_away_until_somebody_does(tmp_path: Path) -> None:
    node = Node("valkey", tmp_path, "everysec", RealServer)
    with connect(f"redis+cluster://127.0.0.1:{node.port}") as client:
        with pytest.raises(StoreUnavailable, match="no node serves these slots"):
            EventStore(client).check()
        node.ask("CLUSTER ADDSLOTSRANGE", 0, REDIS_CLUSTER_HASH_SLOTS - 1)
        wait_until(lambda: node.info("cluster_state") == "ok", "the cluster")
        assert EventStore(client).is_up()
    node.server.stop()


@pytest.fixture
def user(replicated: RealCluster) -> Iterator[str]:
    """The address for a user who can do on all nodes what web processes need, and no more."""
    for node in replicated.nodes:
        node.ask("ACL", "SETUSER", "web", "reset", "on", ">hush", *WEB, *CLUSTER)
    yield replicated.url.replace("://", "://web:hush@")
    for node in replicated.nodes:
        node.ask("ACL", "DELUSER", "web")


@pytest.mark.long
def test_a_user_with_the_rights_of_web_processes_and_three_more_can_play(user: str) -> None:
    with connect(user) as web:
        EventStore(web).check(needs=WEB)
        games = games_on(web)
        game = sandbox(games)
        assert play_on(games, game, random.Random(1)).status == 201
        with pytest.raises(redis.exceptions.NoPermissionError):
            web.flushall()


@pytest.mark.long
@pytest.mark.parametrize(
    ("part", "right"), [("primaries", "+cluster|info"), ("replicas", "+asking"), ("primaries", "+zadd")]
)
def test_a_right_that_one_node_lacks_is_named_with_the_node(
    replicated: RealCluster, user: str, part: str, right: str
) -> None:
    node = getattr(replicated, part)[2]
    node.ask("ACL", "SETUSER", "web", right.replace("+", "-"))
    with connect(user) as web, pytest.raises(StoreMisconfigured) as refusal:
        EventStore(web).check(needs=WEB)
    assert str(refusal.value).startswith(f"the node 127.0.0.1:{node.port}: its user lacks permissions")
    assert str(refusal.value).endswith(f"add to the user's ACL: {right}")


@pytest.mark.long
def test_the_doctor_reads_every_game_and_list_of_all_nodes(client: redis.Redis) -> None:
    games, made = played_store(client)
    assert [*GameChecks(EventStore(client, 16), ENDLESS).check()] == []
    shard = games.repository.store.shard(made[0])
    client.hdel(shard.summaries, made[0])
    assert [each.check for each in GameChecks(EventStore(client, 16), ENDLESS).check()] == ["lists"]


@pytest.mark.long
def test_the_doctor_warns_of_each_primary_without_a_replica(client: redis.Redis) -> None:
    EventStore(client).check()
    said = "it has no replica, so its part of the games stops when it fails"
    assert [each.problem.endswith(said) for each in check_servers_of(client)] == [True] * 3


@pytest.mark.long
def test_a_running_service_continues_by_itself_after_a_node_has_failed(
    replicated: RealCluster, client_of_replicated: redis.Redis, tmp_path: Path
) -> None:
    queue = RealServer.start("valkey", tmp_path / "queue", tcp=True, appendonly=False)
    env = {"REDIS_URL": replicated.url, "QUEUE_URL": queue.url, "PLATEAU_WORKERS": "1", "PLATEAU_BOT_SECONDS": "1"}
    with running_service(tmp_path, env) as service:
        bots = {"ruleset": "le-plateau", "options": {"hands": 30}, "seats": [{"bot": "random"}] * 3}
        token = posted(service.url, "/v1/players", {"name": "Ada"}, "")["token"]
        games = [f"{service.url}/v1/games/{posted(service.url, '/v1/games', bots, token)['id']}" for _ in range(6)]

        def versions() -> list[int]:
            return [int(json.loads(fetch(game)[1]).get("version", 0)) for game in games]

        wait_until(lambda: min(versions()) > 10, "the games to be under way", 2 * PATIENCE)
        failed = replicated.primaries[0]
        failed.kill()
        wait_until(lambda: len(replicated.primaries) == 3, "a replica to take over")
        wait_until(lambda: fetch(f"{service.url}/readyz")[0] == 200, "the service to recover")
        reached = versions()
        wait_until(lambda: all(map(gt, versions(), (each + 10 for each in reached))), "more moves", 2 * PATIENCE)
        assert "starting it again" not in service.errors
    failed.restart()
    replicated.wait_until_whole()
    queue.stop()


@pytest.mark.long
def test_a_write_beside_the_logs_waits_for_replicas_of_every_node(
    replicated: RealCluster, client_of_replicated: redis.Redis
) -> None:
    EventStore(client_of_replicated, shards=1, replicas=1).confirm()
    marked = {replicated.owner(key_slot(name)).id for name in client_of_replicated.scan_iter("*:confirmed")}
    assert marked == {node.id for node in replicated.primaries}


@pytest.mark.long
def test_a_replica_takes_over_from_a_killed_primary_and_the_games_continue(
    replicated: RealCluster, client_of_replicated: redis.Redis
) -> None:
    with tables_on(replicated.url) as tables:
        wait_for_more(tables, 10)
        failed = replicated.owner(SLOTS[0])
        failed.kill()
        wait_until(lambda: replicated.owner(SLOTS[0]) is not failed, "the replica to take over")
        wait_for_more(tables, 30)
    lost = [answer for table in tables for answer in table.lost(client_of_replicated)]
    assert len(lost) <= TABLES  # each had at most one reply that its replica had not heard of
    assert {key_slot(EventStore(client_of_replicated).shard(each["game_id"]).tag.encode()) for each in lost} <= {*SLOTS}
    tables[0].check_logs(client_of_replicated)
    failed.restart()
    replicated.wait_until_whole()
