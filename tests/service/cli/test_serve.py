"""`plateau serve` as a process: how it comes up, what it refuses, and how it ends."""

import json
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
import redis

from tests.support.commands import plateau
from tests.support.server import RealServer, RunningService, fetch, is_up, running_service, wait_until

TINY = ("--target", "tests.support.server:tiny_app")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[RunningService]:
    """A service with two web processes, which the test stops or kills."""
    with running_service(tmp_path, {"PLATEAU_WEB_PROCESSES": "2"}, *TINY) as running:
        yield running


@pytest.fixture
def small_service(tmp_path: Path) -> Iterator[RunningService]:
    """The same with a single web process, for what does not depend on their number: each costs a second to start."""
    with running_service(tmp_path, None, *TINY) as running:
        yield running


@pytest.fixture(scope="module")
def lasting_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the lasting service keeps its data."""
    return tmp_path_factory.mktemp("lasting")


@pytest.fixture(scope="module")
def lasting_service(lasting_folder: Path) -> Iterator[RunningService]:
    """A service that several tests look at, and that no test stops."""
    with running_service(lasting_folder, None, *TINY) as running:
        yield running


def web_processes(service: RunningService) -> set[int]:
    """Return the processes that answer; what a dying one leaves unanswered does not count.

    One of two is overlooked in one of half a million calls.
    """
    answers = [fetch(service.url) for _ in range(20)]
    return {json.loads(body)["pid"] for status, body in answers if status == 200}


def both_web_processes(service: RunningService) -> set[int]:
    """Wait until two web processes answer; return them."""
    seen: list[set[int]] = []

    def are_two() -> bool:
        seen.append(web_processes(service))
        return len(seen[-1]) == 2

    wait_until(are_two, "both web processes")
    return seen[-1]


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):  # it ends before the file is opened, or before it is read
        return False
    return state != "Z"


def test_the_banner_says_where_it_is_what_it_keeps_and_how_to_stop(
    lasting_service: RunningService, lasting_folder: Path
) -> None:
    url = lasting_service.url
    assert re.fullmatch(
        rf"Plateau is up:  {url}   \(open it in a browser to play; docs: {url}/docs\)\n"
        rf"Data:           {lasting_folder}/data  \(valkey 9\.[\d.]+, bundled; kept across restarts\)\n"
        rf"Mails:          written into {lasting_folder}/data/mails\n"
        rf"Try:            curl -s -X POST {url}/v1/players -H 'Content-Type: application/json' "
        r"""-d '\{"name": "Ada"\}'\n"""
        r"Stop:           Ctrl-C\n",
        lasting_service.output,
    )
    assert lasting_service.errors == ""


def assert_stops(service: RunningService, by: signal.Signals) -> None:
    """Stop a service by a signal; nothing is left of it."""
    processes = web_processes(service)
    engine_socket = json.loads(fetch(service.url)[1])["redis"].removeprefix("unix://")
    assert service.stop(by) == 0
    assert service.errors == ""
    assert not any(map(is_running, processes))
    assert not Path(engine_socket).exists()
    assert fetch(service.url)[0] == 0


@pytest.mark.long
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGHUP])
def test_right_after_a_kill_it_starts_again_and_a_signal_stops_everything(
    service: RunningService, by: signal.Signals
) -> None:
    service.kill()
    service.start()
    assert_stops(service, by)


@pytest.mark.long
def test_a_request_that_does_not_end_delays_the_stop_by_seconds_only(small_service: RunningService) -> None:
    request = threading.Thread(target=fetch, args=(f"{small_service.url}/slow",))
    request.start()
    assert small_service.stop() == 0
    request.join()


def test_two_services_never_share_a_port(lasting_service: RunningService, tmp_path: Path) -> None:
    port = lasting_service.url.rpartition(":")[2]
    second = RunningService(tmp_path, {"PLATEAU_PORT": port}, TINY)
    second.start(wait=False)
    assert second.wait() == 2
    assert second.errors.startswith(f"plateau: Port {port} on 127.0.0.1 is in use, perhaps by another plateau service")
    assert "--port or PLATEAU_PORT" in second.errors
    assert second.errors.count("\n") == 1


def test_two_services_never_share_a_data_folder(
    lasting_service: RunningService, lasting_folder: Path, tmp_path: Path
) -> None:
    second = RunningService(tmp_path, {"PLATEAU_DATA": str(lasting_folder / "data")}, TINY)
    second.start(wait=False)
    assert second.wait() == 3
    assert f"in use by another plateau service, process {lasting_service.pid}" in second.errors


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's parent-death signal is Linux's")
def test_after_a_kill_a_restart_finds_the_data_and_a_stop_leaves_nothing(
    service: RunningService,
) -> None:
    engine_url = json.loads(fetch(service.url)[1])["redis"]
    with redis.Redis.from_url(engine_url) as client:
        client.set("game", "kept")
    processes = web_processes(service)
    service.kill()
    wait_until(lambda: not any(map(is_running, processes)), "the web processes to end")
    assert fetch(service.url)[0] == 0
    service.start()
    with redis.Redis.from_url(engine_url) as client:
        assert client.get("game") == b"kept"
    assert_stops(service, signal.SIGTERM)


@pytest.mark.long
def test_a_web_process_that_keeps_dying_is_replaced_and_harms_no_other(service: RunningService) -> None:
    both = both_web_processes(service)
    healthy = max(both)
    for _ in range(3):
        (dying,) = both - {healthy}
        os.kill(dying, signal.SIGKILL)
        wait_until(lambda pid=dying: not is_running(pid), "the web process to die")
        assert web_processes(service) >= {healthy}
        both = both_web_processes(service)
        assert healthy in both
        assert dying not in both
    assert service.stop() == 0


@pytest.mark.long
def test_when_no_web_process_stays_up_the_service_ends_and_says_so(small_service: RunningService) -> None:
    while small_service.poll() is None:
        for pid in web_processes(small_service):
            os.kill(pid, signal.SIGKILL)
    assert small_service.wait() == 1
    assert (
        small_service.errors.splitlines()[-1]
        == "plateau: the web processes do not stay up; see their log messages for the reason"
    )


@pytest.mark.long
def test_a_killed_engine_is_replaced_while_the_service_continues(small_service: RunningService) -> None:
    url = json.loads(fetch(small_service.url)[1])["redis"]
    with redis.Redis.from_url(url) as client:
        client.set("game", "kept")
        os.kill(client.info("server")["process_id"], signal.SIGKILL)
        wait_until(lambda: "starting it again" in small_service.errors and is_up(url), "the engine to be back")
        assert client.get("game") == b"kept"
    assert fetch(small_service.url)[0] == 200
    assert small_service.stop() == 0


@pytest.mark.long
def test_a_redis_of_ones_own_is_used_and_named(valkey_url: str, tmp_path: Path) -> None:
    with running_service(tmp_path, {"REDIS_URL": valkey_url}, *TINY) as service:
        assert json.loads(fetch(service.url)[1])["redis"] == valkey_url
        assert re.search(rf"^Data:           {valkey_url}  \(valkey 9\.[\d.]+\)$", service.output, re.MULTILINE)
        assert re.search(r"^Mails:          none; set PLATEAU_SMTP_URL to send some$", service.output, re.MULTILINE)
        assert not (tmp_path / "data").exists()


def children(pid: int) -> set[int]:
    """The processes that a process has started and that have not ended."""
    found = [each.read_text().split() for each in Path(f"/proc/{pid}/task").glob("*/children")]
    return {child for child in map(int, chain(*found)) if is_running(child)}


@pytest.fixture
def foreign_redis(tmp_path: Path) -> Iterator[RealServer]:
    """A Redis that is not the service's own."""
    server = RealServer.start("valkey", tmp_path / "redis", tcp=True)
    yield server
    server.stop()


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="children are read from /proc")
def test_web_processes_that_start_while_redis_is_away_wait_for_it(foreign_redis: RealServer, tmp_path: Path) -> None:
    with running_service(tmp_path, {"REDIS_URL": foreign_redis.url, "PLATEAU_WEB_PROCESSES": "2"}) as service:
        foreign_redis.kill()
        for pid in children(service.pid):
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: service.errors.count("waits for Redis") == 2, "both web processes to wait")
        waiting = children(service.pid)
        foreign_redis.restart()
        wait_until(lambda: fetch(f"{service.url}/readyz")[0] == 200, "the service to recover")
        assert children(service.pid) == waiting
        assert "Traceback" not in service.errors
        assert service.errors.count("restarting it in") == 2


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="children are read from /proc")
def test_a_web_process_that_finds_a_redis_of_no_use_says_so_in_one_line(
    foreign_redis: RealServer, tmp_path: Path
) -> None:
    with running_service(tmp_path, {"REDIS_URL": foreign_redis.url, "PLATEAU_WEB_PROCESSES": "2"}) as service:
        with redis.Redis.from_url(foreign_redis.url) as client:
            client.config_set("maxmemory-policy", "allkeys-lru")
            os.kill(min(children(service.pid)), signal.SIGKILL)
            wait_until(lambda: "(exit code 3)" in service.errors, "a new web process to end")
            client.config_set("maxmemory-policy", "noeviction")
        wait_until(lambda: len(children(service.pid)) == 2, "both web processes")
        assert "a web process cannot start: it is not safe for games" in service.errors
        assert "Traceback" not in service.errors
        assert service.stop() == 0


