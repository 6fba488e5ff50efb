"""Logs on standard error: JSON lines, or text on a terminal. They never contain a token, a name, a card or a secret."""

import logging
import sys
import time
import traceback
import warnings
from collections.abc import Mapping

import orjson

from service.common import observability
from service.config.setting_fields import InvalidSettings


class JsonLines(logging.Formatter):
    """Format a record as one JSON object on a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the time, level, logger, message and fields of a record, and the place of an exception."""
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
    """Return the places of an exception and its causes in the code, without messages: they can quote a card."""
    parts = []
    while error is not None:
        parts.append("".join(traceback.format_tb(error.__traceback__)) + type(error).__name__)
        error = error.__cause__ or error.__context__
    return "\nbecause of\n".join(parts)


class _Text(logging.Formatter):
    """Format a record as a line for people, with its fields, followed by the place of an exception."""

    def format(self, record: logging.LogRecord) -> str:
        line = f"{self.formatTime(record, '%H:%M:%S')} {record.levelname.lower()}: {record.getMessage()}"
        for name, value in getattr(record, "fields", {}).items():
            if value not in (None, ""):
                line += f" {name}={value}"
        return f"{line}\n{_trace(record.exc_info[1])}" if record.exc_info else line


def configure(level: str, form: str = "auto") -> None:
    """Send the logs of this process to standard error, as JSON lines in UTC or as text.

    On a terminal, the level ``auto`` omits the lines for single requests, and the form ``auto`` is text.
    """
    is_for_a_person = level == "auto" and sys.stderr.isatty()
    is_text = is_for_a_person if form == "auto" else form == "text"
    formatter = _Text() if is_text else JsonLines()
    if not is_text:
        formatter.converter = time.gmtime
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    logging.basicConfig(level="INFO" if level == "auto" else level.upper(), handlers=[handler], force=True)
    warnings.showwarning = _log_warning
    logging.getLogger("plateau.request").setLevel(logging.WARNING if is_for_a_person else logging.NOTSET)


def _log_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Log a warning of the domain, which has no logger, without its place in the code."""
    logging.getLogger("plateau.warnings").warning("%s", message)


# -- traces, by the environment variables of OpenTelemetry
# --------------------------------------------------------------


def check_traces(environ: Mapping[str, str]) -> None:
    """Raise ``InvalidSettings`` if traces are requested that cannot be made."""
    try:
        observability.exporter_for(environ)
    except observability.TracingUnavailable as error:
        raise InvalidSettings(str(error)) from error


def begin_traces(environ: Mapping[str, str]) -> None:
    """Make traces from now on, if they are asked for; raise ``InvalidSettings`` if they cannot be made."""
    check_traces(environ)
    observability.begin(environ)
