"""What an action pays for the audit: chain, seals and receipt, side by side with them switched off; and the tree.

    python -m bench.audit_cost [actions] [--quick]

Two sandboxes of each ruleset are played by turns, one as always, the other with chain, seals and receipts left out,
which only a benchmark can do. Counted is the processor time of the web process; Redis runs beside. Deals, which have
most seals, count like all other actions. The tree of heads is the work of another process: what a leaf takes is shown,
and counts once for every action, as if no game went on by more than one action between two roots.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from flask.testing import FlaskClient

from bench.servers import engine
from bench.sizes import size
from domain.log import chain
from service import wall_clock
from service.heads.head_log import HeadLog
from service.heads.unlogged import Unlogged
from service.runtime.wiring import wire
from service.settings import Settings
from service.signing.receipts import Receipts
from service.store.connections import connect
from workers.head_keeper import HeadKeeper

TABLES = {"le-plateau": 4, "plateau": 2, "french-tarot": 4, "plute": 6}
LONG: Mapping[str, Any] = {"le-plateau": {"hands": 120}, "french-tarot": {"deals": 100}}
"""Options with which a game does not end before the benchmark does."""

CONSTANT = "0" * 64
PARTS: Mapping[str, Callable[[], Any]] = {
    "chain": lambda: patch.object(chain, "link", lambda *_: CONSTANT),
    "seals": lambda: patch.multiple(chain, salt=lambda *_: CONSTANT[:32], seal=lambda *_: CONSTANT),
    "receipts": lambda: patch.object(Receipts, "of", lambda *_: ""),
}
"""How each part is switched off."""


class Table:
    """A sandbox in which the first legal action is always taken."""

    def __init__(self, client: FlaskClient, ruleset: str, sent: Mapping[str, str]) -> None:
        self._client, self._ruleset, self._sent = client, ruleset, sent
        self._begin()

    def _begin(self) -> None:
        wish = {"ruleset": self._ruleset, "seats": [{"player": "me"}] * TABLES[self._ruleset], "sandbox": True}
        wish["options"] = LONG.get(self._ruleset, {})
        self._path = f"/v1/games/{_posted(self._client, '/v1/games', wish, self._sent)['id']}"

    def act(self, without: Callable[[], Any]) -> float:
        """Take an action, and return the processor time in seconds of this thread for it."""
        while not (listed := self._client.get(f"{self._path}/legal-actions?limit=1", headers=self._sent).json["actions"]):  # type: ignore[index]
            self._begin()
        with without():
            began = time.thread_time()
            _posted(self._client, f"{self._path}/actions", listed[0], self._sent)
            return time.thread_time() - began


def main() -> None:
    """Play, and print the shares."""
    times = size(0, 600, 10)
    with engine() as url:
        app = wire(Settings(redis_url=url, allow_unsafe_redis=True))
        client, services = app.test_client(), app.extensions["plateau"]
        token = _posted(client, "/v1/players", {"name": "Ada"}, {})["token"]
        sent = {"Authorization": f"Bearer {token}"}
        for ruleset in TABLES:
            compare(client, ruleset, sent, times)
        leaf = leaves(url, services.receipts.ring.sign)
        services.players.close()
    print(f"tree {leaf * 1e6:6.0f} µs a leaf, in the process of the head keeper")


def compare(client: FlaskClient, ruleset: str, sent: Mapping[str, str], times: int) -> None:
    """Take actions with everything, without everything, and without each part, by turns; print the means."""
    kinds: dict[str, Callable[[], Any]] = {"with all": ExitStack, "without": _all_off, **PARTS}
    tables, took = {kind: Table(client, ruleset, sent) for kind in kinds}, dict.fromkeys(kinds, 0.0)
    for _ in range(times):
        for kind, without in kinds.items():
            took[kind] += tables[kind].act(without)
    whole, bare = (took[kind] / times for kind in ("with all", "without"))
    parts = "  ".join(f"{kind} {(took['with all'] - took[kind]) / times * 1e6:4.0f} µs" for kind in PARTS)
    print(
        f"{ruleset:12} action {whole * 1e6:6.0f} µs   without {bare * 1e6:6.0f} µs   share {1 - bare / whole:.3f}   "
        f"{parts}"
    )


@contextmanager
def _all_off() -> Iterator[None]:
    with ExitStack() as stack:
        for off in PARTS.values():
            stack.enter_context(off())
        yield


def leaves(url: str, sign: Any) -> float:
    """Log the heads of all games of the benchmark, and return the processor time in seconds for each."""
    with connect(url) as redis:
        keeper = HeadKeeper(HeadLog(redis), Unlogged(redis, Settings().shards), sign, wall_clock.now, 1)
        began = time.thread_time()
        logged = keeper.keep()
        return (time.thread_time() - began) / logged


def _posted(client: FlaskClient, path: str, body: Mapping[str, Any], sent: Mapping[str, str]) -> Any:
    answer = client.post(path, json=body, headers=sent)
    if answer.status_code != 201:
        raise SystemExit(f"refused: {answer.text}")
    return answer.json


if __name__ == "__main__":
    main()
