"""Webhooks: deliveries a second beside a plain loop of posts to the same receiver, and the delay from an append.

    python -m bench.webhooks [webhooks] [messages of each] [games]

Redis, the courier, the dispatcher, the receiver and the bench share the machine. The plain loop has as many threads as
the courier and a connection for each receiver; it signs nothing, records nothing and cannot lose anything that it does
not have. The delay is from the time of the event in the log of a game to the arrival of its message.
"""

import asyncio
import multiprocessing
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection

import orjson
import urllib3

from bench.processes import Process, desk_and_reader
from bench.servers import engine
from bench.sizes import size
from domain.game.durations import instant
from domain.registry import RULESETS
from service.accounts.players import GUEST_SCOPES, Caller, Players
from service.common import wall_clock
from service.config.settings import Settings
from service.games.commands import Create, Join
from service.games.desk import Desk
from service.inbox.notice import Notice
from service.inbox.notice_log import NoticeLog
from service.notifications.delivery.destinations import Destinations
from service.notifications.delivery.due_destinations import DueDestinations
from service.notifications.delivery.outside_addresses import Rules
from service.notifications.webhook.deliveries import Deliveries
from service.notifications.webhook.webhook_service import WebhookService
from service.notifications.webhook.webhook_store import Webhooks
from service.store.redis.connections import connect
from tests.ports import free_port

THREADS = Settings().courier_threads
_MESSAGES_OF_A_START = 3
_RESPONSE = b"HTTP/1.1 204 No Content\r\n\r\n"

Arrivals = list[tuple[float, float]]
"""For each message, when it arrived and when what it tells of happened, in seconds since 1970."""


def _receive(port: int, asked: Connection) -> None:
    """Respond to every message at once; send the arrivals since the last time whenever asked."""
    arrivals: Arrivals = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
                body = await reader.readexactly(length)
                arrivals.append((time.time(), instant(orjson.loads(body)["timestamp"]) / 1000))
                writer.write(_RESPONSE)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", port, backlog=512)
        asked.send(None)
        while await asyncio.to_thread(_is_asked, asked):
            asked.send(arrivals[:])
            arrivals.clear()
        server.close()

    asyncio.run(run())


def _is_asked(asked: Connection) -> bool:
    return bool(asked.recv())


class Receiver:
    """A receiver in a process of its own."""

    def __init__(self) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}/"
        self._pipe, other = multiprocessing.Pipe()
        self._process = multiprocessing.get_context("spawn").Process(target=_receive, args=(port, other), daemon=True)
        self._process.start()
        self._pipe.recv()

    def arrivals(self, number: int) -> Arrivals:
        """Wait for a number of messages, and return them in the order of their arrival."""
        found: Arrivals = []
        while len(found) < number:
            time.sleep(0.02)
            self._pipe.send("go on")
            found += self._pipe.recv()
        return sorted(found)

    def close(self) -> None:
        """End the receiver."""
        self._pipe.send("")
        self._process.join()


@contextmanager
def _running(url: str, *commands: str) -> Iterator[None]:
    os.environ["PLATEAU_ALLOW_UNSAFE_WEBHOOKS"] = "1"
    processes = [Process(command, url, 10) for command in commands]
    try:
        yield
    finally:
        for process in processes:
            process.kill()


def _players(url: str, number: int, receiver: str) -> list[str]:
    """Make players, each with a webhook."""
    client = connect(url)
    players = Players(client, wall_clock.now)
    webhooks = Webhooks(client, wall_clock.now_ms)
    tending = WebhookService(
        webhooks, Deliveries(client), DueDestinations(client), Rules(anywhere=True), wall_clock.now_ms
    )
    made = [players.create("Ada")[0].id for _ in range(number)]
    for each in made:
        tending.create(each, receiver, None)
    players.close()
    return made


def _rate(arrivals: Arrivals) -> float:
    return (len(arrivals) - 1) / (arrivals[-1][0] - arrivals[0][0])


def delivered(receiver: Receiver, webhooks: int, messages: int) -> float:
    """Return how many messages a second a courier delivers that finds all of them waiting."""
    with engine() as url:
        client = connect(url)
        players = _players(url, webhooks, receiver.url)
        for version in range(messages):
            notices = [Notice("your_turn", each, "gm_1", version, wall_clock.now(), {"seat": 1}) for each in players]
            NoticeLog(client).add(notices)
        DueDestinations(client).make_due(Destinations(client).of(players))
        with _running(url, "courier"):
            return _rate(receiver.arrivals(webhooks * messages))


def posted(receiver: Receiver, webhooks: int, messages: int) -> float:
    """Return how many messages a second a plain loop posts."""
    body = orjson.dumps(
        {"type": "your_turn", "timestamp": wall_clock.now(), "data": {"game_id": "gm_1", "version": 1, "seat": 1}}
    )

    def post(_: int) -> None:
        with urllib3.PoolManager() as pool:
            for _ in range(messages):
                pool.request("POST", receiver.url, body=body, headers={"Content-Type": "application/json"})

    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(post, range(webhooks)))
    return _rate(receiver.arrivals(webhooks * messages))


def delays(receiver: Receiver, games: int) -> Sequence[float]:
    """Start games of two players, 20 in a second; return the delays of their messages in ms, the shortest first."""
    with engine() as url, _running(url, "dispatch", "courier"):
        players = _players(url, 8, receiver.url)
        desk, _ = desk_and_reader(url)
        _start(desk, *players[:2])
        receiver.arrivals(_MESSAGES_OF_A_START)  # both processes are up
        for number in range(games):
            _start(desk, players[number * 2 % 8], players[(number * 2 + 1) % 8])
            time.sleep(0.05)
        arrivals = receiver.arrivals(_MESSAGES_OF_A_START * games)
    return sorted(1000 * (arrived - happened) for arrived, happened in arrivals)


def _start(desk: Desk, creator: str, other: str) -> None:
    """Start a game: both players hear of it, and the first one of the turn."""
    ada, bob = (Caller(player, frozenset(GUEST_SCOPES)) for player in (creator, other))
    ruleset, mine = RULESETS["plateau"], (True, False)
    wanted = Create(caller=ada, ruleset=ruleset, options={}, mine=mine, visibility="unlisted", sandbox=False)
    game_id, _ = desk.create(wanted)
    desk.do(desk.enter(game_id, lambda _: None), Join(now=0, caller=bob, seat=1))


def main() -> None:
    """Measure the rates in turn, and the delays."""
    webhooks, messages, games = size(0, 40, 4), size(1, 100, 5), size(2, 300, 4)
    receiver = Receiver()
    for _ in range(size(3, 3, 1)):
        ours, plain = delivered(receiver, webhooks, messages), posted(receiver, webhooks, messages)
        print(f"  delivered {ours:6.0f}/s  plain loop {plain:6.0f}/s  ratio {ours / plain:.2f}", flush=True)
    took = delays(receiver, games)
    p50, p99 = took[len(took) // 2], took[len(took) * 99 // 100]
    print(f"  delay  p50 {p50:.1f} ms  p99 {p99:.1f} ms  ({len(took)} messages)")
    receiver.close()


if __name__ == "__main__":
    main()
