"""The OpenAPI document, assembled from the descriptions of the operations and the types of their responses."""

import re
from collections.abc import Callable, Iterator
from typing import Any, NotRequired, TypedDict, cast

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask
from marshmallow import Schema, fields, validate

from service.api import deprecations
from service.api.http.endpoint import Operation
from service.api.http.errors import KINDS
from service.api.http.parameters import IDEMPOTENCY_KEY, IF_NONE_MATCH, IN_PATH
from service.api.http.request import PROBES
from service.api.http.response_headers import HEADERS, headers_of
from service.api.json_schema import Schemas, documented, enumeration
from service.api.openapi import request_schemas
from service.api.openapi.request_schemas import add_forms, add_plans, add_ruleset_resource
from service.api.openapi.ruleset_schemas import add_rulesets
from service.api.type_names import camel
from service.common.version import VERSION
from service.inbox.resources import DATA, NoticeResource

_DESCRIPTION = """\
An event-sourced server for turn-based games with hidden information. Every action becomes immutable events; each player
sees exactly what they are allowed to know. Errors are problem+json (RFC 9457); each state of a game has an ETag."""


class ProblemFault(TypedDict):
    """One fault of a request, and its place."""

    pointer: str
    code: str
    message: str


class Candidate(TypedDict):
    """A player who has the name, or one like it."""

    id: str
    name: str
    created_at: str


