"""What an audit finds: the first thing that is wrong, named by its version, its field, and both values."""

from collections.abc import Mapping
from dataclasses import dataclass

from domain.log.chain import canonical
from domain.serialization import Plain

_LONGEST = 120
"""How many characters of a value a fault shows."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong in a bundle.

    ``version`` is that of the event, None where the fault is in no event. ``field`` is a JSON pointer into the event or
    the header, or the name of a draw or of a seat. ``expected`` and ``found`` are sentences or values in canonical
    form, shortened.
    """

    version: int | None
    field: str
    expected: str
    found: str

    def __str__(self) -> str:
        place = f"version {self.version}, " if self.version else "header, " if self.field.startswith("/") else ""
        return f"{place}{self.field}: expected {self.expected}, found {self.found}"


class Wrong(Exception):
    """Something in a bundle is wrong."""

    def __init__(self, version: int | None, field: str, expected: str, found: str) -> None:
        self.fault = Fault(version, field, expected, found)
        super().__init__(str(self.fault))


def value(plain: Plain) -> str:
    """Write a value in canonical form, shortened; what has no such form is described by its type."""
    try:
        text = canonical(plain).decode()
    except (TypeError, ValueError, RecursionError):
        text = f"a {type(plain).__name__}"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def compare(version: int | None, field: str, expected: Plain, found: Plain) -> None:
    """Compare plain data; raise ``Wrong`` at the first place where they differ. 1, 1.0 and true are not the same."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key in sorted({*expected, *found}, key=str):
            if key not in expected:
                raise Wrong(version, f"{field}/{key}", "nothing", value(found[key]))
            if key not in found:
                raise Wrong(version, f"{field}/{key}", value(expected[key]), "nothing")
            compare(version, f"{field}/{key}", expected[key], found[key])
    elif isinstance(expected, list | tuple) and isinstance(found, list | tuple) and len(expected) == len(found):
        for index, (one, other) in enumerate(zip(expected, found, strict=True)):
            compare(version, f"{field}/{index}", one, other)
    elif type(expected) is not type(found) or expected != found:
        raise Wrong(version, field, value(expected), value(found))
