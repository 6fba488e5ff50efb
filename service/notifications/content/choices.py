"""What a player chooses for a destination: which notices it carries, and during which hours it is quiet."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from service.inbox.notices import Kind

USUAL: tuple[Kind, ...] = ("your_turn", "deadline_near")
"""The notices that a destination carries unless its player chooses otherwise."""


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Hours of each day, by a clock in the player's time zone; ``start`` and ``end`` are minutes after midnight.

    They pass midnight if the end is before the start.
    """

    start: int
    end: int

    def until(self, now: int, zone: str | None) -> int | None:
        """Return when the hours that have begun are over, in ms, or None outside of them; without a zone it is UTC."""
        place = place_of(zone)
        here = datetime.fromtimestamp(now / 1000, place)
        minute = 60 * here.hour + here.minute
        passes_midnight = self.end <= self.start
        is_quiet = minute >= self.start or minute < self.end if passes_midnight else self.start <= minute < self.end
        if not is_quiet:
            return None
        day = here.date() + timedelta(days=int(minute >= self.end))
        end = datetime(day.year, day.month, day.day, self.end // 60, self.end % 60, tzinfo=place)
        return next((at for at in map(_ms, (end, end.replace(fold=1))) if at > now), None)


@dataclass(frozen=True, slots=True)
class Choices:
    types: Sequence[Kind] = USUAL
    quiet: QuietHours | None = None

    def quiet_until(self, now: int, zone: str | None) -> int | None:
        return self.quiet.until(now, zone) if self.quiet else None


def choices_of(kept: dict[str, Any]) -> Choices:
    return Choices(tuple(kept["types"]), QuietHours(**kept["quiet"]) if kept["quiet"] else None)


def place_of(zone: str | None) -> tzinfo:
    """Return a time zone; one that this machine does not know any more counts as UTC."""
    try:
        return ZoneInfo(zone) if zone else UTC
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def _ms(time: datetime) -> int:
    return int(time.timestamp() * 1000)
