"""The log of a game that was stored by the first version."""

import json
from functools import cache
from pathlib import Path

from domain.log.record import Record
from domain.log.redaction import Hidden

LOG = [
    Record(**row | {"hidden": {at: Hidden(tuple(part["to"]), part["value"]) for at, part in row["hidden"].items()}})
    for row in json.loads((Path(__file__).parent / "log_of_0_1_0.json").read_text())
]


FOLDER = Path(__file__).parent


@cache
def log_of(name):
    rows = json.loads((FOLDER / f"{name}.json").read_text())
    return [
        Record(**row | {"hidden": {at: Hidden(tuple(part["to"]), part["value"]) for at, part in row["hidden"].items()}})
        for row in rows
    ]
