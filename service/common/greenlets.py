"""Requests on the event loop: each runs in a greenlet, and while it waits for Redis, the loop runs others.

So the code of a request stays ordinary synchronous code. Where it waits, it calls ``wait``; what blocks a thread goes
through ``in_thread``. Elsewhere, as in a worker, ``in_thread`` only calls.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

from greenlet import getcurrent, greenlet

T = TypeVar("T")

THREADS = 16
"""How many calls that block can be made at once on behalf of greenlets."""

_POOL = ThreadPoolExecutor(THREADS, thread_name_prefix="blocking")


class LoopGreenlet(greenlet):  # type: ignore[misc]  # the library has no types
    """A greenlet that an event loop runs, from the thread and greenlet of the loop."""

    def __init__(self, run: Callable[..., object], loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(run)
        self.loop = loop

    def wait(self) -> Any:
        """Let the loop handle others until something switches to this greenlet; return what it brings."""
        return self.parent.switch()

    def wait_for(self, future: "asyncio.Future[T]") -> T:
        """Wait until a future of the loop is done; return its result."""
        if not future.done():
            future.add_done_callback(self.switch)
            self.wait()
        return future.result()


def current() -> LoopGreenlet | None:
    """Return the greenlet in which this runs, None if no loop waits for it."""
    now = getcurrent()
    return now if type(now) is LoopGreenlet else None


def in_thread(function: Callable[[], T]) -> T:
    """Call a function that blocks: in another thread and the same context, if the loop would have to wait for it."""
    now = getcurrent()
    if type(now) is not LoopGreenlet:
        return function()
    return now.wait_for(now.loop.run_in_executor(_POOL, copy_context().run, function))
