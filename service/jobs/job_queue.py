"""The job queue: games wait in the line (``service.jobs.fair_queue``), and RQ calls workers to it by a dotted name.

A call only wakes a worker, which then takes the next game. So the line determines the order, not the calls. A job only
names a game; the log determines what has to be done. Jobs and calls can be lost, duplicated and late, and the queue can
be emptied: the sweep finds all pending work again.
"""

from collections.abc import Sequence
from typing import Protocol

import redis
from rq import Queue
from rq.serializers import JSONSerializer

from service.jobs.fair_queue import FairQueue, Job, Waiting
from service.store.event_store import unavailable

NAME = "plateau"
"""The queue of calls."""

QUEUES = ("plateau-awaited", NAME)
"""The queues that workers take from; the first holds jobs from before the line existed, and gets no new ones."""

SERIALIZER = JSONSerializer
"""With JSON, someone who can write to the queue can only make workers call functions with plain values."""

_ANSWER = "workers.tasks.handle_next"
_KEPT_SECONDS = 60
_MOST_CALLS = 64
"""More calls than workers have no effect."""


class JobQueue(Protocol):
    """Where games wait for a worker."""

    def put(self, jobs: Sequence[Job]) -> None:
        """Add jobs; each game waits at most once."""

    def take(self) -> tuple[str, int | None] | None:
        """Take the next game, with the version at which to handle it (None: any); None if no game is waiting."""

    def waiting(self) -> int:
        """Count the games that no worker has taken."""

    def is_urgent(self) -> bool:
        """Return whether a player is waiting for a game that no worker has taken."""


class RqQueue:
    """The queue on the Redis that RQ uses; a worker gives up a call that takes longer than ``seconds``."""

    def __init__(self, client: redis.Redis, seconds: int) -> None:
        self._calls = Queue(NAME, connection=client, serializer=SERIALIZER)
        self._line = FairQueue(client, self._calls.key)
        self._seconds = seconds

    def put(self, jobs: Sequence[Job]) -> None:
        """Add jobs, and call at most as many workers as games are waiting; each game waits at most once."""
        if jobs:
            self._call(self._line.put(jobs), len(jobs))

    def take(self) -> tuple[str, int | None] | None:
        """Take the next game, with the version at which to handle it (None: any); None if no game is waiting."""
        return self._line.take()

    def call_on(self) -> None:
        """Call one more worker if there are more games than calls."""
        self._call(self._line.put(()), 1)

    def waiting(self) -> int:
        """Count the games that no worker has taken."""
        return self._line.waiting()

    def is_urgent(self) -> bool:
        """Return whether a player is waiting for a game that no worker has taken."""
        return self._line.is_urgent()

    def _call(self, waiting: Waiting, most: int) -> None:
        missing = min(waiting.games, _MOST_CALLS) - waiting.calls
        with unavailable():
            for _ in range(min(missing, most)):
                self._calls.enqueue(_ANSWER, job_timeout=self._seconds, result_ttl=0, failure_ttl=_KEPT_SECONDS)
