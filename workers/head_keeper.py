"""The head keeper logs the heads of games that have changed, once in a while, exactly once each.

Any number of them can run: only the one that appends to the tree as it knows it succeeds. One that is killed before it
appends has changed nothing; one that is killed afterwards leaves games whose heads are known to be logged.
"""

from collections.abc import Callable

from domain.game.durations import SECOND, instant
from service.heads.head_log import HeadLog, Sign
from service.heads.unlogged import Unlogged

MOST_OF_A_STEP = 500
"""How many leaves one step appends, and one root adds; the rest follow at once."""


class HeadKeeper:
    """Logs the heads of one store, at most every so many seconds; ``now`` returns the time as the log writes it."""

    def __init__(
        self,
        log: HeadLog,
        unlogged: Unlogged,
        sign: Sign,
        now: Callable[[], str],
        seconds: int,
        most: int = MOST_OF_A_STEP,
    ) -> None:
        self._log = log
        self._unlogged = unlogged
        self._sign = sign
        self._now = now
        self._ms = seconds * SECOND
        self._most = most

    def keep(self) -> int:
        """Log the heads of all games that have changed, if it is time; return how many."""
        latest = self._log.latest()
        if latest is None:
            self._unlogged.add_all()
        elif instant(self._now()) < instant(latest.at) + self._ms:
            return 0
        size = before = latest.size if latest else 0
        games = self._unlogged.games()
        for start in range(0, len(games), self._most):
            heads = self._unlogged.heads(games[start : start + self._most])
            new = self._log.new_among(heads)
            if new and not self._log.append(new, size, self._now(), self._sign):
                break  # another keeper is at it
            self._unlogged.settle(heads)
            size += len(new)
        return size - before
