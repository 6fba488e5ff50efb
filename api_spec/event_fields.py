"""The fields of each type of event, as a table in the second verifier.

Each type has its fields in one text: ``hands(seat count cards?)`` is an object, or a list of objects, with these
fields. A field with ``?`` can be missing: one that is omitted where there is nothing to say, is sealed, or is not in
logs of earlier versions.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from domain import field_types as ft
from domain.events import EVENTS
from domain.registry import BUILT_IN

BEGIN, END = "// generated: the fields of events\n", "// end of what is generated\n"


def written_into(program: str) -> str:
    """Return the text of the verifier with the table as it must be."""
    table = "".join(f"{line}\n" for line in _lines())
    made, count = re.subn(f"(?<={BEGIN}).*?(?={END})", lambda _: table, program, flags=re.DOTALL)
    if count != 1:
        raise ValueError(f"the verifier must have one place for the table, not {count}")
    return made


def _lines() -> Iterator[str]:
    yield "// prettier-ignore"
    yield "const FIELDS = {"
    for kind, events in (("all", EVENTS), *((ruleset.id, ruleset.events) for ruleset in BUILT_IN)):
        yield f'  "{kind}": {{'
        for fields, types in _grouped(events).items():
            yield f'    "{fields}": "{" ".join(types)}",'
        yield "  },"
    yield "};"


def _grouped(events: Mapping[str, type]) -> Mapping[str, list[str]]:
    """Return the types of events by their fields: many have the same."""
    found: dict[str, list[str]] = {}
    for name, cls in events.items():
        found.setdefault(_fields(part for part in ft.fields_of(cls) if part.key != "seat"), []).append(name)
    return found


def _fields(parts: Iterable[ft.Field]) -> str:
    return " ".join(map(_field, parts))


def _field(part: ft.Field) -> str:
    nested = _nested(part.type)
    inner = "" if nested is None else f"({_fields(ft.fields_of(nested))})"
    return f"{part.key}{'' if part.required and part.secret_to is None else '?'}{inner}"


def _nested(tp: ft.FieldType) -> type | None:
    match tp:
        case ft.ListOf(inner) | ft.OrNone(inner):
            return _nested(inner)
        case ft.Nested(cls):
            return cls
        case _:
            return None
