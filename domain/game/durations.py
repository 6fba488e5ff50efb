"""Points in time and durations: the text of the log ⇄ milliseconds.

A point in time is RFC 3339 in UTC with milliseconds (``2026-11-23T10:00:00.000Z``), counted from 1970. A duration is
ISO 8601 without years and months, whose length depends on when they begin: ``P3D``, ``PT90S``, ``PT0.7S``.
"""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000
_EPOCH, _MILLISECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(milliseconds=1)
DURATION = (
    "P(?=.)(?:([0-9]{1,4})W)?(?:([0-9]{1,5})D)?"
    r"(?:T(?=.)(?:([0-9]{1,6})H)?(?:([0-9]{1,7})M)?(?:([0-9]{1,8}(?:\.[0-9]{1,3})?)S)?)?"
)
"""The form of a duration; a text must match it as a whole."""


def instant(text: str) -> int:
    """Read a point in time."""
    return (datetime.fromisoformat(text) - _EPOCH) // _MILLISECOND


def moment(ms: int) -> str:
    """Write a point in time."""
    return (_EPOCH + ms * _MILLISECOND).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@lru_cache(256)
def duration(text: str) -> int:
    """Read a duration; raise ``ValueError``."""
    found = re.fullmatch(DURATION, text)
    if found is None:
        raise ValueError(f"{text} is not a valid duration such as P3D, PT90S or P1DT12H")
    parts = zip(found.groups(default="0"), (7 * DAY, DAY, HOUR, MINUTE, SECOND), strict=True)
    return sum(round(float(number) * unit) for number, unit in parts)


def lasting(ms: int) -> str:
    """Write a duration, to the millisecond."""
    days, rest = divmod(ms, DAY)
    hours, minutes, seconds, fraction = rest // HOUR, rest // MINUTE % 60, rest % MINUTE // SECOND, rest % SECOND
    time = f"{hours}H" * (hours > 0) + f"{minutes}M" * (minutes > 0)
    if fraction:
        time += f"{seconds}.{fraction:03}S"
    elif seconds or not ms:
        time += f"{seconds}S"
    return "P" + f"{days}D" * (days > 0) + f"T{time}" * (time != "")
