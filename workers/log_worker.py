"""The head keeper logs the heads of games that have changed, once in a while, exactly once each.

A round goes through all games to be logged, in bounded steps. Until a round has ended, each beat begins it again, and
finds what the last one left. The first round of each day looks at every game there is: a process of a release that
does not log heads can have written to some in between.

Any number of them can run: only the one that appends to the tree as it knows it succeeds. One that is killed before it
appends has changed nothing; one that is killed afterwards leaves games whose heads are known to be logged.
"""

from collections.abc import Callable, Iterator
from itertools import islice

from domain.game.durations import SECOND, instant
from service.transparency.transparency_log import Sign, TransparencyLog, Unlogged

MOST_OF_A_STEP = 500
"""How many leaves one step appends, and one root adds; the rest follow at once."""
_DATE = len("2026-01-01")


class LogWorker:
    """Logs the heads of one store, at most every so many seconds; ``now`` returns the time as the log writes it."""

    def __init__(
        self,
        log: TransparencyLog,
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
        now, ended = self._now(), self._log.round_ended()
        if ended is not None and 0 <= instant(now) - instant(ended) < self._ms:
            return 0
        if ended is None or ended[:_DATE] != now[:_DATE]:
            self._unlogged.add_all()
        latest = self._log.latest()
        size = before = latest.size if latest else 0
        at = latest.at if latest else now
        for games in self._steps():
            heads = self._unlogged.heads(games)
            new = self._log.new_among(heads)
            at = max(at, self._now(), key=instant)  # a clock can go back
            if new and not self._log.append(new, size, at, self._sign):
                return size - before  # another keeper is at it
            self._unlogged.settle(heads)
            size += len(new)
        if size:
            self._log.end_round(now)
        return size - before

    def _steps(self) -> Iterator[list[str]]:
        games = self._unlogged.games()
        while step := list(islice(games, self._most)):
            yield step
