"""Following a feed: a reader of one group handles what is new, at least once each, and then acknowledges it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from service.store.change_feed import Change, ChangeFeed

_ABANDONED_MS = 5_000


class Follower(ABC):
    """A reader of one group's share of a feed."""

    def __init__(self, feed: ChangeFeed) -> None:
        self._feed = feed

    @abstractmethod
    def handle(self, changes: Sequence[Change]) -> None:
        """Handle entries, which may have been handled before; if this raises, they stay to be handled again."""

    def join(self) -> None:
        """Join the group."""
        self._feed.join()

    def pass_on(self, wait_ms: int) -> int:
        """Handle what is new; wait for the first entry if need be; return how many there were."""
        return self._done(self._feed.read(wait_ms))

    def pass_on_again(self) -> int:
        """Handle what was read and perhaps not handled; return how much there was."""
        return self._done(self._feed.reread())

    def take_over(self) -> int:
        """Handle what another reader left unfinished; trim the feed behind all readers."""
        taken = self._done(self._feed.claim(_ABANDONED_MS))
        self._feed.trim()
        return taken

    def _done(self, changes: Sequence[Change]) -> int:
        if changes:
            self.handle(changes)
            self._feed.acknowledge(changes)
        return len(changes)
