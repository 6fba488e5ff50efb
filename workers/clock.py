"""The sweep: what is due becomes a job; turns that time out, pauses that are over, bots' moves that got lost."""

from service.deadlines import Deadlines
from service.pulse import ODD_SILENCE, Pulse
from service.queue import Job, JobQueue

_MOST_OF_A_SHARD = 100
_LONG_QUEUE = 1000


class Clock:
    """Sweeps the deadlines of one store."""

    def __init__(self, deadlines: Deadlines, queue: JobQueue, pulse: Pulse) -> None:
        self._deadlines = deadlines
        self._queue = queue
        self._pulse = pulse

    def sweep(self) -> int:
        """Queue jobs for what is due, and say how many.

        Nothing is taken while workers are far behind, or what they have not come to would be queued over and over; nor
        while no web process serves, for nobody could act in time.
        """
        if self._queue.waiting() > _LONG_QUEUE or self._pulse.silence() > ODD_SILENCE:
            return 0
        taken = self._deadlines.take(_MOST_OF_A_SHARD)
        for due in taken:
            self._queue.put(Job(due.game_id, due.version, attempt=due.taken))
        return len(taken)
