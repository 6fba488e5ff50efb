"""The components that describe other schemas: those of options and actions, and the forms of legal actions."""

from service.api.json_schema import Schemas
from service.api.resources.rulesets import ChoiceResource, RulesetResource
from service.games.projections.legal_schema import Schema
from service.games.projections.lessons import LessonMove

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
