"""A Redis with workers on it, and what several tests do there."""

from pathlib import Path
from typing import Any

import redis

from domain.events import Clock
from domain.game import history
from domain.game.durations import SECOND, instant
from domain.game.timeouts import Patience
from domain.log import chain
from domain.log.record import visible
from service.accounts.players import GUEST_SCOPES, Caller, Players
from service.common import wall_clock
from service.store.event_store import EventStore, StoreUnavailable
from service.store.redis.connections import connect
from tests.support.games import ADA, requests_of, spec
from tests.support.server import Hand, RealServer
from tests.support.wiring import Games

START = instant("2026-01-01T12:00:00.000Z")
BOT_SECONDS = 1


class Place:
    """A Redis of its own, the use cases on it, and the processes that a test starts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = RealServer.start("valkey", folder / "engine", tcp=True, extra=("--appendfsync", "always"))
        self.client = connect(self.server.url)
        self.store = EventStore(self.client)
        self.games = Games(self.store, wall_clock.now, Patience(bot=(BOT_SECONDS + 2) * SECOND), least_move=SECOND)
        self._hands: list[Hand] = []

    def hand(self, command: str, **env: str) -> Hand:
        """Start a worker or a dispatcher."""
        folder = self.folder / f"{command}{len(self._hands)}"
        folder.mkdir()
        hand = Hand(command, folder, {"REDIS_URL": self.server.url, "PLATEAU_BOT_SECONDS": str(BOT_SECONDS)} | env)
        self._hands.append(hand.start())
        return hand

    def begin(self, *seats: str, rule: Clock | None = None, hands: int | None = None) -> str:
        """Create a game; a seat is 'me' or the name of a bot. The first of them is first to act."""
        bots = tuple((seat, name) for seat, name in enumerate(seats) if name != "me")
        mine = tuple(name == "me" for name in seats)
        options: dict[str, Any] = {"first_dealer": len(seats) - 1} | ({"hands": hands} if hands else {})
        more = {"bots": bots, "clock": rule}
        return self.games.create(ADA, spec(mine, sandbox=sum(mine) > 1, more=more, **options))[0]

    def version(self, game_id: str) -> int:
        """Return the version of a game; 0 while the service does not answer."""
        try:
            return self.client.xlen(self.store.keys_of(game_id).events)
        except redis.RedisError:
            return 0

    def is_over(self, game_id: str) -> bool:
        """Return whether a game is over."""
        try:
            return self.games.current(game_id).is_over
        except StoreUnavailable:
            return False

    def verify(self, game_id: str) -> None:
        """Check that a log is whole: no gaps or duplicates, a valid chain, and the same game as its fold."""
        records = self.store.read(game_id)
        game = history.fold(records)
        assert [record.version for record in records] == list(range(1, len(records) + 1))
        assert chain.verify([visible(each, game.secrets, None, everything=True) for each in records]) == game.head
        requests = requests_of(records)
        assert len(requests) == len(set(requests))
        assert not game.is_over or game == self.games.current(game_id)

    def close(self) -> None:
        """End everything."""
        for hand in self._hands:
            hand.kill()
        self.client.close()
        self.server.stop()


def jobs_in(queue):
    """Take all jobs out of a queue: ids of games, and the versions at which to handle them."""
    return [queue.take() for _ in range(queue.waiting())]


def three_players(client):
    """Create three players."""
    registry = Players(client, wall_clock.now)
    players = [Caller(registry.create(name)[0].id, frozenset(GUEST_SCOPES)) for name in ("Ada", "Bob", "Cleo")]
    registry.close()
    return players


class Killed(Exception):
    """The process ended here."""


class Dying:
    """Lets this process end at a place: before or after a command to Redis, or in the middle of a pipeline."""

    def __init__(self, monkeypatch, at, client):
        self._left = at
        clients, pipelines = type(client), type(client.pipeline())
        single, whole = clients.execute_command, pipelines.execute

        def execute_command(client, *args, **options):
            self._step()
            reply = single(client, *args, **options)
            self._step()
            return reply

        def execute(pipe, **options):
            self._step()
            commands, scripts, half = pipe.command_stack, pipe.scripts, len(pipe.command_stack) // 2
            pipe.command_stack = commands[:half]
            replies = whole(pipe, **options)
            self._step()
            pipe.command_stack, pipe.scripts = commands[half:], scripts
            replies += whole(pipe, **options)
            self._step()
            return replies

        monkeypatch.setattr(clients, "execute_command", execute_command)
        monkeypatch.setattr(pipelines, "execute", execute)

    def _step(self):
        self._left -= 1
        if self._left < 0:
            raise Killed


def deadline(house, game_id):
    """Return when a game is due, and in which of the two sets that stands."""
    shard = house.store.shard(game_id)
    found = {name: house.client.zscore(getattr(shard, name), game_id) for name in ("deadlines", "second_looks")}
    return {name: score - START for name, score in found.items() if score is not None}
