"""A data folder that was in use and has lost its games; and first starts that were cut short, and lost nothing."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from service.runtime import embedded_redis
from service.runtime.data_folder import EngineError
from tests.support.server import ROOT, RunningService, is_up, running_service, wait_until

LOGS = "appendonlydir"


@pytest.fixture
def used(tmp_path: Path) -> Path:
    """A folder in which a game was kept, with a copy of it beside."""
    data = tmp_path / "data"
    with embedded_redis.start(data) as running:
        ask(running.url, "SET", "game", "kept")
    shutil.copytree(data, tmp_path / "backup")
    return data


def ask(url: str, *command: str) -> object:
    with redis.Redis.from_url(url) as client:
        return client.execute_command(*command)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def one(data: Path, pattern: str) -> Path:
    (found,) = (data / LOGS).glob(pattern)
    return found


LOSSES: dict[str, Callable[[Path], object]] = {
    "the manifest": lambda data: one(data, "*.manifest").unlink(),
    "the events": lambda data: one(data, "*.incr.aof").unlink(),
    "the base": lambda data: one(data, "*.base.rdb").unlink(),
    "all of the log": lambda data: shutil.rmtree(data / LOGS),
    "what is in the files": lambda data: os.truncate(one(data, "*.incr.aof"), 0),
}


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_a_folder_that_lost_its_games_is_refused_and_left_as_it_is(used: Path, tmp_path: Path, loss: Callable) -> None:
    loss(used)
    before = contents(used / LOGS)
    for _ in range(2):
        with pytest.raises(EngineError) as refused:
            embedded_redis.start(used)
        assert str(refused.value).startswith(f"The data folder {used} was in use, and its games are gone: ")
        assert f"To start without those games, move the folder away: mv {used} " in str(refused.value)
    assert contents(used / LOGS) == before

    shutil.rmtree(used)
    shutil.copytree(tmp_path / "backup", used)
    with embedded_redis.start(used) as running:
        assert ask(running.url, "GET", "game") == b"kept"


def test_moving_the_folder_away_as_the_message_says_begins_anew(used: Path) -> None:
    shutil.rmtree(used / LOGS)
    with pytest.raises(EngineError) as refused:
        embedded_redis.start(used)
    subprocess.run(str(refused.value).rpartition(": ")[2].split(), check=True)
    with embedded_redis.start(used) as running:
        assert ask(running.url, "DBSIZE") == 1


def test_a_store_that_was_flushed_is_refused(used: Path) -> None:
    with embedded_redis.start(used) as running:
        ask(running.url, "FLUSHALL")
    with pytest.raises(EngineError, match="its games are gone"):
        embedded_redis.start(used)


def test_the_log_of_another_folder_is_refused(used: Path, tmp_path: Path) -> None:
    with embedded_redis.start(tmp_path / "other"):
        pass
    shutil.rmtree(used / LOGS)
    shutil.copytree(tmp_path / "other" / LOGS, used / LOGS)
    with pytest.raises(EngineError, match="a different store there than the one that was created"):
        embedded_redis.start(used)


def test_no_engine_is_left_running_on_a_folder_that_is_refused(used: Path) -> None:
    os.truncate(one(used, "*.incr.aof"), 0)
    with pytest.raises(EngineError):
        embedded_redis.start(used)
    assert not is_up(f"unix://{used}/engine.sock")


def test_an_engine_whose_files_were_lost_is_not_started_on_the_empty_folder(
    used: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running, asked_to_stop, kill = embedded_redis.start(used), threading.Event(), os.kill
    monkeypatch.setattr(os, "kill", lambda *_: asked_to_stop.set())
    keeper = threading.Thread(target=running.keep_alive)
    keeper.start()
    shutil.rmtree(used / LOGS)
    kill(running.pid, signal.SIGKILL)
    keeper.join()
    assert asked_to_stop.is_set()
    with pytest.raises(EngineError, match="its games are gone"):
        running.stop()
    assert not (used / LOGS).exists()


@pytest.mark.long
def test_serve_says_so_in_one_line(tmp_path: Path) -> None:
    with running_service(tmp_path) as service:
        pass
    one(tmp_path / "data", "*.manifest").unlink()
    service = RunningService(tmp_path)
    service.start(wait=False)
    assert service.wait() == 3
    assert service.errors.startswith(f"plateau: The data folder {tmp_path}/data was in use, and its games are gone: ")
    assert service.errors.count("\n") == 1


# -- folders from before there was a name -------------------------------------------------------------------------


@pytest.fixture
def old(used: Path) -> Path:
    """A folder as it was left before stores had names."""
    with embedded_redis.start(used) as running:
        ask(running.url, "DEL", "plateau:store-name")
    marker = json.loads((used / "engine.json").read_bytes())
    del marker["store"]
    (used / "engine.json").write_text(json.dumps(marker))
    return used


def test_a_folder_without_a_name_is_given_one(old: Path) -> None:
    with embedded_redis.start(old) as running:
        assert ask(running.url, "GET", "game") == b"kept"
        name = ask(running.url, "GET", "plateau:store-name").decode()
    assert json.loads((old / "engine.json").read_bytes())["store"] == name


def test_a_log_without_manifest_is_not_written_over_even_if_its_folder_has_no_name(old: Path) -> None:
    one(old, "*.manifest").unlink()
    before = contents(old / LOGS)
    with pytest.raises(EngineError, match=r"its games are gone: .*manifest is missing"):
        embedded_redis.start(old)
    assert contents(old / LOGS) == before


# -- first starts that are cut short ------------------------------------------------------------------------------

DIES = """
import os, pathlib, signal, sys
import redis
from service.runtime import data_folder, embedded_redis as engine

