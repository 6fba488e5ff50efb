"""What a flood of requests costs other players: their p95 at a human pace, compared with no flood.

    python -m bench.floods [seconds a turn] [connections of a flood] [turns]

A few honest players read their games and act in them, about ten times a second each. Others send requests without a
pause, on many connections: one player to many games; one player to a single game, and so to one shard; or one address
with a token for each connection. All run on the same machine with one web process and without rate limits, so only the
line of requests and the processor protect the honest players. Turns with and without the flood alternate; the median of
their ratios counts.
"""

import http.client
import json
import multiprocessing
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from statistics import median
from typing import Any

from bench.attacks import client, player, sandbox
from bench.servers import engine, unlimited, web
from bench.sizes import size

_HONEST = 4
_PAUSE_SECONDS = 0.08
_REFUSED = 503


def honest(port: int, number: int, seconds: float) -> list[float]:
    """Play at a human pace from an address of its own; return the response times in seconds."""
    ask, rng, took = player(port, f"127.0.1.{number}"), random.Random(number), list[float]()
    game, ends = sandbox(ask, "plute", 6), time.perf_counter() + seconds

    def timed(*request: Any) -> Any:
        time.sleep(_PAUSE_SECONDS * rng.random() * 2)
        began = time.perf_counter()
        answer = ask(*request)
        took.append(time.perf_counter() - began)
        return answer

    while time.perf_counter() < ends:
        view = timed("GET", f"{game}/view")
        if view["to_act"]:
            timed("POST", f"{game}/actions", rng.choice(view["legal_actions"]["actions"]))
        else:
            game = sandbox(ask, "plute", 6)
    return took


def p95(port: int, seconds: float) -> float:
    """Let all honest players play at once; return their p95 in ms."""
    with multiprocessing.Pool(_HONEST) as pool:
        played = pool.starmap(honest, [(port, number, seconds) for number in range(1, _HONEST + 1)])
    took = sorted(each for one in played for each in one)
    return took[len(took) * 95 // 100] * 1000


def one_player(port: int) -> tuple[list[str], list[str]]:
    """Return the tokens and the paths of a player who requests many games."""
    token = _newcomer(port)
    return [token], [f"{sandbox(client(port, token), 'le-plateau', 4)}/view" for _ in range(20)]


def one_shard(port: int) -> tuple[list[str], list[str]]:
    """Return the token and the path of a player who requests a single game."""
    token = _newcomer(port)
    return [token], [f"{sandbox(client(port, token), 'le-plateau', 4)}/view"]


def one_address(port: int) -> tuple[list[str], list[str]]:
    """Return the tokens of many players at one address, and the paths that all of them can request."""
    return [_newcomer(port) for _ in range(64)], ["/v1/games", "/v1/me"]


FLOODS: tuple[Callable[[int], tuple[list[str], list[str]]], ...] = (one_player, one_shard, one_address)


def _newcomer(port: int) -> str:
    token: str = client(port)("POST", "/v1/players", {"name": "Eve"})["token"]
    return token


def flood(port: int, connections: int, what: tuple[list[str], list[str]], answered: Any) -> None:
    """Send requests without a pause on a number of connections; count the statuses."""
    tokens, paths = what
    statuses: Counter[int] = Counter()

    def send(number: int) -> None:
        headers = {"Authorization": f"Bearer {tokens[number % len(tokens)]}"}
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        while True:
            connection.request("GET", paths[number % len(paths)], headers=headers)
            response = connection.getresponse()
            response.read()
            statuses[response.status] += 1

    for number in range(connections):
        threading.Thread(target=send, args=(number,), daemon=True).start()
    while True:
        time.sleep(0.1)
        answered.value = json.dumps(statuses).encode()


def flooded(
    port: int, connections: int, seconds: float, what: tuple[list[str], list[str]]
) -> tuple[float, Counter[str]]:
    """Return the p95 of the honest players during a flood, and the statuses of the flood."""
    answered: Any = multiprocessing.Array("c", 1024)
    attacker = multiprocessing.Process(target=flood, args=(port, connections, what, answered), daemon=True)
    attacker.start()
    try:
        time.sleep(1)
        return p95(port, seconds), Counter(json.loads(answered.value))
    finally:
        attacker.kill()
        attacker.join()


def main() -> None:
    """Measure each flood and the time without it, and print the ratios."""
    seconds, connections, turns = size(0, 3.0, 0.5), size(1, 200, 20), size(2, 5, 1)
    environ = {"PLATEAU_LOG_LEVEL": "error", **unlimited()}
    with engine() as url, web("service.runtime.wsgi:app", {"REDIS_URL": url, **environ}, processes=1) as port:
        p95(port, 1)
        for make in FLOODS:
            what = make(port)
            ratios, statuses = list[float](), Counter[str]()
            for _ in range(turns):
                calm = p95(port, seconds)
                busy, answered = flooded(port, connections, seconds, what)
                ratios.append(busy / calm)
                statuses += answered
            refused = statuses[str(_REFUSED)] / max(1, statuses.total())
            print(
                f"{make.__name__.replace('_', ' '):12} p95 {busy:7.1f} ms, without {calm:6.1f} ms (last turn): "
                f"{median(ratios):.1f} times ({min(ratios):.1f} to {max(ratios):.1f}); "
                f"flood {statuses.total() / (seconds + 1) / turns:,.0f} requests/s, {refused:.2f} of them refused",
                flush=True,
            )


if __name__ == "__main__":
    main()
