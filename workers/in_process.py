"""Dispatcher, clock and one worker as threads of a process that keeps its games in memory: nobody else can see them."""

import logging
import threading
from itertools import count
from queue import PriorityQueue

import redis

from service.config import Settings
from service.deadlines import Deadlines
from service.feed import DISPATCHERS, ChangeFeed
from service.games import Games
from service.pulse import Pulse
from service.queue import Job
from workers.clock import Clock
from workers.dispatcher import Dispatcher
from workers.running import Feeding, Stop, attendant_on, lease_ms, sweeping, until

_log = logging.getLogger("plateau.worker")


class LocalQueue:
    """A queue for the threads of one process."""

    def __init__(self) -> None:
        self._jobs: PriorityQueue[tuple[bool, int, Job]] = PriorityQueue()
        self._numbers = count()

    def put(self, job: Job) -> None:
        """Add a job; a doubled one does nothing, like any that comes too late. They are few enough to wait in line."""
        self._jobs.put((not job.is_awaited, next(self._numbers), job))

    def waiting(self) -> int:
        """Count the jobs that nobody has begun."""
        return self._jobs.qsize()

    def others(self) -> int:
        """Count those of them that no player waits for."""
        return sum(is_other for is_other, *_ in list(self._jobs.queue))

    def take(self) -> Job:
        """Wait for a job."""
        return self._jobs.get()[-1]


def run_in_threads(client: redis.Redis, settings: Settings, games: Games, pulse: Pulse) -> None:
    """Start the threads; they end with the process."""
    jobs, stop = LocalQueue(), Stop()
    attendant = attendant_on(client, settings, games, pulse)
    dispatcher = Dispatcher(ChangeFeed(client, settings.shards, DISPATCHERS, "in-process"), jobs)
    clock = Clock(Deadlines(client, settings.shards, lease_ms(settings)), jobs, pulse)

    def work() -> None:
        job = jobs.take()
        try:
            attendant.see_to(job.game_id, job.version)
        except Exception:  # noqa: BLE001 - the next job is done all the same; this one is found again
            _log.exception("job %s failed", job.id)

    for loop in (Feeding(dispatcher).run, sweeping(clock), work):
        threading.Thread(target=until, args=(stop, loop), daemon=True).start()
