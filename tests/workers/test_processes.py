"""Workers, dispatchers and servers as real processes: they play, are killed in mid-game, and lose nothing."""

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
import urllib.request
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from domain.events import Clock
from domain.game.durations import instant
from domain.registry import RULESETS
from service.common.child_process import REPORTS
from service.jobs.fair_queue import Job
from service.jobs.job_queue import RqQueue
from service.store import keys
from service.store.deadlines import Deadlines
from service.store.game_index import Priority, Rank
from service.store.redis.connections import connect_queue
from tests.support.processes import PATIENCE, free_port
from tests.support.server import ROOT, Hand, RealServer, RunningService, running_service, wait_until
from tests.workers.noting_policy import NOTES
from tests.workers.places import Place


@pytest.mark.long
def test_every_game_of_bots_ends_though_everything_is_killed_in_mid_game(place: Place) -> None:
    hands = [place.hand("dispatch"), place.hand("worker"), place.hand("worker")]
    games = [place.begin("random", "random", "random", hands=9) for _ in range(4)]
    rng = random.Random(7)

    def progress() -> int:
        return sum(map(place.version, games))

    for victim in [*hands, None, rng.choice(hands), None]:
        reached = progress()
        wait_until(lambda reached=reached: progress() > reached + 20, "the games to continue", 2 * PATIENCE)
        if victim is None:
            place.server.kill()
            place.server.restart()
        else:
            victim.kill()
            victim.start()
    wait_until(lambda: all(map(place.is_over, games)), "the games to end", 4 * PATIENCE)
    for game_id in games:
        place.verify(game_id)


def test_a_deadline_that_passed_while_all_were_down_fires_once(place: Place) -> None:
    rule = Clock("PT1S", None, None, "bot", "random")
    games = [place.begin("me", "me", rule=rule) for _ in range(2)]
    deadlines = Deadlines(place.client, 16, lease_ms=0)
    wait_until(lambda: deadlines.overdue(int(time.time() * 1000)) == 2, "the deadlines to pass")
    hands = [place.hand("worker"), place.hand("dispatch")]

    def timed_out(game_id: str) -> list[int]:
        return [instant(each.at) for each in place.store.read(game_id) if each.type == "turn_timed_out"]

    wait_until(lambda: all(len(timed_out(game_id)) >= 2 for game_id in games), "the timeouts")
    for game_id in games:
        place.verify(game_id)
        assert all(later - earlier >= 1000 for earlier, later in pairwise(timed_out(game_id)))
    assert [(hand.stop(), hand.errors) for hand in hands] == [(0, "")] * 2


@pytest.mark.long
def test_what_is_in_the_queue_may_be_lost(place: Place, tmp_path: Path) -> None:
    other = RealServer.start("valkey", tmp_path / "queue", tcp=True, appendonly=False)
    place.hand("dispatch", QUEUE_URL=other.url)
    place.hand("worker", QUEUE_URL=other.url)
    game_id = place.begin("random", "random", hands=30)
    for _ in range(2):
        at = place.version(game_id)
        wait_until(lambda at=at: place.version(game_id) > at + 20, "the game to continue")
        other.kill()
        other.restart()
    at = place.version(game_id)
    wait_until(lambda: place.version(game_id) > at + 20 or place.is_over(game_id), "the game to continue", 2 * PATIENCE)
    assert not place.client.keys("rq:*")
    other.stop()


@pytest.fixture
def jobs(valkey_url: str) -> Iterator[RqQueue]:
    """A queue on an empty server."""
    with connect_queue(valkey_url) as client:
        client.flushall()
        yield RqQueue(client, 5)


CALLS = "rq:queue:plateau"


def test_the_same_game_waits_once_and_calls_are_plain_data(jobs: RqQueue, valkey_url: str) -> None:
    for _ in range(3):
        jobs.put([Job("gm_1", 7)])
    jobs.put([Job("gm_1", None), Job("gm_2", 7, Priority(Rank.ALONE))])
    assert jobs.waiting() == 2
    with connect_queue(valkey_url) as client:
        calls = [call.decode() for call in client.lrange(CALLS, 0, -1)]
        assert len(calls) == 2
        assert b"handle_next" in zlib.decompress(client.hget(f"rq:job:{calls[0]}", "data"))


