"""Dispatcher, notifier, sweeper, courier and one worker as threads of a process with its games in memory."""

import logging
import threading
import time
from collections.abc import Sequence

import redis

from service.common.observability import METRICS
from service.config.settings import Settings
from service.games.repository import GameRepository
from service.jobs.fair_queue import FairQueue, Job, Waiting
from service.store.change_feed import DISPATCHERS, ChangeFeed
from service.store.deadlines import Deadlines
from service.store.heartbeat import Heartbeat
from workers.courier import courier_on
from workers.dispatcher import Dispatcher, Sweeper
from workers.loops import StopSignal, until
from workers.processes import keeping_heads_on, keeping_sets_on, notifier_on, reminding_on, turn_worker_on

_log = logging.getLogger("plateau.worker")


class LocalQueue(FairQueue):
    def __init__(self, client: redis.Redis) -> None:
        super().__init__(client)
        self._called = threading.Event()

    def put(self, jobs: Sequence[Job]) -> Waiting:
        """Add jobs, and wake the worker; each game waits at most once."""
        waiting = super().put(jobs)
        self._called.set()
        return waiting

    def wait(self) -> None:
        self._called.wait()
        self._called.clear()


def run_in_threads(client: redis.Redis, settings: Settings, repository: GameRepository, heartbeat: Heartbeat) -> None:
    """Start the threads; they end with the process."""
    jobs, stop = LocalQueue(client), StopSignal()
    turn_worker = turn_worker_on(client, settings, repository, heartbeat, jobs)
    dispatcher = Dispatcher(ChangeFeed(client, settings.shards, DISPATCHERS, "in-process"), jobs)
    notifier = notifier_on(client, settings, "in-process")
    sweeper = Sweeper(Deadlines(client, settings.shards, settings.patience.bot), jobs, heartbeat)

    def work() -> None:
        jobs.wait()
        while (job := jobs.take()) is not None:
            began = time.monotonic()
            try:
                turn_worker.handle(*job)
            except Exception:  # noqa: BLE001 - the next job must still run; the sweeper finds this one again
                _log.exception("handling %s failed", job[0])
            METRICS.time("job", time.monotonic() - began)

    courier, heads = courier_on(client, settings, heartbeat.clock), keeping_heads_on(client, settings)
    beside = [sweeper.run, reminding_on(client, settings, heartbeat), heads, courier.run]
    beside += keeping_sets_on(client, settings)
    for loop in (dispatcher.run, notifier.run, *beside, work):
        threading.Thread(target=until, args=(stop, loop), daemon=True).start()
