"""The current time, as the log writes it."""

from datetime import UTC, datetime

from domain.game.durations import instant


def now() -> str:
    """Return the time in RFC 3339, UTC, with milliseconds."""
    time = datetime.now(UTC)  # noqa: TID251 - the one place where the time of an event is read
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def now_ms() -> int:
    """Return the time in ms since 1970."""
    return instant(now())
