"""A bundle: everything that verifies one game, as JSON Lines.

Each line is an object with one key, which says what the line is. The first line is the ``bundle``, which heads the
file; then comes one line for each ``event``, in order, and one for each ``draw`` behind them. What the server has
signed follows: ``receipt``, ``root``, ``cosignature``, ``inclusion`` and ``keys``.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from domain.log.record import Shown
from domain.serialization import Plain

FORMAT = 1
"""The version of the format, which the first line states."""

SIGNED = ("receipt", "root", "cosignature", "inclusion", "keys")
"""The kinds of lines about what the server has signed; a bundle can have any number of each."""

HEADER = frozenset({"format", "ruleset", "rules_version", "game_id", "version", "head"})


class Unreadable(ValueError):
    """A file is not a bundle; the message names the first line that is wrong."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The parts of a bundle: its header, the events in order, the draws as data, and what was signed, by kind.

    ``others`` counts the lines of kinds that are not known here, by kind.
    """

    header: Mapping[str, Plain]
    events: Sequence[Shown]
    draws: Sequence[Mapping[str, Plain]]
    others: Mapping[str, int] = field(default_factory=dict)
    signed: Mapping[str, Sequence[Mapping[str, Plain]]] = field(default_factory=dict)


def lines(audit: Mapping[str, Any], rules_version: int, signed: Iterable[Plain] = ()) -> Iterator[Plain]:
    """Return the lines of a bundle, each as plain data, from a log with its draws (``format=audit``).

    ``signed`` are the lines about what the server has signed.
    """
    head = {name: audit[name] for name in ("ruleset", "game_id", "version", "head")}
    yield {"bundle": {"format": FORMAT, "rules_version": rules_version, **head}}
    for event in audit["events"]:
        yield {"event": event}
    for draw in audit["draws"]:
        yield {"draw": draw}
    yield from signed


def read(text: bytes) -> Bundle:
    """Read a bundle; raise ``Unreadable`` where a line is not of the format."""
    if not text.endswith(b"\n"):
        raise Unreadable("the last line is torn: it does not end with a line feed")
    parts: dict[str, list[Any]] = {kind: [] for kind in ("bundle", "event", "draw", *SIGNED)}
    others: dict[str, int] = {}
    for number, line in enumerate(text[:-1].split(b"\n"), 1):
        kind, content = _line(number, line)
        if (number == 1) is not (kind == "bundle"):
            raise Unreadable(f"line {number}: the line of the kind bundle must be the first, and the only one")
        if kind in parts:
            parts[kind].append(content)
        else:
            others[kind] = others.get(kind, 0) + 1
    (header,) = parts["bundle"]
    _check_header(header)
    return Bundle(header, parts["event"], parts["draw"], others, {kind: parts[kind] for kind in SIGNED})


def _line(number: int, line: bytes) -> tuple[str, dict[str, Plain]]:
    try:
        told = json.loads(line.decode(), object_pairs_hook=_unique, parse_float=_refuse, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"line {number}: not JSON with integers only: {error}") from error
    if not isinstance(told, dict) or len(told) != 1:
        raise Unreadable(f"line {number}: not an object with one key")
    ((kind, content),) = told.items()
    if not isinstance(content, dict):
        raise Unreadable(f"line {number}: {kind} is not an object")
    return kind, content


def _check_header(header: Mapping[str, Plain]) -> None:
    if header.get("format") != FORMAT or type(header["format"]) is not int:
        raise Unreadable(f"line 1: a bundle of the format {header.get('format')!r}; only {FORMAT} is known here")
    if header.keys() != HEADER:
        raise Unreadable(f"line 1: the header has the keys {sorted(header)}, not {sorted(HEADER)}")
    for name in ("ruleset", "game_id", "head"):
        if not isinstance(header[name], str):
            raise Unreadable(f"line 1: {name} is not a text")


def _unique(pairs: Sequence[tuple[str, Plain]]) -> dict[str, Plain]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in names if names.count(key) > 1)!r} occurs twice")
    return found


def _refuse(number: str) -> NoReturn:
    raise ValueError(f"{number} is not an integer")
