"""The log worker logs the heads of games that have changed, once in a while, exactly once each.

A round handles all games to be logged, in bounded steps. Until a round has ended, each call begins it again, and
continues where the last one stopped. The first round of each day checks every game, in case the list of changed games
lost one.

Any number of log workers can run: only the one whose append is based on the current tree succeeds. If one is killed
before it appends, nothing has changed; if it is killed afterwards, the heads of the listed games are logged already.
"""

from collections.abc import Callable, Iterator
from itertools import islice

from domain.game.durations import SECOND, instant
from service.transparency.transparency_log import Sign, TransparencyLog, Unlogged

MOST_OF_A_STEP = 500
"""How many leaves one step appends under one root; the rest follows at once."""
_DATE = len("2026-01-01")


class LogWorker:
    """Logs the heads of one store, at most every so many seconds; ``now`` returns the time in the form of the log."""

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
            at = max(at, self._now(), key=instant)  # the wall clock can go back
            if new and not self._log.append(new, size, at, self._sign):
                return size - before  # another log worker was faster
            self._unlogged.settle(heads)
            size += len(new)
        if size:
            self._log.end_round(now)
        return size - before

    def _steps(self) -> Iterator[list[str]]:
        games = self._unlogged.games()
        while step := list(islice(games, self._most)):
            yield step
