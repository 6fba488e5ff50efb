"""Why a card is good in its trick: the reasons that all games of tricks share."""

from dataclasses import dataclass
from typing import Final

from workers.bots.policy import Reason

LIKELY: Final = 0.7
"""The chance from which a reason mentions taking the trick."""

UNLIKELY: Final = 0.3
"""The chance up to which a reason mentions a lost trick."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A card in its trick, as its seat can judge it.

    ``chance`` is that of the seat's side to take the trick. ``leads`` and ``beats`` are whether the card is the first,
    and whether it is the best so far; ``partner_is_best`` whether a partner's card was the best before it. ``is_least``
    is whether no lower card of its suit would do as much, and ``carries`` whether it scores points.
    """

    chance: float
    leads: bool
    beats: bool
    partner_is_best: bool
    is_least: bool
    carries: bool


def reason_of(placed: Placed) -> Reason | None:
    """Return the reason for a card; None if nothing stands out."""
    percent = {"percent": round(100 * placed.chance)}
    if placed.leads:
        return Reason("reason.trick.leads", percent) if placed.chance >= LIKELY else None
    if placed.beats:
        if placed.chance < LIKELY:
            return None
        return Reason("reason.trick.takes-cheaply" if placed.is_least else "reason.trick.takes", percent)
    if placed.partner_is_best and placed.carries and placed.chance >= LIKELY:
        return Reason("reason.trick.gives", percent)
    if placed.chance <= UNLIKELY and placed.is_least and not placed.carries:
        return Reason("reason.trick.saves")
    return None
