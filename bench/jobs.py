"""The queue: what one job costs the server of the queue, and so at which rate one server is full.

    python -m bench.jobs [jobs]

Each job is put by a dispatcher and taken by a worker. Jobs are put alone, and 20 at once, as when a dispatcher finds
many changes; the line of waiting games is short, or has ten thousand. Beside it, a list of the same names, pushed and
popped one at a time. The rate is what one core of the server allows; clients do not count.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

import redis

from bench.servers import engine
from bench.sizes import size
from service.jobs.fair_queue import FairQueue, Job
from service.store.priority import Priority, Rank
from service.store.redis.connections import connect_queue

_AT_ONCE = 20
_OWNERS = 1000


def main() -> None:
    """Measure the bare list, and the queue with a short and a long line."""
    jobs, long_line = size(0, 20_000, 40), size(1, 10_000, 40)
    with engine() as url, connect_queue(url) as client:
        bare = _cost(client, jobs, lambda: _through_list(client, jobs))
        print(f"  bare list                 {bare:6.1f} µs a job")
        queue = FairQueue(client)
        for line, name in ((0, "no line"), (long_line, f"line of {long_line:,}")):
            queue.put(_jobs("waiting", line))
            for at_once in (1, _AT_ONCE):
                took = _cost(client, jobs, lambda at_once=at_once: _through(queue, jobs, at_once))  # type: ignore[misc]
                print(
                    f"  {name:15} put {at_once:2} at once {took:6.1f} µs a job  ratio {took / bare:4.1f}"
                    f"  full at {1e6 / took:,.0f} jobs a second",
                    flush=True,
                )


def _cost(client: redis.Redis, jobs: int, work: Callable[[], None]) -> float:
    """Return the processor time of the server for each job, in µs; the least of three turns."""
    work()
    costs = []
    for _ in range(3):
        before = _processor(client)
        work()
        costs.append((_processor(client) - before) / jobs * 1e6)
    return max(min(costs), 0.1)


def _processor(client: redis.Redis) -> float:
    time.sleep(0.2)  # the server notes what it has used ten times a second
    used: dict[str, Any] = client.info("cpu")
    return float(used["used_cpu_user"]) + float(used["used_cpu_sys"])


def _jobs(name: str, number: int) -> list[Job]:
    return [Job(f"{name}{each}", each, Priority(Rank.URGENT, (f"pl_{each % _OWNERS}",))) for each in range(number)]


def _through(queue: FairQueue, jobs: int, at_once: int) -> None:
    todo: Sequence[Job] = _jobs("gm_", jobs)
    for start in range(0, jobs, at_once):
        put = todo[start : start + at_once]
        queue.put(put)
        for _ in put:
            queue.take()


def _through_list(client: redis.Redis, jobs: int) -> None:
    for job in _jobs("gm_", jobs):
        client.rpush("bare", job.game_id)
        client.lpop("bare")


if __name__ == "__main__":
    main()
