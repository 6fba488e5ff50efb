"""The loops of processes beside the web: when they stop, and what they do while Redis is unavailable."""

import logging
import signal
import sys
import threading
import time
from collections.abc import Callable

import redis

from service.store.event_store import StoreUnavailable

_log = logging.getLogger("plateau.worker")

AWAY_SECONDS = 0.2
_SILENT_SECONDS = 10.0


class _Away(logging.Filter):
    """Logs that Redis is unavailable, once in a while, in place of RQ's own messages about it."""

    def __init__(self) -> None:
        super().__init__()
        self._silent_until = 0.0
        self._turn = threading.Lock()

    def report(self, error: Exception) -> None:
        """Log the error, unless one was logged a moment ago."""
        with self._turn:
            if time.monotonic() >= self._silent_until:
                _log.warning("Redis is away: %s: %s", type(error).__name__, error)
                self._silent_until = time.monotonic() + _SILENT_SECONDS

    def filter(self, record: logging.LogRecord) -> bool:  # noqa: ARG002 - RQ's own message is dropped
        """Drop RQ's message."""
        error = sys.exc_info()[1]
        if isinstance(error, redis.RedisError):
            self.report(error)
        return not isinstance(error, redis.RedisError)


away = _Away()


class StopSignal:
    """Whether this process was asked to stop, by a signal or by a part of it that failed."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self.failed = False

    def on_signals(self) -> None:
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, lambda *_: self._event.set())

    def fail(self) -> None:
        self.failed = True
        self._event.set()

    def __bool__(self) -> bool:
        return self._event.is_set()

    def wait(self, seconds: float | None = None) -> None:
        self._event.wait(seconds)


def until(stop: StopSignal, loop: Callable[[], None]) -> None:
    """Repeat until asked to stop; retry while Redis is unavailable; stop the process on any other error."""
    while not stop:
        try:
            loop()
        except StoreUnavailable as error:
            away.report(error)
            stop.wait(AWAY_SECONDS)
        except Exception:  # noqa: BLE001 - the process must not continue with half of its work
            _log.exception("a loop ended because of a defect")
            stop.fail()