def dying(function, call, before):
    calls = []
    def wrapped(*args, **more):
        calls.append(1)
        if len(calls) == call and before:
            os.kill(os.getpid(), signal.SIGKILL)
        result = function(*args, **more)
        if len(calls) == call:
            os.kill(os.getpid(), signal.SIGKILL)
        return result
    return wrapped

where, call, before = sys.argv[2], int(sys.argv[3]), sys.argv[4] == "before"
owner = {"write_marker": engine, "fsync": os, "Popen": engine.subprocess, "set": redis.Redis, "get": redis.Redis}[where]
setattr(owner, where, dying(getattr(owner, where), call, before))
engine.start(pathlib.Path(sys.argv[1]))
print("up")
"""


@pytest.mark.sampled
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(
    ("where", "call"),
    [("write_marker", 1), ("fsync", 1), ("Popen", 2), ("get", 1), ("set", 1), ("write_marker", 2), ("fsync", 3)],
)
def test_a_first_start_that_is_killed_at_any_step_can_be_begun_again(
    tmp_path: Path, where: str, call: int, when: str
) -> None:
    data = tmp_path / "data"
    command = [sys.executable, "-c", DIES, str(data), where, str(call), when]
    died = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (died.returncode, died.stdout) == (-signal.SIGKILL, ""), died.stderr
    keeps_games_across_a_restart(data)


def keeps_games_across_a_restart(data: Path) -> None:
    with embedded_redis.start(data) as running:
        ask(running.url, "SET", "game", "kept")
    with embedded_redis.start(data) as running:
        assert ask(running.url, "GET", "game") == b"kept"


@pytest.fixture
def starting(tmp_path: Path) -> Callable[[], subprocess.Popen[bytes]]:
    """Start an engine in a process of its own, again and again."""
    command = [sys.executable, "-c", "import sys, pathlib; from service.runtime import embedded_redis as engine;"
               "engine.start(pathlib.Path(sys.argv[1])); sys.stdin.read()", str(tmp_path / "data")]  # fmt: skip
    return lambda: subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.long
def test_first_starts_killed_at_random_moments_lose_nothing(tmp_path: Path, starting: Callable) -> None:
    data, rng = tmp_path / "data", random.Random(1)
    for _ in range(8):
        shutil.rmtree(data, ignore_errors=True)
        for _ in range(2):
            with starting() as process:
                wait_until(lambda: (data / "service.lock").exists() or process.poll() is not None, "the start")
                time.sleep(rng.uniform(0, 0.15))
                process.kill()
                assert b"gone" not in process.stderr.read()
        keeps_games_across_a_restart(data)
