"""What of ``/v1`` will end: the table from which headers, the document and the manual follow (docs/versioning.md)."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
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
    """Mark in a document what will end; raise ``ValueError`` for an end that is too early or an unknown name.

    Components share parts of their schemas, so what is marked is a copy.
    """
    places = {name: (container, key) for name, container, key in _places(document)}
    for name, ending in DEPRECATED.items():
        if name not in places:
            raise ValueError(f"{name}: there is no such operation or field")
        if ending.sunset - ending.since < _LEAST:
            raise ValueError(f"{name}: it ends within six months")
        container, key = places[name]
        part = container[key] = deepcopy(container[key])
        part["deprecated"] = True
        part["description"] = f"{part.get('description', '')} {ending.sentence()}".strip()
        for response in part.get("responses", {}).values():
            sent = {each: {"description": text, "schema": {"type": "string"}} for each, text in _HEADERS.items()}
            response["headers"] = sent | response.get("headers", {})


_HEADERS = {
    "Deprecation": "Since when the operation is deprecated (RFC 9745).",
    "Sunset": "When it ends (RFC 8594).",
    "Link": 'What to use instead, with rel="deprecation".',
}


def _places(document: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Return where each operation and each field stands: its name, what contains it, and its key there."""
    for path in document["paths"].values():
        yield from ((operation["operationId"], path, method) for method, operation in path.items())
    for name, schema in document["components"]["schemas"].items():
        if "properties" in schema:
            fields = schema["properties"] = {**schema["properties"]}
            yield from ((f"{name}.{field}", fields, field) for field in fields)
