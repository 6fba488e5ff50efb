"""The check of a server before it is used, on real servers that are configured to lose games, and on safe ones."""

import logging
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis

from service.config.settings import Settings
from service.runtime.wiring import wire
from service.store.event_store import EventStore, StoreMisconfigured
from service.store.redis.connections import connect
from tests.support.server import PROGRAMS, RealServer, wait_until

Start = Callable[..., redis.Redis]


@pytest.fixture(params=PROGRAMS)
def start(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Start]:
    """Start a server of each kind with the options given, and connect to it."""
    running: list[tuple[RealServer, redis.Redis]] = []

    def start(*options: str, appendonly: bool = True) -> redis.Redis:
        server = RealServer.start(request.param, tmp_path / "data", appendonly=appendonly, extra=options)
        running.append((server, connect(server.url)))
        return running[-1][1]

    yield start
    for server, client in running:
        client.close()
        server.stop()


def refusal(client: redis.Redis) -> str:
    with pytest.raises(StoreMisconfigured) as refused:
        EventStore(client).check()
    return str(refused.value)


def follow(advice: str, client: redis.Redis) -> None:
    """Run the command that a message has for redis-cli, as a shell does, and wait until it is done."""
    (command,) = re.findall(r"fix it with: (redis-cli .*?), and make it permanent", advice)
    if shutil.which("redis-cli"):
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "OK"
    else:
        client.execute_command(*command[command.index("CONFIG") :].split())
    wait_until(lambda: not _begins_a_log(client.info("persistence")), "the log to be begun")


def at(client: redis.Redis) -> str:
    """Return the beginning of a command for the server of a client alone."""
    return f"redis-cli -s {client.connection_pool.connection_kwargs['path']}"


def _begins_a_log(persistence: dict[str, int]) -> bool:
    return bool(persistence["aof_rewrite_in_progress"] or persistence["aof_rewrite_scheduled"])


def test_a_safe_server_passes_without_a_word(start: Start) -> None:
    assert EventStore(start()).check() == []


def test_a_server_that_keeps_nothing_is_refused_with_the_command_that_mends_it(start: Start) -> None:
    client = start(appendonly=False)
    message = refusal(client)
    assert "appendonly is no" in message
    assert f"{at(client)} CONFIG SET appendonly yes" in message
    assert "make it permanent: start the server with --appendonly yes from now on" in message, "it has no file"
    assert "PLATEAU_ALLOW_UNSAFE_REDIS=1" in message
    follow(message, client)
    assert EventStore(client).check() == []


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl"])
def test_a_server_that_may_drop_games_is_refused_with_the_command_that_mends_it(start: Start, policy: str) -> None:
    client = start("--maxmemory-policy", policy)
    message = refusal(client)
    assert f"maxmemory-policy is {policy}" in message
    assert f"{at(client)} CONFIG SET maxmemory-policy noeviction" in message
    assert "appendonly" not in message
    follow(message, client)
    assert EventStore(client).check() == []


def test_an_unsafe_server_is_used_with_warnings_where_that_is_asked_for(start: Start) -> None:
    client = start("--maxmemory-policy", "allkeys-lru", appendonly=False)
    warnings = EventStore(client).check(allow_unsafe=True)
    assert [warning.split(" is ")[0] for warning in warnings] == ["appendonly", "maxmemory-policy"]


def test_a_server_that_may_start_with_a_shorter_log_is_warned_of(start: Start) -> None:
    client = start("--aof-load-truncated", "yes")
    (warning,) = EventStore(client).check()
    assert "aof-load-truncated is yes" in warning
    follow(warning, client)
    assert EventStore(client).check() == []


UNREAD = ("aof-load-truncated (no; or else ", "appendfsync (everysec; or else ")


def test_without_config_what_info_tells_is_checked(start: Start) -> None:
    message = refusal(start("--rename-command", "CONFIG", "", "--maxmemory-policy", "allkeys-lru", appendonly=False))
    assert "appendonly is no" in message
    assert "maxmemory-policy is allkeys-lru" in message


def test_a_user_who_may_not_read_the_configuration_is_a_warning(start: Start) -> None:
    client = start()
    client.acl_setuser(
        "plateau", enabled=True, passwords=["+secret"], commands=["+@all", "-config"], keys=["*"], channels=["*"]
    )
    with redis.Redis(
        unix_socket_path=client.get_connection_kwargs()["path"], username="plateau", password="secret"
    ) as restricted:
        (warning,) = EventStore(restricted).check()
    assert all(name in warning for name in UNREAD)
    assert "secret" not in warning


def test_a_store_keeps_its_number_of_shards_whatever_the_setting_is_later(start: Start) -> None:
    client = start()
    for shards in (4, 3, 16):
        store = EventStore(client, shards)
        assert store.check() == []
        assert len(store.all_shards) == 4


def test_a_web_process_does_not_start_on_a_server_that_could_lose_games(
    start: Start, caplog: pytest.LogCaptureFixture
) -> None:
    client = start(appendonly=False)
    url = f"unix://{client.get_connection_kwargs()['path']}"
    with pytest.raises(StoreMisconfigured, match="CONFIG SET appendonly yes"):
        wire(Settings(redis_url=url))
    with caplog.at_level(logging.WARNING, "plateau.start"):
        wire(Settings(redis_url=url, allow_unsafe_redis=True))
    assert ["appendonly is no" in message for message in caplog.messages] == [True]


def test_in_memory_nothing_is_checked_and_games_can_be_played() -> None:
    app = wire(Settings(memory=True))
    made = app.test_client().post("/v1/players", json={"name": "Ada"}).get_json()
    seats = [{"player": "me"}, {"player": "me"}]
    created = app.test_client().post(
        "/v1/games",
        json={"ruleset": "le-plateau", "seats": seats, "sandbox": True},
        headers={"Authorization": f"Bearer {made['token']}"},
    )
    assert created.status_code == 201
    assert created.get_json()["status"] == "active"


def test_a_command_to_paste_names_the_server_and_its_user_and_no_password(tmp_path: Path) -> None:
    server = RealServer.start("valkey", tmp_path, tcp=True, appendonly=False, user="ada:s3cret", extra=(
        "--user", "ada", "on", ">s3cret", "~*", "&*", "+@all", "--user", "default", "off",
    ))  # fmt: skip
    with connect(server.url.replace("/0", "/2")) as client:
        message = refusal(client)
        port = client.connection_pool.connection_kwargs["port"]
    server.stop()
    assert f"redis-cli -h 127.0.0.1 -p {port} -n 2 --user ada --askpass CONFIG SET appendonly yes" in message
    assert "s3cret" not in message
