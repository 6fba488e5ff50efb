"""The dispatcher turns entries of the change feeds into jobs, at least once each.

The dispatcher reads no game and keeps no state. It acknowledges an entry once its job is queued; if that never happens,
the sweeper finds the work by the game's deadline: turns that time out, pauses that end, lost moves of bots.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from service.jobs.fair_queue import FairQueue, Job
from service.store.change_feed import Change, ChangeFeed
from service.store.deadlines import Deadlines
from service.store.game_index import read_priority
from service.store.heartbeat import ODD_SILENCE, Heartbeat
from workers.following import Follower


class Dispatcher(Follower):
    def __init__(self, feed: ChangeFeed, queue: FairQueue) -> None:
        super().__init__(feed)
        self._queue = queue

    def handle(self, changes: Sequence[Change]) -> None:
        """Queue a job for the last change of each game: earlier versions are outdated."""
        last = {change.game_id: change for change in changes}
        jobs = [Job(each.game_id, each.version, read_priority(each.work)) for each in last.values() if each.work]
        if jobs:
            self._queue.put(jobs)


_MOST_OF_A_SET = 100
_REST_SECONDS = 0.1


@dataclass(eq=False)
class Sweeper:
    _deadlines: Deadlines
    _queue: FairQueue
    _heartbeat: Heartbeat

    def run(self) -> None:
        """Take one turn of its loop: sweep, and rest when nothing was due."""
        if self.sweep() == 0:
            time.sleep(_REST_SECONDS)

    def sweep(self) -> int:
        """Queue jobs for what is due, and return how many: none while no web process serves, since no player can act.

        All that is due is queued, however much waits: the queue decides whose turn it is, and holds each game once.
        """
        if self._heartbeat.silence() > ODD_SILENCE:
            return 0
        taken = self._deadlines.take(_MOST_OF_A_SET)
        if taken:
            self._queue.put([Job(due.game_id, None, due.priority) for due in taken])
        return len(taken)
