"""The queue of jobs: RQ, by dotted name. A job only says where to look; what has to be done stands in the log.

Jobs may be lost, doubled and late, and the queue may be emptied: whatever matters is found again by the sweep.
"""

from dataclasses import dataclass
from typing import Protocol

import redis
from rq import Queue
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

from service.store import unavailable

AWAITED, OTHERS = "plateau-awaited", "plateau"
"""The queues: jobs that a player waits for, and all others, which are done when there is none of those."""

SERIALIZER = JSONSerializer
"""Whoever can write to the queue can make workers call functions with plain values, and no more than that."""

_SEE_TO = "workers.jobs.see_to"
_KEPT_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Job:
    """See to a game at a version; another attempt is another job. What a player waits for comes first."""

    game_id: str
    version: int
    attempt: int = 0
    is_awaited: bool = False

    @property
    def id(self) -> str:
        """Name the job: the same one is not queued twice."""
        return f"{self.game_id}-{self.version}-{self.attempt}"


class JobQueue(Protocol):
    """Where jobs wait for a worker."""

    def put(self, job: Job) -> None:
        """Add a job, unless it is there already."""

    def waiting(self) -> int:
        """Count the jobs that no worker has begun."""

    def others(self) -> int:
        """Count those of them that no player waits for."""


class RqQueue:
    """The queues on a Redis of RQ's; ``seconds`` is how long a job may take before the worker gives it up."""

    def __init__(self, client: redis.Redis, seconds: int) -> None:
        self._awaited, self._others = (
            Queue(name, connection=client, serializer=SERIALIZER) for name in (AWAITED, OTHERS)
        )
        self._seconds = seconds

    def put(self, job: Job) -> None:
        """Add a job, unless it is there already."""
        with unavailable():
            try:
                (self._awaited if job.is_awaited else self._others).enqueue(
                    _SEE_TO,
                    job.game_id,
                    job.version,
                    job_id=job.id,
                    unique=True,
                    job_timeout=self._seconds,
                    result_ttl=0,
                    failure_ttl=_KEPT_SECONDS,
                )
            except DuplicateJobError:
                return

    def waiting(self) -> int:
        """Count the jobs that no worker has begun."""
        with unavailable():
            return self._awaited.count + self._others.count

    def others(self) -> int:
        """Count those of them that no player waits for."""
        with unavailable():
            return self._others.count
