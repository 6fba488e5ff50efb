"""The JSON Schema (2020-12) of a set of legal actions, from which a client can draw a form."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain import field_types as ft
from domain.serialization import Plain

Schema = dict[str, Any]
DECISION_ID: Schema = {
    "type": "string",
    "description": "The decision that this action answers.",
    "pattern": "^d[0-9]{1,12}_[0-9]{1,2}$",
}

PICK = "x-pick"
"""The keyword that holds what values stand for in a scene: ``card`` for a card drawn as ``card:RH``."""

NO_ACTION: Schema = {"not": {}}


def exact(actions: Sequence[Mapping[str, Plain]]) -> Schema:
    """Describe legal actions so that nothing else fits."""
    exactly = [_action({name: {"const": value} for name, value in action.items()}) for action in actions]
    return {"oneOf": exactly} if actions else NO_ACTION


def necessary(actions: Sequence[Mapping[str, Plain]], classes: Mapping[str, type]) -> Schema:
    """Describe legal actions so that each of them fits: the values of each field, but not how they combine."""
    types = dict.fromkeys(action["type"] for action in actions)
    return {
        "$comment": "Necessary, not sufficient: not every combination is legal.",
        "oneOf": [
            _action(_merged([each for each in actions if each["type"] == name], classes[name])) for name in types
        ],
    }


def _action(properties: Schema) -> Schema:
    schema = _object(properties)
    return schema | {"properties": {**properties, "decision_id": DECISION_ID}}


def _object(properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _merged(objects: Sequence[Mapping[str, Plain]], cls: type) -> Schema:
    """Describe the fields of objects of a class that all have the same ones."""
    types: dict[str, ft.FieldType] = {"type": ft.Text()} | {field.key: field.type for field in ft.fields_of(cls)}
    return {name: _field([each[name] for each in objects], types[name]) for name in objects[0]}


def _field(values: Sequence[Plain], tp: ft.FieldType) -> Schema:
    """Describe the values that occur in a field: arrays by their items, objects by their fields."""
    match tp:
        case ft.ListOf(item):
            return _array(values, item)
        case ft.Nested(cls):
            return _object(_merged(values, cls))
        case ft.Text(pick=str(kind)) | ft.Integer(pick=str(kind)) | ft.OneOf(pick=str(kind)):
            return {"enum": list(dict.fromkeys(values)), PICK: kind}
        case _:
            return {"enum": list(dict.fromkeys(values))}


def _array(values: Sequence[list[Plain]], item_type: ft.FieldType) -> Schema:
    """Describe arrays: the items that occur, how many, and whether none occurs twice in an array."""
    different = [{str(item): item for item in value} for value in values]
    items = [item for value in different for item in value.values()]
    sizes = [len(value) for value in values]
    shape: Schema = {"type": "array", "minItems": min(sizes), "maxItems": max(sizes)}
    if items:
        shape["items"] = _field(items, item_type)
    if [len(value) for value in different] == sizes:
        shape["uniqueItems"] = True
    return shape
