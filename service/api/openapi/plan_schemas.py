"""The components of plans: steps, and the conditions on them, which are closed unions."""

from typing import Any

from service.api.json_schema import Schemas, documented
from service.api.resources.plans import LONGEST_PATH, LONGEST_VALUE, MOST_VALUES, POINTER
from service.games.plans.plan import MOST_STEPS, PlanResource, PlanStep
from service.games.projections.legal_schema import Schema


def add_plans(schemas: Schemas) -> None:
    schemas.reserve(PlanStep, "PlanStep")
    schemas.reserve(PlanResource, "Plan")
    step, condition = schemas.to("PlanStep"), schemas.to("Condition")
    steps: Schema = {"type": "array", "items": step, "maxItems": MOST_STEPS}
    fields: Schema = {"when": condition, "action": schemas.to("Action"), "then": steps}
    schemas.add("PlanStep", _closed(documented(PlanStep), fields, ["action"]))
    schemas.add("Plan", schemas.whole(PlanResource, given={"steps": steps}))
    _add_conditions(schemas, condition)


def _add_conditions(schemas: Schemas, condition: Schema) -> None:
    text: Schema = {"type": "string", "maxLength": LONGEST_VALUE}
    scalar = schemas.add(
        "Scalar",
        {"oneOf": [text, {"type": "number"}, {"type": "boolean"}, {"type": "null"}], "description": "A plain value."},
    )
    several: Schema = {"type": "array", "items": scalar, "minItems": 1, "maxItems": MOST_VALUES}
    others: Schema = {"type": "array", "items": condition, "minItems": 1, "maxItems": MOST_VALUES}
    members = {
        "Equality": _comparison(
            "Whether the value at a path equals another, or differs from it.", ["eq", "ne"], scalar
        ),
        "Order": _comparison("Whether the number at a path is less or more.", ["lt", "le", "gt", "ge"], _NUMBER),
        "TextMatch": _comparison("How the text at a path begins or ends.", ["starts_with", "ends_with"], text),
        "Membership": _comparison("Whether the value at a path is one of several.", ["in"], several),
        "Existence": _comparison("Whether the path leads anywhere.", ["exists"]),
        "AllOf": _closed("All of some conditions.", {"all": others}, ["all"]),
        "AnyOf": _closed("Any of some conditions.", {"any": others}, ["any"]),
        "Negation": _closed("Not a condition.", {"not": condition}, ["not"]),
    }
    for name, schema in members.items():
        schemas.add(name, schema)
    about = "A condition on your view: a comparison of what stands at a path, or of other conditions."
    schemas.add("Condition", {"description": about, "oneOf": [schemas.to(name) for name in members]})


_NUMBER: Schema = {"type": "number"}
_PATH: Schema = {
    "type": "string",
    "maxLength": LONGEST_PATH,
    "pattern": f"^(?:{POINTER})$",
    "description": "A JSON pointer into the view; a step * stands for every item, at most twice.",
}


def _comparison(description: str, ops: list[str], value: Schema | None = None) -> Schema:
    op: dict[str, Any] = {"type": "string"} | ({"const": ops[0]} if len(ops) == 1 else {"enum": ops})
    fields: Schema = {"path": _PATH, "op": op} | ({} if value is None else {"value": value})
    return _closed(description, fields, [*fields])


def _closed(description: str, fields: Schema, required: list[str]) -> Schema:
    return {
        "type": "object",
        "description": description,
        "properties": fields,
        "required": required,
        "additionalProperties": False,
    }
