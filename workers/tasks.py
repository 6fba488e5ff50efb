"""The functions that RQ calls by name; calls in the queue contain these names."""

import time

from service.common.observability import METRICS
from service.jobs.job_queue import RqQueue
from service.store.event_store import StoreUnavailable
from workers.turn_worker import TurnWorker

_AGAIN_SECONDS = (0.2, 0.5, 1.0, 2.0)
"""The pauses before a game is handled again after Redis was unavailable; after that, it is left to the sweeper."""

_SHIFT_SECONDS = 0.5
"""How long a worker takes games on one call: a call of RQ costs about as much as a bot's move."""


class NotOnDuty(RuntimeError):
    """A call reached a process that has no turn worker."""


_on_duty: tuple[TurnWorker, RqQueue] | None = None


def put_on_duty(turn_worker: TurnWorker, queue: RqQueue) -> None:
    global _on_duty  # noqa: PLW0603 - RQ calls functions by name, so what they work on belongs to the process
    _on_duty = (turn_worker, queue)


def handle_next() -> None:
    """Handle the next games for a while; then, or if one fails, call a worker for the rest."""
    if _on_duty is None:
        raise NotOnDuty("this process has no turn worker; jobs are done by 'plateau worker'")
    turn_worker, queue = _on_duty
    until = time.monotonic() + _SHIFT_SECONDS
    try:
        while (began := time.monotonic()) < until and (job := queue.take()) is not None:
            _handle(turn_worker, *job)
            METRICS.time("job", time.monotonic() - began)
    finally:
        queue.call_on()


def _handle(turn_worker: TurnWorker, game_id: str, version: int | None) -> None:
    for seconds in _AGAIN_SECONDS:
        try:
            return turn_worker.handle(game_id, version)
        except StoreUnavailable:
            time.sleep(seconds)
    return turn_worker.handle(game_id, version)
