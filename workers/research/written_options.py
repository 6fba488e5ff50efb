"""Options of a game as people write them: ``name=value``."""

import json
from collections.abc import Iterable

from domain.serialization import Plain


def read(options: Iterable[str], sign: str = "=") -> dict[str, Plain]:
    """Read options; a value is JSON, or else a text."""
    return {name: _value(text) for name, _, text in (option.partition(sign) for option in options)}


def _value(text: str) -> Plain:
    try:
        value: Plain = json.loads(text)
    except ValueError:
        return text
    return value
