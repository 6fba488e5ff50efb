"""Work on many things in several processes, with a bar on a terminal that shows how many are done."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

import click

T = TypeVar("T")
R = TypeVar("R")

MANY = 8
"""From so many things on, they are shared among processes, and a bar shows how many are done."""


def each(work: Callable[[T], R], things: Sequence[T]) -> Iterator[R]:
    """Work on things, and return what comes of each, in order."""
    if len(things) < MANY:
        yield from map(work, things)
        return
    with ProcessPoolExecutor(min(os.cpu_count() or 1, len(things))) as processes:
        yield from processes.map(work, things, chunksize=max(1, min(32, len(things) // 64)))


def with_bar(results: Iterable[R], count: int, label: str) -> Iterable[R]:
    """Show on a terminal how many of many are done."""
    if count < MANY or not sys.stderr.isatty():
        yield from results
        return
    with click.progressbar(results, length=count, label=label, file=sys.stderr) as bar:
        yield from bar
