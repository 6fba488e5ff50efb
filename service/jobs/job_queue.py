"""The fair queue (``service.jobs.fair_queue``) as workers use it: RQ calls them to it by a dotted name.

A call only wakes a worker, which then takes the next game. So the queue determines the order, not the calls. A job only
names a game; the log determines what has to be done. Jobs and calls can be lost, duplicated and late, and the queue can
be emptied: the sweep finds all pending work again.
"""

from collections.abc import Sequence

import redis
from rq import Queue, Worker
from rq.serializers import JSONSerializer

from service.jobs.fair_queue import FairQueue, Job, Waiting

NAME = "plateau"
"""The queue of calls."""

QUEUES = ("plateau-awaited", NAME)
"""The queues that workers take from; the first is empty. From one queue alone, RQ would move each call to another list
while it is done, and a call that only wakes a worker is not worth that."""

SERIALIZER = JSONSerializer
"""With JSON, someone who can write to the queue can only make workers call functions with plain values."""

_ANSWER = "workers.tasks.handle_next"
_KEPT_SECONDS = 60
_MOST_CALLS = 64
"""More calls than workers have no effect."""


class RqQueue(FairQueue):
    """The queue on the Redis that RQ uses; a worker gives up a call that takes longer than ``seconds``."""

    def __init__(self, client: redis.Redis, seconds: int) -> None:
        self._calls = Queue(NAME, connection=client, serializer=SERIALIZER)
        self._seconds = seconds
        super().__init__(client, self._calls.key)

    def put(self, jobs: Sequence[Job]) -> Waiting:
        """Add jobs, and call at most as many workers as games are waiting; each game waits at most once."""
        return self._call(super().put(jobs), len(jobs))

    def workers(self) -> int:
        """Count the workers that are signed on; one that was killed counts for some minutes more."""
        return len(Worker.all(queue=self._calls))

    def call_on(self) -> None:
        """Call one more worker if there are more games than calls."""
        self._call(super().put(()), 1)

    def _call(self, waiting: Waiting, most: int) -> Waiting:
        missing = min(waiting.games, _MOST_CALLS) - waiting.calls
        for _ in range(min(missing, most)):
            self._calls.enqueue(_ANSWER, job_timeout=self._seconds, result_ttl=0, failure_ttl=_KEPT_SECONDS)
        return waiting
