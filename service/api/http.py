"""The edge of HTTP: bodies, parameters, callers and answers, and how an operation describes itself for the spec."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal, TypeVar, cast

import orjson
from flask import Flask, Response, current_app
from werkzeug.exceptions import RequestEntityTooLarge, RequestTimeout, UnsupportedMediaType

from service.accounts.limits import Unlimited
from service.accounts.players import Caller, Players
from service.api.addresses import address_of
from service.api.request import Asked, asked
from service.api.response import Reply
from service.errors import Fault, Malformed, NotAcceptable, Unauthenticated
from service.forms import escaped
from service.games.commands import Key
from service.games.desk import Games
from service.store.codec import Answer, dump

MOST_BYTES = 64 * 1024
BodyFault = Literal["cut-short", "too-slow", "in-crumbs"]
BODY_FAULT = "plateau.body-fault"
"""Where the environ holds the ``BodyFault``, None for a body that arrived whole."""
_LONGEST_KEY = 128
_LIVE_FORMS = ("text/event-stream", "application/x-ndjson")

View = TypeVar("View", bound=Callable[..., Response])


@dataclass(frozen=True, slots=True)
class Operation:
    """What the spec says of an operation, beside its path and method."""

    tag: str
    summary: str
    answers: Mapping[int, Any]
    problems: Sequence[int]
    auth: Literal["required", "optional", "none"] = "none"
    body: Any = None
    parameters: Sequence[Mapping[str, Any]] = ()


def operation(described: Operation) -> Callable[[View], View]:
    """Attach its description to a view function."""

    def attach(view: View) -> View:
        view.operation = described  # type: ignore[attr-defined]
        return view

    return attach


@dataclass(frozen=True, slots=True)
class Services:
    """What the views use."""

    games: Games
    players: Players
    is_ready: Callable[[], bool]
    metrics: Callable[[], bytes] = bytes
    limiter: Unlimited = field(default_factory=Unlimited)
    trusted_proxies: int = 0


def services() -> Services:
    """Give the services of the current app."""
    return cast("Services", current_app.extensions["plateau"])


_PROBES = ("/healthz", "/readyz")
"""What an orchestrator asks is not counted."""


def register(app: Flask) -> None:
    """Count and check requests before a view sees them; the views must be there already."""
    views: Mapping[str, Any] = app.view_functions
    never_by_player = {None, *(name for name, view in views.items() if view.operation.auth == "none")}

    def check() -> None:
        ask = asked()
        if "HTTP_AUTHORIZATION" not in ask.environ or ask.endpoint in never_by_player:
            if ask.path not in _PROBES:
                _count_by_address()
            _check_request(ask)
        else:
            try:
                _check_request(ask)
            except Exception:
                _count_by_address()  # it is refused before its player is known
                raise

    app.before_request(check)


def _check_request(ask: Asked) -> None:
    """Check the body before anything else is looked at, and refuse forms of answer that do not exist."""
    if ask.routing_exception is not None:
        return
    if ask.environ.get("HTTP_ACCEPT", "") not in ("", "*/*") and not _accepts_answers(ask):
        live = any(kind in _LIVE_FORMS for kind in ask.accept_mimetypes.values())
        code = "unsupported" if live else "not-acceptable"
        raise NotAcceptable(code, "this form of the answer is not supported; answers are JSON, pictures SVG")
    if ask.method in {"POST", "PUT", "PATCH", "DELETE"}:
        ask.raw = _read_raw(ask)
        ask.body = _parsed(ask.raw) if ask.raw else {}


def _accepts_answers(ask: Asked) -> bool:
    wanted = ask.accept_mimetypes
    described = getattr(current_app.view_functions.get(ask.endpoint or ""), "operation", None)
    own = [kind for kind in described.answers.values() if isinstance(kind, str)] if described else []
    return any(wanted[kind] > 0 for kind in ("application/json", "application/problem+json", "text/html", *own))


def _read_raw(ask: Asked) -> bytes:
    """Read the body, if there is one, whole and as it came: 413, 408 or 400, then 415."""
    announced = ask.content_length or 0
    if announced > MOST_BYTES:
        raise RequestEntityTooLarge
    fault: BodyFault | None = ask.environ.get(BODY_FAULT)
    if fault == "too-slow":
        raise RequestTimeout
    raw: bytes = ask.environ["wsgi.input"].read(announced) if announced else ask.get_data(cache=False)
    if len(raw) > MOST_BYTES:
        raise RequestEntityTooLarge
    if fault == "in-crumbs":
        raise Malformed(
            [Fault("", "body-in-crumbs", "the body came in thousands of pieces; send it in one")], "not-json"
        )
    if fault == "cut-short" or len(raw) < announced:
        raise Malformed([Fault("", "body-cut-short", "the body did not arrive whole; send it again")], "not-json")
    coded = ask.environ.get("HTTP_CONTENT_ENCODING", "identity") != "identity"
    if raw and (ask.mimetype != "application/json" or coded):
        raise UnsupportedMediaType("send JSON, with Content-Type: application/json and no encoding")
    return raw


def _parsed(raw: bytes) -> dict[str, Any]:
    """Read a body as a JSON object: 400 for syntax."""
    try:
        body = orjson.loads(raw)
        if isinstance(body, dict) and (raw.count(b":") != len(body) or b"[" in raw):
            _check_depths(raw, body)  # else it is flat, and each colon is that of another field
    except (ValueError, TypeError, RecursionError) as error:
        raise Malformed([Fault("", "not-json", f"the body is not valid JSON: {error}")], "not-json") from error
    if not isinstance(body, dict):
        raise Malformed([Fault("", "not-an-object", "the body must be a JSON object")])
    return body


def _check_depths(raw: bytes, body: dict[str, Any]) -> None:
    """Refuse fields doubled anywhere, and a nesting that could not be written again."""
    _WITHOUT_DOUBLES.decode(raw.decode())
    orjson.dumps(body)


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    known = dict(pairs)
    if len(known) < len(pairs):
        doubled = sorted(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise ValueError(f"doubled field {', '.join(doubled)}"[:200])
    return known


_WITHOUT_DOUBLES = json.JSONDecoder(object_pairs_hook=_no_doubles)


def body() -> dict[str, Any]:
    """Give the body of the request."""
    return asked().body


def query(**known: Callable[[str], Any]) -> dict[str, Any]:
    """Read the query parameters, each with its reader (ValueError: what is wrong); unknown and doubled are refused."""
    faults, values = [], {}
    ask = asked()
    for name, texts in ask.args.lists() if ask.query_string else ():
        if name not in known:
            message = f"{name[:80]}: no such parameter; there are: {', '.join(known) or 'none'}"
            faults.append(Fault(f"?{escaped(name)}", "unknown-parameter", message))
        elif len(texts) > 1:
            faults.append(Fault(f"?{name}", "doubled-parameter", f"{name}: given {len(texts)} times"))
        else:
            try:
                values[name] = known[name](texts[0])
            except ValueError as error:
                faults.append(Fault(f"?{name}", "invalid-parameter", f"{name}: {error}"))
    if faults:
        raise Malformed(faults)
    return values


def whole(low: int, high: int) -> Callable[[str], int]:
    """Make the reader of a whole number within bounds."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 12 and low <= int(text) <= high):
            raise ValueError(f"must be a whole number from {low} to {high}")
        return int(text)

    return read


