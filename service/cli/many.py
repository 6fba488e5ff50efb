"""Long work: on many things in several processes, and how far it is, on a terminal."""

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from typing import TypeVar

import click

_SECONDS = 0.2
_AHEAD = 4
"""How many shares of the work wait for each process, so that never more of it is in memory."""

T = TypeVar("T")
R = TypeVar("R")

MANY = 8
"""From so many things on, they are shared among processes, and a bar shows how many are done."""


def each(
    work: Callable[[T], R], things: Iterable[T], count: int, begin: Callable[[], object] | None = None
) -> Iterator[R]:
    """Work on things, about ``count`` of them, and return what comes of each, in order.

    ``begin`` is called once in each process, if there are several.
    """
    if count < MANY:
        yield from map(work, things)
        return
    number, share, rest = min(os.cpu_count() or 1, count), max(1, min(32, count // 64)), iter(things)
    with ProcessPoolExecutor(number, initializer=begin) as processes:
        waiting: deque[Future[list[R]]] = deque()
        while part := [*islice(rest, share)]:
            waiting.append(processes.submit(_all, work, part))
            if len(waiting) > _AHEAD * number:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _all(work: Callable[[T], R], things: Sequence[T]) -> list[R]:
    return [work(each) for each in things]


def with_bar(results: Iterable[R], count: int, label: str) -> Iterable[R]:
    if count < MANY or not sys.stderr.isatty():
        yield from results
        return
    with click.progressbar(results, length=count, label=label, file=sys.stderr) as bar:
        yield from bar


class Progress:
    """Shows a number in a line that is rewritten a few times a second; nothing unless a person is watching."""

    def __init__(self, words: str) -> None:
        self._words = words
        self._shown = time.monotonic() if sys.stderr.isatty() else float("inf")

    def show(self, number: int) -> None:
        if time.monotonic() - self._shown > _SECONDS:
            self._shown = time.monotonic()
            sys.stderr.write(f"\r{self._words.format(number)}\r")
            sys.stderr.flush()
