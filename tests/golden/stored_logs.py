"""Logs of games that older versions stored."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from domain.log.record import Record
from domain.log.redaction import Hidden

FOLDER = Path(__file__).parent / "stored"
FIRST = "log_of_0_1_0"
"""A game that the first version stored."""


@cache
def log_of(name: str) -> Sequence[Record]:
    """Return a stored log."""
    rows = json.loads((FOLDER / f"{name}.json").read_text())
    return [
        Record(**row | {"hidden": {at: Hidden(tuple(part["to"]), part["value"]) for at, part in row["hidden"].items()}})
        for row in rows
    ]
