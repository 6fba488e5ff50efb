"""The embedded engine keeps what was acknowledged, whatever happens to it or to the service around it."""

import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from service.runtime import embedded_redis
from service.runtime.data_folder import EngineError
from service.runtime.embedded_redis import Program
from tests.support.server import PATIENCE, PROGRAMS, ROOT, is_up, wait_until


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def write(url: str, key: str, value: str = "kept") -> None:
    with redis.Redis.from_url(url) as client:
        client.set(key, value)


def read(url: str, key: str) -> str | None:
    with redis.Redis.from_url(url, decode_responses=True) as client:
        return client.get(key)


def configuration(url: str) -> dict[str, str]:
    with redis.Redis.from_url(url) as client:
        return client.config_get("*")


def the_log(data: Path) -> Path:
    (log,) = (data / "appendonlydir").glob("*.incr.aof")
    return log


def install(folder: Path, name: str, version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a program that calls itself `name` `version` the only engine on this machine."""
    title = {"valkey-server": "Valkey", "redis-server": "Redis"}[name]
    program = folder / name
    folder.mkdir()
    program.write_text(f"#!/bin/sh\necho '{title} server v={version} sha=00000000:0 malloc=libc bits=64'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(embedded_redis.importlib.util, "find_spec", lambda _: None)


def test_data_are_kept_across_a_restart(data: Path) -> None:
    with embedded_redis.start(data) as first:
        write(first.url, "game")
    with embedded_redis.start(data) as second:
        assert read(second.url, "game") == "kept"


def test_the_bundled_engine_is_preferred_and_named(data: Path) -> None:
    with embedded_redis.start(data) as running:
        assert running.description.startswith("valkey 9.")
        assert running.description.endswith(", bundled")
    marker = json.loads((data / "engine.json").read_text())
    assert running.description == f"{marker['name']} {marker['version']}, bundled"


def test_the_engine_is_set_up_to_lose_nothing_and_to_answer_nobody_else(data: Path) -> None:
    with embedded_redis.start(data, fsync="always") as running:
        wanted = {
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
            "maxmemory-policy": "noeviction",
            "port": "0",
        }
        assert configuration(running.url).items() >= (wanted | {"aof-load-truncated": "no"}).items()
        assert stat.S_IMODE(data.stat().st_mode) == 0o700
        assert stat.S_IMODE((data / "engine.sock").stat().st_mode) == 0o700
        assert stat.S_IMODE(the_log(data).stat().st_mode) == 0o600


def test_a_killed_engine_is_started_again_with_all_that_it_acknowledged(data: Path) -> None:
    with embedded_redis.start(data) as running:
        keeper = threading.Thread(target=running.keep_alive)
        keeper.start()
        for number in range(200):
            write(running.url, f"game-{number}")
        killed = running.pid
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: running.pid != killed and is_up(running.url), "the engine to be back")
        assert all(read(running.url, f"game-{number}") == "kept" for number in range(200))
    keeper.join()


def dying_when_recognised(monkeypatch: pytest.MonkeyPatch, times: int) -> threading.Event:
    """Let the next engines die between their first answer and the next question; return what a survivor sets."""
    recognise, deaths, lives = embedded_redis.Engine._recognise, iter(range(times)), threading.Event()

    def die_first(self: embedded_redis.Engine) -> None:
        if next(deaths, None) is not None:
            os.kill(self.pid, signal.SIGKILL)
            self._process.wait()
        recognise(self)
        lives.set()

    monkeypatch.setattr(embedded_redis.Engine, "_recognise", die_first)
    return lives


@contextmanager
def sigterm_noted() -> Iterator[threading.Event]:
    """Note a SIGTERM to this process instead of ending."""
    noted = threading.Event()
    before = signal.signal(signal.SIGTERM, lambda *_: noted.set())
    yield noted
    signal.signal(signal.SIGTERM, before)


def test_an_engine_that_dies_as_soon_as_it_answers_is_started_once_more(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with embedded_redis.start(data) as running:
        write(running.url, "game")
        keeper = threading.Thread(target=running.keep_alive, daemon=True)
        keeper.start()
        is_back = dying_when_recognised(monkeypatch, 2)
        os.kill(running.pid, signal.SIGKILL)
        wait_until(is_back.is_set, "the engine to be back")
        assert read(running.url, "game") == "kept"
        assert keeper.is_alive()
    keeper.join()


def test_an_engine_that_never_outlives_its_first_answer_is_an_error_at_the_start(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dying_when_recognised(monkeypatch, 100)
    with pytest.raises(EngineError, match=r"starts but does not stay up: .*; see .*engine\.log\.$"):
        embedded_redis.start(data)


@pytest.mark.parametrize(
    ("failure", "reason"),
    [(None, "starts but does not stay up"), (RuntimeError("no luck"), r"could not be started again .*no luck")],
    ids=["the engine keeps dying", "an error that was not foreseen"],
)
def test_a_service_whose_engine_cannot_be_started_again_ends_with_the_reason(
    failure: Exception | None, reason: str, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: embedded_redis.Engine) -> None:
        raise failure

    with sigterm_noted() as ended:
        running = embedded_redis.start(data)
        keeper = threading.Thread(target=running.keep_alive, daemon=True)
        keeper.start()
        dying_when_recognised(monkeypatch, 100)
        if failure:
            monkeypatch.setattr(embedded_redis.Engine, "launch", fail)
        os.kill(running.pid, signal.SIGKILL)
        keeper.join(PATIENCE)
        wait_until(ended.is_set, "SIGTERM")
        with pytest.raises(EngineError, match=reason):
            running.stop()


def test_a_log_with_a_torn_end_is_copied_and_the_engine_continues_with_the_rest(
    data: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with embedded_redis.start(data) as first:
        write(first.url, "whole")
        write(first.url, "torn")
    os.truncate(the_log(data), the_log(data).stat().st_size - 7)
    torn = the_log(data).read_bytes()

    with embedded_redis.start(data) as second:
        assert read(second.url, "whole") == "kept"
        assert read(second.url, "torn") is None
        assert configuration(second.url)["aof-load-truncated"] == "no"
    (copy,) = data.glob("damaged-*")
    assert (copy / the_log(data).name).read_bytes() == torn
    assert str(copy) in caplog.text
    assert f"its last {len(torn) - the_log(data).stat().st_size} bytes were dropped" in caplog.text

    caplog.clear()
    with embedded_redis.start(data) as third:
        assert read(third.url, "whole") == "kept"
    assert not caplog.records


def test_a_log_damaged_in_the_middle_is_refused_and_left_as_it_is(data: Path) -> None:
    with embedded_redis.start(data) as first:
        for number in range(10):
            write(first.url, f"game-{number}")
    damaged = the_log(data).read_bytes().replace(b"*3\r\n$3\r\nSET\r\n$6\r\ngame-5", b"*3\r\n$3\r\nSET\r\n?6\r\ngame-5")
    the_log(data).write_bytes(damaged)
    with pytest.raises(EngineError, match="Bad file format reading the append only file"):
        embedded_redis.start(data)
    assert the_log(data).read_bytes() == damaged


def test_data_of_a_newer_engine_are_never_opened(data: Path) -> None:
    with embedded_redis.start(data) as first:
        write(first.url, "game")
    (data / "engine.json").write_text('{"name": "valkey", "version": "99.1.0"}')
    with pytest.raises(EngineError, match=r"was written by valkey 99.1.0.*Found only: valkey 9.*Install valkey 99.1.0"):
        embedded_redis.start(data)


@pytest.mark.parametrize(
    ("here", "there", "may"),
    [
        (("valkey", (9, 1, 2)), ("valkey", (9, 1, 2)), True),
        (("valkey", (9, 1, 2)), ("valkey", (9, 1, 3)), False),
        (("valkey", (9, 1, 2)), ("redis", (7, 2, 4)), True),
        (("valkey", (9, 1, 2)), ("redis", (7, 4, 0)), False),
        (("redis", (7, 0, 15)), ("valkey", (8, 0, 0)), False),
        (("redis", (8, 0, 0)), ("redis", (7, 0, 15)), True),
    ],
)
def test_an_engine_reads_what_its_own_kind_and_its_ancestors_wrote(
    here: tuple[str, tuple[int, ...]], there: tuple[str, tuple[int, ...]], *, may: bool
) -> None:
    assert Program(Path("server"), *here, bundled=False).reads(*there) is may


def test_a_marker_that_cannot_be_read_is_named(data: Path) -> None:
    data.mkdir()
    (data / "engine.json").write_text("valkey")
    with pytest.raises(EngineError, match=r"engine.json, which records what engine wrote the data"):
        embedded_redis.start(data)


def test_a_folder_belongs_to_one_service(data: Path) -> None:
    with embedded_redis.start(data) as first:
        write(first.url, "game")
        with pytest.raises(EngineError, match=rf"in use by another plateau service, process {os.getpid()}\. Stop that"):
            embedded_redis.start(data)
        assert read(first.url, "game") == "kept"


def test_a_folder_whose_path_is_too_long_for_a_socket_works_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    data = tmp_path / ("a-long-name-" * 10)
    with embedded_redis.start(data) as first:
        write(first.url, "game")
        socket = Path(first.url.removeprefix("unix://"))
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
        address = first.url
    with embedded_redis.start(data) as second:
        assert second.url == address
        assert read(second.url, "game") == "kept"
    assert not socket.parent.exists()


def test_a_socket_folder_that_others_could_reach_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / ("a-long-name-" * 10)
    with tempfile.TemporaryDirectory() as runtime:
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        with embedded_redis.start(data) as running:
            folder = Path(running.url.removeprefix("unix://")).parent
        assert folder.parent == Path(runtime)
        folder.mkdir(mode=0o755)
        with pytest.raises(EngineError, match="is not private to this user"):
            embedded_redis.start(data)


def test_a_path_with_odd_characters_works(tmp_path: Path) -> None:
    with embedded_redis.start(tmp_path / 'd\'été à "la" #1?%20') as running:
        write(running.url, "game")
        assert read(running.url, "game") == "kept"


@pytest.fixture
def orphan(data: Path) -> Iterator[subprocess.Popen[bytes]]:
    """An engine on the folder whose service is gone, with a game in it."""
    data.mkdir(mode=0o700)
    socket = data / "engine.sock"
    flags = ["--port", "0", "--unixsocket", str(socket), "--dir", str(data), "--appendonly", "yes", "--save", ""]
    process = subprocess.Popen([PROGRAMS["valkey"], *flags], stdout=subprocess.DEVNULL)
    wait_until(lambda: is_up(f"unix://{socket}"), "the orphan")
    write(f"unix://{socket}", "game")
    yield process
    process.kill()
    process.wait()


def test_an_engine_left_by_a_killed_service_is_stopped_cleanly_and_nothing_is_lost(
    data: Path, orphan: subprocess.Popen[bytes], caplog: pytest.LogCaptureFixture
) -> None:
    with embedded_redis.start(data) as running:
        assert read(running.url, "game") == "kept"
        assert running.pid != orphan.pid
    assert orphan.wait(PATIENCE) == 0
    assert "left its engine running" in caplog.text


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's parent-death signal is Linux's")
def test_an_engine_ends_with_a_killed_service_and_the_next_start_finds_everything(data: Path) -> None:
    script = (
        "import sys, pathlib; from service.runtime import embedded_redis as engine;"
        "running = engine.start(pathlib.Path(sys.argv[1]));"
        "print(running.pid, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, data], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as service:
        assert service.stdout
        pid = int(service.stdout.readline())
        write(f"unix://{data}/engine.sock", "game")
        service.kill()
    with embedded_redis.start(data) as running:
        assert read(running.url, "game") == "kept"
        assert running.pid != pid


def test_the_end_of_the_engines_log_explains_why_it_does_not_start(data: Path) -> None:
    with pytest.raises(EngineError, match=r"(?s)ended instead of starting; .*engine.log ends with the reason:.*fsync"):
        embedded_redis.start(data, fsync="sometimes")
    with embedded_redis.start(data):
        pass


def test_a_folder_that_cannot_be_used_is_named_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EngineError, match=r"data folder .*file/data cannot be used .*--data or PLATEAU_DATA"):
        embedded_redis.start(tmp_path / "file" / "data")


def test_without_any_engine_the_error_says_what_to_install(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(embedded_redis.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(EngineError, match=r"redis-server, 7.0 or newer, on the PATH. None was found. .*--memory"):
        embedded_redis.start(data)


def test_an_engine_on_the_path_that_is_too_old_is_refused_by_name(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "bin", "redis-server", "6.2.14", monkeypatch)
    with pytest.raises(EngineError, match=r"Found only: redis 6.2.14, .*/bin/redis-server"):
        embedded_redis.start(data)