@pytest.mark.long
def test_a_redis_that_could_lose_games_is_refused_unless_that_is_asked_for(tmp_path: Path) -> None:
    server = RealServer.start("valkey", tmp_path / "redis", appendonly=False)
    refused = RunningService(tmp_path, {"REDIS_URL": server.url}, TINY)
    refused.start(wait=False)
    assert refused.wait() == 3
    assert "CONFIG SET appendonly yes" in refused.errors
    assert "PLATEAU_ALLOW_UNSAFE_REDIS=1" in refused.errors
    with running_service(tmp_path, {"REDIS_URL": server.url, "PLATEAU_ALLOW_UNSAFE_REDIS": "1"}) as service:
        assert "appendonly" in service.errors
    server.stop()


@pytest.mark.long
def test_in_memory_one_process_serves_and_the_banner_says_nothing_is_kept(tmp_path: Path) -> None:
    with running_service(tmp_path, {"PLATEAU_PUBLIC_URL": "https://play.example"}, "--memory", *TINY) as service:
        assert "players cannot reach the operator: set PLATEAU_MAIL_FROM" in service.errors
        assert "lost when it ends" in service.output
        assert len(web_processes(service)) == 1
        assert f"Mails:          written into {tmp_path}" in service.output
        assert not (tmp_path / "data").exists()


def test_a_setting_that_cannot_be_used_ends_with_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", {**os.environ})  # into which the command writes its options
    run = plateau("serve", "--port", "eight")
    assert run.exit_code == 2
    assert run.stderr == "plateau: PLATEAU_PORT is 'eight'; allowed: a whole number from 0 to 65535.\n"


@pytest.mark.long
def test_an_application_that_does_not_load_ends_the_service(tmp_path: Path) -> None:
    service = RunningService(tmp_path, None, ("--target", "tests.support.server:no_such_app"))
    service.start(wait=False)
    assert service.wait() == 1
    assert "no_such_app" in service.errors
