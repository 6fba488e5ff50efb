"""The table of docs/verification.md that says what is sealed in each event, made from the types of events.

``python -m tests.docs.sealed_parts`` prints it.
"""

from collections.abc import Iterator

from domain import field_types as ft
from domain.events import EVENTS
from domain.log.redaction import holds_secrets
from domain.registry import BUILT_IN

HEAD = ["| game | event | sealed | seen at once by |", "|---|---|---|---|"]


def lines() -> list[str]:
    """Return the lines of the table; ``*`` in a pointer stands for each index of a list."""
    kinds = [("all", EVENTS), *((ruleset.name, ruleset.events) for ruleset in BUILT_IN)]
    rows = [
        f"| {game} | `{name}` | `{pointer}` | {who} |"
        for game, events in kinds
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
    print("\n".join(lines()))
