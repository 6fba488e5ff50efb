"""What the values of an action stand for in a scene."""

from collections.abc import Iterable, Iterator

from domain import field_types as ft
from domain.pictures.scene import Scene, pick


def picks_of(action: object) -> Iterator[str]:
    """List the things that an action chooses."""
    for field in ft.fields_of(type(action)):
        yield from _picks(field.type, getattr(action, field.name))


def _picks(tp: ft.FieldType, value: object) -> Iterator[str]:
    match tp, value:
        case (ft.ListOf(item), tuple() | list()):
            for each in value:
                yield from _picks(item, each)
        case ft.Nested(), _:
            yield from picks_of(value)
        case ft.OrNone(inner), _ if value is not None:
            yield from _picks(inner, value)
        case ((ft.Text(pick=kind) | ft.Integer(pick=kind) | ft.OneOf(pick=kind)), str() | int()) if kind is not None:
            yield pick(kind, value)
        case _:
            return


def picks_in(scene: Scene, on_stage: Iterable[str]) -> frozenset[str]:
    """Return everything that a scene offers to be chosen; ``on_stage`` is what its drawings have."""
    things = (thing.pick for row in scene.rows for thing in row.things)
    rows = (row.pick for row in scene.rows)
    seats = (pick("seat", line.seat) for line in scene.seats)
    return frozenset(each for each in (*things, *rows, *seats, *on_stage) if each)
