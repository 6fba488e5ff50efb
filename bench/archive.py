"""What the archive makes of finished games: their bytes there, what stays in Redis, and what moving and reading take.

python -m bench.archive [games] [--quick]

Whole games are played at random, each seat by a player of its own. What stays of a game is all that Redis has of it
then, copied under other ids so often that only the copies count. Reading is that of a process without the game: from
Redis, from the archive in a folder, and from what it has kept of that.
"""

import random
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, cast

import redis

from bench.memory import TABLES, used
from bench.servers import engine
from bench.sizes import is_quick, size
from domain.registry import RULESETS
from service.accounts.players import Caller, Players
from service.common.wall_clock import now
from service.games.commands import Act, Create, Join
from service.games.desk import Desk
from service.games.reading import Reader
from service.games.repository import GameRepository
from service.store import keys
from service.store.archive.buckets import Folder
from service.store.archiving import Archive
from service.store.event_store import EventStore
from service.store.redis.connections import connect
from service.transparency.key_ring import KeyRing
from service.transparency.transparency_log import TransparencyLog
from service.transparency.unlogged import Unlogged
from workers.archiver import Archiver
from workers.log_worker import LogWorker

_COPIES = 20_000
_OF_A_PLAYER = 50
"""How many games the copies give each player."""
_GAME = re.compile(rb"gm_[0-9a-f]{20}")
_PLAYER = re.compile(rb"pl_[0-9a-f]{16}")


@dataclass(slots=True)
class Found:
    """What games of a table take: bytes a game, and seconds a game."""

    events: float
    log: float
    logged: float
    stored: float
    stays: float
    moving: float
    readings: tuple[float, float, float]


def main() -> None:
    """Measure each table, and print what its games take."""
    games = size(0, 20, 1)
    print(f"{'':18}{'in Redis, bytes a game':>34}{'object, bytes':>24}{'ms a game':>40}")
    header = ("events", "its log", "stays", "entries", "object", "ratio", "moving", "warm", "cold", "again")
    print(f"{'':18}" + "".join(f"{name:>10}" for name in header))
    for ruleset_id, seats in TABLES[:1] if is_quick() else TABLES:
        with engine(quiet=True) as url, tempfile.TemporaryDirectory() as folder:
            found = _measured(connect(url), Path(folder), ruleset_id, seats, games)
        cells = [found.events, found.log, found.stays, found.logged, found.stored]
        times = [1000 * each for each in (found.moving, *found.readings)]
        print(f"  {ruleset_id + ' ' + str(seats):16}" + "".join(f"{cell:10,.0f}" for cell in cells), end="")
        print(f"{found.stored / found.logged:10.2f}" + "".join(f"{each:10.2f}" for each in times))


def _measured(client: redis.Redis, folder: Path, ruleset_id: str, seats: int, games: int) -> Found:
    store, place = EventStore(client, archive=Folder(folder)), Folder(folder)
    store.begin()
    made = [_play(store, ruleset_id, seats, number) for number in range(games)]
    keeper = LogWorker(TransparencyLog(client), Unlogged(client, 16), KeyRing(client, now).sign, now, 3600)
    keeper.keep()
    logs = [keys.keys_of(each, store.all_shards).events for each in made]
    log = [int(cast("Any", client.memory_usage(each, samples=0))) for each in logs]
    entries = [[fields[b"e"] for _, fields in cast("Any", client.xrange(each))] for each in logs]
    warm = _time(made, lambda: GameRepository(EventStore(client)).fresh)
    archiver = Archiver(store, Archive(store, place), lambda: 2**52, 0)
    moving = _time(made, lambda: archiver.move_out)
    stored = [path.stat().st_size for path in folder.rglob("*.zst")]
    cold = _time(made, lambda: GameRepository(EventStore(client, archive=place)).fresh)
    _time(made, lambda: GameRepository(store).fresh)
    again = _time(made, lambda: GameRepository(store).fresh)
    stays = _stays(client, made[:5])
    sizes = median(map(len, entries)), median(log), median(sum(map(len, each)) for each in entries), median(stored)
    return Found(*sizes, stays, moving, (warm, cold, again))


def _time(games: Sequence[str], made: Callable[[], Callable[[str], object]]) -> float:
    """Return how long reading a game takes that the process does not have."""
    times = []
    for game_id in games:
        read = made()
        began = time.perf_counter()
        read(game_id)
        times.append(time.perf_counter() - began)
    return median(times)


def _play(store: EventStore, ruleset_id: str, seats: int, number: int) -> str:
    repository = GameRepository(store)
    desk, reader = Desk(repository, now), Reader(repository)
    players = Players(store.client, now)
    callers = [_caller(players) for _ in range(seats)]
    ruleset, rng = RULESETS[ruleset_id], random.Random(number)
    mine = (True, *(False,) * (seats - 1))
    wanted = Create(caller=callers[0], ruleset=ruleset, options={}, mine=mine, visibility="public", sandbox=False)
    game_id, _ = desk.create(wanted)
    for seat, caller in enumerate(callers[1:], 1):
        desk.do(reader.show(game_id, caller), Join(caller=caller, now=0, seat=seat))
    while not (game := reader.show(game_id, callers[0])).is_over:
        seat = rng.choice(sorted(game.pending))
        action = rng.choice(ruleset.legal_actions(game.state, seat))
        desk.do(game, Act(caller=callers[seat], seat=seat, action=action))
    players.close()
    return game_id


def _caller(players: Players) -> Caller:
    caller = players.authenticate(players.create("Bench")[1])
    assert caller is not None
    return caller


def _stays(client: redis.Redis, games: Sequence[str]) -> float:
    """Return how many bytes stay of an archived game, where there are many."""
    named = {game: _named(client, game.encode()) for game in games}
    before, copies = used(client), 200 if is_quick() else _COPIES
    for number in range(copies):
        pipe = client.pipeline(transaction=False)
        for kind, key, member, value in named[games[number % len(games)]]:
            name, *rest = [_another(each, number) for each in (key, member, value)]
            if kind == "hash":
                pipe.hset(name, rest[0], rest[1])
            else:
                pipe.zadd(name, {rest[0]: float(rest[1])})
        pipe.execute()
    return (used(client) - before) / copies


def _named(client: redis.Redis, game: bytes) -> list[tuple[str, bytes, bytes, bytes]]:
    """List all that Redis has of a game: the kind of key, the key, and a field with its value, or a member's score."""
    found = []
    for key in client.scan_iter(count=1000):
        kind = cast("Any", client.type(key)).decode()
        pairs: Sequence[tuple[bytes, bytes]] = ()
        if kind == "hash":
            pairs = [*cast("Any", client.hgetall(key)).items()]
        elif kind == "zset":
            members = cast("Any", client.zrange(key, 0, -1, withscores=True))
            pairs = [(member, str(score).encode()) for member, score in members]
        found += [(kind, key, member, value) for member, value in pairs if game in key or game in member]
        assert kind not in ("stream", "string", "list") or game not in key, f"{key!r} was not expected to stay"
    return found


def _another(text: bytes, number: int) -> bytes:
    """Return a text of another game, with other players every few games."""
    owner = number // _OF_A_PLAYER
    text = _GAME.sub(f"gm_{number:020x}".encode(), text)
    return _PLAYER.sub(lambda found: found[0][:-8] + f"{owner:08x}".encode(), text)


if __name__ == "__main__":
    main()
