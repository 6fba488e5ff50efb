"""The types of the Python package: one module of TypedDicts, written by datamodel-code-generator."""

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

_FILTERS = {"list_games": "GameFilters", "list_my_games": "MyGameFilters"}
_PAGING = ("cursor", "limit")
_ANY_OBJECT = {"description": "A JSON Schema (2020-12).", "type": "object", "additionalProperties": {}}
"""The document's component for it becomes a type without any key."""
_COMMAND = (
    sys.executable, "-m", "datamodel_code_generator",
    "--input-file-type", "openapi", "--output-model-type", "typing.TypedDict", "--target-python-version", "3.11",
    "--enum-field-as-literal", "all", "--no-use-closed-typed-dict",
    "--use-union-operator", "--use-standard-collections",
    "--use-schema-description", "--use-field-description", "--use-single-line-docstring",
    "--use-double-quotes", "--formatters", "builtin",
)  # fmt: skip


def written(document: Mapping[str, Any]) -> str:
    """Return the module for an OpenAPI document."""
    schemas = document["components"]["schemas"] | {"Event": _any_event(document)} | _filters(document)
    schemas["JsonSchema"] = _ANY_OBJECT
    schemas = {name: _open_to_others(schema) for name, schema in schemas.items()}
    typed = {"openapi": document["openapi"], "info": document["info"], "paths": {}, "components": {"schemas": schemas}}
    header = f'"""The types of the interface {document["info"]["version"]}, written from its OpenAPI document."""'
    command = (*_COMMAND, "--custom-file-header", header)
    done = subprocess.run(command, input=json.dumps(typed), stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603
    return done.stdout


def _open_to_others(schema: dict[str, Any]) -> dict[str, Any]:
    """Write a list of values that later versions can add to as these values, or any text."""
    values = schema.get("x-extensible-enum")
    return {"anyOf": [{"type": "string", "enum": values}, {"type": "string"}]} if values else schema


def _any_event(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the union of what the pages of all rulesets contain; the document has one for each ruleset only."""
    pages = document["components"]["schemas"]["EventPage"]["discriminator"]["mapping"].values()
    events = [{"$ref": page.replace("EventPage", "Event")} for page in pages]
    return {"description": "An event of a game of one of the rulesets.", "anyOf": events}


def _filters(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of the lists with filters as objects, without those for paging."""
    operations = [each for path in document["paths"].values() for each in path.values() if "operationId" in each]
    by_id = {operation["operationId"]: operation for operation in operations}
    return {name: _as_object(by_id[operation]["parameters"]) for operation, name in _FILTERS.items()}


def _as_object(parameters: list[dict[str, Any]]) -> dict[str, Any]:
    filters = [each for each in parameters if each["in"] == "query" and each["name"] not in _PAGING]
    properties = {each["name"]: each["schema"] | {"description": each["description"]} for each in filters}
    return {"type": "object", "properties": properties}
