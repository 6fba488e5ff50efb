"""The tables of docs/verification.md that say what is sealed in each event, and which fields each has.

They are made from the types of events; ``python -m tests.docs.sealed_parts`` prints them.
"""

import json
from collections.abc import Iterator, Mapping

from domain import field_types as ft
from domain.events import EVENTS
from domain.log.redaction import holds_secrets
from domain.registry import BUILT_IN

HEAD = ["| game | event | sealed | seen at once by |", "|---|---|---|---|"]


TYPES_HEAD = ["| game | event | `seat` | fields of `data` |", "|---|---|---|---|"]

_FEW = 9
"""How many values of a field are listed at most: the squares of a board are not."""


def type_lines() -> list[str]:
    """Return the lines of the table of the types of events and their fields."""
    rows = [_type_line(game, name, cls) for game, events in _kinds() for name, cls in events.items()]
    return [*TYPES_HEAD, *rows]


def _kinds() -> list[tuple[str, Mapping[str, type]]]:
    return [("all", EVENTS), *((ruleset.name, ruleset.events) for ruleset in BUILT_IN)]


def _type_line(game: str, name: str, cls: type) -> str:
    parts = ft.fields_of(cls)
    fields = ", ".join(_field(part) for part in parts if part.key != "seat")
    seat = "yes" if any(part.key == "seat" for part in parts) else "null"
    return f"| {game} | `{name}` | {seat} | {f'`{fields}`' if fields else 'none'} |"


def _field(part: ft.Field) -> str:
    return f"{part.key}{'?' if part.omittable else ''}: {_form(part.type)}"


def _form(tp: ft.FieldType) -> str:
    match tp:
        case ft.OneOf(values) if len(values) <= _FEW:
            return "/".join(map(json.dumps, values))
        case ft.ListOf(item):
            return f"[{_form(item)}]"
        case ft.MapOf(inner):
            return f"{{text: {_form(inner)}}}"
        case ft.Nested(cls):
            return f"{{{', '.join(map(_field, ft.fields_of(cls)))}}}"
        case ft.OrNone(inner):
            return f"{_form(inner)} or null"
        case _:
            return _SIMPLE[type(tp)]


_SIMPLE: Mapping[type, str] = {
    ft.Text: "text",
    ft.OneOf: "text",
    ft.Integer: "int",
    ft.Boolean: "bool",
    ft.Anything: "any",
}


def lines() -> list[str]:
    """Return the lines of the table of sealed parts; ``*`` in a pointer stands for each index of a list."""
    rows = [
        f"| {game} | `{name}` | `{pointer}` | {who} |"
        for game, events in _kinds()
        for name, cls in events.items()
        for pointer, who in _parts(ft.Nested(cls), "")
    ]
    return [*HEAD, *rows]


def _parts(tp: ft.FieldType, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(tp, ft.ListOf):
        yield from _parts(tp.item, f"{pointer}/*")
    elif isinstance(tp, ft.Nested):
        for part in ft.fields_of(tp.cls):
            if part.secret_to is not None:
                yield f"{pointer}/{part.key}", " and ".join(f"`{name}`" for name in part.secret_to) or "no seat"
            elif holds_secrets(part.type):
                yield from _parts(part.type, f"{pointer}/{part.key}")


if __name__ == "__main__":
    print("\n".join([*lines(), "", *type_lines()]))
