"""What RQ calls, by dotted name: these names stand in queued jobs, and stay as they are."""

from workers.attendant import Attendant

_on_duty: list[Attendant] = []


def put_on_duty(attendant: Attendant) -> None:
    """Say who does the jobs of this process."""
    _on_duty[:] = [attendant]


def see_to(game_id: str, version: int) -> None:
    """See to a game at a version."""
    for attendant in _on_duty:
        attendant.see_to(game_id, version)
