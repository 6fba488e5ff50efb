"""Functions that run on an event loop as requests do: each in a greenlet."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from service.common.greenlets import LoopGreenlet


def on_one_loop(*functions: Callable[[], Any]) -> Sequence[Any]:
    """Run functions at the same time on one event loop; return what each returns, or the error that it raises."""

    async def run() -> Sequence[Any]:
        loop = asyncio.get_running_loop()
        ends = [loop.create_future() for _ in functions]
        for function, end in zip(functions, ends, strict=True):
            LoopGreenlet(_settle, loop).switch(function, end)
        return await asyncio.gather(*ends, return_exceptions=True)

    return asyncio.run(run())


def _settle(function: Callable[[], Any], end: "asyncio.Future[Any]") -> None:
    try:
        end.set_result(function())
    except Exception as error:  # noqa: BLE001 - the test looks at it
        end.set_exception(error)
