"""The JSON Schema (2020-12) of some legal actions, from which a client can draw a form."""

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
    """Describe legal actions so that whatever fits is one of them."""
    return {"oneOf": [_exactly(action) for action in actions]} if actions else NO_ACTION


def necessary(actions: Sequence[Mapping[str, Plain]]) -> Schema:
    """Describe legal actions so that each of them fits: what every field may hold, but not what goes with what."""
    types = dict.fromkeys(action["type"] for action in actions)
    return {
        "$comment": "Necessary, not sufficient: not every combination is legal.",
        "oneOf": [_necessary([action for action in actions if action["type"] == name]) for name in types],
    }


def _exactly(action: Mapping[str, Plain]) -> Schema:
    fields = {name: {"const": value} for name, value in action.items()}
    return _object(fields)


def _necessary(actions: Sequence[Mapping[str, Plain]]) -> Schema:
    return _object({name: _field([action[name] for action in actions]) for name in actions[0]})


def _object(properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": {**properties, "decision_id": DECISION_ID},
        "required": list(properties),
        "additionalProperties": False,
    }


def _field(values: Sequence[Plain]) -> Schema:
    """Describe the values that a field takes: an array by its items, anything else by what occurs."""
    if isinstance(values[0], list):
        return _array(values)
    if isinstance(values[0], dict):
        return _plain_object({name: _field([value[name] for value in values]) for name in values[0]})
    return {"enum": list(dict.fromkeys(values))}


def _array(values: Sequence[list[Plain]]) -> Schema:
    """Describe arrays: what occurs in them, how many, and whether all are sets."""
    different = [{str(item): item for item in value} for value in values]
    items = [item for value in different for item in value.values()]
    sizes = [len(value) for value in values]
    shape: Schema = {"type": "array", "minItems": min(sizes), "maxItems": max(sizes)}
    if items:
        shape["items"] = _field(items)
    if [len(value) for value in different] == sizes:
        shape["uniqueItems"] = True
    return shape


def _plain_object(properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
