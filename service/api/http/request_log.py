"""One JSON log line for each request, with the request id that the client got.

A line never contains a token, a body or a name, nor any other text of the client's, so it is always short: an unknown
method is logged as ``other``, and a game only if its id has the form of one.
"""

import logging
import re
import time
from collections.abc import Mapping

from flask import Response

from service.api.http.asgi import Continuation
from service.api.http.environ import CONTINUATION
from service.api.http.request import PROBES, ApiRequest
from service.common import tracing
from service.common.metrics import METRICS

_log = logging.getLogger("plateau.request")
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_GAME_ID = re.compile("gm_[0-9a-f]{20}")


def end(asked: ApiRequest, response: Response) -> None:
    """Send the id of a request with its response, and log it."""
    headers = response.headers
    headers.add("X-Request-Id", asked.id)
    headers.add("X-Content-Type-Options", "nosniff")
    if "Cache-Control" not in headers:
        headers.add("Cache-Control", _kept(asked) if response.status_code in (200, 304) else "no-store")
    if _waits(asked):
        return
    seconds = time.perf_counter() - asked.began
    _count(asked, response.status_code, seconds)
    level = logging.DEBUG if asked.path in PROBES else logging.INFO
    if _log.isEnabledFor(level):
        fields = {
            "request_id": asked.id,
            "method": asked.method if asked.method in _METHODS else "other",
            "route": asked.url_rule.rule if asked.url_rule else None,
            "operation": _operation(asked),
            "game": _game_id(asked.view_args or {}),
            "status": response.status_code,
            "code": asked.problem,
            "ms": round(seconds * 1000, 2),
            "player": asked.player,
        }
        _log.log(level, "request", extra={"fields": fields})


def _kept(asked: ApiRequest) -> str:
    """Return who can keep a response, and must ask whether it still holds: only its caller, if it depends on one."""
    return "private, no-cache" if asked.operation is not None and asked.operation.auth != "none" else "no-cache"


def _count(asked: ApiRequest, status: int, seconds: float) -> None:
    """Count a response for the figures of operators, and note it in the trace."""
    tracing.note(
        **{
            "http.request.method": asked.method if asked.method in _METHODS else "other",
            "http.route": asked.url_rule.rule if asked.url_rule else None,
            "http.response.status_code": status,
            "plateau.operation": _operation(asked),
            "plateau.request_id": asked.id,
            "error.type": asked.problem,
        }
    )
    METRICS.time("request", seconds, _operation(asked) or "none")
    METRICS.count("responses", f"{status // 100}xx")
    if asked.problem is not None:
        METRICS.count("refusals", asked.problem)


def _operation(asked: ApiRequest) -> str | None:
    """Return the name of the operation, as the API document has it; None if there is none."""
    return asked.endpoint.rpartition(".")[2] if asked.endpoint else None


def _waits(asked: ApiRequest) -> bool:
    """Return whether the request is not answered yet: it is handled once more, and logged then."""
    continuation: Continuation | None = asked.environ.get(CONTINUATION)
    return continuation is not None and not continuation.continues


def _game_id(found: Mapping[str, str]) -> str | None:
    game_id = found.get("game_id", "")
    return game_id if _GAME_ID.fullmatch(game_id) else None
