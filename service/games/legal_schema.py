"""The JSON Schema (2020-12) of a set of legal actions, from which a client can draw a form."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.serialization import Plain

Schema = dict[str, Any]
DECISION_ID: Schema = {
    "type": "string",
    "description": "The decision that this action answers.",
    "pattern": "^d[0-9]{1,12}_[0-9]{1,2}$",
}

NO_ACTION: Schema = {"not": {}}


def exact(actions: Sequence[Mapping[str, Plain]]) -> Schema:
    """Describe legal actions so that nothing else fits."""
    exactly = [_action({name: {"const": value} for name, value in action.items()}) for action in actions]
    return {"oneOf": exactly} if actions else NO_ACTION


def necessary(actions: Sequence[Mapping[str, Plain]]) -> Schema:
    """Describe legal actions so that each of them fits: the values of each field, but not how they combine."""
    types = dict.fromkeys(action["type"] for action in actions)
    return {
        "$comment": "Necessary, not sufficient: not every combination is legal.",
        "oneOf": [_action(_merged([action for action in actions if action["type"] == name])) for name in types],
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


def _merged(objects: Sequence[Mapping[str, Plain]]) -> Schema:
    """Describe the fields of objects that all have the same ones."""
    return {name: _field([each[name] for each in objects]) for name in objects[0]}


def _field(values: Sequence[Plain]) -> Schema:
    """Describe the values that occur in a field: arrays by their items, objects by their fields."""
    match values[0]:
        case list():
            return _array(values)
        case dict():
            return _object(_merged(values))
        case _:
            return {"enum": list(dict.fromkeys(values))}


def _array(values: Sequence[list[Plain]]) -> Schema:
    """Describe arrays: the items that occur, how many, and whether none occurs twice in an array."""
    different = [{str(item): item for item in value} for value in values]
    items = [item for value in different for item in value.values()]
    sizes = [len(value) for value in values]
    shape: Schema = {"type": "array", "minItems": min(sizes), "maxItems": max(sizes)}
    if items:
        shape["items"] = _field(items)
    if [len(value) for value in different] == sizes:
        shape["uniqueItems"] = True
    return shape