def test_a_flood_of_games_makes_only_so_many_calls(jobs: RqQueue, valkey_url: str) -> None:
    for start in range(0, 1200, 300):
        jobs.put([Job(f"gm_{number}", 1) for number in range(start, start + 300)])
    with connect_queue(valkey_url) as client:
        assert (jobs.waiting(), client.llen(CALLS)) == (1200, 64)
        client.delete(CALLS)
        jobs.put([Job("gm_1", 1)])
        assert client.llen(CALLS) > 0


# -- the service with its own crew --------------------------------------------------------------------------------


def crew_of(service: RunningService) -> dict[int, str]:
    """Return the processes that a service started beside the web ones, by id."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            command = (path.parent / "cmdline").read_bytes().split(b"\0")
        except (OSError, ValueError):
            continue
        if parent == service.pid and b"service.cli.workers" in command:
            found[int(path.parent.name)] = command[-2].decode()
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_one_command_runs_everything_and_brings_back_what_is_killed(tmp_path: Path) -> None:
    env = {"PLATEAU_WORKERS": "1", "PLATEAU_BOT_SECONDS": "1"}
    with running_service(tmp_path, env) as service:
        ask = _asking(service.url)
        token = ask("POST", "/v1/players", {"name": "Ada"})["token"]
        new = {"ruleset": "le-plateau", "options": {"hands": 3}, "seats": [{"bot": "random"}] * 3}
        game_id = ask("POST", "/v1/games", new, token)["id"]
        wait_until(lambda: ask("GET", f"/v1/games/{game_id}")["version"] > 30, "the game to be under way")
        before = crew_of(service)
        assert sorted(before.values()) == ["courier", "dispatch", "worker"]
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not before.keys() & crew_of(service).keys(), "the killed processes to be gone")
        wait_until(
            lambda: sorted(crew_of(service).values()) == ["courier", "dispatch", "worker"], "the crew to be back"
        )
        wait_until(lambda: ask("GET", f"/v1/games/{game_id}")["status"] == "finished", "the game to end", 2 * PATIENCE)
        crew = crew_of(service)
        assert service.stop() == 0
        assert not any(Path(f"/proc/{pid}").exists() for pid in crew)
        assert service.errors.count("restarting it in") == 3


def _asking(url: str) -> Callable[..., Any]:
    def ask(method: str, path: str, body: object = None, token: str = "") -> Any:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{url}{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    return ask


@pytest.mark.long
def test_a_service_that_was_down_gives_the_time_back(place: Place) -> None:
    env = {"REDIS_URL": place.server.url}
    with running_service(place.folder, env) as service:
        ask = _asking(service.url)
        token = ask("POST", "/v1/players", {"name": "Ada"})["token"]
        new = {"ruleset": "le-plateau", "seats": [{"player": "me"}] * 3, "sandbox": True, "clock": {"bank": "PT1H"}}
        game_id = ask("POST", "/v1/games", new, token)["id"]
        wait_until(lambda: place.client.get(keys.HEARTBEAT), "a heartbeat")
        assert service.stop() == 0
        began = place.games.current(game_id).at
        place.client.set(keys.HEARTBEAT, instant(began) - 600_000)  # as if it had been silent since ten minutes before
        service.start()
        ask("POST", f"/v1/games/{game_id}/actions", {"type": "pass"}, token)
        shown = ask("GET", f"/v1/games/{game_id}/events?limit=1000")["events"]
        (credited,) = [event for event in shown if event["type"] == "time_credited"]
        assert credited["data"]["from"] < began < credited["data"]["until"]
        assert shown[shown.index(credited) + 1]["type"] == "passed"


@pytest.mark.long
def test_in_memory_there_are_opponents_too(tmp_path: Path) -> None:
    with running_service(tmp_path, {"PLATEAU_WORKERS": "1"}, "--memory") as service:
        ask = _asking(service.url)
        token = ask("POST", "/v1/players", {"name": "Ada"})["token"]
        new = {"ruleset": "le-plateau", "seats": [{"bot": "random"}] * 3}
        game_id = ask("POST", "/v1/games", new, token)["id"]
        wait_until(lambda: ask("GET", f"/v1/games/{game_id}")["status"] == "finished", "the game to end")
        table = {
            "seats": [{"bot": "random"}] * 2 + [{"player": "me"}],
            "options": {"first_dealer": 2},
            "bot_pace": "PT0.2S",
        }
        followed = ask("POST", "/v1/games", new | table, token)["id"]
        wait_until(lambda: ask("GET", f"/v1/games/{followed}")["waiting_for"] == [2], "the turn of the player")
        at = [instant(event["at"]) for event in ask("GET", f"/v1/games/{followed}/events")["events"] if "bot" in event]
        began = instant(ask("GET", f"/v1/games/{followed}")["created_at"])
        assert [later - earlier >= 200 for earlier, later in pairwise([began, *at])] == [True, True]


NOTING_WORKER = """
import os
from service import bots
bots.BOTS[bots.RANDOM] = bots.Bot("For a test.", "tests.workers.noting_policy:notes")
from service.config.settings import Settings
from workers import processes
processes.work(Settings.from_environment(os.environ))
"""


def test_a_worker_reports_that_it_is_ready_only_when_it_is_warm(place: Place, tmp_path: Path) -> None:
    reports, reporting = os.pipe()
    environ = os.environ | {"REDIS_URL": place.server.url, "TMPDIR": str(tmp_path), REPORTS: f"{reporting} 7"}
    worker = subprocess.Popen([sys.executable, "-c", NOTING_WORKER], cwd=ROOT, env=environ, pass_fds=(reporting,))
    try:
        os.close(reporting)
        assert os.read(reports, 10) == b"\x07"
        asked = [line.split()[0] for line in (tmp_path / NOTES).read_text().splitlines()]
        assert sorted(asked) == sorted(RULESETS)  # other tests take rulesets out, and put them back at the end
        assert place.client.scard("rq:workers") == 1
        scripts = [(ROOT / f"service/{name}.lua").read_bytes() for name in ("store/append", "jobs/put", "jobs/take")]
        assert place.client.script_exists(*(hashlib.sha1(script).hexdigest() for script in scripts)) == [True] * 3
        assert os.read(reports, 10) == b"", "the worker keeps the pipe open, or reports twice"
    finally:
        worker.terminate()
        worker.wait(PATIENCE)
        os.close(reports)


PATIENT_SERVE = "from service.cli import main, serve; serve._WARM_SECONDS = 60.0; main.main()"


@pytest.mark.long
def test_the_banner_comes_when_a_worker_is_warm(place: Place, tmp_path: Path) -> None:
    environ = os.environ | {"REDIS_URL": place.server.url, "PLATEAU_LOG_LEVEL": "warning", "PLATEAU_PORT": "0"}
    command = [sys.executable, "-c", PATIENT_SERVE, "serve", "--workers", "1"]
    serve = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=subprocess.PIPE)
    try:
        assert serve.stdout is not None
        assert serve.stdout.readline().startswith(b"Plateau is up:")
        assert place.client.scard("rq:workers") == 1
    finally:
        serve.terminate()
        serve.communicate(timeout=PATIENCE)
    assert serve.returncode == 0


def test_a_web_process_loads_neither_rq_nor_the_workers() -> None:
    look = "import service.runtime.wsgi, sys; print([name for name in ('rq', 'workers') if name in sys.modules])"
    env = os.environ | {"PLATEAU_MEMORY": "1", "PLATEAU_WORKERS": "0"}
    done = subprocess.run([sys.executable, "-c", look], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# -- the commands -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "env", "code", "said"),
    [
        ("worker", {}, 2, "REDIS_URL is not set; this command needs the Redis of a running service."),
        ("dispatch", {"REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"}, 3, ""),
    ],
    ids=["unset", "out of reach"],
)
def test_without_a_redis_a_command_says_so_in_one_line(
    command: str, tmp_path: Path, env: dict[str, str], code: int, said: str
) -> None:
    hand = Hand(command, tmp_path, env).start()
    assert hand.wait() == code
    assert hand.errors.startswith(f"plateau: {said}")
    assert hand.errors.count("\n") == 1


@pytest.mark.parametrize("command", ["dispatch", pytest.param("worker", marks=pytest.mark.long)])
def test_a_process_that_waits_for_its_redis_stops_when_asked(command: str, place: Place) -> None:
    hand = place.hand(command)
    wait_until(lambda: place.client.keys("rq:worker:*" if command == "worker" else "*changes"), "the process to be up")
    place.server.kill()
    wait_until(lambda: "Redis is away" in hand.errors, "the process to notice")
    assert hand.stop() == 0
    assert hand.errors.count("\n") == 1
    place.server.restart()
