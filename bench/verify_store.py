"""How fast ``plateau verify --all`` goes through a store of many small games, and how much memory it takes.

    python -m bench.verify_store [games] [--quick]

Each game of Plateau is its own, of a few turns, and ends by a resignation; every tenth goes on. The command runs as a
process, with processes below it. Beside it stands the same check in one process, and reading the logs alone.
"""

import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from bench.servers import engine
from bench.sizes import size
from domain.game import aggregate, history, seating
from domain.game.aggregate import Decided, Game
from domain.game.seating import NewGame
from domain.log.record import Record
from domain.registry import RULESETS
from service.games.commit import listing_of
from service.games.store_audit import StoreAudit
from service.store.codec import canonical
from service.store.event_store import Append, EventStore
from service.store.redis.connections import connect

AT = "2026-01-01T00:00:00.000Z"
TURNS = 6
ONE_IN = 10
"""One game in so many goes on."""


def game(number: int) -> tuple[Game, list[Record]]:
    """Play a small game."""
    rng, ruleset = random.Random(number), RULESETS["plateau"]
    options, sitters = ruleset.options.complete({}, 2), (f"pl_{number}", f"pl_{number}")
    new = NewGame(f"gm_{number:020x}", ruleset, options, "public", sandbox=True, creator=sitters[0], sitters=sitters)
    records, now = _written(None, seating.create(new, rng.randbytes(32)))
    for _ in range(TURNS):
        (seat,) = now.pending
        action = rng.choice(ruleset.legal_actions(now.state, seat))
        more, now = _written(now, aggregate.act(now, seat, action))
        records += more
    if number % ONE_IN:
        more, now = _written(now, aggregate.resign(now, rng.randrange(2)))
        records += more
    return now, records


def _written(before: Game | None, step: Decided) -> tuple[list[Record], Game]:
    request = f"{0 if before is None else before.version:016x}"
    return history.record(before, step, AT, request, canonical)


def filled(store: EventStore, games: int) -> int:
    """Put games into a store; return how many events they have."""
    events = 0
    for number in range(games):
        now, records = game(number)
        store.append(Append(now.id, 0, records, head="", listing=listing_of(None, now)))
        events += len(records)
    return events


def seconds(work: Callable[[], object]) -> float:
    """Return how long something takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def audited(store: EventStore, games: Sequence[str]) -> Iterator[bool]:
    """Check games in this process."""
    audit = StoreAudit(store)
    for each in games:
        report = audit.check(each)
        yield report.fault is None and not report.unchecked


def main() -> None:
    """Fill a store, verify it, and print the figures."""
    games = size(0, 10_000, 20)
    with engine() as url, connect(url) as client:
        store = EventStore(client)
        events = filled(store, games)
        ids = [*store.game_ids()]
        part = ids[: max(20, games // 10)]
        share = events * len(part) / games
        reading = share / seconds(lambda: [store.read(each) for each in part])
        alone = share / seconds(lambda: _check(all(audited(store, part))))
        command = [sys.executable, "-m", "service.cli.main", "verify", "--all"]
        environ = {**os.environ, "REDIS_URL": url, "PLATEAU_ALLOW_UNSAFE_REDIS": "1"}
        took = seconds(lambda: subprocess.run(command, env=environ, check=True))
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1e3
    print(
        f"{games} games, {events} events in {took:.1f} s: {games / took:.0f} games/s, {events / took:.0f} events/s, "
        f"{events / processor:.0f} events for a second of processor time   "
        f"one process {alone:.0f} events/s   reading alone {reading:.0f} events/s   largest process {memory:.0f} MB"
    )


def _check(verified: bool) -> None:
    if not verified:
        raise SystemExit("an honest game does not verify")


if __name__ == "__main__":
    main()
