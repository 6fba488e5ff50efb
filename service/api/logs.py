"""One log line a request, as JSON, with the request id that the client was told. No token, body or name is in it."""

import logging
import time

from flask import Flask, Response

from service.api.asked import asked

_log = logging.getLogger("plateau.request")
_PROBES = ("/healthz", "/readyz")


def register(app: Flask) -> None:
    """Tell each request's id with the answer, and log it."""
    app.after_request(_end)


def _end(response: Response) -> Response:
    ask, headers = asked(), response.headers
    headers.add("X-Request-Id", ask.id)
    headers.add("X-Content-Type-Options", "nosniff")
    headers.add("Vary", "Authorization, Accept")
    if "Cache-Control" not in headers:
        headers.add("Cache-Control", "no-cache" if response.status_code in (200, 304) else "no-store")
    level = logging.DEBUG if ask.path in _PROBES else logging.INFO
    if _log.isEnabledFor(level):
        fields = {
            "request_id": ask.id,
            "method": ask.method,
            "route": ask.url_rule.rule if ask.url_rule else None,
            "game": (ask.view_args or {}).get("game_id"),
            "status": response.status_code,
            "ms": round((time.perf_counter() - ask.began) * 1000, 2),
            "player": ask.player,
        }
        _log.log(level, "request", extra={"fields": fields})
    return response
