"""What an action pays for the audit: chain, seals and receipt, side by side with them switched off; and the tree.

    python -m bench.audit_cost [actions] [--quick]

Sandboxes of each ruleset are played by turns: one as always, others with chain, seals and receipts left out, which only
a benchmark can do. Counted is the processor time of the app in a web process (medians; a deal seals more, and is rare).
The share is of all processor time that the service takes for an action over HTTP: the web process with its server, and
Redis. The tree of heads is the work of another process. What a leaf takes there counts as if each game were logged once
in ten actions, a slow game with one root an hour.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from statistics import median
from typing import Any
from unittest.mock import patch

from flask.testing import FlaskClient

from bench.processor import seconds_of_children
from bench.reading import Reader
from bench.servers import engine, unlimited, web
from bench.sizes import size
from domain.log import chain
from service.common import wall_clock
from service.config.settings import Settings
from service.runtime.wiring import wire
from service.store.redis.connections import connect
from service.transparency.receipts import Receipts
from service.transparency.transparency_log import TransparencyLog
from service.transparency.unlogged import Unlogged
from workers.log_worker import LogWorker

TABLES = {"le-plateau": 4, "plateau": 2, "french-tarot": 4, "plute": 6}
LONG: Mapping[str, Any] = {"le-plateau": {"hands": 120}, "french-tarot": {"deals": 100}}
"""Options with which a game does not end before the benchmark does."""
LEAF_IN = 10
"""In how many actions a game is logged once."""
LEAST = 100
"""How many actions are needed for processor time that is told in hundredths of a second."""

CONSTANT = "0" * 64
PARTS: Mapping[str, Callable[[], Any]] = {
    "chain": lambda: patch.object(chain, "link", lambda *_: CONSTANT),
    "seals": lambda: patch.multiple(chain, salt=lambda *_: CONSTANT[:32], seal=lambda *_: CONSTANT),
    "receipts": lambda: patch.object(Receipts, "of", lambda *_: ""),
}
"""How each part is switched off."""

Ask = Callable[[str, str, Any], Any]
"""Sends a request as a player: method, path, body or None; returns the parsed response."""


class Table:
    """A sandbox in which the first legal action is always taken."""

    def __init__(self, ask: Ask, ruleset: str) -> None:
        self._ask, self._ruleset = ask, ruleset
        self._begin()

    def _begin(self) -> None:
        wish = {"ruleset": self._ruleset, "seats": [{"player": "me"}] * TABLES[self._ruleset], "sandbox": True}
        wish["options"] = LONG.get(self._ruleset, {})
        self._path = f"/v1/games/{self._ask('POST', '/v1/games', wish)['id']}"

    def listed(self) -> list[Any]:
        """Return the first legal action, of another game if this one is over."""
        while not (actions := self._ask("GET", f"{self._path}/legal-actions?limit=1", None)["actions"]):
            self._begin()
        return list(actions)

    def act(self, action: Any) -> None:
        """Take an action."""
        self._ask("POST", f"{self._path}/actions", action)


def main() -> None:
    """Play, and print the shares."""
    times = size(0, 600, 10)
    with engine() as url:
        environ = {"REDIS_URL": url, "PLATEAU_ALLOW_UNSAFE_REDIS": "1", **unlimited()}
        app = wire(Settings.from_environment(environ))
        services, player = app.extensions["plateau"], _player(app.test_client())
        paid = {ruleset: compare(player, ruleset, times) for ruleset in TABLES}
        for _ in range(times):
            Table(player, "plateau")
        leaf = leaves(url, services.receipts.ring.sign)
        services.players.close()
        print(f"tree {leaf * 1e6:6.0f} µs a leaf, in the process of the head keeper")
        with web("service.runtime.wsgi:app", environ, processes=1) as port:
            for ruleset in TABLES:
                whole = over_http(Reader(port).ask, ruleset, max(times, LEAST))
                share = (paid[ruleset] + leaf / LEAF_IN) / whole
                print(f"{ruleset:12} whole service {whole * 1e6:6.0f} µs an action   share {share:.3f}")


def compare(ask: Ask, ruleset: str, times: int) -> float:
    """Take actions with everything, without everything, and without each part, by turns; print the medians.

    Return what everything takes, in seconds.
    """
    kinds: dict[str, Callable[[], Any]] = {"with all": ExitStack, "without": _all_off, **PARTS}
    tables, took = {kind: Table(ask, ruleset) for kind in kinds}, {kind: list[float]() for kind in kinds}
    for _ in range(times):
        for kind, without in kinds.items():
            (action,) = tables[kind].listed()
            with without():
                began = time.thread_time()
                tables[kind].act(action)
                took[kind].append(time.thread_time() - began)
    found = {kind: median(each) for kind, each in took.items()}
    parts = "  ".join(f"{kind} {(found['with all'] - found[kind]) * 1e6:4.0f} µs" for kind in PARTS)
    whole, bare = found["with all"], found["without"]
    print(f"{ruleset:12} app {whole * 1e6:6.0f} µs   without {bare * 1e6:6.0f} µs   ratio {whole / bare:.3f}   {parts}")
    return whole - bare


@contextmanager
def _all_off() -> Iterator[None]:
    with ExitStack() as stack:
        for off in PARTS.values():
            stack.enter_context(off())
        yield


def leaves(url: str, sign: Any) -> float:
    """Log the heads of all games of the benchmark, and return the processor time in seconds for each."""
    with connect(url) as redis:
        keeper = LogWorker(TransparencyLog(redis), Unlogged(redis, Settings().shards), sign, wall_clock.now, 1)
        began = time.thread_time()
        logged = keeper.keep()
        return (time.thread_time() - began) / logged


def over_http(ask: Ask, ruleset: str, times: int) -> float:
    """Return the processor time in seconds that the service takes for an action, by that of its processes."""
    table, began = Table(ask, ruleset), _processor()
    for _ in range(times):
        (action,) = table.listed()
        table.act(action)
    both, began = _processor() - began, _processor()
    for _ in range(times):
        table.listed()
    return (both - (_processor() - began)) / times


def _processor() -> float:
    seconds = seconds_of_children()
    if seconds is None:
        raise SystemExit("the processor time of other processes is known on Linux only")
    return seconds


def _player(client: FlaskClient) -> Ask:
    """Return what asks the app in this process as a new player."""
    sent: dict[str, str] = {}

    def ask(method: str, path: str, body: Any) -> Any:
        answer = client.open(path, method=method, json=body, headers=sent)
        if answer.status_code not in {200, 201}:
            raise SystemExit(f"refused: {answer.text}")
        return answer.json

    sent["Authorization"] = f"Bearer {ask('POST', '/v1/players', {'name': 'Ada'})['token']}"
    return ask


if __name__ == "__main__":
    main()
