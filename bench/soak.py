"""A soak test: bots play while worker, dispatcher and Redis are killed over and over; then every log is checked.

    python -m bench.soak [cycles] [--quick]

Bots play games of every ruleset to the end; in some more games no seat moves, and each turn times out after a second. A
game is lost if it does not end, and an event if it was acknowledged but is not in its log. A request is doubled if it
is in a log twice, and a timeout is early if its second was not over. There must be none of these, with ``appendfsync
always``: with ``everysec``, a killed server can lose what it acknowledged last.
"""

import os
import random
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.sizes import is_quick, size
from domain.events import Clock
from domain.game import aggregate, history
from domain.game.durations import SECOND, instant
from domain.game.timeouts import Patience
from domain.log import chain
from domain.log.record import Record, visible
from domain.registry import RULESETS
from service.accounts.players import GUEST_SCOPES, Caller
from service.common import wall_clock
from service.games.commands import Create
from service.games.desk import Desk
from service.games.reading import Reader
from service.games.repository import GameRepository
from service.store.event_store import EventStore, StoreUnavailable
from service.store.redis.connections import connect
from tests.support.server import Hand, RealServer

GAMES, IDLE_GAMES, PROGRESS = (2, 1, 30) if is_quick() else (6, 4, 150)
BOT_SECONDS, PATIENCE = 1, 120
PLAYED = ["le-plateau"] if is_quick() else [*RULESETS]
CALLER = Caller("pl_bench", frozenset(GUEST_SCOPES))
A_SECOND = Clock("PT1S", None, None, "bot", "random")


class Soak:
    """The games, and what was seen of them."""

    def __init__(self, url: str, rng: random.Random) -> None:
        self._store = EventStore(connect(url))
        repository, patience = GameRepository(self._store), Patience(bot=(BOT_SECONDS + 2) * SECOND)
        self._desk = Desk(repository, wall_clock.now, patience, least_move=SECOND)
        self._reader = Reader(repository)
        self._rng = rng
        self._seen: dict[str, tuple[int, str]] = {}
        self.running: list[str] = []
        self.ended: list[str] = []
        self.idle = [begin(self._desk, "le-plateau", 3, A_SECOND) for _ in range(IDLE_GAMES)]

    def watch(self) -> None:
        """Read the running games, and create a new one for each that is over; everything that is read must stay."""
        for game_id in list(self.running):
            game = _found(self._reader, game_id)
            if game is None:
                return
            self._seen[game_id] = (game.version, game.head)
            if game.is_over:
                self.running.remove(game_id)
                self.ended.append(game_id)

    def fill(self) -> None:
        """Create games until enough are running."""
        while len(self.running) < GAMES:
            try:
                name = self._rng.choice(PLAYED)
                seats = self._rng.choice(RULESETS[name].seats)
                self.running.append(begin(self._desk, name, seats))
            except StoreUnavailable:
                time.sleep(0.05)

    def progress(self) -> int:
        """Count everything that was seen."""
        return sum(version for version, _ in self._seen.values())

    def judge(self) -> dict[str, int]:
        """Check every log; count the faults and the timeouts."""
        found = dict.fromkeys(("lost", "doubled", "timeouts", "early"), 0) | {"lost": len(self.running)}
        for game_id in self.ended:
            lost, doubled = _judged(self._store.read(game_id), self._seen[game_id])
            found["lost"] += lost
            found["doubled"] += doubled
        for game_id in self.idle:
            records = self._store.read(game_id)
            found["doubled"] += _doubled(records)
            thought = [_ms(each) - _ms(before) for before, each in pairwise(records) if each.type == "turn_timed_out"]
            found["timeouts"] += len(thought)
            found["early"] += sum(ms < SECOND for ms in thought)
        return found


