"""Accepted actions a second over HTTP, compared with a bare Flask route on the same server, workers and Redis.

    python -m bench.throughput [games at once …] [--quick]

The choices are prepared in advance (the bench reads the secrets of the games from Redis and plays them on), so the load
consists only of requests. There are as many connections as games, and each waits for its response. Load, web processes
and Redis share the machine; only the ratio counts.
"""

import json
import random
import re
import selectors
import socket
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bench.processor import seconds_by_program
from bench.servers import bare_web, engine, web
from bench.sizes import given, is_quick
from domain.game import aggregate, history
from domain.registry import RULESETS
from service.accounts.players import Players
from service.common.observability import BOUNDS
from service.common.wall_clock import now
from service.games.commands import Create
from service.games.desk import Desk
from service.games.projections.representations import action_data
from service.games.repository import GameRepository
from service.store.codec import entry_of
from service.store.event_store import EventStore
from service.store.redis.connections import connect
from service.store.reporting import counted

SEATS, ACTIONS = 4, 120
_PAIRS = 5
_LONG_HOLD = 0.005
_LONG = {"le-plateau": {"hands": SEATS * 10}, "french-tarot": {"deals": 20}}
"""Options of games that last for long enough."""


@dataclass(slots=True)
class Load:
    """One connection: the requests that it sends, one after the other, and the time of each response."""

    requests: list[bytes]
    sent: int = 0
    began: float = 0.0
    received: bytes = b""
    took: list[float] = field(default_factory=list)


def prepare(
    url: str, games: int, ruleset_id: str = "le-plateau", seats: int = SEATS, actions: int = ACTIONS
) -> tuple[list[list[bytes]], int]:
    """Create games on a Redis; return the requests that play them on, and the mean bytes that one appends."""
    client = connect(url)
    store, players = EventStore(client), Players(client, now)
    store.all_shards.begin()
    desk = Desk(GameRepository(store), now)
    _, token = players.create("Bench")
    caller = players.authenticate(token)
    assert caller is not None
    rng = random.Random(1)
    ruleset = RULESETS[ruleset_id]
    scripts, appended = [], 0
    for _ in range(games):
        wanted = Create(
            caller=caller,
            ruleset=ruleset,
            options=_LONG.get(ruleset_id, {}),
            sitters=(caller.player,) * seats,
            visibility="unlisted",
            sandbox=True,
        )
        game_id, _ = desk.create(wanted)
        game = history.fold(store.read(game_id))
        bodies = []
        for _ in range(actions):
            seat = min(game.pending)
            action = rng.choice(ruleset.legal_actions(game.state, seat))
            bodies.append(json.dumps(action_data(ruleset, action)).encode())
            records, game = history.record(game, aggregate.act(game, seat, action), game.at, "0" * 16)
            appended += sum(len(entry_of(record)) for record in records)
        scripts.append([_request(game_id, token, body) for body in bodies])
    players.close()
    return scripts, appended // (games * actions)


def _request(game_id: str, token: str, body: bytes) -> bytes:
    head = (
        f"POST /v1/games/{game_id}/actions HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def run(connections: Sequence[socket.socket], scripts: Sequence[list[bytes]]) -> tuple[float, list[float]]:
    """Send every script over its connection; return requests a second, and the latencies in ms."""
    selector = selectors.DefaultSelector()
    loads = [Load(script) for script in scripts]
    began = time.perf_counter()
    for connection, load in zip(connections, loads, strict=True):
        selector.register(connection, selectors.EVENT_READ, load)
        _send(connection, load)
    while selector.get_map():
        for key, _ in selector.select():
            _receive(selector, key.fileobj, key.data)
    took = time.perf_counter() - began
    return sum(len(load.took) for load in loads) / took, [t * 1000 for load in loads for t in load.took]


def connect_to(port: int) -> socket.socket:
    """Open a connection that stays with one web process, like a client's."""
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def _send(connection: object, load: Load) -> None:
    assert isinstance(connection, socket.socket)
    load.began = time.perf_counter()
    connection.sendall(load.requests[load.sent])
    load.sent += 1


def _receive(selector: selectors.BaseSelector, connection: object, load: Load) -> None:
    assert isinstance(connection, socket.socket)
    load.received += connection.recv(1 << 16)
    head, _, body = load.received.partition(b"\r\n\r\n")
    if not body or len(body) < int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]):
        return
    if not head.startswith(b"HTTP/1.1 201"):
        raise SystemExit(f"refused: {load.received!r}")
    load.took.append(time.perf_counter() - load.began)
    load.received = b""
    if load.sent < len(load.requests):
        _send(connection, load)
    else:
        selector.unregister(connection)


