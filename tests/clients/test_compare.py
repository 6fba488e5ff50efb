"""The comparison of two documents finds every kind of change that breaks a client, and lets every allowed one pass."""

import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
import yaml

from api_spec.compare import breaking
from tests.support.server import ROOT

Document = dict[str, Any]

_CARD = {
    "type": "object",
    "required": ["type", "card"],
    "properties": {"type": {"const": "play"}, "card": {"type": "string"}},
}
_PASS = {"type": "object", "required": ["type"], "properties": {"type": {"const": "pass"}}}
_BODY = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 20, "pattern": "^[a-z]+$"},
        "seats": {"type": "array", "minItems": 1, "maxItems": 6, "items": {"type": ["integer", "null"]}},
        "pace": {"type": "integer", "minimum": 0, "maximum": 100, "default": 10},
        "level": {"enum": ["easy", "strong"]},
        "action": {"oneOf": [{"$ref": "#/components/schemas/Card"}, {"$ref": "#/components/schemas/Pass"}]},
    },
}
_GAME = {
    "type": "object",
    "required": ["id", "status"],
    "properties": {
        "id": {"type": "string"},
        "status": {"enum": ["open", "finished"]},
        "reason": {"type": "string", "x-extensible-enum": ["cancelled"]},
        "ends": {"type": "string", "format": "date-time"},
        "rematch": {"$ref": "#/components/schemas/Game"},
        "events": {
            "type": "array",
            "items": {
                "oneOf": [{"$ref": "#/components/schemas/Card"}, {"$ref": "#/components/schemas/Pass"}],
                "discriminator": {"propertyName": "type"},
            },
        },
        "viewer": {"oneOf": [{"type": "integer"}, {"type": "null"}]},
        "scores": {"type": "object", "additionalProperties": {"type": "integer"}},
    },
}
DOCUMENT: Document = {
    "paths": {
        "/games": {
            "get": {
                "operationId": "list_games",
                "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer", "default": 50}}],
                "responses": {"200": {"headers": {"ETag": {}}, "content": {"application/json": {"schema": {}}}}},
            },
            "post": {
                "operationId": "create_game",
                "parameters": [{"name": "lang", "in": "query", "schema": {"enum": ["en", "fr"]}}],
                "security": [{"token": []}],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Body"}}}},
                "responses": {
                    "201": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Game"}}}},
                    "409": {"content": {}},
                },
            },
        }
    },
    "components": {"schemas": {"Body": _BODY, "Game": _GAME, "Card": _CARD, "Pass": _PASS}},
}


def get(document: Document) -> Document:
    return document["paths"]["/games"]["get"]


def post(document: Document) -> Document:
    return document["paths"]["/games"]["post"]


def body(document: Document) -> Document:
    return document["components"]["schemas"]["Body"]


def name(document: Document) -> Document:
    return body(document)["properties"]["name"]


def seats(document: Document) -> Document:
    return body(document)["properties"]["seats"]


def pace(document: Document) -> Document:
    return body(document)["properties"]["pace"]


def game(document: Document) -> Document:
    return document["components"]["schemas"]["Game"]


def events(document: Document) -> Document:
    return game(document)["properties"]["events"]["items"]


def created(document: Document) -> Document:
    return post(document)["responses"]


