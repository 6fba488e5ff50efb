"""The rate of each client over all processes, without a trip to Redis for what it counts.

Each process counts by itself. In the background it sends what a busy client has done to Redis, and learns what that
client has done elsewhere. So together the processes can let through a little more than the limit: what happens between
two exchanges, and what clients do that no process calls busy.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from service.store.event_store import StoreUnavailable

_log = logging.getLogger(__name__)

_EXCHANGE_SECONDS = 0.5
_BUSY = 100
"""A client is busy in a process that has seen one in so many of the allowed requests."""

Add = Callable[[str, int], int]


@dataclass(slots=True)
class _Count:
    """What a client has done in a period: ``total`` as far as this process knows, some of it ``unsent``."""

    period: int
    total: int = 0
    unsent: int = 0


class SharedPace:
    """Count up to ``most`` a period of ``seconds``; periods begin at the same time everywhere.

    ``add`` adds a number to the sum of a name, and returns the sum; it raises ``StoreUnavailable`` if it cannot.
    """

    _MOST_KNOWN = 50_000

    def __init__(self, most: int, seconds: int, add: Add, now: Callable[[], float] = time.time) -> None:
        self._most = most
        self._seconds = seconds
        self._busy = max(1, most // _BUSY)
        self._add = add
        self._now = now
        self._counts: dict[str, _Count] = {}
        self._turn = threading.Lock()
        self._is_exchanging = False

    def wait(self, whom: str) -> float:
        """Count a request and return 0, or return the seconds to wait if it is over the limit and was not counted."""
        with self._turn:
            wait = self._over(whom)
            begins = not wait and self._noted(whom, 1)
        if begins:
            self._begin_to_exchange()
        return wait

    def over(self, whom: str) -> float:
        """Return the seconds to wait until there is room for one more, 0 if there is room."""
        with self._turn:
            return self._over(whom)

    def note(self, whom: str, number: int) -> None:
        """Count so many, whether there is room or not."""
        with self._turn:
            begins = self._noted(whom, number)
        if begins:
            self._begin_to_exchange()

    def _over(self, whom: str) -> float:
        now = self._now()
        period = int(now // self._seconds)
        count = self._counts.get(whom)
        is_full = count is not None and count.period == period and count.total >= self._most
        return (period + 1) * self._seconds - now if is_full else 0.0

    def _noted(self, whom: str, number: int) -> bool:
        """Count so many; return whether there is something to exchange, and nobody does it."""
        period = int(self._now() // self._seconds)
        count = self._counts.get(whom)
        if count is None or count.period != period:
            count = self._counts[whom] = self._begun(period)
        count.total += number
        count.unsent += number
        begins = count.total >= self._busy and not self._is_exchanging
        self._is_exchanging |= begins
        return begins

    def _begin_to_exchange(self) -> None:
        threading.Thread(target=self._exchange_while_busy, name="rates", daemon=True).start()

    def exchange(self) -> bool:
        """Exchange the sums of all busy clients with the other processes; return whether there were any."""
        period = int(self._now() // self._seconds)
        busy = self._taken(period)
        for whom, count, number in busy:
            try:
                total = self._add(f"{whom}/{period}", number)
            except StoreUnavailable as error:
                _log.debug("a rate is not shared: %s", error)
                with self._turn:
                    count.unsent += number
            else:
                with self._turn:
                    count.total = max(count.total, total + count.unsent)
        return bool(busy)

    def _taken(self, period: int) -> list[tuple[str, _Count, int]]:
        """Take what busy clients have done since the last exchange, to send it."""
        with self._turn:
            busy = [
                (whom, count, count.unsent)
                for whom, count in self._counts.items()
                if count.unsent and count.total >= self._busy and count.period == period
            ]
            for _, count, number in busy:
                count.unsent -= number
            self._is_exchanging = bool(busy)
        return busy

    def _exchange_while_busy(self) -> None:
        while self.exchange():
            time.sleep(_EXCHANGE_SECONDS)

    def _begun(self, period: int) -> _Count:
        """Begin a count; if there are too many, forget those of earlier periods, or else the smaller half."""
        if len(self._counts) >= self._MOST_KNOWN:
            self._counts = {whom: count for whom, count in self._counts.items() if count.period == period}
        if len(self._counts) >= self._MOST_KNOWN:
            largest = sorted(self._counts.items(), key=lambda each: each[1].total, reverse=True)
            self._counts = dict(largest[: self._MOST_KNOWN // 2])
        return _Count(period)
