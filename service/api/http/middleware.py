"""The steps for every request before its view function, and for every response after it, in this order.

The app calls one function for each, because Flask would look up those of each blueprint for every request.
"""

import logging
import re
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

from flask import Flask, Response, current_app
from flask_compress import Compress

from service.api import deprecations
from service.api.http import request
from service.api.http.environ import CONTINUATION, Continuation
from service.api.http.errors import respond
from service.api.http.request import PROBES, WRITES, ApiRequest, current
from service.api.http.response import no_content
from service.common import observability
from service.common.observability import METRICS
from service.store.event_store import StoreUnavailable

_FIRST_ERROR = 400

Origins = frozenset[str]
"""The origins whose pages can call the interface; ``*`` is any origin, and the empty set none."""


class Hooks(NamedTuple):
    """Both functions. ``before`` returns a response instead of that of the view function, or None."""

    before: Callable[[], Response | None]
    after: Callable[[Response], Response]


def hooks(app: Flask, origins: Origins, *, compresses: bool) -> Hooks:
    """Return both functions; all view functions must be registered already."""
    check, compress = request.checker(app), compressor(app) if compresses else None
    vary = "Authorization, Accept, Accept-Encoding" + ("" if origins == ANY_ORIGIN else ", Origin")

    def before() -> Response | None:
        asked = current()
        check(asked)
        return preflight(asked)

    def after(response: Response) -> Response:
        asked = current()
        response = _confirmed(asked, response)
        allow_origin(asked, response, origins)
        if compress is not None:
            response = compress(asked, response)
        response.headers["Vary"] = vary
        finish(asked, response)
        return response

    return Hooks(before, after)


def _confirmed(asked: ApiRequest, response: Response) -> Response:
    """Delay the success of a write until the replicas have it (``PLATEAU_REPLICAS``)."""
    operation = asked.operation
    if asked.method in WRITES and response.status_code < _FIRST_ERROR and operation is not None and operation.confirms:
        try:
            asked.services.confirm()
        except StoreUnavailable as error:
            return respond(error)
    return response


# -- one JSON log line for each request, with the request id that the client got ----------------------------------
#
# A line never contains a token, a body or a name, nor any other text of the client's, so it is always short: an unknown
# method is logged as ``other``, and a game only if its id has the form of one.


_log = logging.getLogger("plateau.request")
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_GAME_ID = re.compile("gm_[0-9a-f]{20}")


def finish(asked: ApiRequest, response: Response) -> None:
    """Send the id of a request with its response, and log it."""
    headers = response.headers
    headers.add("X-Request-Id", asked.id)
    headers.add("X-Content-Type-Options", "nosniff")
    ending = deprecations.headers(_operation(asked)) if deprecations.DEPRECATED else {}
    for name, text in ending.items():
        headers.add(name, text)
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
    """Return who can cache a response and must revalidate it: only its caller, if it depends on one."""
    return "private, no-cache" if asked.operation is not None and asked.operation.auth != "none" else "no-cache"


def _count(asked: ApiRequest, status: int, seconds: float) -> None:
    """Count a response for the figures of operators, and note it in the trace."""
    observability.note(
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
    """Return whether the request will be handled again; it is logged then."""
    continuation: Continuation | None = asked.environ.get(CONTINUATION)
    return continuation is not None and not continuation.continues


def _game_id(found: Mapping[str, str]) -> str | None:
    game_id = found.get("game_id", "")
    return game_id if _GAME_ID.fullmatch(game_id) else None


# -- compression --------------------------------------------------------------------------------------------------


_LEAST_BYTES = 1400
"""A shorter response fits into one packet anyway."""
_TYPES = ("application/json", "application/jsonl", "image/svg+xml", "text/html", "text/plain")


def compressor(app: Flask) -> Callable[[ApiRequest, Response], Response]:
    """Return what compresses long enough successful responses; their ETag ends with ``response.COMPRESSED``."""
    app.config.update(
        COMPRESS_REGISTER=False,
        COMPRESS_ALGORITHM=["gzip"],
        COMPRESS_LEVEL=4,  # for a table, 30 µs more than level 1 and a fourteenth fewer bytes; level 5 takes 20 µs more
        COMPRESS_MIMETYPES=_TYPES,
        COMPRESS_STREAMS=False,
        COMPRESS_EVALUATE_CONDITIONAL_REQUEST=False,  # view functions do this before they do their work
    )
    library = Compress(app)

    def compress(asked: ApiRequest, response: Response) -> Response:
        if "HTTP_ACCEPT_ENCODING" not in asked.environ or (response.content_length or 0) < _LEAST_BYTES:
            return response
        # The library would compress for a client that accepts only gzip;q=0.
        return library.after_request(response) if asked.accept_encodings["gzip"] > 0 else response

    return compress


# -- calls from web pages of other origins (CORS) -----------------------------------------------------------------
#
# Any page can call, because callers are known by token, not by cookie. Browsers name the origin of the page in such
# requests. Responses to others carry none of these headers.


ANY_ORIGIN: Origins = frozenset({"*"})

_EXPOSED = (
    "Allow, Content-Encoding, Date, Deprecation, ETag, Link, Location, Plateau-Receipt, RateLimit, RateLimit-Policy, "
    "Retry-After, Sunset, WWW-Authenticate, X-Request-Id"
)
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
        "Cache-Control, Pragma, X-Requested-With, traceparent, tracestate, baggage, *"
    ),  # libraries add headers by themselves; ``*`` stands for all but Authorization, and old browsers do not know it
    "Access-Control-Max-Age": "7200",  # in seconds; browsers remember it for no longer
}


def allow_origin(asked: ApiRequest, response: Response, origins: Origins) -> None:
    """Let a page of these origins read the response, if one has asked."""
    if "HTTP_ORIGIN" not in asked.environ:
        return
    headers = origin_headers(origins, asked.environ["HTTP_ORIGIN"])
    if headers:
        response.headers.update(headers)
        if _is_preflight(asked):
            response.headers.update(_PREFLIGHT)


def origin_headers(origins: Origins, origin: str | None) -> dict[str, str]:
    """Return the headers that let a page of an origin read a response; none if it must not."""
    if origin is None or not (origins == ANY_ORIGIN or origin in origins):
        return {}
    return {
        "Access-Control-Allow-Origin": "*" if origins == ANY_ORIGIN else origin,
        "Access-Control-Expose-Headers": _EXPOSED,
    }


def preflight(asked: ApiRequest) -> Response | None:
    """Respond to OPTIONS; to a preflight for any path and method, so that a page can read why its request fails."""
    if asked.method != "OPTIONS" or not (asked.routing_exception is None or _is_preflight(asked)):
        return None
    response = no_content()
    if asked.routing_exception is None:
        response.headers["Allow"] = current_app.make_default_options_response().headers["Allow"]
    return response


def _is_preflight(asked: ApiRequest) -> bool:
    return asked.method == "OPTIONS" and {"HTTP_ORIGIN", "HTTP_ACCESS_CONTROL_REQUEST_METHOD"} <= asked.environ.keys()
