"""Tables at which somebody plays whatever happens to the store, and what must be true of their games afterwards."""

import random
import threading
from collections import Counter
from typing import Any

import redis

from domain.game import history
from domain.log import chain
from domain.log.record import Record
from service.common.errors import NotFound
from service.store.event_store import EventStore, StoreUnavailable
from tests.support.games import ADA, body, choose, order, requests_of, sandbox
from tests.support.wiring import Games, games_on


def log(client: redis.Redis, game_id: str) -> list[Record]:
    return EventStore(client).read(game_id)


def verified(games: Games, game_id: str) -> str:
    """Check the whole log as a spectator receives it, page by page; return its head."""
    after, head = 0, chain.GENESIS
    while True:
        page = games.events(game_id, None, None, after, 100)
        head = chain.verify(page["events"], after=after, head=head)
        if page["next"] is None:
            return head
        after = page["next"]


class Table:
    """Someone who plays sandbox after sandbox, whatever happens, and notes what was acknowledged."""

    def __init__(self, games: Games) -> None:
        self.acknowledged: list[Any] = []
        self.refused = 0
        self._games = games
        self._rng = random.Random(0)
        self._stopped = threading.Event()

    def play(self) -> None:
        game_id = None
        while not self._stopped.is_set():
            try:
                game_id = self._act(game_id or sandbox(self._games, seats=3))
            except StoreUnavailable:
                self.refused += 1
            except NotFound:  # it was lost altogether, which `lost` finds
                game_id = None

    def stop(self) -> None:
        self._stopped.set()

    def _act(self, game_id: str) -> str | None:
        game, _ = self._games.look(game_id, ADA, None, None)
        if game.is_over:
            return None
        seat, action = choose(game, self._rng)
        self.acknowledged.append(body(self._games.act(game_id, ADA, order(action, seat=seat, version=game.version))))
        return game_id

    def lost(self, client: redis.Redis) -> list[Any]:
        """Return what was acknowledged and is not in the logs."""
        return [answer for answer in self.acknowledged if not _is_kept(answer, log(client, answer["game_id"]))]

    def check(self, client: redis.Redis) -> int:
        """Check that what was acknowledged is in the logs, once, and that these are whole.

        Return how many requests are there whose acknowledgement was lost.
        """
        assert self.lost(client) == []
        return self.check_logs(client)

    def check_logs(self, client: redis.Redis) -> int:
        """Check that the logs are whole, and nothing is there twice; return how many requests are not acknowledged."""
        game_ids = [key.decode().split(":")[2] for key in client.scan_iter("*:events")]
        logs = {game_id: log(client, game_id) for game_id in game_ids}
        acknowledged = Counter(answer["game_id"] for answer in self.acknowledged)
        unacknowledged = 0
        for game_id, records in logs.items():
            assert verified(self._games, game_id) == verified(games_on(client), game_id) == records[-1].hash
            assert self._games.show(game_id, None) == history.fold(records)
            requests = requests_of(records)
            assert len(set(requests)) == len(requests)
            unacknowledged += len(requests) - 1 - acknowledged[game_id]
        return unacknowledged


def _is_kept(answer: Any, records: list[Record]) -> bool:
    events = answer["events"]
    kept = records[events[0]["version"] - 1 : events[-1]["version"]]
    return [record.hash for record in kept] == [event["hash"] for event in events]
