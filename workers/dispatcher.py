"""The dispatcher turns entries of the change feeds into jobs, at least once each.

The dispatcher reads no game and stores no state. It acknowledges an entry once its job is queued. If a job is lost, the
sweeper finds the game by its deadline: timeouts, ends of pauses, lost moves of bots.
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
        jobs = [
            Job(change.game_id, change.version, read_priority(change.work)) for change in last.values() if change.work
        ]
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
        """Run one turn of its loop: sweep, and rest if nothing was due."""
        if self.sweep() == 0:
            time.sleep(_REST_SECONDS)

    def sweep(self) -> int:
        """Queue jobs for all due games; return how many: none while no web process serves, since no player can act.

        There is no limit on waiting jobs: the queue decides the order, and holds each game once.
        """
        if self._heartbeat.silence() > ODD_SILENCE:
            return 0
        taken = self._deadlines.take(_MOST_OF_A_SET)
        if taken:
            self._queue.put([Job(due.game_id, None, due.priority) for due in taken])
        return len(taken)
