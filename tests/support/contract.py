"""The API as its own document describes it; every response is checked against it."""

import json
import re
from collections.abc import Mapping
from typing import Any

from flask import Flask
from jsonschema_rs import Draft202012Validator
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from service.api.http.errors import KINDS

PROBLEM = "application/problem+json"


class Contract:
    """Holds answers against the OpenAPI document of an app: status, type of content, shape, and the common headers."""

    def __init__(self, app: Flask) -> None:
        self.document: dict[str, Any] = app.test_client().get("/openapi.json").json
        self._routes = app.url_map.bind("")
        self._validators: dict[str, Draft202012Validator] = {}

    def check(self, answer: TestResponse, body: bytes = b"") -> None:
        """Fail unless an answer is one that the document promises for its request, whose body it describes."""
        headers = answer.headers
        assert re.fullmatch(r"req_[0-9a-f]{16}", headers["X-Request-Id"])
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Vary"] == "Authorization, Accept, Accept-Encoding"
        assert headers["Cache-Control"]
        if answer.status_code == 200 and answer.mimetype in ("text/html", "image/svg+xml"):
            assert "default-src 'none'" in headers["Content-Security-Policy"]
        promised = self._promised(answer)
        if body and answer.status_code < 300:
            self._check_body(answer, body)
        self._check_headers(answer, promised.get("headers", {}))
        if answer.mimetype == PROBLEM:
            self.check_problem(answer)
        elif "content" in promised:
            media = promised["content"][answer.mimetype]
            if answer.mimetype == "application/json":
                self.validate(media["schema"], answer.json)
        else:
            assert answer.data == b""
            assert "Content-Type" not in headers or answer.status_code == 304

    def _check_body(self, answer: TestResponse, body: bytes) -> None:
        """Fail if a body was accepted that the document does not describe."""
        rule, _ = self._routes.match(answer.request.path, answer.request.method, return_rule=True)
        described = self._operation(rule, answer).get("requestBody")
        if described:
            self.validate(described["content"]["application/json"]["schema"], json.loads(body))

    def _check_headers(self, answer: TestResponse, promised: Mapping[str, Any]) -> None:
        """Fail if a promised header is missing or of another type, or if one of those described is not promised."""
        described = self.document["components"]["headers"]
        for name, header in described.items():
            value: Any = answer.headers.get(name)
            if not promised:
                continue
            assert (value is not None) <= (name in promised), name
            is_needed = header.get("required", False) and "$ref" in promised.get(name, {})
            assert (value is not None) >= is_needed, name
            if value is not None:
                self.validate(header["schema"], int(value) if header["schema"]["type"] == "integer" else value)

    def check_problem(self, answer: TestResponse) -> None:
        """Fail unless an answer is a whole problem that agrees with itself, and that has a page."""
        problem = answer.json
        self.validate({"$ref": "#/components/schemas/Problem"}, problem)
        assert {"type", "title", "status", "detail", "instance", "code"} <= problem.keys()
        kind = KINDS[problem["type"].removeprefix("/v1/problems/")]
        assert (problem["status"], problem["title"]) == (kind.status, kind.title(answer.headers["Content-Language"]))
        assert problem["status"] == answer.status_code
        assert problem["instance"] == answer.headers["X-Request-Id"]
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", problem["code"])
        assert problem["detail"]
        for fault in problem.get("errors", ()):
            assert fault["code"]
            assert fault["message"]
        assert answer.headers["Cache-Control"] == "no-store"

    def validate(self, schema: Mapping[str, Any], value: Any) -> None:
        """Fail unless a value is of a schema of the document."""
        self._validator(schema).validate(value)

    def is_valid(self, schema: Mapping[str, Any], value: Any) -> bool:
        """Return whether a value is of a schema of the document."""
        return self._validator(schema).is_valid(value)

    def _validator(self, schema: Mapping[str, Any]) -> Draft202012Validator:
        key = str(schema)
        if key not in self._validators:
            whole = {**schema, "components": self.document["components"]}
            self._validators[key] = Draft202012Validator(whole, validate_formats=True)
        return self._validators[key]

    def _promised(self, answer: TestResponse) -> Mapping[str, Any]:
        request = answer.request
        try:
            rule, _ = self._routes.match(request.path, request.method, return_rule=True)
        except HTTPException as error:
            no_such_operation = error.code
        else:
            return self._promised_by(rule, answer)
        assert answer.status_code in (no_such_operation, 429)
        assert answer.mimetype == PROBLEM
        return {}

    def _promised_by(self, rule: Rule, answer: TestResponse) -> Mapping[str, Any]:
        answers = self._operation(rule, answer)["responses"]
        assert str(answer.status_code) in answers, f"{answer.status_code} is not documented: {answer.data[:500]!r}"
        promised: Mapping[str, Any] = answers[str(answer.status_code)]
        return promised

    def _operation(self, rule: Rule, answer: TestResponse) -> Mapping[str, Any]:
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        method = {"HEAD": "get"}.get(answer.request.method, answer.request.method.lower())
        operation: Mapping[str, Any] = self.document["paths"][path][method]
        return operation


REF = "#/components/schemas/"


def schemas_in(node, place=""):
    """List the parts of a schema that are schemas themselves, with their places."""
    yield place, node
    for key in ("items", "additionalProperties"):
        if isinstance(node.get(key), dict):
            yield from schemas_in(node[key], f"{place}/{key}")
    for key in ("oneOf", "anyOf", "allOf"):
        for number, each in enumerate(node.get(key, ())):
            yield from schemas_in(each, f"{place}/{key}/{number}")
    for name, each in node.get("properties", {}).items():
        yield from schemas_in(each, f"{place}/{name}")


def reachable(components, roots):
    """Return the names of the components that schemas refer to, directly or not."""
    found, waiting = set(), list(roots)
    while waiting:
        for _, node in schemas_in(waiting.pop()):
            name = node.get("$ref", "").removeprefix(REF)
            if name and name not in found:
                found.add(name)
                waiting.append(components[name])
    return found
