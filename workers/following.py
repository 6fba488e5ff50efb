"""Following a feed: a reader of a group handles new entries, at least once each, and then acknowledges them."""

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence

from service.store.change_feed import Change, ChangeFeed

_ABANDONED_MS = 5_000
_TAKE_OVER_SECONDS = 5.0
_WAIT_MS = 1000


class Follower(ABC):
    """A reader of one group's share of a feed.

    After it has handled entries, it rests for ``rest_seconds``, so that it takes more entries at once if there are
    many.
    """

    def __init__(self, feed: ChangeFeed, rest_seconds: float = 0.0) -> None:
        self.feed = feed
        self._rest_seconds = rest_seconds
        self._took_over = 0.0
        self._was_cut_short = True

    @abstractmethod
    def handle(self, changes: Sequence[Change]) -> None:
        """Handle entries, some perhaps for the second time; if this raises, they are handled again."""

    def run(self) -> None:
        """Run one turn of its loop: handle new entries; after an interrupted turn, first those that it had read.

        Join the group once Redis is back, and take over entries that other readers have abandoned.
        """
        was_cut_short, self._was_cut_short = self._was_cut_short, True
        if was_cut_short or time.monotonic() - self._took_over > _TAKE_OVER_SECONDS:
            self.feed.join()
            while was_cut_short and self._done(self.feed.reread()):
                pass
            self.take_over()
            self._took_over = time.monotonic()
        if self.pass_on(_WAIT_MS):
            time.sleep(self._rest_seconds)
        self._was_cut_short = False

    def pass_on(self, wait_ms: int) -> int:
        """Handle new entries, waiting for the first one if necessary; return how many there were."""
        return self._done(self.feed.read(wait_ms))

    def take_over(self) -> int:
        """Handle entries that another reader left unacknowledged; trim the feed behind all readers."""
        taken = self._done(self.feed.claim(_ABANDONED_MS))
        self.feed.trim()
        return taken

    def _done(self, changes: Sequence[Change]) -> int:
        if changes:
            self.handle(changes)
            self.feed.acknowledge(changes)
        return len(changes)
