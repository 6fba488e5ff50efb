"""What requests carry, once apispec has written it: closed unions, named lists of values, and no ``default``."""

from collections.abc import Iterator, Mapping
from typing import Any

from domain import field_types as ft
from domain.registry import RULESETS, ruleset_prefix
from service.api.json_schema import Schemas, documented, enumeration
from service.api.openapi.ruleset_schemas import add_union
from service.api.resources.plans import LONGEST_PATH, LONGEST_VALUE, MOST_VALUES, POINTER
from service.api.resources.rulesets import ChoiceResource, RulesetResource
from service.api.type_names import EXTENSIBLE, SHARED
from service.games.plans.plan import MOST_STEPS, PlanResource, PlanStep
from service.games.projections.legal_schema import Schema
from service.games.projections.lessons import LessonMove

_VARIANTS = {
    "SeatInput": {"player": "SeatForMe", "open": "OpenSeat", "bot": "SeatForBot"},
    "ForkSeat": {"player": "ForkSeatForMe", "bot": "ForkSeatForBot"},
    "InvitationInput": {"player": "InvitationOfPlayer", "name": "InvitationByName", "link": "InvitationByLink"},
}
"""The bodies that must have exactly one of some fields, and the component for each of these fields."""


def add_requests(schemas: Schemas, bodies: Schema, paths: Schema) -> None:
    """Complete the schemas of bodies and parameters in place."""
    for schema in [*_nested(bodies), *_nested(paths)]:
        _name_values(schemas, schema)
    for body in bodies.values():
        for field in body["properties"].values():
            _describe_default(field)
    for name, variants in _VARIANTS.items():
        _add_variants(schemas, name, bodies.pop(name), variants)
    for name in ("GameInput", "TournamentInput"):
        _add_for_each_game(schemas, name, bodies.pop(name))


def _nested(node: Any) -> Iterator[Schema]:
    """List all objects in a part of the document, the innermost first."""
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for each in inner:
        yield from _nested(each)
    if isinstance(node, dict):
        yield node


def _name_values(schemas: Schemas, schema: Schema) -> None:
    """Replace a list of values by a reference to its component, and a list of one value by a constant."""
    values = schema.get("enum")
    if not isinstance(values, list | tuple):
        return
    name = SHARED.get(ft.OneOf(tuple(values)))
    if name is not None:
        name += "Choice" * (name in EXTENSIBLE)  # what a request can have is exact, whatever later responses have
        del schema["enum"], schema["type"]
        schema |= schemas.add(name, {"type": "string", "enum": list(values)})
    elif len(values) == 1:
        del schema["enum"]
        schema |= enumeration((values[0],))


def _describe_default(field: Schema) -> None:
    """Move a default into the description: generators of clients take a property with a default for required."""
    value = field.pop("default", None)
    if isinstance(value, str | bool):
        shown = f'"{value}"' if isinstance(value, str) else str(value).lower()
        field["description"] = f"{field.get('description', '')} By default {shown}.".strip()


def _add_variants(schemas: Schemas, name: str, body: Schema, variants: Mapping[str, str]) -> None:
    """Add a body that must have exactly one of some fields as a union."""
    for key, variant in variants.items():
        own = {each: schema for each, schema in body["properties"].items() if each == key or each not in variants}
        schemas.add(variant, body | {"properties": own, "required": [key]})
    members = [schemas.to(each) for each in variants.values()]
    schemas.add(name, {"description": body["description"], "oneOf": members})


def _add_for_each_game(schemas: Schemas, name: str, body: Schema) -> None:
    """Add a body with the options of a ruleset as a union."""
    for ruleset_id in RULESETS:
        prefix = ruleset_prefix(ruleset_id)
        own = {"ruleset": enumeration((ruleset_id,)), "options": schemas.to(f"{prefix}OptionsInput")}
        schemas.add(f"{prefix}{name}", body | {"properties": own | body["properties"] | own})
    add_union(schemas, name, body["description"])


# -- the components that describe other schemas: those of options and actions, and the forms of legal actions -----


_KINDS = ("string", "integer", "boolean", "null")


def add_forms(schemas: Schemas) -> None:
    strings: Schema = {"type": "array", "items": {"type": "string"}}
    number: Schema = {"type": "integer"}
    fields: Schema = {"type": "object", "additionalProperties": schemas.to("FieldForm")}
    schemas.add("OpenApiDocument", _open("An OpenAPI 3.1 document.", {"openapi": {"type": "string"}}, ["openapi"]))
    schemas.add("JsonSchema", _open("A JSON Schema (2020-12).", {}, []))
    schemas.add("OptionValue", {"oneOf": [{"type": kind} for kind in _KINDS], "description": "A value of an option."})
    schemas.add(
        "LegalActionsForm",
        _object(
            "A JSON Schema of legal actions: one form for each, or for each type if there are many.",
            {
                "$comment": {"type": "string"},
                "oneOf": {"type": "array", "items": schemas.to("ActionForm")},
                "not": schemas.to("JsonSchema"),
            },
        ),
    )
    schemas.add(
        "ActionForm",
        _object(
            "A JSON Schema of legal actions of one type; no other properties are allowed.",
            {"type": {"type": "string", "const": "object"}, "properties": fields, "required": strings},
            ["type", "properties", "required"],
        ),
    )
    schemas.add(
        "FieldForm",
        _object(
            "A JSON Schema of the values that a field of an action can have.",
            {
                "type": {"type": "string"},
                "const": {"description": "The only value, which can be anything."},
                "enum": {"type": "array", "items": schemas.to("OptionValue")},
                "items": schemas.to("FieldForm"),
                "minItems": number,
                "maxItems": number,
                "uniqueItems": {"type": "boolean"},
                "pattern": {"type": "string"},
                "description": {"type": "string"},
                "properties": fields,
                "required": strings,
            },
        ),
    )


def add_ruleset_resource(schemas: Schemas) -> None:
    schema, value = schemas.to("JsonSchema"), schemas.to("OptionValue")
    values: Schema = {"type": "array", "items": value}
    needs: Schema = {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": values}}
    schemas.reserve(ChoiceResource, "Choice")
    schemas.reserve(RulesetResource, "Ruleset")
    schemas.add("Choice", schemas.whole(ChoiceResource, given={"values": values, "default": value, "needs": needs}))
    actions: Schema = {"type": "object", "additionalProperties": schema}
    schemas.add("Ruleset", schemas.whole(RulesetResource, given={"options": schema, "actions": actions}))
    schemas.reserve(LessonMove, "LessonMove")
    schemas.add("LessonMove", schemas.whole(LessonMove, given={"action": schemas.to("Action")}))


def _object(description: str, properties: Schema, required: list[str] | None = None) -> Schema:
    return {"type": "object", "description": description, "properties": properties, "required": required or []}


def _open(description: str, properties: Schema, required: list[str]) -> Schema:
    return _object(description, properties, required) | {"additionalProperties": True}


# -- the components of plans: steps, and the conditions on them, which are closed unions --------------------------


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
    about = "A condition on your view: a comparison of the value at a path, or a combination of other conditions."
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
