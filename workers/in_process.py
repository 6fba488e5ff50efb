"""Dispatcher, clock and one worker as threads of a process that keeps its games in memory: nobody else can see them."""

import logging
import threading
from collections.abc import Sequence

import redis

from service.games.desk import Games
from service.jobs.fair_queue import Job, Line
from service.runtime.settings import Settings
from service.store import keys
from service.store.change_feed import DISPATCHERS, ChangeFeed
from service.store.deadlines import Deadlines
from service.store.heartbeat import Pulse
from workers.dispatcher import Dispatcher
from workers.processes import Feeding, Stop, attendant_on, lease_ms, sweeping, until
from workers.sweeper import Clock

_log = logging.getLogger("plateau.worker")


class LocalQueue:
    """A queue for the threads of one process, one of which works."""

    def __init__(self, client: redis.Redis) -> None:
        self._line = Line(client, keys.CALLS)
        self._called = threading.Event()

    def put(self, jobs: Sequence[Job]) -> None:
        """Add jobs, and call the worker; a game waits once."""
        if jobs:
            self._line.put(jobs)
            self._called.set()

    def take(self) -> tuple[str, int | None] | None:
        """Take the next game, with the version at which to see to it (None: any); None if no game waits."""
        return self._line.take()

    def wait(self) -> None:
        """Wait until called."""
        self._called.wait()
        self._called.clear()

    def waiting(self) -> int:
        """Count the games that the worker has not taken."""
        return self._line.waiting()

    def is_urgent(self) -> bool:
        """Say whether somebody waits for a game in the line."""
        return self._line.is_urgent()


def run_in_threads(client: redis.Redis, settings: Settings, games: Games, pulse: Pulse) -> None:
    """Start the threads; they end with the process."""
    jobs, stop = LocalQueue(client), Stop()
    attendant = attendant_on(client, settings, games, pulse, jobs)
    dispatcher = Dispatcher(ChangeFeed(client, settings.shards, DISPATCHERS, "in-process"), jobs)
    clock = Clock(Deadlines(client, settings.shards, lease_ms(settings)), jobs, pulse)

    def work() -> None:
        jobs.wait()
        while (job := jobs.take()) is not None:
            try:
                attendant.see_to(*job)
            except Exception:  # noqa: BLE001 - the next job is done all the same; this one is found again
                _log.exception("seeing to %s failed", job[0])

    for loop in (Feeding(dispatcher).run, sweeping(clock), work):
        threading.Thread(target=until, args=(stop, loop), daemon=True).start()
