"""What of ``/v1`` will end: the table from which headers, the document and the manual follow (docs/versioning.md)."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, NamedTuple


class Ending(NamedTuple):
    """Since when something is deprecated, when it ends, both in UTC, and the page that says what to use instead."""

    since: datetime
    sunset: datetime
    link: str

    def sentence(self) -> str:
        return f"Deprecated since {self.since:%Y-%m-%d}, ends on {self.sunset:%Y-%m-%d}: see {self.link}."


DEPRECATED: dict[str, Ending] = {}
"""By the name of an operation (``list_games``), or of a field of a component (``Mail.types``)."""

_LEAST = timedelta(days=184)
"""No half-year is longer."""


def headers(operation: str | None) -> Mapping[str, str]:
    """Return the headers of RFC 9745 and RFC 8594 for an operation; none if it stays."""
    ending = DEPRECATED.get(operation or "")
    if ending is None:
        return {}
    return {
        "Deprecation": f"@{int(ending.since.timestamp())}",
        "Sunset": format_datetime(ending.sunset.astimezone(UTC), usegmt=True),
        "Link": f'<{ending.link}>; rel="deprecation"; type="text/html"',
    }


def mark(document: Mapping[str, Any]) -> None:
    """Mark in a document what will end; raise ``ValueError`` for an end that is too early or an unknown name."""
    parts = dict(_parts(document))
    for name, ending in DEPRECATED.items():
        if name not in parts or ending.sunset - ending.since < _LEAST:
            raise ValueError(f"{name}: there is no such operation or field, or it ends within six months")
        parts[name]["deprecated"] = True
        parts[name]["description"] = f"{parts[name].get('description', '')} {ending.sentence()}".strip()
        for response in parts[name].get("responses", {}).values():
            sent = {each: {"description": text, "schema": {"type": "string"}} for each, text in _HEADERS.items()}
            response["headers"] = sent | response.get("headers", {})


_HEADERS = {
    "Deprecation": "Since when the operation is deprecated (RFC 9745).",
    "Sunset": "When it ends (RFC 8594).",
    "Link": 'What to use instead, with rel="deprecation".',
}


def _parts(document: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from ((each["operationId"], each) for path in document["paths"].values() for each in path.values())
    for name, schema in document["components"]["schemas"].items():
        yield from ((f"{name}.{field}", part) for field, part in schema.get("properties", {}).items())
