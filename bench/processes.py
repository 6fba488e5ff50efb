"""A dispatcher and workers in processes of their own, for the benchmarks, and games for them to play."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from domain.events import Clock
from domain.game.durations import SECOND
from domain.game.timeouts import Patience
from domain.registry import RULESETS
from service.accounts.players import GUEST_SCOPES, Caller
from service.common import wall_clock
from service.games.commands import Create
from service.games.desk import Desk
from service.games.reading import Reader
from service.games.repository import GameRepository
from service.store.event_store import EventStore
from service.store.redis.connections import connect

CALLER = Caller("pl_bench", frozenset(GUEST_SCOPES))


class Process:
    """One process: ``worker`` or ``dispatch``."""

    def __init__(self, command: str, url: str, bot_seconds: int) -> None:
        self.command = command
        self._environ = os.environ | {
            "REDIS_URL": url,
            "PLATEAU_BOT_SECONDS": str(bot_seconds),
            "PLATEAU_BOT_PACE_MS": "0",
            "PLATEAU_LOG_LEVEL": "error",
        }
        self._process: subprocess.Popen[bytes]
        self.start()

    def start(self) -> None:
        """Start the process, or restart it after ``kill``."""
        self._process = subprocess.Popen([sys.executable, "-m", "service.cli.workers", self.command], env=self._environ)

    def keep_alive(self) -> None:
        """Restart the process if it has ended by itself."""
        if self._process.poll() is not None:
            self.start()

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()


@contextmanager
def dispatcher_and_workers(url: str, workers: int, bot_seconds: int) -> Iterator[list[Process]]:
    """Run a dispatcher and a number of workers."""
    processes = [Process(command, url, bot_seconds) for command in ["dispatch", *["worker"] * workers]]
    try:
        yield processes
    finally:
        for process in processes:
            process.kill()


def desk_and_reader(url: str, bot_seconds: int) -> tuple[Desk, Reader]:
    """Return a desk and a reader of this process's own."""
    repository = GameRepository(EventStore(connect(url)))
    patience = Patience(bot=(bot_seconds + 2) * SECOND)
    return Desk(repository, wall_clock.now, patience, least_move=SECOND), Reader(repository)


def begin(desk: Desk, bots: Sequence[bool], *, ruleset: str, rule: Clock | None = None) -> str:
    """Create a game: ``random`` bots take the seats of ``bots``, its creator the others."""
    seated = tuple((seat, "random") for seat, is_bot in enumerate(bots) if is_bot)
    mine = tuple(not is_bot for is_bot in bots)
    wanted = Create(
        caller=CALLER,
        ruleset=RULESETS[ruleset],
        options={},
        mine=mine,
        visibility="unlisted",
        sandbox=sum(mine) > 1,
        bots=seated,
        clock=rule,
    )
    return desk.create(wanted)[0]
