"""A limit on awaits: what takes too long ends as a timeout; a task that is cancelled otherwise stays cancelled."""

import asyncio

import pytest

from service.common.time_limit import TimeLimit

SHORT = 0.05


async def limited(limit: TimeLimit, seconds: float) -> None:
    with limit():
        await asyncio.sleep(seconds)


async def results(limit: TimeLimit, *seconds: float) -> list[BaseException | None]:
    return await asyncio.gather(*(limited(limit, each) for each in seconds), return_exceptions=True)


def test_what_takes_too_long_ends_and_what_does_not_continues() -> None:
    quick, slow, again = asyncio.run(results(TimeLimit(SHORT), 0, 5, 5))
    assert quick is None
    assert type(slow) is type(again) is TimeoutError


def test_a_limit_serves_one_loop_after_the_other() -> None:
    limit = TimeLimit(SHORT)
    for _ in range(3):
        (error,) = asyncio.run(results(limit, 5))
        assert type(error) is TimeoutError


def test_a_task_that_ran_out_of_time_can_go_on() -> None:
    async def twice() -> None:
        limit = TimeLimit(SHORT)
        for _ in range(2):
            with pytest.raises(TimeoutError):
                await limited(limit, 5)
        await asyncio.sleep(SHORT)

    asyncio.run(twice())


def test_anyone_who_cancels_a_task_cancels_it() -> None:
    async def cancelled() -> None:
        task = asyncio.ensure_future(limited(TimeLimit(5), 5))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
