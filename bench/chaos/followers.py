"""Connections are cut at random while clients follow games: does every client end with the complete log?

    python -m bench.chaos.followers [clients] [seconds] [--quick]

Each client follows a game from one seat, or as a spectator, by server-sent events, lines of JSON or requests that wait.
Its connection is cut about once a second, at any moment, even within an event; the client continues after the last
complete event. At the end its log must be that of the pages: no event missing, and none twice.
"""

import http.client
import random
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from socket import SHUT_RDWR
from typing import Any

import orjson

from bench.chaos.actors import SANDBOX, Person
from bench.servers import ask, engine, unlimited, web
from bench.sizes import is_quick, size

_GAMES = 2 if is_quick() else 8
_VIEWERS = ("0", "1", "2", "spectator")
_PATIENCE = 60
_FORMS = {"sse": "text/event-stream", "lines": "application/x-ndjson", "wait": "application/json"}
_CUT = (OSError, http.client.HTTPException, ValueError)
"""What a client sees when it is cut off: no connection, an incomplete response, half an event."""


@dataclass
class Client:
    """A client that follows a game, and continues wherever it was cut off."""

    port: int
    path: str
    token: str
    viewer: str
    form: str
    events: list[dict[str, Any]] = field(default_factory=list)
    doubled: int = 0
    gaps: int = 0
    opened: int = 0
    goal: int = sys.maxsize
    connection: http.client.HTTPConnection | None = None

    @property
    def last(self) -> int:
        """Return the last version that arrived."""
        return int(self.events[-1]["version"]) if self.events else 0

    def follow(self) -> None:
        """Follow the game until the last event has arrived."""
        while self.last < self.goal:
            self.opened += 1
            with suppress(*_CUT):
                for event in self._arriving():
                    self.doubled += event["version"] <= self.last
                    self.gaps += event["version"] > self.last + 1
                    self.events.append(event)

    def cut(self) -> None:
        """Cut the connection, if there is one."""
        connection = self.connection
        if connection is not None and connection.sock is not None:
            with suppress(OSError):
                connection.sock.shutdown(SHUT_RDWR)

    def _arriving(self) -> Iterator[dict[str, Any]]:
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE)
        wait = "&wait=20" if self.form == "wait" else ""
        headers = {"Accept": _FORMS[self.form]} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        path = f"{self.path}/events?as={self.viewer}&after={self.last}{wait}"
        self.connection.request("GET", path, headers=headers)
        response = self.connection.getresponse()
        if response.status != http.client.OK:
            raise SystemExit(f"{path}: {response.status} {response.read()!r}")
        try:
            yield from orjson.loads(response.read())["events"] if wait else self._streamed(response)
        finally:
            self.connection.close()

    def _streamed(self, response: http.client.HTTPResponse) -> Iterator[dict[str, Any]]:
        """Return the events of a stream; a line without its end is dropped."""
        while (line := response.readline()).endswith(b"\n"):
            data = line.removeprefix(b"data: ") if self.form == "sse" else line
            if data.startswith(b"{") and "version" in (event := orjson.loads(data)):
                yield event
            if self.last >= self.goal:
                return


def log(game: Person, token: str, port: int, viewer: str) -> list[dict[str, Any]]:
    """Return the whole log of a game, from pages."""
    events: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        page = ask(port, f"{path_of(game)}/events?as={viewer}&after={after}&limit=1000", None, token)
        events, after = events + page["events"], page["next"]
    return events


def path_of(game: Person) -> str:
    """Return the path of a game."""
    return f"/v1/games/{game.notes.game_id}"


def cut_at_random(clients: list[Client], until: float) -> int:
    """Cut each client's connection about once a second; return the number of cuts."""
    cuts = 0
    while time.monotonic() < until:
        time.sleep(1 / len(clients))
        random.choice(clients).cut()
        cuts += 1
    return cuts


def main() -> None:
    """Play, follow and cut; then compare every client's log with the pages."""
    number, seconds = size(0, 100, 6), size(1, 180, 3)
    with engine() as url, web("service.runtime.wsgi:app", {"REDIS_URL": url, **unlimited()}) as port:
        token = ask(port, "/v1/players", {"name": "Chaos"})["token"]
        games = [Person(port, token, SANDBOX, seed) for seed in range(_GAMES)]
        for game in games:
            game.begin()
        forms = [*_FORMS]
        clients = [
            Client(
                port, path_of(games[i % _GAMES]), token, _VIEWERS[i // _GAMES % len(_VIEWERS)], forms[i % len(forms)]
            )
            for i in range(number)
        ]
        following = [threading.Thread(target=client.follow, daemon=True) for client in clients]
        for thread in following:
            thread.start()
        cuts = cut_at_random(clients, time.monotonic() + seconds)
        for game in games:
            if not game.stop(_PATIENCE):
                raise SystemExit("a request was not answered")
        logs = {(path_of(game), viewer): log(game, token, port, viewer) for game in games for viewer in _VIEWERS}
        for client in clients:
            client.goal = len(logs[client.path, client.viewer])
            client.cut()
        late = time.monotonic() + _PATIENCE
        for thread in following:
            thread.join(max(0.0, late - time.monotonic()))
        incomplete = sum(client.events != logs[client.path, client.viewer] for client in clients)
        events, opened = (
            sum(map(count, clients)) for count in (lambda each: len(each.events), lambda each: each.opened)
        )
        gaps, doubled = sum(client.gaps for client in clients), sum(client.doubled for client in clients)
    print(f"{number} clients of {_GAMES} games for {seconds} s: {cuts} cuts, {opened} connections, {events} events")
    print(f"gaps {gaps}, doubled {doubled}, incomplete logs {incomplete}")
    if gaps or doubled or incomplete:
        sys.exit(1)


if __name__ == "__main__":
    main()
