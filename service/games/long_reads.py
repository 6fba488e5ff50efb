"""Long reads: what one request reads of logs, in whose turn, and who pays for it.

Whatever takes the longer, the longer a log is, reads records from the store. A request can read a few of them beside
all others. For more, it must be handled in the line of long requests, of which a process handles few at a time, so that
short requests never wait for long logs. What was read in that line is counted by events.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

BESIDE = 32
"""How many records a request can read outside of the line; to read and fold them takes about a millisecond."""

Pay = Callable[[int], None]
"""Counts a number of events; with 0, only raises ``Limited`` if there is no room for more."""


class LongRequest(Exception):
    """The request reads so much that it must be handled in the line of long requests; it has written nothing."""


@dataclass(slots=True)
class _Reading:
    """A long read: ``pay`` counts it, and ``is_in_turn`` is whether it may take more than a few records."""

    pay: Pay
    is_in_turn: bool
    records: int = 0


_READING: ContextVar[_Reading | None] = ContextVar("reading", default=None)


@contextmanager
def reading(pay: Pay, *, is_in_turn: bool) -> Iterator[None]:
    """Count what is read inside, and pay for it at the end, if it is more than a few records."""
    now = _Reading(pay, is_in_turn)
    before = _READING.set(now)
    try:
        yield
    finally:
        _READING.reset(before)
        if now.records > BESIDE:
            pay(now.records)


def read(records: int) -> None:
    """Note that so many records are being read; raise ``LongRequest``, or ``Limited``, if that is not possible now.

    Without a reader, as in a worker, nothing is counted.
    """
    now = _READING.get()
    if now is None:
        return
    was_long, is_long = now.records > BESIDE, now.records + records > BESIDE
    if is_long and not now.is_in_turn:
        raise LongRequest
    if is_long and not was_long:
        now.pay(0)
    now.records += records


def is_counted() -> bool:
    return _READING.get() is not None


def most(number: int) -> int:
    """Return how many of a number of records can be read at once: one too many, to see that there are more."""
    now = _READING.get()
    return number if now is None or now.is_in_turn else min(number, max(0, BESIDE - now.records) + 1)


def go_on() -> None:
    """Let the request read what it wants, because it has written something, and must not be handled again."""
    now = _READING.get()
    if now is not None:
        now.is_in_turn = True
