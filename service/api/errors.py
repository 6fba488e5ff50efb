"""Problems: the one table from exception to problem+json (RFC 9457), and the pages that explain them."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from domain.errors import IllegalAction, InvalidOptions
from domain.game.aggregate import WrongMoment
from service.api.request import current
from service.errors import (
    Fault,
    Forbidden,
    Limited,
    Malformed,
    NotAcceptable,
    NotFound,
    Stale,
    Unauthenticated,
    Unprocessable,
)
from service.games.desk import AtVersion
from service.store.codec import dump
from service.store.event_store import LogDamaged, StoreUnavailable

_log = logging.getLogger("plateau.http")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its status, its title, and what its page says."""

    status: int
    title: str
    text: str


KINDS: Mapping[str, Kind] = {
    "malformed": Kind(
        400,
        "The request is not of the documented form",
        "The body is not JSON, or it does not fit the schema of the operation (unknown and doubled fields included), "
        "or a parameter is not as documented. 'errors' lists every fault with a pointer to its place.",
    ),
    "unauthenticated": Kind(
        401,
        "A valid token is needed",
        "Send 'Authorization: Bearer <token>' with a token from POST /v1/players or POST /v1/me/tokens; it may have "
        "been revoked.",
    ),
    "forbidden": Kind(
        403,
        "You may not do this",
        "The token lacks the scope, or the seat is not yours. 'code' says which.",
    ),
    "not-found": Kind(
        404,
        "There is no such thing",
        "Nothing is here, or it is not yours to see: both are answered alike.",
    ),
    "method-not-allowed": Kind(
        405, "The method does not fit the resource", "The header Allow lists the methods that do."
    ),
    "not-acceptable": Kind(
        406,
        "No such form of the answer",
        "Answers are JSON, pictures SVG. Other forms that the interface names are not supported yet; leave out the "
        "header Accept.",
    ),
    "wrong-moment": Kind(
        409,
        "Not now",
        "The request is right, but not at this moment: it is another seat's turn, the game does not run, the seat is "
        "taken. Read the game and try again when it fits.",
    ),
    "stale": Kind(
        412,
        "The game has moved on",
        "The version in If-Match, the decision in decision_id, or the one that a cursor into legal actions is of, has "
        "passed. 'events' links to what you missed; read it, and decide again.",
    ),
    "too-slow": Kind(
        408,
        "The body took too long to arrive",
        "The body was announced and did not arrive in time. Nothing was done; send the request again.",
    ),
    "too-large": Kind(
        413, "The body is too large", "A body may have 64 KiB; nothing that a client needs to say is longer."
    ),
    "not-json": Kind(
        415, "The body is not JSON", "Send the body as JSON, with 'Content-Type: application/json' and no encoding."
    ),
    "illegal-action": Kind(
        422,
        "The rules forbid it",
        "The action is well formed and it is your turn, but the rules do not allow it. 'rule' names the section of the "
        "rules, 'legal_actions' links to everything that you may do.",
    ),
    "invalid-options": Kind(
        422,
        "The rules know no such game",
        "The options, or the number of seats, do not make a game. 'errors' says for each what is wrong.",
    ),
    "unprocessable": Kind(
        422,
        "It cannot be done as it stands",
        "The request is well formed but cannot be carried out: an Idempotency-Key that came with another request, or a "
        "part of the interface that is not supported yet (code 'unsupported').",
    ),
    "limit": Kind(
        429,
        "A limit is reached",
        "You, or your address, have asked for too much of something. 'bucket' names the limit, and 'detail' says how "
        "much it allows. Try again after the time in Retry-After. A request that was carried out before gets its first "
        "answer for its Idempotency-Key all the same, unless the limit is the one on requests.",
    ),
    "internal": Kind(
        500,
        "The server failed",
        "This is a defect of the server, not of your request. Report it with the request id in 'instance'.",
    ),
    "unavailable": Kind(
        503,
        "The log cannot be reached",
        "Redis does not answer, or cannot write. Whether your request got through is not known: send it again after "
        "the time in Retry-After with the same Idempotency-Key, which cannot act twice; without one, read the game.",
    ),
    "log-damaged": Kind(
        503,
        "The log of this game is damaged",
        "What is stored of this game is not what was written, so the game is neither shown nor continued. Other games "
        "are not affected. Trying again changes nothing; only the operator can mend it, from a backup.",
    ),
}

_BY_STATUS = {
    400: "malformed",
    404: "not-found",
    405: "method-not-allowed",
    408: "too-slow",
    413: "too-large",
    415: "not-json",
}


def register(app: Flask) -> None:
    """Answer every error of an app with a problem."""
    app.register_error_handler(Exception, _answer)


def _answer(error: Exception) -> Response:
    match error:
        case AtVersion():
            return _problem(error.refusal, error.game_id, error.version)
        case HTTPException():
            return _http_problem(error)
        case _:
            return _problem(error, None, None)


