"""Functions that run on an event loop as requests do: each in a greenlet."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from service.common.greenlets import in_greenlet


def on_one_loop(*functions: Callable[[], Any]) -> Sequence[Any]:
    """Run functions at the same time on one event loop; return what each returns, or the error that it raises."""

    async def run() -> Sequence[Any]:
        return await asyncio.gather(*map(in_greenlet, functions), return_exceptions=True)

    return asyncio.run(run())
