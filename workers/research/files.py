"""Files of data sets: JSON Lines, plain or compressed, or Parquet. A file gets its name only when it is complete."""

import gzip
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

import orjson

from workers.research.columns import COLUMNS, Column, Kind, Rows

Row: TypeAlias = Mapping[str, Any]
"""A row by the names of its columns; values of the kind ``json`` are JSON, as bytes."""
Write: TypeAlias = Callable[[Sequence[Row]], object]

ROWS_IN_GROUP = 4096
"""How many rows of Parquet are written, and can be read, at once."""
_COMPRESSION = 6


class NoSuchFormat(Exception):
    """The name of a file does not end like a known format's, or the library for its format is not installed."""


@contextmanager
def written(path: Path, rows: Rows) -> Iterator[Write]:
    """Yield a function that adds rows to a file; at the end, it replaces one of that name. On failure, none is left.

    Raise ``NoSuchFormat`` before anything is written.
    """
    form = _format_of(path)
    part = path.with_name(f".{path.name}.part")
    try:
        with form(part, COLUMNS[rows]) as write:
            yield write
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


_Format: TypeAlias = Callable[[Path, Sequence[Column]], AbstractContextManager[Write]]


def _format_of(path: Path) -> _Format:
    form = next((form for end, form in _FORMATS.items() if path.name.endswith(end)), None)
    if form is None:
        raise NoSuchFormat(f"{path.name}: the name of the file must end with {', '.join(_FORMATS)}")
    if form is _parquet and find_spec("pyarrow") is None:
        raise NoSuchFormat("Parquet needs pyarrow, of the extra research: pip install 'plateau-server[research]'")
    return form


@contextmanager
def _json_lines(path: Path, columns: Sequence[Column]) -> Iterator[Write]:
    with path.open("wb") as file:
        yield lambda rows: file.writelines(_line(row, columns) for row in rows)


@contextmanager
def _compressed(path: Path, columns: Sequence[Column]) -> Iterator[Write]:
    """Write without a name and a time, so that the same rows give the same bytes."""
    with path.open("wb") as raw, gzip.GzipFile("", "wb", _COMPRESSION, raw, mtime=0) as file:
        yield lambda rows: file.writelines(_line(row, columns) for row in rows)


def _line(row: Row, columns: Sequence[Column]) -> bytes:
    values = {
        column.name: orjson.Fragment(row[column.name]) if column.kind == "json" else row[column.name]
        for column in columns
    }
    return orjson.dumps(values, option=orjson.OPT_APPEND_NEWLINE)


@contextmanager
def _parquet(path: Path, columns: Sequence[Column]) -> Iterator[Write]:
    arrow: Any = import_module("pyarrow")
    parquet: Any = import_module("pyarrow.parquet")
    schema = arrow.schema(
        [
            arrow.field(each.name, _arrow_type(arrow, each.kind), nullable=False, metadata={"about": each.about})
            for each in columns
        ]
    )
    waiting: list[Row] = []

    def write(rows: Sequence[Row]) -> None:
        waiting.extend(rows)
        while len(waiting) >= ROWS_IN_GROUP:
            flush(waiting[:ROWS_IN_GROUP])
            del waiting[:ROWS_IN_GROUP]

    def flush(rows: Sequence[Row]) -> None:
        output.write_table(arrow.table([[row[name] for row in rows] for name in schema.names], schema=schema))

    with parquet.ParquetWriter(path, schema, compression="zstd") as output:
        yield write
        flush(waiting)


def _arrow_type(arrow: Any, kind: Kind) -> Any:
    return {
        "int": arrow.int64(),
        "truth": arrow.bool_(),
        "text": arrow.string(),
        "json": arrow.string(),
        "ints": arrow.list_(arrow.int64()),
        "texts": arrow.list_(arrow.string()),
    }[kind]


_FORMATS: Mapping[str, _Format] = MappingProxyType(
    {
        ".jsonl": _json_lines,
        ".jsonl.gz": _compressed,
        ".parquet": _parquet,
    }
)