class Measured(NamedTuple):
    """Actions a second, p50 and p99 in ms, and the processor time of web processes, Redis and load, in µs an action.

    ``holds`` is how often one request held an event loop for more than 5 ms since the Redis was started.
    """

    rate: float
    p50: float
    p99: float
    web: float
    redis: float
    load: float
    holds: int


def measure(name: str, url: str, games: int) -> Measured:
    """Warm up two web processes, then load them."""
    scripts, size = prepare(url, games)
    environ = {
        "REDIS_URL": url,
        "QUEUE_URL": url,
        "PLATEAU_LOG_LEVEL": "warning",
        "BENCH_EVENT_BYTES": str(size),
    }
    environ["PLATEAU_LIMITS"] = "requests=0"  # one player plays all the games
    serve, app = (web, "service.runtime.wsgi:app") if name == "plateau" else (bare_web, "bench.ceiling:app")
    with serve(app, environ) as port:
        connections = [connect_to(port) for _ in scripts]
        run(connections, [script[:20] for script in scripts])
        before, own = seconds_by_program(), time.process_time()
        rate, took = run(connections, [script[20:] for script in scripts])
        own, after = time.process_time() - own, seconds_by_program()
        for connection in connections:
            connection.close()
    took.sort()
    spent = {program: after[program] - before.get(program, 0.0) for program in after}
    of_redis = sum(seconds for program, seconds in spent.items() if program.startswith(("redis", "valkey")))
    of_web = sum(spent.values()) - of_redis
    return Measured(
        rate=rate,
        p50=took[len(took) // 2],
        p99=took[len(took) * 99 // 100],
        web=1e6 * of_web / len(took),
        redis=1e6 * of_redis / len(took),
        load=1e6 * own / len(took),
        holds=_holds(url),
    )


def _holds(url: str) -> int:
    """Read the last reports of the web processes; see ``plateau_loop_held_seconds``."""
    first = BOUNDS.index(_LONG_HOLD) + 1
    return sum(
        number
        for (name, _), number in counted(connect(url)).items()
        if (match := re.fullmatch(r"loop_held:(\d+)", name)) and int(match[1]) >= first
    )


def main() -> None:
    """Measure both in turn, and print the ratio."""
    counts = [int(text) for text in given()] or ([2] if is_quick() else [16, 64])
    pairs = 1 if is_quick() else _PAIRS
    with engine() as url:
        for games in counts:
            ratios = []
            for _ in range(pairs):
                rows = {}
                for name in ("plateau", "ceiling"):
                    rows[name] = measure(name, url, games)
                    rate, p50, p99, *spent, holds = rows[name]
                    print(
                        f"{games:3} games  {name:8} {rate:7,.0f} actions/s  p50 {p50:6.2f} ms  p99 {p99:6.2f} ms  "
                        "web {:5.0f}, Redis {:4.0f}, load {:4.0f} µs an action".format(*spent)
                        + (f"  loop held for 5 ms: {holds} times so far" if name == "plateau" else ""),
                        flush=True,
                    )
                ratios.append(rows["plateau"].rate / rows["ceiling"].rate)
            each = ", ".join(f"{ratio:.2f}" for ratio in ratios)
            print(f"{games:3} games  ratio to the ceiling: median {statistics.median(ratios):.2f} of {each}")


if __name__ == "__main__":
    main()
