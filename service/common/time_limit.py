"""A limit on the time that an await can take, with one timer for all: a timer for each costs more than most awaits."""

import asyncio
from types import TracebackType

_CHECKS = 20
"""How often awaits are checked during the time that they can take: they can take a twentieth longer."""


class TimeLimit:
    """End awaits that take longer than some seconds with ``TimeoutError``, on one event loop at a time."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._running: dict[_Limited, None] = {}
        self._checking: asyncio.AbstractEventLoop | None = None

    def __call__(self, task: "asyncio.Task[object] | None" = None) -> "_Limited":
        """Return the context for what a task awaits, the current one unless it is named."""
        found = task or asyncio.current_task()
        if found is None:
            raise RuntimeError("only a task can be limited")
        return _Limited(self, found)

    def begin(self, limited: "_Limited") -> float:
        """Note that something begins; return when it must have ended."""
        self._running[limited] = None
        loop = asyncio.get_running_loop()
        if self._checking is not loop:
            self._checking = loop
            loop.call_later(self.seconds / _CHECKS, self._check)
        return loop.time() + self.seconds

    def end(self, limited: "_Limited") -> None:
        """Note that something has ended."""
        del self._running[limited]

    def _check(self) -> None:
        """Cancel what has taken too long: what began first stands first."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for limited in [*self._running]:
            if limited.until > now:
                break
            limited.cancel()
        if self._running:
            loop.call_later(self.seconds / _CHECKS, self._check)
        else:
            self._checking = None


class _Limited:
    """What is limited: one await, or several, of one task."""

    __slots__ = ("_cancelled_before", "_is_over", "_limit", "_task", "until")

    def __init__(self, limit: TimeLimit, task: "asyncio.Task[object]") -> None:
        self._limit = limit
        self._task = task
        self._is_over = False

    def __enter__(self) -> None:
        self._cancelled_before = self._task.cancelling()
        self.until = self._limit.begin(self)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._limit.end(self)
        if self._is_over and self._task.uncancel() <= self._cancelled_before and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def cancel(self) -> None:
        """End it, once."""
        if not self._is_over:
            self._is_over = True
            self._task.cancel()
