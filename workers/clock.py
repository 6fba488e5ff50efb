"""The sweep: what is due becomes a job; turns that time out, pauses that are over, bots' moves that got lost."""

from service.deadlines import Deadlines
from service.pulse import ODD_SILENCE, Pulse
from service.queue import Job, JobQueue

_MOST_OF_A_SHARD = 100
_MANY_GAMES_OF_BOTS = 100
"""So many jobs for games that bots play among themselves take one worker about as long as the second look waits."""


class Clock:
    """Sweeps the deadlines of one store."""

    def __init__(self, deadlines: Deadlines, queue: JobQueue, pulse: Pulse) -> None:
        self._deadlines = deadlines
        self._queue = queue
        self._pulse = pulse

    def sweep(self) -> int:
        """Queue jobs for what is due, and say how many.

        Games that bots play among themselves are left alone while many of their jobs wait: theirs is most likely among
        them, and would be queued over and over. Players wait for nobody's bots: what is due in their games is always
        queued, and done first; unless no web process serves, for nobody could act in time.
        """
        if self._pulse.silence() > ODD_SILENCE:
            return 0
        taken = self._deadlines.take(_MOST_OF_A_SHARD, of_bots=self._queue.others() <= _MANY_GAMES_OF_BOTS)
        for due in taken:
            self._queue.put(Job(due.game_id, due.version, attempt=due.taken, is_awaited=due.is_awaited))
        return len(taken)
