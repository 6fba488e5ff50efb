"""What attacks cost an honest client: its requests a second and p99 during each attack, compared with none.

    python -m bench.attacks [seconds an attack] [names of attacks …]

One player plays a sandbox game on one connection, as fast as the responses come. Each attack runs in a process of its
own, against the same service on the same machine, so even a harmless busy client takes processor time away: ``busy``
measures how much. The attacks on long logs have 64 connections each, and finished games of the longest ruleset to ask
for; with each of them, an honest client must have its response within 50 ms in 99 of 100 cases.
"""

import contextlib
import http.client
import json
import multiprocessing
import random
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bench.servers import engine, web
from bench.sizes import given, is_quick, size
from domain.laws.play import log_of, random_game
from domain.registry import RULESETS
from service.store.event_store import Append, EventStore
from service.store.redis.connections import connect

_CONNECTIONS = 8
_HONEST = "127.0.0.2"
"""The honest client's address: limits that an attacker reaches for its own address do not affect it."""
_HEAD = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
Ask = Callable[..., Any]


def client(port: int, token: str | None = None, address: str = "127.0.0.1") -> Ask:
    """Return a function that sends a request over one connection: (method, path, body) → parsed response."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(address, 0))
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})

    def ask(method: str, path: str, body: Any = None) -> Any:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        return json.loads(connection.getresponse().read() or b"null")

    return ask


def player(port: int, address: str = "127.0.0.1") -> Ask:
    """Return the ``ask`` of a new player."""
    return client(port, client(port, address=address)("POST", "/v1/players", {"name": "Ada"})["token"], address)


def sandbox(ask: Ask, ruleset: str, seats: int, **more: Any) -> str:
    """Create a game of one player with all its seats; return its path."""
    new = {"ruleset": ruleset, "seats": [{"player": "me"}] * seats, "sandbox": True, **more}
    return f"/v1/games/{ask('POST', '/v1/games', new)['id']}"


def play(port: int, seconds: float) -> tuple[float, float, float]:
    """Play for some time; return requests a second, p50 and p99 in ms."""
    ask, rng, took = player(port, _HONEST), random.Random(1), []

    def timed(*request: Any) -> Any:
        began = time.perf_counter()
        answer = ask(*request)
        took.append(time.perf_counter() - began)
        return answer

    game, ends = sandbox(ask, "plute", 6), time.perf_counter() + seconds
    while time.perf_counter() < ends:
        view = timed("GET", f"{game}/view")
        if view["to_act"]:
            timed("POST", f"{game}/actions", rng.choice(view["legal_actions"]["actions"]))
        else:
            game = sandbox(ask, "plute", 6)
    took.sort()
    return len(took) / seconds, took[len(took) // 2] * 1000, took[len(took) * 99 // 100] * 1000


def busy(port: int) -> None:
    """Request the health of the service repeatedly."""
    ask = client(port)
    while True:
        ask("GET", "/healthz")


def slow_bodies(port: int) -> None:
    """Send bodies that never end."""
    _held(port, 200, _HEAD + b"Content-Length: 100\r\n\r\n{")


def idle_connections(port: int) -> None:
    """Open connections and send nothing."""
    _held(port, 2300, b"")


def deaf_readers(port: int) -> None:
    """Request large responses, and do not read them."""
    _held(port, 2300, b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 50, reads=False)


def http_2(port: int) -> None:
    """Open HTTP/2 streams that wait for a body."""
    _held(port, 100, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00")


def _held(port: int, number: int, sent: bytes, *, reads: bool = True) -> None:
    """Hold a number of connections open; reopen one that was closed."""
    held: list[socket.socket] = []
    while True:
        while len(held) < number:
            with contextlib.suppress(OSError):
                held.append(socket.create_connection(("127.0.0.1", port)))
                held[-1].sendall(sent)
                held[-1].setblocking(False)  # noqa: FBT003
        time.sleep(0.2)
        held = [each for each in held if not reads or not _is_closed(each)]


def _is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1 << 16) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def long_lists(port: int) -> None:
    """Request the longest list of legal actions: the écarts of French Tarot with three players."""
    ask = player(port)
    game = sandbox(ask, "french-tarot", 3)
    while True:
        shown = ask("GET", f"{game}/view")["legal_actions"]
        if shown["actions"] is None:
            break
        bids = [each for each in shown["actions"] if each.get("contract") in ("petite", "garde")]
        ask("POST", f"{game}/actions", (bids or shown["actions"])[0])
    while True:
        ask("GET", f"{game}/legal-actions")


def many_games(port: int) -> None:
    """Create sandbox games with the shortest clock, and do not play them."""
    ask = player(port)
    while True:
        new = {"ruleset": "le-plateau", "seats": [{"player": "me"}] * 4, "sandbox": True, "clock": {"per_move": "PT5S"}}
        ask("POST", "/v1/games", new)


def join_and_leave(port: int) -> None:
    """Take a seat in an open game and leave it, repeatedly."""
    ask = player(port)
    game = ask("POST", "/v1/games", {"ruleset": "plateau", "seats": [{"open": True}] * 2})["id"]
    while True:
        ask("POST", f"/v1/games/{game}/seats", {"seat": 0})
        ask("DELETE", f"/v1/games/{game}/seats/0")


def padded_bodies(port: int) -> None:
    """Dry-run actions with bodies of nearly 64 KiB."""
    ask = player(port)
    game = sandbox(ask, "le-plateau", 4)
    while True:
        ask("POST", f"{game}/actions?dry_run=true", {"type": "play", "card": "RH", "x" * 60_000: 1})


# -- on long logs -------------------------------------------------------------------------------------------------


def look_back(port: int) -> None:
    """Look at earlier versions of the longest game."""
    _all_at_once(port, lambda rng: ("GET", f"{_game()}/view?at={_version(rng)}", None))


def draw_the_past(port: int) -> None:
    """Request scenes and pictures of the longest game, at versions whose score sheet is long."""
    _all_at_once(port, lambda rng: ("GET", f"{_game()}/{rng.choice(_DRAWN)}?at={_version(rng, least=0.9)}", None))


def export_all(port: int) -> None:
    """Export the longest game in every form."""
    _all_at_once(port, lambda rng: ("GET", f"{_game()}/export?format={rng.choice(_FORMATS)}", None))


def read_pages(port: int) -> None:
    """Read long pages of the longest log, with sentences."""
    _all_at_once(port, lambda rng: ("GET", f"{_game()}/events?limit=1000&lang=fr&after={_version(rng)}", None))


def read_cold_logs(port: int) -> None:
    """Read at random from more long games than a process caches."""
    _all_at_once(port, lambda rng: ("GET", f"{_game(rng)}/view", None))


def replay_streams(port: int) -> None:
    """Follow the longest log from its beginning, repeatedly."""
    _all_at_once(port, lambda _: ("GET", f"{_game()}/events?after=1", None), accept="application/x-ndjson")


def fork_late(port: int) -> None:
    """Fork the longest game near its end, as a spectator who must guess all hands."""
    _all_at_once(
        port,
        lambda rng: ("POST", f"{_game()}/forks", {"at": _version(rng, least=0.9), "as": None}),
        as_player=True,
    )


def ask_for_hints(port: int) -> None:
    """Request hints about earlier versions of the longest game."""
    _all_at_once(port, lambda rng: ("POST", f"{_game()}/hints?at={_version(rng)}", {}), as_player=True)


def _game(rng: random.Random | None = None) -> str:
    return f"/v1/games/{rng.choice(_LONGEST) if rng else _LONGEST[0]}"


_LONGEST = [f"gm_french-tarot_4_{number}" for number in range(2 if is_quick() else 24)]
_DEALS = 4 if is_quick() else 120
_DRAWN, _FORMATS = ("scene", "board.svg"), ("text", "audit", "bundle", "html")
_VERSIONS = 90 * _DEALS
"""The number of versions of each of these games, at least."""


def _version(rng: random.Random, least: float = 0.0) -> int:
    return rng.randrange(max(1, int(least * _VERSIONS)), _VERSIONS)


def _all_at_once(
    port: int, request: Callable[[random.Random], tuple[str, str, Any]], *, accept: str = "*/*", as_player: bool = False
) -> None:
    """Send requests over eight connections, each as fast as the responses come, and ignore the responses."""

    def send(number: int) -> None:
        rng, headers = random.Random(number), {"Accept": accept, "Content-Type": "application/json"}
        if as_player:
            token = client(port)("POST", "/v1/players", {"name": "Eve"})["token"]
            headers["Authorization"] = f"Bearer {token}"
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            with contextlib.suppress(OSError, http.client.HTTPException):
                while True:
                    method, path, body = request(rng)
                    connection.request(method, path, None if body is None else json.dumps(body), headers)
                    connection.getresponse().read()

    with ThreadPoolExecutor(_CONNECTIONS) as threads:
        list(threads.map(send, range(_CONNECTIONS)))


def fill(url: str) -> None:
    """Put the finished games that are requested into the store."""
    store = EventStore(connect(url))
    store.begin()
    for number, game_id in enumerate(_LONGEST):
        steps = random_game(RULESETS["french-tarot"], 4, number, {"deals": _DEALS})
        store.append(Append(game_id, 0, log_of([*steps]), head="", finished=1))


ON_LONG_LOGS: tuple[Callable[[int], None], ...] = (
    look_back, draw_the_past, export_all, read_pages, read_cold_logs, replay_streams, fork_late, ask_for_hints,
)  # fmt: skip
ATTACKS: tuple[Callable[[int], None], ...] = (
    busy, slow_bodies, idle_connections, deaf_readers, http_2, padded_bodies, long_lists, many_games, join_and_leave,
    *ON_LONG_LOGS,
)  # fmt: skip


def attacked(attack: Callable[[int], None], port: int, seconds: float) -> tuple[float, float, float, float]:
    """Play while an attack runs, with as many attackers as it needs.

    Return requests a second, p50, p99 and the longest response time of ``/healthz``, in ms.
    """
    number = 1 if attack in (slow_bodies, idle_connections, deaf_readers, http_2) else _CONNECTIONS
    attackers = [multiprocessing.Process(target=attack, args=(port,), daemon=True) for _ in range(number)]
    for attacker in attackers:
        attacker.start()
    try:
        with ThreadPoolExecutor(1) as watching:
            worst = watching.submit(_worst_health, port, seconds + 1)
            time.sleep(1)
            return *play(port, seconds), worst.result()
    finally:
        for attacker in attackers:
            attacker.kill()
            attacker.join()


def _worst_health(port: int, seconds: float) -> float:
    """Request the health of the service ten times a second, each time on a new connection."""
    ends, worst = time.perf_counter() + seconds, 0.0
    while time.perf_counter() < ends:
        began = time.perf_counter()
        client(port)("GET", "/healthz")
        worst = max(worst, time.perf_counter() - began)
        time.sleep(0.1)
    return worst * 1000


def main() -> None:
    """Measure each attack, and the time without it; print the ratios."""
    seconds, names = size(0, 5.0, 0.3), given()[1:]
    with engine() as url, web("service.runtime.wsgi:app", {"REDIS_URL": url, "PLATEAU_LOG_LEVEL": "error"}) as port:
        fill(url)
        play(port, 1)
        for attack in ATTACKS:
            if not names or attack.__name__ in names:
                _measure(attack, port, seconds)


def _measure(attack: Callable[[int], None], port: int, seconds: float) -> None:
    calm_rate, _, calm_p99 = play(port, seconds)
    rate, p50, p99, health = attacked(attack, port, seconds)
    name = attack.__name__.replace("_", " ")
    print(
        f"{name:17} {rate:6,.0f} requests/s  p50 {p50:6.1f} ms  p99 {p99:7.1f} ms; without {calm_rate:6,.0f}, "
        f"{calm_p99:5.1f} ms: {rate / calm_rate:.2f} times the rate, {p99 / calm_p99:.1f} times the p99; "
        f"health within {health:.0f} ms",
        flush=True,
    )


if __name__ == "__main__":
    main()
