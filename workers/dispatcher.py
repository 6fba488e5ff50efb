"""The dispatcher turns entries of the change feeds into jobs, at least once each.

The dispatcher reads no game and keeps no state. It acknowledges an entry once its job is queued; if that never happens,
the sweeper finds the work by the game's deadline.
"""

from collections.abc import Sequence

from service.jobs.fair_queue import FairQueue, Job
from service.store.change_feed import Change, ChangeFeed
from service.store.priority import read
from workers.following import Follower


class Dispatcher(Follower):
    def __init__(self, feed: ChangeFeed, queue: FairQueue) -> None:
        super().__init__(feed)
        self._queue = queue

    def handle(self, changes: Sequence[Change]) -> None:
        """Queue a job for the last change of each game: earlier versions are outdated."""
        last = {change.game_id: change for change in changes}
        jobs = [Job(each.game_id, each.version, read(each.work)) for each in last.values() if each.work]
        if jobs:
            self._queue.put(jobs)
