"""The final ranking by points."""

from collections.abc import Sequence

from domain.table import Seat


def best_seats(scores: Sequence[int], *, every_positive: bool = False) -> tuple[Seat, ...]:
    """List the seats with the highest score; with ``every_positive``, all seats above zero, if there are any."""
    best = max(scores)
    least = 1 if every_positive and best > 0 else best
    return tuple(seat for seat, score in enumerate(scores) if score >= least)
