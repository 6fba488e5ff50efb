"""One log line a request, as JSON, with the request id that the client was told. No token, body or name is in it."""

import logging
import sys
import time
import traceback

import orjson
from flask import Flask, Response

from service.api.asked import asked

_log = logging.getLogger("plateau.request")
_PROBES = ("/healthz", "/readyz")


class JsonLines(logging.Formatter):
    """Formats a record as one JSON object on a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Write time, level, logger, message, the fields given, and where an exception came from."""
        line = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S") + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["trace"] = _trace(record.exc_info[1])
        return orjson.dumps(line).decode()


def _trace(error: BaseException | None) -> str:
    """Say where an exception and its causes came from; not what they say, for that may quote a card or a name."""
    parts = []
    while error is not None:
        parts.append("".join(traceback.format_tb(error.__traceback__)) + type(error).__name__)
        error = error.__cause__ or error.__context__
    return "\nbecause of\n".join(parts)


def configure(level: str) -> None:
    """Send the logs of this process to standard error as JSON lines, in UTC."""
    formatter = JsonLines()
    formatter.converter = time.gmtime
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)


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
