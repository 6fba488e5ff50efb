"""Requests on the event loop: each runs in a greenlet, and while it waits for Redis, the loop runs others.

So the code of a request stays ordinary synchronous code. Where it waits, it calls ``wait``; what blocks a thread goes
through ``in_thread``. Elsewhere, as in a worker, ``in_thread`` only calls.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

from greenlet import getcurrent, greenlet

from service.common.observability import METRICS

T = TypeVar("T")

THREADS = 16
"""How many calls that block can be made at once on behalf of greenlets."""
_NOTED_SECONDS = 0.001

_POOL = ThreadPoolExecutor(THREADS, thread_name_prefix="blocking")
COMPUTING = ThreadPoolExecutor(2, thread_name_prefix="computing")
"""For calls that compute for long: each thread that does so makes the loop slower."""


class LoopGreenlet(greenlet):  # type: ignore[misc]  # the library has no types
    """A greenlet that an event loop runs, in the thread of the loop."""

    def __init__(self, run: Callable[..., object], loop: asyncio.AbstractEventLoop) -> None:
        by = getcurrent()  # one that ends can start the next; both return to the greenlet of the loop
        super().__init__(run, by.parent if type(by) is LoopGreenlet else by)
        self.loop = loop

    def switch(self, *args: object) -> None:
        """Run until it waits or ends, on behalf of the loop; count for how long the loop was held, if that is long."""
        began = time.perf_counter()
        super().switch(*args)
        held = time.perf_counter() - began
        if held > _NOTED_SECONDS:
            METRICS.time("loop_held", held)

    def wait(self) -> Any:
        """Let the loop handle others until something switches to this greenlet; return what it brings."""
        return self.parent.switch()

    def wait_for(self, future: "asyncio.Future[T]") -> T:
        """Wait until a future of the loop is done; return its result."""
        if not future.done():
            future.add_done_callback(self.switch)
            self.wait()
        return future.result()

    def give_way(self) -> None:
        """Let the loop handle all that is ready before this continues."""
        self.loop.call_soon(self.switch)
        self.wait()


def current() -> LoopGreenlet | None:
    """Return the greenlet in which this runs, None if no loop waits for it."""
    now = getcurrent()
    return now if type(now) is LoopGreenlet else None


async def in_greenlet(function: Callable[[], T]) -> T:
    """Run a function in a greenlet of this loop; return what it returns, or raise what it raises."""
    loop = asyncio.get_running_loop()
    end: asyncio.Future[T] = loop.create_future()
    LoopGreenlet(_settle, loop).switch(function, end)
    return await end


def _settle(function: Callable[[], T], end: "asyncio.Future[T]") -> None:
    try:
        outcome = function()
    except Exception as error:  # noqa: BLE001 - raised where the function was called
        if not end.done():
            end.set_exception(error)
    else:
        if not end.done():  # it is cancelled if nothing waits for it any more
            end.set_result(outcome)


def in_thread(function: Callable[[], T], pool: ThreadPoolExecutor = _POOL) -> T:
    """Call a function that blocks: in another thread and the same context, if the loop would have to wait for it."""
    now = getcurrent()
    if type(now) is not LoopGreenlet:
        return function()
    return now.wait_for(now.loop.run_in_executor(pool, copy_context().run, function))
