"""Points in time and durations: the text of the log ⇄ milliseconds, by arithmetic alone.

A point in time is RFC 3339 in UTC with milliseconds (``2026-11-23T10:00:00.000Z``), counted from 1970. A duration is
ISO 8601 without years and months, whose length depends on when they begin: ``P3D``, ``PT90S``, ``P1DT12H``.
"""

import re
from functools import lru_cache

SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000
_DAYS_BEFORE_1970 = 719_468  # from 1 March of the year 0
_DAYS_OF_400_YEARS = 146_097
DURATION = "P(?=.)(?:([0-9]{1,4})W)?(?:([0-9]{1,5})D)?(?:T(?=.)(?:([0-9]{1,6})H)?(?:([0-9]{1,7})M)?(?:([0-9]{1,8})S)?)?"
"""The form of a duration, for the whole of a text."""


def instant(text: str) -> int:
    """Read a point in time."""
    return _date(text[:10]) + int(text[11:13]) * HOUR + int(text[14:16]) * MINUTE + int(text[17:19] + text[20:23])


@lru_cache(64)
def _date(text: str) -> int:
    """Count the days of the Gregorian calendar, in years that begin with March, so that a leap day comes last."""
    year, month, day = int(text[:4]), int(text[5:7]), int(text[8:10])
    year, month = (year, month - 3) if month > 2 else (year - 1, month + 9)
    leap_days = year // 4 - year // 100 + year // 400
    return (365 * year + leap_days + (153 * month + 2) // 5 + day - 1 - _DAYS_BEFORE_1970) * DAY


def moment(ms: int) -> str:
    """Write a point in time."""
    days, ms = divmod(ms, DAY)
    era, day = divmod(days + _DAYS_BEFORE_1970, _DAYS_OF_400_YEARS)
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day -= (153 * month + 2) // 5 - 1
    year, month = (400 * era + year, month + 3) if month < 10 else (400 * era + year + 1, month - 9)
    hour, minute, second = ms // HOUR, ms // MINUTE % 60, ms // SECOND % 60
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms % SECOND:03}Z"


@lru_cache(256)
def duration(text: str) -> int:
    """Read a duration; raises ``ValueError``."""
    found = re.fullmatch(DURATION, text)
    if found is None:
        raise ValueError(f"{text} is no duration such as P3D, PT90S or P1DT12H")
    parts = zip(found.groups(default="0"), (7 * DAY, DAY, HOUR, MINUTE, SECOND), strict=True)
    return sum(int(number) * unit for number, unit in parts)


def lasting(ms: int) -> str:
    """Write a duration, to the millisecond."""
    days, rest = divmod(ms, DAY)
    hours, minutes, seconds = rest // HOUR, rest // MINUTE % 60, rest % MINUTE
    exact = f"{seconds // SECOND}.{seconds % SECOND:03}" if seconds % SECOND else str(seconds // SECOND)
    time = "".join(f"{number}{unit}" for number, unit in ((hours, "H"), (minutes, "M")) if number)
    time += f"{exact}S" if seconds else ""
    if not days and not time:
        return "PT0S"
    return "P" + (f"{days}D" if days else "") + (f"T{time}" if time else "")
