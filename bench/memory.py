"""Redis memory for each event and each game, by ruleset and kind of entry, and its parts.

python -m bench.memory [games] [--quick]

Whole games are played at random through the desk, on a real server. The columns of an event: its memory in the stream,
the entry in that, and the hash, the seals and the body in the entry. Those of a game: all that the service stores of it
once it is over, and of that the log, and the stored responses.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import redis

from bench.servers import server
from bench.sizes import is_quick, size
from domain.registry import RULESETS
from service.accounts.players import Key, Players
from service.common.wall_clock import now
from service.games.commands import Act, Create
from service.games.desk import Desk
from service.games.reading import Reader
from service.games.repository import GameRepository
from service.store import codec
from service.store.event_store import EventStore
from service.store.redis.connections import connect

TABLES = (("le-plateau", 4), ("le-plateau", 6), ("plateau", 2), ("french-tarot", 4), ("plute", 6))
_FIXED = 51
"""Bytes of a compact entry before its body; the hash is 32 of them."""


@dataclass(slots=True)
class Found:
    """The memory of some games, and the bytes of their entries, by part."""

    games: int = 0
    events: int = 0
    used: int = 0
    logs: int = 0
    answers: int = 0
    parts: Counter[str] = field(default_factory=Counter)


def main() -> None:
    """Play games of each table in each way, and print what they take."""
    games = size(0, 10, 1)
    header = ("events", "memory", "entry", "hash", "seals", "body", "a game", "its log", "answers")
    print(f"{'':34}{'a game':>8}{'an event, bytes':>32}{'':>8}{'bytes':>18}")
    print(f"{'':34}" + "".join(f"{name:>9}" for name in header))
    for ruleset_id, seats in TABLES[:2] if is_quick() else TABLES:
        for keyed in (False, True):
            with server() as started:
                found = _measured(connect(started.url), ruleset_id, seats, games, keyed=keyed)
            _show(f"{ruleset_id} {seats}{', with keys' * keyed}", found)


def _show(name: str, found: Found) -> None:
    in_events = [found.logs, *(found.parts[part] for part in ("entry", "hash", "seals", "body"))]
    in_games = [found.used, found.logs, found.answers]
    cells = [found.events / found.games, *(part / found.events for part in in_events)]
    cells += [part / found.games for part in in_games]
    print(f"  {name:32}" + "".join(f"{cell:9,.0f}" for cell in cells))


def _measured(client: redis.Redis, ruleset_id: str, seats: int, games: int, *, keyed: bool) -> Found:
    store = EventStore(client)
    players = Players(client, now)
    _play(store, players, ruleset_id, seats, games=1, keyed=keyed)
    before, known = used(client), {*client.scan_iter("*:events")}
    found = Found(games, _play(store, players, ruleset_id, seats, games=games, keyed=keyed))
    found.used = used(client) - before
    for key in {*client.scan_iter("*:events")} - known:
        found.logs += _memory(client, key)
        for entry in _entries(client, key):
            found.parts.update(_parts(entry))
    found.answers = sum(_memory(client, key) for key in client.scan_iter("*:answer:*")) * games // (games + 1)
    players.close()
    return found


def _parts(entry: bytes) -> dict[str, int]:
    """Return how many bytes of an entry each part has."""
    seals = 32 * len(codec.unpacked("", 1, entry).sealed)
    return {"entry": len(entry), "hash": 32, "seals": seals, "body": len(entry) - _FIXED - seals}


def _play(store: EventStore, players: Players, ruleset_id: str, seats: int, *, games: int, keyed: bool) -> int:
    repository = GameRepository(store)
    desk, reader = Desk(repository, now), Reader(repository)
    _, token = players.create("Bench")
    caller = players.authenticate(token)
    assert caller is not None
    ruleset, rng, events = RULESETS[ruleset_id], random.Random(games), 0
    for _ in range(games):
        sitters = (caller.player,) * seats
        wanted = Create(caller=caller, ruleset=ruleset, options={}, sitters=sitters, visibility="public", sandbox=True)
        game_id, _ = desk.create(wanted)
        while not (game := reader.show(game_id, caller)).is_over:
            seat = rng.choice(sorted(game.pending))
            action = rng.choice(ruleset.legal_actions(game.state, seat))
            key = Key(f"{rng.random()}", "f" * 64) if keyed else None
            desk.do(game, Act(caller=caller, seat=seat, action=action, key=key))
        events += game.version
    return events


def _entries(client: redis.Redis, key: bytes) -> Iterator[bytes]:
    for _, fields in cast("list[tuple[bytes, dict[bytes, bytes]]]", client.xrange(key)):
        yield fields[b"e"]


def _memory(client: redis.Redis, key: bytes) -> int:
    return int(cast("Any", client.memory_usage(key, samples=0)))


def used(client: redis.Redis) -> int:
    """Return how many bytes the data of a Redis use."""
    found = client.info("memory")
    assert isinstance(found, dict)
    return int(found["used_memory_dataset"])


if __name__ == "__main__":
    main()
