"""The one table that turns exceptions into problem+json (RFC 9457), and the pages that explain the problems."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from domain.errors import IllegalAction, InvalidOptions, Reason, Rejected, WrongMoment, worded
from domain.sentences.catalogue import ORIGINAL
from domain.sentences.message import Message
from service.accounts.limits import Room
from service.api.http.request import current, preferred_language, services
from service.api.http.response import rate_headers
from service.common.errors import (
    WORDS,
    Ambiguous,
    AtVersion,
    Fault,
    Forbidden,
    HeadChanged,
    HeadRequired,
    Limited,
    Malformed,
    NotAcceptable,
    NotFound,
    PlanReplaced,
    Stale,
    Unanswered,
    Unauthenticated,
    Unprocessable,
    WentBack,
)
from service.store.event_store import NotReplicated, NotServed, StoreUnavailable

_log = logging.getLogger("plateau.http")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its status, and the text of its page; its title has words in each language."""

    name: str
    status: int
    text: str

    def title(self, language: str = ORIGINAL) -> str:
        return worded(Message(f"problem.{self.name}"), WORDS, language)


_KINDS = (
    Kind(
        "malformed",
        400,
        "The body is not JSON, or it does not match the schema of the operation (for example, it has unknown or "
        "duplicate fields), or a parameter is not valid. 'errors' lists every fault with a pointer to its place.",
    ),
    Kind(
        "unauthenticated",
        401,
        "Send 'Authorization: Bearer <token>' with a token from POST /v1/players or POST /v1/me/tokens. Your token may "
        "have been revoked.",
    ),
    Kind("forbidden", 403, "The token lacks a scope, or the seat is not yours. 'code' distinguishes the two."),
    Kind("not-found", 404, "It does not exist, or you are not allowed to see it. The response is the same for both."),
    Kind("method-not-allowed", 405, "The header Allow lists the methods that it supports."),
    Kind(
        "not-acceptable",
        406,
        "'detail' lists the formats in which this operation responds. Name one of them in the header Accept, or omit "
        "the header.",
    ),
    Kind(
        "wrong-moment",
        409,
        "The request is right, but not at this moment: for example, it is another seat's turn, the game is not "
        "running, or the seat is taken. Read the game, and try again when its state allows it.",
    ),
    Kind(
        "ambiguous",
        409,
        "Several players have this name, or names that look like it. 'candidates' lists them, the oldest first; the "
        "list can be incomplete. Name the player by id.",
    ),
    Kind(
        "stale",
        412,
        "The version in If-Match, the decision in decision_id, or the decision of a cursor into legal actions is "
        "outdated. 'events' links to the events that you missed. Read them, and decide again.",
    ),
    Kind(
        "game-went-back",
        412,
        "The request names a version that the game does not have. If this server has shown it to you, the end of its "
        "log was lost, in a fail-over without PLATEAU_REPLICAS or because a backup was restored; 'game_version' and "
        "'head' are the current ones. Keep your events and receipts: POST /v1/verify-receipt compares a receipt with "
        "the log, and a receipt proves what the server signed. Tell the operator, read the game again, and continue "
        "from there. If the log has grown again to your version with other events, its hash differs, and the receipt "
        "contradicts it.",
    ),
    Kind(
        "plan-changed",
        412,
        "The plan in If-Match is outdated: it was carried out in part, dropped, or replaced from another device. Read "
        "the plan, and decide again.",
    ),
    Kind(
        "head-changed",
        412,
        "The head in If-Match is not that of the game: a seat was taken or left. The server now knows your seed, so do "
        "not use it again. Read the game, draw a fresh seed, and try again with the new 'head'.",
    ),
    Kind(
        "head-required",
        428,
        "A seed counts only for the game that its player has seen, so that seats cannot change in between. "
        "Read the game, draw a fresh seed, and send the game's 'head' in quotes as If-Match.",
    ),
    Kind(
        "too-slow", 408, "The body was announced but did not arrive in time. The request had no effect; send it again."
    ),
    Kind("too-large", 413, "A body can have at most 64 KiB, which is enough for every request."),
    Kind("not-json", 415, "Send the body as JSON, with 'Content-Type: application/json' and no encoding."),
    Kind(
        "illegal-action",
        422,
        "The action is well formed and it is your turn, but the rules do not allow it. 'rule' names the section of the "
        "rules, and 'legal_actions' links to your legal actions.",
    ),
    Kind(
        "invalid-options",
        422,
        "The ruleset does not allow these options, or this number of seats. 'errors' explains what is wrong with each.",
    ),
    Kind(
        "unprocessable",
        422,
        "The request is well formed but cannot be carried out: for example, its Idempotency-Key was used for a "
        "different request, or it needs a feature that is not supported yet (code 'unsupported').",
    ),
    Kind(
        "limit",
        429,
        "You, or your address, have reached a limit. 'bucket' names the limit, and 'detail' states how much it allows. "
        "Try again after the time in Retry-After. A request that was carried out before still gets its first response "
        "for its Idempotency-Key, unless the limit is the one on requests.",
    ),
    Kind(
        "internal",
        500,
        "This is a defect of the server, not of your request. Report it with the request id in 'instance'.",
    ),
    Kind(
        "unavailable",
        503,
        "Redis does not respond, or cannot write. Your request may or may not have taken effect. After the time in "
        "Retry-After, send it again with the same Idempotency-Key, which cannot act twice. Without a key, read the "
        "game first.",
    ),
    Kind(
        "not-replicated",
        503,
        "The primary has your write, but too few of its replicas confirmed it in time, so a fail-over could still "
        "lose it. After the time in Retry-After, send it again with the same Idempotency-Key: it does not act twice, "
        "and succeeds only once the replicas have the write. Without a key, read the game first.",
    ),
    Kind(
        "unanswered",
        503,
        "The workers have not answered in time, because they are busy or do not run. The question stays in the queue: "
        "after the time in Retry-After, send the request again.",
    ),
    Kind(
        "overloaded",
        503,
        "The server has too much to do, or you or your address use up your share of it. It has not read your "
        "request, which had no effect. Send it again after the time in Retry-After, and wait longer each time.",
    ),
    Kind(
        "log-damaged",
        503,
        "The stored log of this game is damaged, so the service neither shows nor continues the game. "
        "Other games are not affected. Trying again does not help; only the operator can restore it from a backup.",
    ),
    Kind(
        "ruleset-missing",
        503,
        "The package with the rules of this game has been uninstalled. Its log is intact; the game continues once the "
        "operator installs the package again.",
    ),
    Kind(
        "archive-missing",
        503,
        "The log of this game is in the archive of finished games, which is not configured here. Other "
        "games are not affected. Trying again does not help; the operator must set up the archive.",
    ),
)

KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _KINDS}

_BY_STATUS = {
    400: "malformed",
    404: "not-found",
    405: "method-not-allowed",
    408: "too-slow",
    413: "too-large",
    415: "not-json",
}


def register(app: Flask) -> None:
    app.register_error_handler(Exception, respond)


def respond(error: Exception) -> Response:
    match error:
        case AtVersion():
            return _problem(error.refusal, error.game_id, error.version)
        case HTTPException():
            return _http_problem(error)
        case NotServed():
            return _not_served(error)
        case _:
            return _problem(error, None, None)


def _http_problem(error: HTTPException) -> Response:
    kind = _BY_STATUS.get(error.code or 500, "internal")
    headers = dict(error.get_headers(request.environ)) if kind == "method-not-allowed" else {}
    allowed = {"Allow": headers["Allow"]} if "Allow" in headers else {}
    detail = Message(f"detail.{kind}") if error.code in _BY_STATUS and kind != "malformed" else error.description or ""
    return _render(kind, kind, detail, {}, allowed)


def _problem(error: Exception, game_id: str | None, version: int | None) -> Response:
    """Look up the exception in the table; an exception that is missing there is a defect."""
    found = next((row for cls, row in _TABLE.items() if isinstance(error, cls)), None)
    if found is None:
        _log.error("unexpected %s", type(error).__name__, exc_info=error, extra=_request())
        return _render("internal", "internal", Message("detail.internal"), {})
    more: dict[str, Any] = {} if version is None else {"game_version": version}
    more |= found.more(error, game_id)
    headers = _room(error) if isinstance(error, Limited) else found.headers
    code = getattr(error, "code", found.kind)
    if isinstance(error, StoreUnavailable):
        _log.error("the log cannot be reached: %s: %s", type(error).__name__, error, extra=_request())
        return _render(found.kind, code, Message(f"detail.{found.kind}"), more, found.headers)
    detail = error.in_words(preferred_language()) if isinstance(error, Rejected | InvalidOptions) else str(error)
    return _render(found.kind, code, detail, more, headers)


def _not_served(error: NotServed) -> Response:
    """Report a game that cannot be served, but not to a caller who could not see it."""
    fields = {"game": error.game_id, "version": error.version} | _request()["fields"]
    _log.error("%s", error, extra={"fields": fields})
    try:
        services().reader.check_visible_unread(error.game_id, current().player)
    except (NotFound, StoreUnavailable) as instead:
        return _problem(instead, None, None)
    return _render(error.code, error.code, Message(f"detail.{error.code}"), {})


