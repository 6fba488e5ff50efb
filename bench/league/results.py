"""Results as a file of JSON Lines, one deal a line: an interrupted league continues where it stopped."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import orjson

Results = dict[str, dict[int, Mapping[str, Any]]]
"""The records of deals, by duel and number."""


def read(path: Path) -> Results:
    """Read all results; the last line can be cut off."""
    found: Results = {}
    for line in path.read_bytes().splitlines() if path.exists() else ():
        try:
            record = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
        found.setdefault(record["duel"], {})[record["deal"]] = record
    return found


def opened(path: Path) -> IO[bytes]:
    """Open a file of results to append to it; a last line that was cut off is completed."""
    file = path.open("ab+")
    if file.tell():
        file.seek(-1, os.SEEK_END)
        if file.read() != b"\n":
            file.write(b"\n")
    return file


def write(file: IO[bytes], record: Mapping[str, Any]) -> None:
    """Append the record of a deal; it is stored once this returns."""
    file.write(orjson.dumps(record) + b"\n")
    file.flush()
