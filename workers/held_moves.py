"""Moves of bots that are chosen, and held until the moment at which they appear.

They are in the memory of the worker that chose them, and in no log. If it stops long before their moments, it gives the
turns back; if it is killed, the sweeper finds the games. Either way, the moves are chosen again.
"""

import heapq
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from service.store.event_store import StoreUnavailable
from workers.loops import AWAY_SECONDS, away

_log = logging.getLogger("plateau.worker")

_Turn = tuple[str, str]
"""The id of a game, and that of a decision in it."""

_LAST_SECONDS = 2.0
"""How long a stopping process waits for the moves that it holds: longer than bots usually wait."""


@dataclass(order=True, frozen=True, slots=True)
class _Held:
    moment: int
    number: int
    turn: _Turn = field(compare=False)
    commit: Callable[[], object] = field(compare=False)


class HeldMoves:
    """The moves that one worker holds; ``now`` returns the time in ms since 1970."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._turns = set[_Turn]()
        self.waiting = list[_Held]()
        self._number = count()
        self._changed = threading.Condition()

    def holds(self, turn: _Turn) -> bool:
        return turn in self._turns

    def hold(self, turn: _Turn, moment: int, commit: Callable[[], object]) -> None:
        with self._changed:
            self._turns.add(turn)
            heapq.heappush(self.waiting, _Held(moment, next(self._number), turn, commit))
            self._changed.notify_all()

    def release(self) -> None:
        """Commit the moves whose moment has come; while Redis is unavailable, retry them."""
        while (held := self._due()) is not None:
            try:
                held.commit()
            except StoreUnavailable as error:
                away.report(error)
                self.hold(held.turn, self._now() + int(1000 * AWAY_SECONDS), held.commit)
                continue
            except Exception:  # noqa: BLE001 - the others must still be made; the sweeper finds this one again
                _log.exception("a move of a bot failed")
            with self._changed:
                self._turns.discard(held.turn)
                self._changed.notify_all()

    def start(self) -> None:
        """Begin to commit moves at their moments, in a thread that ends with the process."""
        threading.Thread(target=self._run, name="held moves", daemon=True).start()

    def give_back(self) -> list[_Turn]:
        """Stop holding the moves that are not due soon; return their turns."""
        with self._changed:
            soon = self._now() + int(1000 * _LAST_SECONDS)
            back = [held.turn for held in self.waiting if held.moment > soon]
            self.waiting = sorted(held for held in self.waiting if held.moment <= soon)
            self._turns.difference_update(back)
        return back

    def finish(self) -> None:
        """Wait for the moves that are due soon, and a second more for the last commit."""
        with self._changed:
            self._changed.wait_for(lambda: not self._turns, _LAST_SECONDS + 1)

    def _due(self) -> _Held | None:
        with self._changed:
            return heapq.heappop(self.waiting) if self.waiting and self._left() <= 0 else None

    def _left(self) -> int:
        return self.waiting[0].moment - self._now()

    def _run(self) -> None:
        while True:
            self.release()
            with self._changed:
                self._changed.wait(max(self._left(), 0) / 1000 if self.waiting else None)