def begin(desk: Desk, ruleset: str, seats: int, clock: Clock | None = None) -> str:
    """Create a game of ``random`` bots alone; or with a clock one whose creator has all seats."""
    mine = (clock is not None,) * seats
    wanted = Create(
        caller=CALLER,
        ruleset=RULESETS[ruleset],
        options={},
        mine=mine,
        visibility="unlisted",
        sandbox=clock is not None,
        bots=() if clock else tuple((seat, "random") for seat in range(seats)),
        clock=clock,
    )
    return desk.create(wanted)[0]


def _ms(record: Record) -> int:
    return instant(record.at)


def _found(reader: Reader, game_id: str) -> aggregate.Game | None:
    try:
        return reader.current(game_id)
    except StoreUnavailable:
        return None


def _judged(records: list[Record], seen: tuple[int, str]) -> tuple[bool, int]:
    game = history.fold(records)
    events = [visible(each, game.secrets, None, everything=True) for each in records]
    whole = chain.verify(events) == game.head and [each.version for each in records] == list(range(1, len(records) + 1))
    kept = len(records) >= seen[0] and records[seen[0] - 1].hash == seen[1]
    return not (whole and kept and game.is_over), _doubled(records)


def _doubled(records: list[Record]) -> int:
    runs = [each.request for i, each in enumerate(records) if i == 0 or records[i - 1].request != each.request]
    return len(runs) - len(set(runs))


def main() -> None:
    """Kill one process after the other; then let all games end, and check them."""
    cycles = size(0, 50, 2)
    rng, began = random.Random(1), time.monotonic()
    with TemporaryDirectory() as name:
        folder = Path(name)
        server = RealServer.start("valkey", folder / "data", tcp=True, extra=["--appendfsync", "always"])
        env = {"REDIS_URL": server.url, "PLATEAU_BOT_SECONDS": str(BOT_SECONDS), "PLATEAU_LOG_LEVEL": "error"}
        hands = [Hand(command, folder, env).start() for command in ("dispatch", "worker", "worker")]
        soak, kills = Soak(server.url, rng), dict.fromkeys(("dispatch", "worker", "redis"), 0)
        try:
            for cycle in range(cycles):
                soak.fill()
                _wait_for_progress(soak, hands)
                if (victim := rng.choice([*hands, None])) is None:
                    server.kill()
                    server.restart()
                else:
                    victim.kill()
                    victim.start()
                kills[victim.command if victim else "redis"] += 1
                if (cycle + 1) % 10 == 0:
                    took = time.monotonic() - began
                    print(f"  {cycle + 1} cycles, {len(soak.ended)} games over, {took:.0f} s", flush=True)
            deadline = time.monotonic() + PATIENCE
            while soak.running and time.monotonic() < deadline:
                soak.watch()
                _keep_alive(hands)
                time.sleep(0.1)
            found = soak.judge()
        finally:
            for each in (*hands, server):
                each.kill()
    done = ", ".join(f"{name} {times}" for name, times in kills.items())
    print(
        f"  cycles {cycles} (killed: {done}), games {len(soak.ended)}, "
        + ", ".join(f"{name} {number}" for name, number in found.items())
    )
    os._exit(1 if found["lost"] or found["doubled"] or found["early"] else 0)


def _wait_for_progress(soak: Soak, hands: Sequence[Hand]) -> None:
    """Wait until the games have advanced for some time, or until they have stood still for too long."""
    reached, deadline = soak.progress(), time.monotonic() + PATIENCE
    while soak.progress() < reached + PROGRESS:
        if time.monotonic() > deadline:
            raise SystemExit(f"the games have stopped: {soak.running}")
        soak.watch()
        if len(soak.running) < GAMES:
            soak.fill()
        _keep_alive(hands)
        time.sleep(0.02)


def _keep_alive(hands: Sequence[Hand]) -> None:
    """Start the processes again that have ended by themselves."""
    for hand in hands:
        if hand.has_ended():
            hand.kill()
            hand.start()


if __name__ == "__main__":
    main()