def _request() -> dict[str, Any]:
    return {"fields": {"request_id": current().id}}


@dataclass(frozen=True, slots=True)
class _Row:
    """How an exception is shown: its kind, additional members of the body, and headers."""

    kind: str
    more: Callable[[Any, str | None], dict[str, Any]]
    headers: Mapping[str, str]


def _nothing(_error: Any, _game_id: str | None) -> dict[str, Any]:
    return {}


def _turn_link(error: WrongMoment, game_id: str | None) -> dict[str, Any]:
    return _link(game_id) if error.code == "not-your-turn" else {}


def _missed(error: Stale, game_id: str | None) -> dict[str, Any]:
    return {"events": f"/v1/games/{game_id}/events?after={error.after}"}


def _option_faults(error: InvalidOptions, _game_id: str | None) -> dict[str, Any]:
    language = preferred_language()
    faults = [Fault(_option_pointer(each.option), each.code, each.in_words(language)) for each in error.problems]
    return {"errors": _faults(faults)}


def _room(error: Limited) -> dict[str, str]:
    wait = {"Retry-After": str(error.after)}
    if error.period is None:
        return wait
    return wait | rate_headers(Room(error.bucket, error.most, error.period, 0, error.after))


def _candidates(error: Ambiguous, _game_id: str | None) -> dict[str, Any]:
    found = error.candidates
    return {"candidates": [{"id": each, "name": name, "created_at": at} for each, name, at in found]}


_TABLE: Mapping[type[Exception], _Row] = {
    Malformed: _Row("malformed", lambda error, _: {"errors": _faults(error.faults)}, {}),
    Unauthenticated: _Row("unauthenticated", _nothing, {"WWW-Authenticate": "Bearer"}),
    Forbidden: _Row("forbidden", _nothing, {}),
    NotFound: _Row("not-found", _nothing, {}),
    NotAcceptable: _Row("not-acceptable", _nothing, {}),
    Ambiguous: _Row("ambiguous", _candidates, {}),
    WrongMoment: _Row("wrong-moment", _turn_link, {}),
    PlanReplaced: _Row("plan-changed", _nothing, {}),
    HeadChanged: _Row("head-changed", _nothing, {}),
    HeadRequired: _Row("head-required", _nothing, {}),
    WentBack: _Row("game-went-back", lambda error, _: error.facts | _missed(error, error.game_id), {}),
    Stale: _Row("stale", _missed, {}),
    IllegalAction: _Row("illegal-action", lambda error, game_id: {"rule": error.rule} | _link(game_id), {}),
    InvalidOptions: _Row("invalid-options", _option_faults, {}),
    Unprocessable: _Row("unprocessable", _nothing, {}),
    Limited: _Row("limit", lambda error, _: {"bucket": error.bucket}, {}),
    Unanswered: _Row("unanswered", _nothing, {"Retry-After": "2"}),
    NotReplicated: _Row("not-replicated", _nothing, {"Retry-After": "1"}),
    StoreUnavailable: _Row("unavailable", _nothing, {"Retry-After": "1"}),
}


def _link(game_id: str | None) -> dict[str, str]:
    return {"legal_actions": f"/v1/games/{game_id}/legal-actions"} if game_id else {}


def _faults(faults: Sequence[Fault]) -> list[dict[str, str]]:
    language = preferred_language()
    return [
        {"pointer": fault.pointer, "code": fault.code, "message": worded(fault.message, WORDS, language)}
        for fault in faults
    ]


def _option_pointer(option: str) -> str:
    of_the_body = ("seats", "clock", "duration", "to_version")
    return f"/{option}" if option.split("/", maxsplit=1)[0] in of_the_body else f"/options/{option}"


def _render(
    kind: str, code: str, detail: Reason, more: Mapping[str, Any], headers: Mapping[str, str] | None = None
) -> Response:
    language = preferred_language()
    current().problem = code
    body = {
        "type": f"/v1/problems/{kind}",
        "title": KINDS[kind].title(language),
        "status": KINDS[kind].status,
        "detail": worded(detail, WORDS, language),
        "instance": current().id,
        "code": code,
        **more,
    }
    response = Response(orjson.dumps(body), status=KINDS[kind].status, content_type="application/problem+json")
    response.headers.extend({"Content-Language": language, **(headers or {})})
    return response
