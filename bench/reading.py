"""How long a view, all legal actions and a picture take over HTTP, for one reader, beside a bare response.

    python -m bench.reading [ruleset] [seats] [games] [--quick]

A player who holds every seat plays random games; before each action, the seat to act reads everything.
"""

import json
import random
import time
from collections import defaultdict
from http.client import HTTPConnection
from typing import Any

from bench.servers import engine, web
from bench.sizes import size

PATHS = {
    "view, with its legal actions": "/view",
    "all legal actions, with their schema": "/legal-actions",
    "picture": "/board.svg",
}
Times = dict[str, list[float]]


class Reader:
    """A player on one connection that is kept open."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port)
        self._headers = {"Content-Type": "application/json"}
        self._headers["Authorization"] = f"Bearer {self.ask('POST', '/v1/players', {'name': 'Ada'})['token']}"

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request; return the response, parsed if it is JSON."""
        self._connection.request(method, path, None if body is None else json.dumps(body), self._headers)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status >= 400:
            raise SystemExit(f"refused: {content!r}")
        return json.loads(content) if "json" in answer.headers["Content-Type"] else content

    def timed(self, path: str, took: list[float]) -> Any:
        """Read, and record how many milliseconds it took."""
        began = time.perf_counter()
        answer = self.ask("GET", path)
        took.append(1000 * (time.perf_counter() - began))
        return answer


def play(reader: Reader, ruleset: str, seats: int, rng: random.Random, took: Times) -> None:
    """Play a random game, a random kind of action first, and read before every action."""
    wish = {"ruleset": ruleset, "sandbox": True, "seats": [{"player": "me"}] * seats}
    game = f"/v1/games/{reader.ask('POST', '/v1/games', wish)['id']}"
    while True:
        reader.timed("/healthz", took["bare answer"])
        read = {name: reader.timed(game + path, took[name]) for name, path in PATHS.items()}
        kinds = defaultdict(list)
        for action in read["all legal actions, with their schema"]["actions"]:
            kinds[action["type"]].append(action)
        if not kinds:
            return
        reader.ask("POST", f"{game}/actions", rng.choice(kinds[rng.choice(sorted(kinds))]))


def main() -> None:
    """Measure, and print the figures."""
    ruleset, seats, games = size(0, "plateau", "le-plateau"), size(1, 2, 3), size(2, 3, 1)
    took: Times = defaultdict(list)
    environ = {"PLATEAU_LOG_LEVEL": "warning", "PLATEAU_LIMITS": "requests=0"}
    with engine() as url, web("service.runtime.wsgi:app", {"REDIS_URL": url, **environ}) as port:
        reader = Reader(port)
        for seed in range(games):
            play(reader, ruleset, seats, random.Random(seed), took)
    for name, times in took.items():
        times.sort()
        print(f"{name:37} p50 {times[len(times) // 2]:6.2f} ms  p99 {times[len(times) * 99 // 100]:6.2f} ms")


if __name__ == "__main__":
    main()
