"""Dispatcher, sweeper and one worker as threads of a process that keeps its games in memory."""

import logging
import threading
from collections.abc import Sequence

import redis

from service.games.repository import GameRepository
from service.jobs.fair_queue import FairQueue, Job
from service.runtime.settings import Settings
from service.store import keys
from service.store.change_feed import DISPATCHERS, ChangeFeed
from service.store.deadlines import Deadlines
from service.store.heartbeat import Heartbeat
from workers.dispatcher import Dispatcher
from workers.processes import Feeding, StopSignal, lease_ms, sweeping, turn_worker_on, until
from workers.sweeper import Sweeper

_log = logging.getLogger("plateau.worker")


class LocalQueue:
    """A queue for the threads of one process, one of which is the worker."""

    def __init__(self, client: redis.Redis) -> None:
        self._line = FairQueue(client, keys.CALLS)
        self._called = threading.Event()

    def put(self, jobs: Sequence[Job]) -> None:
        """Add jobs, and wake the worker; each game waits at most once."""
        if jobs:
            self._line.put(jobs)
            self._called.set()

    def take(self) -> tuple[str, int | None] | None:
        """Take the next game, with the version at which to handle it (None: any); None if no game is waiting."""
        return self._line.take()

    def wait(self) -> None:
        """Wait for the next call."""
        self._called.wait()
        self._called.clear()

    def waiting(self) -> int:
        """Count the games that the worker has not taken."""
        return self._line.waiting()

    def is_urgent(self) -> bool:
        """Return whether a player is waiting for a game in the line."""
        return self._line.is_urgent()


def run_in_threads(client: redis.Redis, settings: Settings, repository: GameRepository, heartbeat: Heartbeat) -> None:
    """Start the threads; they end with the process."""
    jobs, stop = LocalQueue(client), StopSignal()
    turn_worker = turn_worker_on(client, settings, repository, heartbeat, jobs)
    dispatcher = Dispatcher(ChangeFeed(client, settings.shards, DISPATCHERS, "in-process"), jobs)
    sweeper = Sweeper(Deadlines(client, settings.shards, lease_ms(settings)), jobs, heartbeat)

    def work() -> None:
        jobs.wait()
        while (job := jobs.take()) is not None:
            try:
                turn_worker.handle(*job)
            except Exception:  # noqa: BLE001 - the next job must still run; the sweeper finds this one again
                _log.exception("handling %s failed", job[0])

    for loop in (Feeding(dispatcher).run, sweeping(sweeper), work):
        threading.Thread(target=until, args=(stop, loop), daemon=True).start()
