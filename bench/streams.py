"""Open streams while 16 games run: append to frame, memory a stream, the rate of actions beside them, /healthz.

    python -m bench.streams [streams …] [--quick]

The streams follow the games that run, which move once a second each; a frame is late by the time between the message
that the append script publishes and the arrival of the event at a client. For the rate of actions, 16 games are played
as fast as they go: beside streams of other games, beside streams of every seat of these games, and beside none, in
turn. Load, web processes, clients and Redis share the machine.
"""

import json
import os
import resource
import selectors
import socket
import statistics
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.servers import engine, web
from bench.sizes import given, is_quick
from bench.throughput import SEATS, connect_to, prepare, run
from service.store import change_feed, keys
from service.store.redis.connections import connect

GAMES = 16
_SECONDS, _TURNS = (2, 1) if is_quick() else (15, 3)
_WARM = 20
"""Actions of each game that only warm the processes up."""


class Clients:
    """Streams and the thread that reads them: the time at which each version of each game arrived."""

    def __init__(self, port: int, paths: Sequence[str], authorization: str = "") -> None:
        self.arrived: list[tuple[str, int, float]] = []
        self.lost = 0
        self._selector = selectors.DefaultSelector()
        self._stopping = threading.Event()
        self._sockets = [self._open(port, path, authorization) for path in paths]
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _open(self, port: int, path: str, authorization: str) -> socket.socket:
        opened = connect_to(port)
        opened.sendall(
            f"GET {path} HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n{authorization}\r\n".encode()
        )
        self._selector.register(opened, selectors.EVENT_READ, path.split("/")[3])
        return opened

    def _read(self) -> None:
        while not self._stopping.is_set():
            for key, _ in self._selector.select(0.1):
                self._take(key, time.monotonic())

    def _take(self, key: selectors.SelectorKey, now: float) -> None:
        opened = key.fileobj
        assert isinstance(opened, socket.socket)
        received = opened.recv(1 << 16)
        if not received or received.startswith((b"HTTP/1.1 4", b"HTTP/1.1 5")):
            self._selector.unregister(opened)
            self.lost += 1
        for line in received.split(b"\n"):
            if line.startswith(b"id: ") and line[4:].isdigit():
                self.arrived.append((key.data, int(line[4:]), now))

    def close(self) -> None:
        """Close all streams, and wait until the service has noticed."""
        self._stopping.set()
        self._thread.join()
        for opened in self._sockets:
            opened.close()
        time.sleep(1)


@contextmanager
def streams(port: int, paths: Sequence[str], authorization: str = "") -> Iterator[Clients]:
    """Hold streams open."""
    clients = Clients(port, paths, authorization)
    try:
        time.sleep(1 + len(paths) / 1000)
        yield clients
    finally:
        clients.close()


class Healthz:
    """Requests the health of the service while something else is measured."""

    def __init__(self, port: int) -> None:
        self.took: list[float] = []
        self._url = f"http://127.0.0.1:{port}/healthz"
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._ask)
        self._thread.start()

    def _ask(self) -> None:
        while not self._stopping.wait(0.1):
            began = time.perf_counter()
            urllib.request.urlopen(self._url, timeout=10).read()
            self.took.append((time.perf_counter() - began) * 1000)

    def worst(self) -> float:
        """Stop, and return the longest time in ms."""
        self._stopping.set()
        self._thread.join()
        return max(self.took)


class Appends:
    """The time at which the append script published each version of each game."""

    def __init__(self, url: str) -> None:
        self.at: dict[tuple[str, int], float] = {}
        self._subscription: Any = connect(url).pubsub()  # type: ignore[no-untyped-call]
        self._subscription.psubscribe(keys.topic("*"))
        self._stopping = threading.Event()
        self._listening = threading.Thread(target=self._listen)
        self._listening.start()

    def _listen(self) -> None:
        while not self._stopping.is_set():
            message = self._subscription.get_message(timeout=0.1)
            if message and message["type"] == "pmessage":
                self.at[change_feed.topic_of(message["channel"]), int(message["data"])] = time.monotonic()

    def close(self) -> None:
        """Stop listening."""
        self._stopping.set()
        self._listening.join()
        self._subscription.close()


def memory() -> float:
    """Return the proportional set size of the web processes, in MB."""
    total = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == os.getpid() and b"web_process" in (process / "cmdline").read_bytes():
                lines = (process / "smaps_rollup").read_text().splitlines()
                total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
        except OSError:
            continue
    return total / 1024


def game_of(script: Sequence[bytes]) -> str:
    """Return the game that a script plays."""
    return script[0].split(b"/")[3].decode()