def _http_problem(error: HTTPException) -> Response:
    kind = _BY_STATUS.get(error.code or 500, "internal")
    headers = dict(error.get_headers(request.environ)) if kind == "method-not-allowed" else {}
    allowed = {"Allow": headers["Allow"]} if "Allow" in headers else {}
    return _render(kind, kind, _HTTP_DETAIL.get(kind, error.description or ""), {}, allowed)


_HTTP_DETAIL = {
    "not-found": "there is nothing at this address",
    "too-slow": "the body did not arrive in time; nothing was done, send the request again",
    "too-large": "the body has more than 64 KiB",
}


def _problem(error: Exception, game_id: str | None, version: int | None) -> Response:
    """Look the exception up in the table; what is not in it is a defect."""
    found = next((row for cls, row in _TABLE.items() if isinstance(error, cls)), None)
    if found is None:
        _log.error("unexpected %s", type(error).__name__, exc_info=error, extra=_request())
        return _render("internal", "internal", "the server failed", {})
    more: dict[str, Any] = {} if version is None else {"game_version": version}
    more |= found.more(error, game_id)
    headers = _room(error) if isinstance(error, Limited) else found.headers
    code = getattr(error, "code", found.kind)
    if isinstance(error, LogDamaged):
        fields = {"game": error.game_id, "version": error.version} | _request()["fields"]
        _log.error("%s", error, extra={"fields": fields})
        return _render(found.kind, code, "the log of this game is damaged; the game is not served", more)
    if isinstance(error, StoreUnavailable):
        _log.error("the log cannot be reached: %s", error, extra=_request())
        return _render(found.kind, code, "the log cannot be reached now", more, found.headers)
    return _render(found.kind, code, str(error), more, headers)


def _request() -> dict[str, Any]:
    """Name the request in a log line, as the client was told it."""
    return {"fields": {"request_id": current().id}}


@dataclass(frozen=True, slots=True)
class _Row:
    """How an exception is shown: its kind, what is added to the body, and headers."""

    kind: str
    more: Callable[[Any, str | None], dict[str, Any]]
    headers: Mapping[str, str]


def _nothing(_error: Any, _game_id: str | None) -> dict[str, Any]:
    return {}


def _turn_link(error: WrongMoment, game_id: str | None) -> dict[str, Any]:
    return _link(game_id) if error.code == "not-your-turn" else {}


def _option_faults(error: InvalidOptions, _game_id: str | None) -> dict[str, Any]:
    return {"errors": _faults([Fault(_option_pointer(p.option), p.code, p.message) for p in error.problems])}


def _room(error: Limited) -> dict[str, str]:
    """Say when there is room again; RateLimit as in the IETF's draft, for what has a rate."""
    if error.period is None:
        return {"Retry-After": str(error.after)}
    return {
        "Retry-After": str(error.after),
        "RateLimit-Policy": f'"{error.bucket}";q={error.most};w={error.period}',
        "RateLimit": f'"{error.bucket}";r=0;t={error.after}',
    }


_TABLE: Mapping[type[Exception], _Row] = {
    Malformed: _Row("malformed", lambda error, _: {"errors": _faults(error.faults)}, {}),
    Unauthenticated: _Row("unauthenticated", _nothing, {"WWW-Authenticate": "Bearer"}),
    Forbidden: _Row("forbidden", _nothing, {}),
    NotFound: _Row("not-found", _nothing, {}),
    NotAcceptable: _Row("not-acceptable", _nothing, {}),
    WrongMoment: _Row("wrong-moment", _turn_link, {}),
    Stale: _Row("stale", lambda error, game_id: {"events": f"/v1/games/{game_id}/events?after={error.after}"}, {}),
    IllegalAction: _Row("illegal-action", lambda error, game_id: {"rule": error.rule} | _link(game_id), {}),
    InvalidOptions: _Row("invalid-options", _option_faults, {}),
    Unprocessable: _Row("unprocessable", _nothing, {}),
    Limited: _Row("limit", lambda error, _: {"bucket": error.bucket}, {}),
    LogDamaged: _Row("log-damaged", _nothing, {}),
    StoreUnavailable: _Row("unavailable", _nothing, {"Retry-After": "1"}),
}


def _link(game_id: str | None) -> dict[str, str]:
    return {"legal_actions": f"/v1/games/{game_id}/legal-actions"} if game_id else {}


def _faults(faults: Sequence[Fault]) -> list[dict[str, str]]:
    return [{"pointer": fault.pointer, "code": fault.code, "message": fault.message} for fault in faults]


def _option_pointer(option: str) -> str:
    return f"/{option}" if option.split("/", maxsplit=1)[0] in ("seats", "clock", "duration") else f"/options/{option}"


def _render(
    kind: str, code: str, detail: str, more: Mapping[str, Any], headers: Mapping[str, str] | None = None
) -> Response:
    body = {
        "type": f"/v1/problems/{kind}",
        "title": KINDS[kind].title,
        "status": KINDS[kind].status,
        "detail": detail,
        "instance": current().id,
        "code": code,
        **more,
    }
    response = Response(dump(body), status=KINDS[kind].status, content_type="application/problem+json")
    response.headers.extend(dict(headers or {}))
    return response
