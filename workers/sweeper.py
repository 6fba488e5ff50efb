"""The sweeper queues jobs for what is due: turns that time out, pauses that end, lost moves of bots."""

from service.jobs.fair_queue import Job
from service.jobs.job_queue import JobQueue
from service.store.deadlines import Deadlines
from service.store.heartbeat import ODD_SILENCE, Heartbeat

_MOST_OF_A_SET = 100


class Sweeper:
    """Sweep the deadlines of one store."""

    def __init__(self, deadlines: Deadlines, queue: JobQueue, heartbeat: Heartbeat) -> None:
        self._deadlines = deadlines
        self._queue = queue
        self._heartbeat = heartbeat

    def sweep(self) -> int:
        """Queue jobs for what is due, and return how many: none while no web process serves, since no player can act.

        Everything due is queued at once: the line orders it, and holds each game once.
        """
        if self._heartbeat.silence() > ODD_SILENCE:
            return 0
        taken = self._deadlines.take(_MOST_OF_A_SET)
        self._queue.put([Job(due.game_id, None, due.priority) for due in taken])
        return len(taken)
