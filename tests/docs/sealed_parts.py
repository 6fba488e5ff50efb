"""The tables of docs/verification.md that say what is sealed in each event, and who brings it about.

They are made from the types of events; ``python -m tests.docs.sealed_parts`` prints them.
"""

from collections.abc import Iterator, Mapping

from domain import field_types as ft
from domain.events import EVENTS
from domain.log.redaction import holds_secrets
from domain.registry import BUILT_IN

HEAD = ["| game | event | sealed | seen at once by |", "|---|---|---|---|"]


TYPES_HEAD = ["| game | of a seat | without one |", "|---|---|---|"]


def type_lines() -> list[str]:
    """Return the lines of the table of the types of events."""
    return [
        *TYPES_HEAD,
        *(f"| {game} | {_named(events, seat=True)} | {_named(events, seat=False)} |" for game, events in _kinds()),
    ]


def _kinds() -> list[tuple[str, Mapping[str, type]]]:
    return [("all", EVENTS), *((ruleset.name, ruleset.events) for ruleset in BUILT_IN)]


def _named(events: Mapping[str, type], *, seat: bool) -> str:
    of_seats = {name for name, cls in events.items() if any(part.key == "seat" for part in ft.fields_of(cls))}
    return ", ".join(f"`{name}`" for name in events if (name in of_seats) is seat)


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
                yield f"{pointer}/{part.key}", " and ".join(f"`{name}`" for name in part.secret_to) or "nobody"
            elif holds_secrets(part.type):
                yield from _parts(part.type, f"{pointer}/{part.key}")


if __name__ == "__main__":
    print("\n".join([*lines(), "", *type_lines()]))
