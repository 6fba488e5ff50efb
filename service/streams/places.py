"""How many streams and waiting requests a process has open: for each player, from each address, and in all."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from service.accounts.limits import Amounts, refuse

BUCKETS = ("streams", "streams-from-address", "streams-in-process")
_RETRY_SECONDS = 15.0


class Places:
    """Count open streams against the limits of this process; requests that race can exceed them by a few."""

    def __init__(self, amounts: Amounts) -> None:
        self._amounts = amounts
        self._taken: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()

    def check(self, player: str | None, address: str) -> None:
        """Raise ``Limited`` if there is no room for one more."""
        for bucket, whom in _counted(player, address):
            if 0 < self._amounts.get(bucket, 0) <= self._taken.get((bucket, whom), 0):
                refuse(bucket, self._amounts[bucket], _RETRY_SECONDS)

    def open(self) -> int:
        """Return how many streams are open."""
        return self._taken[BUCKETS[2], ""]

    @contextmanager
    def taken(self, player: str | None, address: str) -> Iterator[None]:
        """Count a stream while it is open."""
        counted = _counted(player, address)
        self._count(counted, 1)
        try:
            yield
        finally:
            self._count(counted, -1)

    def _count(self, counted: list[tuple[str, str]], number: int) -> None:
        with self._lock:
            for each in counted:
                self._taken[each] += number
                if not self._taken[each]:
                    del self._taken[each]


def _counted(player: str | None, address: str) -> list[tuple[str, str]]:
    by_player = [] if player is None else [(BUCKETS[0], player)]
    return [*by_player, (BUCKETS[1], address), (BUCKETS[2], "")]
