"""What requests carry, once apispec has written it: closed unions, named lists of values, and no ``default``."""

from collections.abc import Iterator, Mapping
from typing import Any

from domain import field_types as ft
from domain.registry import RULESETS, ruleset_prefix
from service.api.json_schema import Schemas, enumeration
from service.api.openapi.ruleset_schemas import add_union
from service.api.type_names import SHARED
from service.games.projections.legal_schema import Schema

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
    _add_games(schemas, bodies.pop("GameInput"))


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


def _add_games(schemas: Schemas, game: Schema) -> None:
    for ruleset_id in RULESETS:
        prefix = ruleset_prefix(ruleset_id)
        own = {"ruleset": enumeration((ruleset_id,)), "options": schemas.to(f"{prefix}OptionsInput")}
        schemas.add(f"{prefix}GameInput", game | {"properties": own | game["properties"] | own})
    add_union(schemas, "GameInput", game["description"])