def one_of(*values: str) -> Callable[[str], str]:
    """Make the reader of one of some words."""

    def read(text: str) -> str:
        if text not in values:
            raise ValueError(f"must be one of {', '.join(values)}")
        return text

    return read


def maybe_caller() -> Caller | None:
    """Return the caller, None without a token, and count the request; reject a token that is not valid."""
    ask = asked()
    header = ask.environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    caller = services().players.authenticate(token.strip()) if scheme.lower() == "bearer" else None
    if caller is None:
        _count_by_address()
        raise Unauthenticated("invalid-token", "the token is not valid, or was revoked")
    ask.player = caller.player
    services().limiter.pace("requests", caller.player)
    return caller


def _count_by_address() -> None:
    """Count a request that came without a valid token, or that needs none."""
    services().limiter.pace("requests", address())


def address() -> str:
    """Return where the request comes from, as limits count addresses."""
    return address_of(asked().environ, services().trusted_proxies)


def caller() -> Caller:
    """Return the caller; reject a request without a token."""
    found = maybe_caller()
    if found is None:
        raise Unauthenticated("token-missing", "send 'Authorization: Bearer <token>'; POST /v1/players makes a player")
    return found


def idempotency_key() -> Key | None:
    """Read the Idempotency-Key, with the fingerprint of this request."""
    ask = asked()
    name = ask.environ.get("HTTP_IDEMPOTENCY_KEY")
    if name is None:
        return None
    if not (1 <= len(name) <= _LONGEST_KEY and name.isascii() and name.isprintable()):
        message = f"Idempotency-Key must have 1 to {_LONGEST_KEY} printable ASCII characters"
        raise Malformed([Fault("Idempotency-Key", "invalid-header", message)])
    what = f"{ask.method} {ask.full_path} ".encode() + orjson.dumps(ask.body, option=orjson.OPT_SORT_KEYS)
    return Key(name, sha256(what).hexdigest())


def if_match() -> int | None:
    """Read the version in If-Match."""
    header = asked().environ.get("HTTP_IF_MATCH")
    if header is None or header.strip() == "*":
        return None
    found = re.fullmatch(r'"([0-9]{1,12})"', header.strip())
    if found is None:
        raise Malformed([Fault("If-Match", "invalid-header", 'If-Match must be a version in quotes, such as "41"')])
    return int(found[1])


def answer(data: Any, status: int = 200) -> Response:
    """Answer with plain data as JSON."""
    return Reply(dump(data), status=status, content_type="application/json")


def picture(svg: str) -> Response:
    """Answer with a picture that, opened in a browser, can do nothing but look as it does."""
    response = Response(svg, content_type="image/svg+xml; charset=utf-8")
    response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    return response


def versioned(response: Response, version: int) -> Response:
    """Name the version in the ETag, and answer 304 to whoever has it."""
    response.set_etag(str(version))
    response.make_conditional(asked())
    return response


def kept_answer(kept: Answer) -> Response:
    """Answer with the exact bytes of a write's answer."""
    return Reply(kept.body, status=kept.status, content_type="application/json")


def no_content() -> Response:
    """Answer that it is done."""
    response = Response(status=204)
    del response.headers["Content-Type"]
    return response