def new_events_of(port: int, game: str) -> str:
    """Return the path of the events of a game from now on."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/games/{game}") as answer:
        return f"/v1/games/{game}/events?after={json.load(answer)['version']}"


def authorization_of(script: Sequence[bytes]) -> str:
    """Return the header line of the player who plays a script."""
    (line,) = (line for line in script[0].decode().split("\r\n") if line.startswith("Authorization"))
    return f"{line}\r\n"


def paced(port: int, scripts: Sequence[list[bytes]]) -> None:
    """Let each game move once a second, spread over the second."""
    connections = [connect_to(port) for _ in scripts]
    began = time.monotonic()
    for number in range(_SECONDS * len(scripts)):
        time.sleep(max(0.0, began + number / len(scripts) - time.monotonic()))
        step, place = divmod(number, len(scripts))
        connections[place].sendall(scripts[place][step])
        assert connections[place].recv(1 << 16).startswith(b"HTTP/1.1 201")
    for connection in connections:
        connection.close()


def delays(url: str, port: int, number: int) -> None:
    """Measure how late frames are, and what streams cost in memory."""
    scripts, _ = prepare(url, GAMES)
    games = [game_of(script) for script in scripts]
    news = {game: new_events_of(port, game) for game in games}
    paths = [news[games[each % GAMES]] for each in range(number)]
    with streams(port, paths[:GAMES]):
        before = memory()
    with streams(port, paths) as clients:
        grown = memory() - before
        appends, healthz = Appends(url), Healthz(port)
        paced(port, scripts)
        time.sleep(1)
        worst = healthz.worst()
        appends.close()
    took = sorted((at - appends.at[game, v]) * 1000 for game, v, at in clients.arrived if (game, v) in appends.at)
    expected = sum(paths.count(news[game]) for game, _ in appends.at)
    print(
        f"{number:5} streams  {grown:4.0f} MB, {grown * 1024 / number:3.0f} KB each  append to frame "
        f"p50 {took[len(took) // 2]:5.1f} ms  p99 {took[len(took) * 99 // 100]:5.1f} ms  "
        f"frames {len(took)} of {expected}, streams lost {clients.lost}  healthz at most {worst:.0f} ms",
        flush=True,
    )


def rate(url: str, port: int, number: int, *, listening: bool = False) -> float:
    """Play 16 games as fast as they go, beside streams; return actions a second."""
    scripts, _ = prepare(url, GAMES)
    others, _ = prepare(url, GAMES) if number else (scripts, 0)
    news = [new_events_of(port, game_of(other)) for other in others[:GAMES]]
    paths = [news[each % GAMES] for each in range(number)]
    if listening:
        paths = [f"{new_events_of(port, game_of(script))}&as={seat}" for script in scripts for seat in range(SEATS)]
    with streams(port, paths, authorization_of(scripts[0]) if listening else "") as clients:
        connections = [connect_to(port) for _ in scripts]
        run(connections, [script[:_WARM] for script in scripts])
        found, _ = run(connections, [script[_WARM:] for script in scripts])
        for connection in connections:
            connection.close()
        if clients.lost:
            raise SystemExit(f"{clients.lost} of {len(paths)} streams were lost")
    return found


def rates(url: str, port: int, number: int) -> None:
    """Compare the rates of actions, in turn."""
    idle, seats, none = [], [], []
    for _ in range(_TURNS):
        none.append(rate(url, port, 0))
        idle.append(rate(url, port, number))
        seats.append(rate(url, port, 0, listening=True))
    beside, heard = (statistics.median(a / b for a, b in zip(each, none, strict=True)) for each in (idle, seats))
    print(
        f"{number:5} streams  actions/s {statistics.median(none):,.0f} beside none; beside idle ones {beside:.2f} of "
        f"it; with every seat listening {heard:.2f} of it (medians of {_TURNS})",
        flush=True,
    )


def main() -> None:
    """Measure each number of streams."""
    counts = [int(text) for text in given()] or ([20] if is_quick() else [500, 2000, 5000])
    most = max(counts) + 512
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most * 2, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    lifted = "requests=0,streams=0,streams-from-address=0,streams-in-process=0"
    environ = {"PLATEAU_LOG_LEVEL": "warning", "PLATEAU_CONNECTIONS": str(most), "PLATEAU_LIMITS": lifted}
    with engine() as url, web("service.runtime.wsgi:app", environ | {"REDIS_URL": url}) as port:
        for number in counts:
            delays(url, port, number)
            rates(url, port, number)


if __name__ == "__main__":
    main()