class Problem(TypedDict):
    """Why a request was rejected (RFC 9457), with a stable code and links to help."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    errors: NotRequired[list[ProblemFault]]
    game_version: NotRequired[int]
    head: NotRequired[str]
    rule: NotRequired[str]
    legal_actions: NotRequired[str]
    events: NotRequired[str]
    bucket: NotRequired[str]
    candidates: NotRequired[list[Candidate]]


def build(app: Flask) -> dict[str, Any]:
    """Build the document from the operations of an app, without their examples, which ``add_examples`` adds."""
    marshmallow = MarshmallowPlugin(schema_name_resolver=_component_of)
    spec = APISpec(
        title="Plateau",
        version=VERSION,
        openapi_version="3.1.0",
        info={"description": _DESCRIPTION, "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}},
        plugins=[marshmallow],
        servers=[{"url": "/"}],
        tags=[{"name": name, "description": text} for name, text in _TAGS.items()],
    )
    fields_shown = cast("Any", marshmallow.converter)
    fields_shown.add_attribute_function(_whole_pattern)
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    schemas = Schemas("#/components/schemas/", names_values=True)
    schemas.of(Problem)
    add_forms(schemas)
    add_ruleset_resource(schemas)
    add_plans(schemas)
    add_rulesets(schemas)
    add_notices(schemas)
    shape = fields_shown.field2property
    for path, method, view, described in sorted(
        _operations(app), key=lambda each: (each[2].__name__ != _FIRST, each[0])
    ):
        spec.path(path, operations={method: _operation(described, view, (method, path), schemas, shape)})
    document: dict[str, Any] = spec.to_dict()
    bodies = document["components"]["schemas"]
    for (cls, *_), name in cast("Any", marshmallow.converter).refs.items():
        bodies[name]["description"] = documented(cls)
    request_schemas.add_requests(schemas, bodies, document["paths"])
    document["components"]["schemas"] = bodies | schemas.named
    document["components"]["headers"] = dict(HEADERS)
    deprecations.mark(document)
    return document


def _component_of(schema: Schema | type[Schema]) -> str:
    """Name the component of a form: ``GameInput`` for ``NewGameSchema``, since ``NewGame`` makes a ``Game`` in Go."""
    name = (schema if isinstance(schema, type) else type(schema)).__name__.removesuffix("Schema")
    return f"{name.removeprefix('New')}Input" if name.startswith("New") else name


def _whole_pattern(_converter: Any, field: fields.Field[Any], **_: Any) -> dict[str, str]:
    """Write a pattern as JSON Schema reads it: it matches anywhere, and only ``$`` ends a text."""
    for validator in field.validators:
        if isinstance(validator, validate.Regexp):
            form = str(validator.regex.pattern).removesuffix(r"\Z")
            return {"pattern": f"{form}$" if form.startswith("^") else f"^(?:{form})$"}
    return {}


_FIRST = "create_player"
"""The operation that everyone needs first precedes the others, which are in the order of their paths."""
_TAGS = {
    "players": (
        "Players and their tokens. Begin by creating a guest; its token goes into the header `Authorization` of all "
        "other requests, as `Bearer <token>`."
    ),
    "rulesets": "The games that can be played here: numbers of players, options, actions, bots and rules.",
    "daily": "The deal of the day: the same deals for everyone, against the same bots; play, compare, and check them.",
    "tournaments": "Tournaments: enter one, read its rounds and standings, or direct one with the scope `tournaments`.",
    "games": "Games and seats: create a game, find one, take a seat, leave it, hand it to a bot.",
    "play": (
        "What a player does in a game. The loop of a client: read the view; if your seat can act, post one of its "
        "legal actions; else wait a second, and read the view again."
    ),
    "notices": (
        "The notices of all your games: read them, follow them, or get them by mail, as push messages or at a webhook, "
        "signed according to Standard Webhooks."
    ),
    "admin": "What operators can do to a game that is stuck, with a token of the scope `admin`, and its log.",
    "operations": "For operators and tools: health, figures, and this document in several forms.",
}


def _operations(app: Flask) -> Iterator[tuple[str, str, Callable[..., Any], Operation]]:
    for rule in app.url_map.iter_rules():
        view = app.view_functions[rule.endpoint]
        described = getattr(view, "operation", None)
        if isinstance(described, Operation) and not described.is_internal:
            (method,) = (rule.methods or set()) - {"HEAD", "OPTIONS"}
            path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
            yield path, method.lower(), view, described


def _operation(
    described: Operation,
    view: Callable[..., Any],
    place: tuple[str, str],
    schemas: Schemas,
    shape: Callable[[fields.Field[Any]], Any],
) -> dict[str, Any]:
    method, path = place
    summary, _, description = (" ".join(part.split()) for part in (view.__doc__ or "").partition("\n\n"))
    has_versions = {304: None} if IF_NONE_MATCH in described.parameters else {}
    answers = {
        str(status): _answer(status, tp, schemas) for status, tp in [*described.answers.items(), *has_versions.items()]
    }
    statuses = {*described.problems, 400, 406, 500, 503}
    if path not in PROBES:
        statuses |= {429}
    if described.auth != "none":
        statuses |= {401}
    if described.auth == "required":
        statuses |= {403}
    if "{" in path:
        statuses |= {404}
    if method != "get":
        statuses |= {408, 413} if described.ignores_body else {408, 413, 415}
    for status, answer in answers.items():
        answer["description"] += _if_lost(described) * (method == "post" and status < "300")
    answers |= {str(status): _problem_or(answers.get(str(status)), status) for status in sorted(statuses)}
    answers = {status: each | {"headers": headers_of(described, int(status))} for status, each in answers.items()}
    made: dict[str, Any] = {
        "operationId": view.__name__,
        "tags": [described.tag],
        "summary": summary.removesuffix("."),
        "description": description,
        "parameters": [*_path_parameters(path), *_parameters(described, shape)],
        "responses": answers,
        "security": {"required": [{"token": []}], "optional": [{}, {"token": []}], "none": []}[described.auth],
    }
    if described.body is not None:
        is_action = described.body == "action"
        schema = schemas.to("Action") if is_action else described.body
        needed = is_action or _is_needed(described.body)
        made["requestBody"] = {"required": needed, "content": {"application/json": {"schema": schema}}}
    return made


def _if_lost(described: Operation) -> str:
    if described.if_lost or IDEMPOTENCY_KEY in described.parameters:
        what = described.if_lost or "send the request again, with the same `Idempotency-Key`."
    else:
        what = "send the request again: that has no further effect." if described.repeats else ""
    return f" If this response is lost, {what}" if what else ""


def _problem_or(other: dict[str, Any] | None, status: int) -> dict[str, Any]:
    problem = _PROBLEM[status]
    if other is None:
        return problem
    description = f"{problem['description']} Or: {other['description']}"
    return {"description": description, "content": {**problem["content"], **other["content"]}}


def _is_needed(body: Schema) -> bool:
    """Return whether a body must have some field."""
    return hasattr(body, "EXACTLY_ONE") or any(field.required for field in body.fields.values())


def _answer(status: int, tp: Any, schemas: Schemas) -> dict[str, Any]:
    if tp is None:
        return {"description": _WITHOUT_CONTENT[status]}
    content: dict[str, Any] = {}
    forms = tp if isinstance(tp, tuple) else (tp,)
    for form in forms:
        if isinstance(form, str):
            content[form] = {"schema": {"type": "string"}}
        else:
            schema = schemas.to("OpenApiDocument") if form is dict else schemas.of(form)
            content["application/json"] = {"schema": schema}
    texts = [_TEXTS[form] if form in _TEXTS else documented(form) for form in forms]
    return {"description": " Or: ".join(texts), "content": content}


_WITHOUT_CONTENT = {204: "Done; there is nothing to show.", 304: "Nothing has changed since the version that you have."}
_TEXTS = {
    dict: "This document.",
    "text/html": "A page for a browser.",
    "text/plain": "A text.",
    "application/jsonl": "The same as lines of JSON.",
    "image/svg+xml": "A picture.",
    "text/event-stream": "The same as server-sent events, as they happen.",
    "application/x-ndjson": "The same as lines of JSON, as they happen.",
}


def _parameters(described: Operation, shape: Callable[[fields.Field[Any]], Any]) -> Iterator[dict[str, Any]]:
    for each in described.parameters:
        shown = shape(each.field) | ({} if each.default is None or each.default is False else {"default": each.default})
        schema = {key: shown[key] for key in _SHAPE if key in shown}
        if each.description:
            needed = {"required": True} if each.required else {}
            yield {"name": each.name, "in": each.place, "description": each.description, "schema": schema} | needed


_SHAPE = ("enum", "type", "minimum", "maximum", "minLength", "maxLength", "pattern", "default")
"""What a schema of a parameter can have, in this order."""


_PROBLEM: dict[int, dict[str, Any]] = {
    status: {
        "description": " / ".join(kind.title() for kind in KINDS.values() if kind.status == status) + ".",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status in {kind.status for kind in KINDS.values()}
}


def _path_parameters(path: str) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "path",
            "description": IN_PATH.get(name, ""),
            "required": True,
            "schema": {"type": "integer" if name in {"seat", "size"} else "string"},
        }
        for name in re.findall(r"\{(\w+)\}", path)
    ]


# -- the components of notices: one for each kind, and their union, which ``type`` distinguishes --------------------


_NOTICE = "Notice"


def add_notices(schemas: Schemas) -> None:
    schemas.reserve(NoticeResource, _NOTICE)
    members: dict[str, str] = {}
    for kind, (data, description) in DATA.items():
        members[kind] = f"{camel(kind)}{_NOTICE}"
        schema = schemas.whole(NoticeResource, given={"type": enumeration((kind,)), "data": schemas.of(data)})
        schemas.add(members[kind], schema | {"description": description})
    schemas.add_union(_NOTICE, "An event in one of your games.", "type", members)
