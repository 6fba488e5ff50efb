"""The time, as the log writes it."""

from datetime import UTC, datetime


def now() -> str:
    """Give the time in RFC 3339, UTC, with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
