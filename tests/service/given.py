"""What the tests of the service begin with: a store of every kind, the use cases on it, games to act in."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import fakeredis
import orjson
import pytest
import redis

from domain.game.aggregate import Game
from domain.log.record import Record
from domain.registry import RULESETS
from service import wall_clock
from service.accounts.players import GUEST_SCOPES, Caller
from service.games.commands import GameSpec, Key, Order
from service.games.desk import Games
from service.games.seat_commands import SeatWish
from service.store.codec import Answer
from service.store.connections import connect
from service.store.event_store import Append, EventStore
from tests.domain.play import Step
from tests.servers import PROGRAMS

KINDS = ("memory", *PROGRAMS)
"""Every store that a test may run on: the one in memory, and the servers that this machine has."""

ADA = Caller("pl_ada", frozenset(GUEST_SCOPES))
BOB = Caller("pl_bob", frozenset(GUEST_SCOPES))

RAW_HEAD = "0" * 64
"""The hash of every record that `record` makes."""


def empty_store(request: pytest.FixtureRequest) -> Iterator[redis.Redis]:
    """Give a client of an empty store of the kind (of KINDS) that is the fixture's parameter."""
    if request.param == "memory":
        with fakeredis.FakeRedis(server=fakeredis.FakeServer()) as client:
            yield client
    else:
        with connect(request.getfixturevalue({"valkey": "valkey_url", "redis": "real_redis_url"}[request.param])) as it:
            it.flushall()
            yield it


def games_on(client: redis.Redis) -> Games:
    """Make the use cases as a process that has just started has them."""
    return Games(EventStore(client), wall_clock.now)


def everything(client: redis.Redis) -> dict[bytes, Any]:
    """Read every key and all that is stored under it."""
    readers: Mapping[bytes, Callable[[bytes], Any]] = {
        b"stream": client.xrange,
        b"hash": client.hgetall,
        b"zset": lambda key: client.zrange(key, 0, -1, withscores=True),
        b"string": client.get,
    }
    return {key: readers[client.type(key)](key) for key in sorted(client.scan_iter())}


def append_of(step: Step, **more: Any) -> Append:
    """Append what a step of a random game recorded."""
    version, head = (step.before.version, step.before.head) if step.before else (0, "")
    return Append(step.game.id, version, step.records, head, **more)


def record(version: int, request: str, game_id: str = "gm_raw") -> Record:
    """Make a record that means nothing, for tests that look at the log only."""
    return Record(game_id, version, "noted", "2026-01-01T00:00:00.000Z", None, {}, {}, RAW_HEAD, {}, request)


def spec(seats: Iterable[bool] = (True, True), *, sandbox: bool = True, **options: Any) -> Callable[[], GameSpec]:
    """Ask for a game; a seat is the creator's, or open."""
    wanted = GameSpec(RULESETS["le-plateau"], options, tuple(seats), "public", sandbox)
    return lambda: wanted


def sandbox(games: Games, seats: int = 2) -> str:
    """Create a game in which Ada holds every seat; it has started."""
    return games.create(ADA, spec([True] * seats), None)[0]


def order(
    action: Any, *, seat: int | None = None, version: int | None = None, key: Key | None = None
) -> Callable[[], Order]:
    """Ask for an action."""
    return lambda: Order(lambda _: (action, None), seat, version, key)


def wish(seat: int | None = None, key: Key | None = None) -> Callable[[], SeatWish]:
    """Ask for a seat."""
    return lambda: SeatWish(seat, None, key)


def choose(game: Game, rng: random.Random) -> tuple[int, Any]:
    """Choose one of the seats to act, and one of its legal actions."""
    seat = rng.choice(sorted(game.pending))
    return seat, rng.choice(list(game.ruleset.legal_actions(game.state, seat)))


def play_on(games: Games, game_id: str, rng: random.Random, key: Key | None = None) -> Answer:
    """Carry out one legal action in Ada's sandbox, of the game as it is."""
    game, _ = games.look(game_id, ADA, None, None)
    seat, action = choose(game, rng)
    return games.act(game_id, ADA, order(action, seat=seat, key=key))


def body(answer: Answer) -> Any:
    """Read the JSON of an answer."""
    return orjson.loads(answer.body)


def requests_of(records: Iterable[Record]) -> list[str]:
    """List the requests that a log holds, each run of its events once, so that a doubled one shows twice."""
    found: list[str] = []
    for each in records:
        if not found or found[-1] != each.request:
            found.append(each.request)
    return found
