"""What RQ calls, by dotted name: these names stand in queued jobs, and stay as they are."""

import time

from service.jobs.job_queue import RqQueue
from service.store.event_store import StoreUnavailable
from workers.turn_worker import TurnWorker

_AGAIN_SECONDS = (0.2, 0.5, 1.0, 2.0)
"""How long to wait before a job is done again that Redis was away for; after that it is left to the sweep."""

_SHIFT_SECONDS = 0.5
"""For how long a worker goes on taking games on one call: RQ does about as much for a call as a bot for a move."""

_on_duty: list[tuple[TurnWorker, RqQueue]] = []


def put_on_duty(turn_worker: TurnWorker, queue: RqQueue) -> None:
    """Say who does the jobs of this process."""
    _on_duty[:] = [(turn_worker, queue)]


def see_to_the_next() -> None:
    """See to the games whose turn it is, for a while; then, or if one fails, have a worker called for the others."""
    until = time.monotonic() + _SHIFT_SECONDS
    for _, queue in _on_duty:
        try:
            while time.monotonic() < until and (job := queue.take()) is not None:
                see_to(*job)
        finally:
            queue.call_on()


def see_to(game_id: str, version: int | None) -> None:
    """See to a game at a version: to do so again does nothing that was done."""
    for turn_worker, _ in _on_duty:
        for seconds in _AGAIN_SECONDS:
            try:
                turn_worker.see_to(game_id, version)
            except StoreUnavailable:
                time.sleep(seconds)
            else:
                return
        turn_worker.see_to(game_id, version)
