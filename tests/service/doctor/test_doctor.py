"""The doctor finds each fault that it says it finds, and nothing in a service that is well."""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson
import pytest
import redis
from click.testing import CliRunner

from domain.game.timeouts import ENDLESS
from domain.registry import RULESETS
from service.cli.upkeep import doctor
from service.common import wall_clock
from service.doctor.examination import Patient, examine
from service.doctor.games import GameChecks
from service.store import keys
from service.store.change_feed import DISPATCHERS, NOTIFIERS, ChangeFeed
from service.store.event_store import EventStore
from service.store.heartbeat import Heartbeat
from service.store.redis.connections import connect, connect_queue
from service.store.redis.redis_rights import DOCTOR, GAMES, QUEUE
from service.transparency.key_ring import KeyRing
from service.transparency.transparency_log import TransparencyLog, Unlogged
from tests.service.store.redis_users import refused, restricted
from tests.support.backups import SHARDS, lasting, played_store
from tests.support.games import ADA, BOB, choose, order, spec, wish
from tests.support.people import Client
from tests.support.processes import free_port
from tests.support.server import PROGRAMS, RealServer, running_service, wait_until
from tests.support.stores import damage, everything
from tests.support.wiring import games_on
from workers.log_worker import LogWorker

ME, BOT, OPEN = {"player": "me"}, {"bot": "random"}, {"open": True}
SETTINGS = {
    "appendonly": ("no", "persistence", "appendonly is no"),
    "maxmemory-policy": ("allkeys-lru", "persistence", "maxmemory-policy is allkeys-lru"),
    "appendfsync": ("no", "persistence", "appendfsync is no"),
}