NEW = {"name": "new", "in": "query", "schema": {"type": "string"}}
BREAKING: dict[str, list[Callable[[Document], object]]] = {
    "operation-removed": [lambda it: it["paths"]["/games"].pop("get"), lambda it: it["paths"].pop("/games")],
    "operation-renamed": [lambda it: get(it).update(operationId="games")],
    "token-required": [lambda it: get(it).update(security=[{"token": []}])],
    "parameter-removed": [
        lambda it: get(it)["parameters"].pop(),
        lambda it: get(it)["parameters"][0].update({"in": "header"}),
    ],
    "parameter-required": [
        lambda it: get(it)["parameters"].append(NEW | {"required": True}),
        lambda it: get(it)["parameters"][0].update(required=True),
    ],
    "default-changed": [
        lambda it: get(it)["parameters"][0]["schema"].update(default=20),
        lambda it: pace(it).pop("default"),
    ],
    "body-required": [
        lambda it: post(it)["requestBody"].update(required=True),
        lambda it: get(it).update(requestBody={"required": True, "content": {}}),
    ],
    "body-removed": [lambda it: post(it).pop("requestBody")],
    "body-type-removed": [lambda it: post(it)["requestBody"].update(content={"text/plain": {}})],
    "status-added": [lambda it: created(it).update({"202": {}})],
    "status-removed": [lambda it: created(it).pop("201")],
    "header-removed": [lambda it: get(it)["responses"]["200"].pop("headers")],
    "response-type-removed": [lambda it: created(it)["201"]["content"].pop("application/json")],
    "request-type-narrowed": [lambda it: seats(it)["items"].update(type="integer")],
    "request-value-removed": [
        lambda it: body(it)["properties"]["level"]["enum"].pop(),
        lambda it: post(it)["parameters"][0]["schema"]["enum"].pop(),
        lambda it: name(it).update(enum=["ada"]),
    ],
    "request-minimum-narrowed": [lambda it: pace(it).update(minimum=1)],
    "request-maximum-narrowed": [lambda it: pace(it).update(maximum=99)],
    "request-minLength-narrowed": [lambda it: name(it).update(minLength=2)],
    "request-maxLength-narrowed": [lambda it: name(it).update(maxLength=19)],
    "request-minItems-narrowed": [lambda it: seats(it).update(minItems=2)],
    "request-maxItems-narrowed": [lambda it: seats(it).update(maxItems=5)],
    "request-pattern-changed": [lambda it: name(it).update(pattern="^[a-y]+$")],
    "request-duplicates-refused": [lambda it: seats(it).update(uniqueItems=True)],
    "request-field-removed": [lambda it: body(it)["properties"].pop("level")],
    "request-field-required": [lambda it: body(it)["required"].append("pace")],
    "request-variant-removed": [lambda it: body(it)["properties"]["action"]["oneOf"].pop()],
    "response-field-removed": [lambda it: game(it)["properties"].pop("ends")],
    "response-field-optional": [lambda it: game(it)["required"].remove("status")],
    "response-type-widened": [
        lambda it: game(it)["properties"]["id"].update(type=["string", "null"]),
        lambda it: game(it)["properties"]["scores"].update(additionalProperties={"type": ["integer", "null"]}),
    ],
    "response-value-added": [
        lambda it: game(it)["properties"]["status"]["enum"].append("cancelled"),
        lambda it: game(it)["properties"]["status"].update(
            {"x-extensible-enum": game(it)["properties"]["status"].pop("enum")}
        ),
    ],
    "response-variant-added": [lambda it: game(it)["properties"]["viewer"]["oneOf"].append({"type": "string"})],
    "format-changed": [lambda it: game(it)["properties"]["ends"].update(format="date")],
}
ALLOWED: list[Callable[[Document], object]] = [
    lambda it: it["paths"].update({"/more": {"get": {"operationId": "more", "responses": {}}}}),
    lambda it: get(it)["parameters"].append(NEW),
    lambda it: post(it).update(security=[{}]),
    lambda it: created(it).pop("409"),
    lambda it: created(it).update({"422": {}}),
    lambda it: body(it)["properties"].update(more={"type": "string"}),
    lambda it: body(it)["required"].remove("name"),
    lambda it: name(it).update(minLength=0, maxLength=30),
    lambda it: name(it).pop("pattern"),
    lambda it: pace(it).update(maximum=200),
    lambda it: body(it)["properties"]["level"]["enum"].append("expert"),
    lambda it: game(it)["properties"].update(more={"type": "string"}),
    lambda it: game(it)["required"].append("ends"),
    lambda it: game(it)["properties"]["status"]["enum"].pop(),
    lambda it: game(it)["properties"]["reason"]["x-extensible-enum"].append("expired"),
    lambda it: game(it)["properties"].update(dict(reversed(game(it)["properties"].items()))),
    lambda it: events(it)["oneOf"].append({"type": "object", "properties": {"type": {"const": "redouble"}}}),
    lambda it: game(it)["properties"]["id"].update(description="The id.", example="gm_1"),
    lambda it: get(it)["responses"]["200"]["headers"].update(Link={}),
]


@pytest.mark.parametrize(
    ("kind", "change"), [(kind, change) for kind, changes in BREAKING.items() for change in changes]
)
def test_a_change_that_breaks_clients_is_named(kind: str, change: Callable[[Document], object]) -> None:
    changed = deepcopy(DOCUMENT)
    change(changed)
    assert {found.kind for found in breaking(DOCUMENT, changed)} >= {kind}


@pytest.mark.parametrize("change", ALLOWED)
def test_an_allowed_change_passes(change: Callable[[Document], object]) -> None:
    changed = deepcopy(DOCUMENT)
    change(changed)
    assert breaking(DOCUMENT, changed) == []


def test_the_command_names_what_a_real_document_has_lost(tmp_path: Any) -> None:
    document = yaml.load((ROOT / "api_spec/openapi.yaml").read_text(), yaml.CSafeLoader)
    del document["paths"]["/v1/games/{game_id}/view"]
    new = tmp_path / "new.yaml"
    new.write_text(yaml.dump(document, Dumper=yaml.CSafeDumper))
    words = [sys.executable, "-m", "api_spec.compare", "api_spec/openapi.yaml", str(new)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.startswith("openapi: operation-removed: GET /v1/games/{game_id}/view: ")
