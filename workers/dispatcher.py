"""The dispatcher turns entries of the change feeds into jobs, at least once each.

The dispatcher reads no game and keeps no state. It acknowledges an entry once its job is queued; if that never happens,
the sweeper finds the work by the game's deadline.
"""

from service.jobs.fair_queue import FairQueue, Job
from service.store.change_feed import Change, ChangeFeed
from service.store.priority import read

_ABANDONED_MS = 5_000


class Dispatcher:
    """Read one group's share of the feeds."""

    def __init__(self, feed: ChangeFeed, queue: FairQueue) -> None:
        self._feed = feed
        self._queue = queue

    def join(self) -> None:
        """Join the group of dispatchers."""
        self._feed.join()

    def pass_on(self, wait_ms: int) -> int:
        """Queue jobs for what has changed; wait for the first change if need be; return how many there were."""
        return self._queued(self._feed.read(wait_ms))

    def pass_on_again(self) -> int:
        """Queue jobs for changes that were read and perhaps not queued; return how many there were."""
        return self._queued(self._feed.reread())

    def take_over(self) -> int:
        """Queue jobs for changes that another dispatcher left unfinished; trim the feed behind all readers."""
        taken = self._queued(self._feed.claim(_ABANDONED_MS))
        self._feed.trim()
        return taken

    def _queued(self, changes: list[Change]) -> int:
        """Queue a job for the last change of each game: earlier versions are outdated."""
        last = {change.game_id: change for change in changes}
        jobs = [Job(each.game_id, each.version, read(each.work)) for each in last.values() if each.work]
        if jobs:
            self._queue.put(jobs)
        if changes:
            self._feed.acknowledge(changes)
        return len(changes)
