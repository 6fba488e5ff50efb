"""The queue of jobs: games wait in the line (``service.jobs.fair_queue``), and RQ, by dotted name, calls workers to it.

A call only says that a game waits: the worker that answers it takes whoever is next by then. So it is the line that
decides on the order, and not who called first. A job only says where to look; what has to be done stands in the log.
Jobs and calls may be lost, doubled and late, and the queue may be emptied: the sweep finds again whatever matters.
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
"""What workers take from; the former holds jobs from the time before there was a line, and nothing is added to it."""

SERIALIZER = JSONSerializer
"""Whoever can write to the queue can make workers call functions with plain values, and no more than that."""

_ANSWER = "workers.tasks.handle_next"
_KEPT_SECONDS = 60
_MOST_CALLS = 64
"""More calls than workers do nothing."""


class JobQueue(Protocol):
    """Where games wait for a worker."""

    def put(self, jobs: Sequence[Job]) -> None:
        """Add jobs; a game waits once."""

    def take(self) -> tuple[str, int | None] | None:
        """Take the next game, with the version at which to see to it (None: any); None if no game waits."""

    def waiting(self) -> int:
        """Count the games that no worker has taken."""

    def is_urgent(self) -> bool:
        """Say whether a player waits for a game that no worker has taken."""


class RqQueue:
    """The queue on a Redis of RQ's; ``seconds`` is how long a call may take before the worker gives it up."""

    def __init__(self, client: redis.Redis, seconds: int) -> None:
        self._calls = Queue(NAME, connection=client, serializer=SERIALIZER)
        self._line = FairQueue(client, self._calls.key)
        self._seconds = seconds

    def put(self, jobs: Sequence[Job]) -> None:
        """Add jobs, and call workers, but no more than there are games; a game waits once."""
        if jobs:
            self._call(self._line.put(jobs), len(jobs))

    def take(self) -> tuple[str, int | None] | None:
        """Take the next game, with the version at which to see to it (None: any); None if no game waits."""
        return self._line.take()

    def call_on(self) -> None:
        """Call one more worker if there are more games than calls."""
        self._call(self._line.put(()), 1)

    def waiting(self) -> int:
        """Count the games that no worker has taken."""
        return self._line.waiting()

    def is_urgent(self) -> bool:
        """Say whether a player waits for a game that no worker has taken."""
        return self._line.is_urgent()

    def _call(self, waiting: Waiting, most: int) -> None:
        missing = min(waiting.games, _MOST_CALLS) - waiting.calls
        with unavailable():
            for _ in range(min(missing, most)):
                self._calls.enqueue(_ANSWER, job_timeout=self._seconds, result_ttl=0, failure_ttl=_KEPT_SECONDS)
