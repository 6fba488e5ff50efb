"""Clients and services of the last release and of this version understand each other; before 1.0, this one is both.

``test_generated_python`` has the client of the release play against this service. Here, the client of this version
plays as against the service of the release: that one must know each request, and its document must have each response.
"""

import json
import random
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from jsonschema_rs import Draft202012Validator, ValidationError
from plateau_client import Client

from api_spec.compare import latest
from tests.clients.conftest import DOCUMENT
from tests.clients.games import GAMES, ME
from tests.support.server import RunningService


class Released(httpx.HTTPTransport):
    """A way to a service on which requests and responses must fit a document."""

    def __init__(self, document: Any) -> None:
        super().__init__()
        schemas = {name: _with_later_variants(schema) for name, schema in document["components"]["schemas"].items()}
        self._components = document["components"] | {"schemas": schemas}
        self._operations = [
            (method.upper(), re.compile(re.sub(r"{\w+}", "[^/]+", path)), operation)
            for path, item in document["paths"].items()
            for method, operation in item.items()
        ]

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        method, path = request.method, request.url.path
        known = [each for verb, form, each in self._operations if verb == method and form.fullmatch(path)]
        assert known, f"the release has no {method} {path}"
        assert {*request.url.params} <= {each["name"] for each in known[0]["parameters"]}, request.url
        sent = super().handle_request(request)
        if request.content and sent.is_success:
            self._check(known[0]["requestBody"], json.loads(request.content))
        promised = known[0]["responses"][str(sent.status_code)]
        if sent.headers.get("Content-Type") == "application/json":
            sent.read()
            self._check(promised, sent.json())
        return sent

    def _check(self, part: Any, value: object) -> None:
        schema = {**part["content"]["application/json"]["schema"], "components": self._components}
        Draft202012Validator(schema, validate_formats=True).validate(value)


def _with_later_variants(schema: Any) -> Any:
    """Add to a union whatever a later version distinguishes by a new value, such as a new type of event."""
    if "discriminator" not in schema:
        return schema
    name, known = schema["discriminator"]["propertyName"], [*schema["discriminator"]["mapping"]]
    later = {"type": "object", "required": [name], "properties": {name: {"not": {"enum": known}}}}
    return schema | {"oneOf": [*schema["oneOf"], later]}


@pytest.fixture(scope="module")
def document() -> Any:
    return yaml.load((latest() or DOCUMENT).read_text(), yaml.CSafeLoader)


def play(document: Any, service: RunningService, rulesets: int) -> None:
    http, rng = httpx.Client(transport=Released(document)), random.Random(1)
    with Client.guest(service.url, "Ada", http=http) as ada:
        for new in GAMES[:rulesets]:
            table = ada.create({**new, "seats": [ME, *[{"bot": "random"}] * (len(new["seats"]) - 1)]})
            assert table.play(lambda _view, actions: rng.choice(actions)) is not None
            assert [*table.events()][-1]["type"] == "game_finished"
            assert ada.ruleset(new["ruleset"])["id"] == new["ruleset"]
        assert len([*ada.my_games()]) == rulesets
        ada.change_me({"portrait": "lynx", "shows": {"games": True}})


@pytest.mark.long
def test_the_client_plays_as_with_the_service_of_the_release(document: Any, service: RunningService) -> None:
    play(document, service, len(GAMES))


def test_what_the_release_does_not_know_or_promised_otherwise_is_found(document: Any, service: RunningService) -> None:
    lacking, promising = deepcopy(document), deepcopy(document)
    del lacking["paths"]["/v1/games"]["post"]
    with pytest.raises(AssertionError, match="the release has no POST /v1/games"):
        play(lacking, service, 1)
    promising["components"]["schemas"]["LePlateauGameAtVersion"]["required"].append("gone")
    with pytest.raises(ValidationError, match="GameAtVersion"):
        play(promising, service, 1)


def test_the_last_release_is_that_with_the_highest_version(tmp_path: Path) -> None:
    assert latest(tmp_path) is None
    for version in ("1.2.0", "1.10.0", "1.9.3"):
        (tmp_path / f"{version}.yaml").touch()
    assert latest(tmp_path) == tmp_path / "1.10.0.yaml"
