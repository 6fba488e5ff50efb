"""Calls from web pages of other origins (CORS): any page can call, because callers are known by token, not by cookie.

Browsers name the origin of the page in such requests. Responses to others carry none of these headers.
"""

from flask import Response, current_app

from service.api.http.request import ApiRequest
from service.api.http.response import no_content

Origins = frozenset[str]
"""The origins whose pages can call; ``*`` is any origin, and the empty set none."""

ANY: Origins = frozenset({"*"})

_EXPOSED = (
    "Allow, Content-Encoding, Date, ETag, Link, Location, Plateau-Receipt, RateLimit, RateLimit-Policy, Retry-After, "
    "WWW-Authenticate, X-Request-Id"
)
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
        "Cache-Control, Pragma, X-Requested-With, traceparent, tracestate, baggage, *"
    ),  # libraries add headers by themselves; ``*`` stands for all but Authorization, and old browsers do not know it
    "Access-Control-Max-Age": "7200",  # in seconds; browsers remember it for no longer
}


def allow(asked: ApiRequest, response: Response, origins: Origins) -> None:
    """Let a page of these origins read the response, if one has asked."""
    if "HTTP_ORIGIN" not in asked.environ:
        return
    headers = allowed(origins, asked.environ["HTTP_ORIGIN"])
    if headers:
        response.headers.update(headers)
        if _is_preflight(asked):
            response.headers.update(_PREFLIGHT)


def allowed(origins: Origins, origin: str | None) -> dict[str, str]:
    """Return the headers by which a page of an origin can read a response; there are none for a page that cannot."""
    if origin is None or not (origins == ANY or origin in origins):
        return {}
    return {"Access-Control-Allow-Origin": "*" if origins == ANY else origin, "Access-Control-Expose-Headers": _EXPOSED}


def options(asked: ApiRequest) -> Response | None:
    """Respond to OPTIONS; to a preflight for any path and method, so that a page can read why its request fails."""
    if asked.method != "OPTIONS" or not (asked.routing_exception is None or _is_preflight(asked)):
        return None
    response = no_content()
    if asked.routing_exception is None:
        response.headers["Allow"] = current_app.make_default_options_response().headers["Allow"]
    return response


def _is_preflight(asked: ApiRequest) -> bool:
    return asked.method == "OPTIONS" and {"HTTP_ORIGIN", "HTTP_ACCESS_CONTROL_REQUEST_METHOD"} <= asked.environ.keys()
