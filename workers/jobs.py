"""What RQ calls, by dotted name: these names stand in queued jobs, and stay as they are."""

import time

from service.store import StoreUnavailable
from workers.attendant import Attendant

_AGAIN_SECONDS = (0.2, 0.5, 1.0, 2.0)
"""How long to wait before a job is done again that Redis was away for; after that it is left to the sweep."""

_on_duty: list[Attendant] = []


def put_on_duty(attendant: Attendant) -> None:
    """Say who does the jobs of this process."""
    _on_duty[:] = [attendant]


def see_to(game_id: str, version: int) -> None:
    """See to a game at a version: to do so again does nothing that was done."""
    for attendant in _on_duty:
        for seconds in _AGAIN_SECONDS:
            try:
                attendant.see_to(game_id, version)
            except StoreUnavailable:
                time.sleep(seconds)
            else:
                return
        attendant.see_to(game_id, version)