@pytest.fixture(scope="module", params=PROGRAMS)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    server = RealServer.start(request.param, tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


@pytest.fixture
def client(server: RealServer) -> Iterator[redis.Redis]:
    """A client of an empty server, whose settings a test can change."""
    with connect(server.url) as it:
        it.flushall()
        usual = it.config_get(*SETTINGS, "maxmemory")
        yield it
        for name, value in usual.items():
            it.config_set(name, value)


@pytest.fixture
def made(client: redis.Redis) -> list[str]:
    """The games of a store whose web processes, dispatcher and notifier have done all there was to do."""
    games, made = played_store(client, games=3)
    made.append(games.create(ADA, spec([True, False], sandbox=False, ruleset="plateau"))[0])
    Heartbeat(client, serves=True).beat()
    for group in (DISPATCHERS, NOTIFIERS):
        feed = ChangeFeed(client, SHARDS, group, "reader")
        feed.join()
        while changes := feed.read(1):
            feed.acknowledge(changes)
    return made


def found(client: redis.Redis, *, games: bool = True, mends: bool = False) -> list[tuple[str, str]]:
    """What the doctor finds, but that no worker is signed on: check and problem."""
    findings = [*examine(Patient(client, client, SHARDS, ENDLESS), games=games, mends=mends, told=lambda _: None)]
    assert all(each.remedy for each in findings)
    return [(each.check, each.problem) for each in findings if each.check not in {"workers", "memory"}]


def shard_of(client: redis.Redis, game_id: str) -> keys.Shard:
    return EventStore(client, SHARDS).shard(game_id)


def test_a_store_that_is_well_has_nothing_wrong_and_is_not_changed(client: redis.Redis, made: list[str]) -> None:
    before = everything(client)
    assert found(client) == []
    assert made
    assert everything(client) == before


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.usefixtures("made")
def test_a_setting_that_can_lose_games_is_found(client: redis.Redis, name: str) -> None:
    value, check, problem = SETTINGS[name]
    client.config_set(name, value)
    ((which, said),) = found(client, games=False)
    assert (which, said.startswith(problem)) == (check, True)


@pytest.mark.usefixtures("made")
def test_memory_that_is_nearly_full_is_found(client: redis.Redis) -> None:
    client.config_set("maxmemory", int(client.info()["used_memory"] * 1.1))
    findings = examine(Patient(client, client, SHARDS, ENDLESS), games=False, mends=False, told=lambda _: None)
    assert [(each.level, each.check) for each in findings if each.check == "memory"] == [("warning", "memory")]


def test_replicas_that_are_not_there_are_found(client: redis.Redis) -> None:
    patient = Patient(client, client, SHARDS, ENDLESS, replicas=2)
    findings = examine(patient, games=False, mends=False, told=lambda _: None)
    (one,) = (each for each in findings if each.check == "replicas")
    assert one.problem.startswith("PLATEAU_REPLICAS is 2, but 0 replicas are connected to a server, so no write")


def test_a_server_of_no_use_is_the_only_finding(client: redis.Redis) -> None:
    assert [check for check, _ in found(client)] == ["shards"]
    client.config_set("maxmemory", 1)
    ((check, problem),) = found(client)
    assert (check, problem.startswith("its memory is full")) == ("server", True)


@pytest.mark.usefixtures("made")
def test_a_process_on_a_host_with_another_clock_is_found(client: redis.Redis) -> None:
    def report(process: str, skew: int, age: int = 0) -> None:
        said = {"at": client.time()[0] - age, "kind": "web", "skew": skew, "gauges": {}, "archive": ""}
        client.hset(keys.PROCESSES, process, orjson.dumps(said))

    report("well", -40)
    assert found(client, games=False) == []
    report("ended", 7000, age=60)
    report("behind", -7000)
    ((check, problem),) = found(client, games=False)
    assert (check, problem) == ("clocks", "the clock of the host of another process is 7.0 s off from that of Redis")


def old_entry(client: redis.Redis, feed: str) -> None:
    client.delete(feed)
    client.xadd(feed, {"g": "gm_x", "v": "1"}, id="1000-0")


def taken_long_ago(client: redis.Redis, feed: str) -> None:
    client.xadd(feed, {"g": "gm_x", "v": "1"}, id="*")
    ((_, ((entry, _),)),) = client.xreadgroup(DISPATCHERS, "gone", {feed: ">"})
    client.execute_command("XCLAIM", feed, DISPATCHERS, "gone", 0, entry, "IDLE", 60_000)


A_FEED = keys.Shard(3).changes
LEFT: dict[str, tuple[Callable[[redis.Redis], object], str, str]] = {
    "a restoration": (lambda client: client.set(keys.RESTORING, "x"), "restoration", "has not ended"),
    "no web process": (lambda client: client.set(keys.HEARTBEAT, "1000"), "web", "no web process runs"),
    "a store without a beat": (lambda client: client.delete(keys.HEARTBEAT), "web", "no web process runs"),
    "a group of others": (
        lambda client: client.xgroup_create(A_FEED, "stale"),
        "feeds",
        f"the group stale of {A_FEED}",
    ),
    "no dispatcher": (lambda client: old_entry(client, A_FEED), "feeds", f"{A_FEED} has had unread entries for"),
    "no notifier": (
        lambda client: old_entry(client, keys.Shard(3).notices),
        "feeds",
        f"{keys.Shard(3).notices} has had unread entries for",
    ),
    "a dead reader": (lambda client: taken_long_ago(client, A_FEED), "feeds", "a reader took 60 s ago"),
    "no sweeper": (
        lambda client: client.zadd(keys.Shard(3).deadlines, {"gm_x": 1000}),
        "deadlines",
        "1 games are overdue",
    ),
    "no courier": (lambda client: client.zadd(keys.OUTBOX, {"pl_x mail ": 1000}), "courier", "1 mailboxes"),
}


@pytest.mark.parametrize("what", LEFT)
@pytest.mark.usefixtures("made")
def test_what_nobody_does_is_found(client: redis.Redis, what: str) -> None:
    leave, check, problem = LEFT[what]
    leave(client)
    ((which, said),) = found(client, games=False)
    assert (which, problem in said) == (check, True), said


@pytest.mark.usefixtures("made")
def test_missing_workers_are_found(client: redis.Redis) -> None:
    findings = examine(Patient(client, client, SHARDS, ENDLESS), games=False, mends=False, told=lambda _: None)
    assert "no worker is signed on" in [each.problem for each in findings]


@pytest.mark.usefixtures("made")
def test_a_queue_that_does_not_answer_is_found_and_the_games_are_examined(client: redis.Redis) -> None:
    client.zadd(keys.Shard(0).turns_of("pl_x"), {"gm_never": 1})
    with connect_queue(f"redis://127.0.0.1:{free_port()}/0") as nobody:
        findings = [*examine(Patient(client, nobody, SHARDS, ENDLESS), games=True, mends=False, told=lambda _: None)]
    assert [each.check for each in findings if each.check != "memory"] == ["queue", "lists"]


def test_a_damaged_log_is_found(client: redis.Redis, made: list[str]) -> None:
    damage(client, made[1], 5)
    ((check, problem),) = found(client)
    assert (check, problem.startswith(f"the log of {made[1]} is damaged at version 5")) == ("chains", True)


def test_a_game_without_its_ruleset_is_found(
    client: redis.Redis, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(RULESETS, "plateau")
    ((check, problem),) = found(client)
    assert (check, f"the ruleset of {made[3]} is not installed" in problem) == ("chains", True)


def test_a_lost_end_of_a_log_is_found_by_what_was_logged_of_it(client: redis.Redis, made: list[str]) -> None:
    ring = KeyRing(client, wall_clock.now)
    ring.periods()
    LogWorker(TransparencyLog(client), Unlogged(client, SHARDS), ring.sign, wall_clock.now, 0).keep()
    store = EventStore(client, SHARDS)
    log = store.read(made[0])
    lost = [each.version for each in log if each.request == log[-1].request]
    client.xdel(store.all_shards.keys_of(made[0]).events, *(f"{version}-0" for version in lost))
    problems = [problem for check, problem in found(client) if check == "chains"]
    expected = f"{made[0]}: version {len(log)}, /version: expected an event, since its head is logged, found nothing"
    assert problems == [expected]


def test_every_entry_that_a_list_has_lost_is_found_and_mended(client: redis.Redis, made: list[str]) -> None:
    before, lost = lasting(client), set[str]()
    for game_id in (made[0], made[3]):
        shard = shard_of(client, game_id)
        for name in client.scan_iter(match=f"{shard.tag}:*"):
            key = name.decode()
            if key in {shard.summaries, shard.priorities}:
                there = client.hget(key, game_id)
                lose, is_there = client.hdel, there is not None
                member = game_id.encode()
            elif any(part in key for part in (":lobby:", ":player:", ":deadlines", ":second-looks")):
                members = [each for each in client.zrange(key, 0, -1) if game_id.encode() in each]
                lose, is_there = client.zrem, bool(members)
                member = members[0] if members else b""
            else:
                continue
            if is_there:
                lose(key, member)
                Heartbeat(client, serves=True).beat()  # the last one grows old while the lists are looked through
                lost.add(key.partition(":")[2])
                assert found(client) == [("lists", f"{game_id} is missing in {key}, as {member.decode()}")]
                assert len(found(client, mends=True)) == 1
                assert found(client) == []
    beat = keys.HEARTBEAT.encode()
    assert {**lasting(client), beat: before[beat]} == before
    lists = {"lobby:open:plateau", "lobby:active:le-plateau", "player:pl_ada:games", "player:pl_ada:turns", "summaries"}
    assert lost >= lists


def test_every_entry_that_follows_from_no_log_is_found_and_removed(client: redis.Redis, made: list[str]) -> None:
    before, shard = lasting(client), shard_of(client, made[0])
    member = "2026-01-01T00:00:00.000Z gm_never"
    sets = {
        shard.lobby("open", "plateau"): member,
        shard.games_of("pl_ada"): member,
        shard.turns_of("pl_ada"): "gm_never",
        shard.deadlines: "gm_never",
        shard.second_looks: "gm_never",
    }
    for key, orphan in sets.items():
        client.zadd(key, {orphan: 2**52})
        assert found(client) == [("lists", f"{key} has {orphan}, which does not follow from a log")]
        found(client, mends=True)
        assert found(client) == []
    client.hset(shard.summaries, "gm_never", "{}")
    assert found(client) == [("lists", f"{shard.summaries} has gm_never, which does not follow from a log")]
    found(client, mends=True)
    assert lasting(client) == before


def test_a_game_in_a_list_of_another_status_is_found(client: redis.Redis, made: list[str]) -> None:
    shard = shard_of(client, made[3])
    (member,) = client.zrange(shard.lobby("open", "plateau"), 0, -1)
    client.zadd(shard.lobby("finished", "plateau"), {member: 0})
    ((check, problem),) = found(client)
    assert (check, problem.startswith(shard.lobby("finished", "plateau"))) == ("lists", True)


def test_a_turn_that_ends_and_comes_again_while_the_doctor_looks_stays_in_its_list(client: redis.Redis) -> None:
    EventStore(client, SHARDS).check(allow_unsafe=True)
    games, rng = games_on(client), random.Random(1)
    game_id, _ = games.create(ADA, spec([True, False], sandbox=False), None)
    games.join(game_id, BOB, wish())

    def go_on(*, until_ada: bool) -> None:
        while (0 in (game := games.show(game_id, None)).pending) is not until_ada:
            seat, action = choose(game, rng)
            games.act(game_id, (ADA, BOB)[seat], order(action, seat=seat))

    class Doctor(GameChecks):
        def _belongs(self, key: str, member: str, game_id: str) -> bool:
            if key.endswith("pl_ada:turns") and not asked:
                asked.append(member)
                go_on(until_ada=False)
            return super()._belongs(key, member, game_id)

        def _is_there(self, key: str, member: str) -> bool:
            go_on(until_ada=True)
            return super()._is_there(key, member)

    go_on(until_ada=True)
    asked: list[str] = []
    turns = EventStore(client, SHARDS).shard(game_id).turns_of(ADA.player)
    assert [*Doctor(EventStore(client, SHARDS), ENDLESS, mends=True).check()] == []
    assert asked == [game_id]
    assert client.zrange(turns, 0, -1) == [game_id.encode()]


@pytest.mark.usefixtures("made")
def test_more_shards_do_not_mean_more_looks_through_all_keys(client: redis.Redis) -> None:
    def looks() -> int:
        client.scan()
        before = client.info("commandstats")["cmdstat_scan"]["calls"]
        assert [*GameChecks(EventStore(client, SHARDS), ENDLESS).check()] == []
        return int(client.info("commandstats")["cmdstat_scan"]["calls"]) - before

    with_few = looks()
    EventStore(client, SHARDS).all_shards.grow(4 * SHARDS)
    assert looks() == with_few


def test_a_user_with_the_rights_that_the_doctor_asks_for_can_examine_and_mend(tmp_path: Path) -> None:
    server = RealServer.start("valkey", tmp_path / "server", tcp=True)
    try:
        with connect(server.url) as client:
            played_store(client, games=2)
            for needs, expected in ((GAMES, "+scan"), (DOCTOR, "no web process runs")):
                client.zadd(keys.Shard(0).turns_of("pl_x"), {"gm_never": 1})
                env = {"REDIS_URL": restricted(server, "operator", [*needs, *QUEUE])}
                client.acl_log_reset()
                result = CliRunner().invoke(doctor, ["--mend"], env=env)
                assert (result.exit_code, expected in result.output) == (1, True), result.output
            assert "gm_never" in result.output
            assert client.zscore(keys.Shard(0).turns_of("pl_x"), "gm_never") is None
            assert refused(server) == []
    finally:
        server.stop()


def test_the_command_says_nothing_of_a_service_that_is_well_and_names_what_is_not(tmp_path: Path) -> None:
    with running_service(tmp_path, {"PLATEAU_WORKERS": "1"}) as service:
        ada = Client(service.url)
        bots, _ = ada.begin([BOT] * 3, options={"hands": 3}), ada.begin([ME, OPEN])
        wait_until(lambda: ada.ask("GET", f"/v1/games/{bots}")[1]["version"] > 20, "the bots")
        env = {"REDIS_URL": "", "PLATEAU_DATA": str(service.data)}
        well = CliRunner().invoke(doctor, [], env=env)
        assert (well.exit_code, well.output) == (0, "nothing is wrong\n")
        with redis.Redis(unix_socket_path=str(service.data / "engine.sock")) as client:
            client.zadd(keys.Shard(0).turns_of("pl_x"), {"gm_never": 1})
        line = CliRunner().invoke(doctor, [], env=env)
        assert (line.exit_code, line.output.startswith("WRONG lists: {s00}:player:pl_x:turns has gm_never")) == (
            1,
            True,
        )
        quick = CliRunner().invoke(doctor, ["--quick"], env=env)
        assert (quick.exit_code, quick.output) == (0, "nothing is wrong\n")
        told = CliRunner().invoke(doctor, ["--json"], env=env)
        (finding,) = map(json.loads, told.output.splitlines())
        assert finding.keys() == {"level", "check", "problem", "remedy"}
    assert CliRunner().invoke(doctor, [], env=env).exit_code == 3
    assert CliRunner().invoke(doctor, [], env={**env, "PLATEAU_SHARDS": "many"}).exit_code == 2
