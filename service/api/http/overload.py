"""Which requests a busy process admits, and how it rejects the others cheaply.

The process has read neither the body nor the token of a rejected request, so the request had no effect, and can be sent
again.
"""

import logging
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import orjson

from domain.errors import worded
from domain.sentences.catalogue import ORIGINAL
from domain.sentences.message import Message
from service.api.http.errors import KINDS
from service.api.http.fair_line import Client
from service.api.http.middleware import ANY_ORIGIN, Origins, origin_headers
from service.api.http.parameters import LANGUAGES
from service.api.http.request import address_of
from service.common.errors import WORDS
from service.common.observability import METRICS

_log = logging.getLogger("plateau.http")

CODE = "overloaded"
HELD_SECONDS = 0.5
"""The delay of a rejection, on the event loop: a client that retries at once would cost more than the wait."""
_RETRY_SECONDS = 1
_SILENT_SECONDS = 10.0
_MOST_LANGUAGES = 8

Environ = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Admission:
    """The number of requests that are admitted, ``most`` in work or waiting; and how to identify clients and pages."""

    most: int = 512
    trusted_proxies: int = 0
    origins: Origins = ANY_ORIGIN

    def client(self, environ: Environ) -> Client:
        """Return the client that sends a request, as far as this is known without the store."""
        return Client(address_of(environ, self.trusted_proxies), hash(environ.get("HTTP_AUTHORIZATION")))


class Refusing:
    """Rejects requests, counts them, and logs this from time to time."""

    def __init__(self, admission: Admission) -> None:
        self._origins = admission.origins
        self._silent_until = 0.0

    def refusal(self, environ: Environ) -> tuple[int, list[tuple[str, str]], bytes]:
        METRICS.count("refusals", CODE)
        METRICS.count("responses", "5xx")
        if time.monotonic() >= self._silent_until:
            _log.warning("requests are refused, because too many are in work or wait; see /metrics for how many")
            self._silent_until = time.monotonic() + _SILENT_SECONDS
        language, request_id = _language(environ.get("HTTP_ACCEPT_LANGUAGE", "")), f"req_{random.getrandbits(64):016x}"
        headers = {
            "Content-Type": "application/problem+json",
            "Content-Language": language,
            "Retry-After": str(_RETRY_SECONDS),
            "X-Request-Id": request_id,
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-store",
            **origin_headers(self._origins, environ.get("HTTP_ORIGIN")),
        }
        return KINDS[CODE].status, [*headers.items()], orjson.dumps({**_body(language), "instance": request_id})


@cache
def _body(language: str) -> Mapping[str, Any]:
    return {
        "type": f"/v1/problems/{CODE}",
        "title": KINDS[CODE].title(language),
        "status": KINDS[CODE].status,
        "detail": worded(Message(f"detail.{CODE}"), WORDS, language),
        "code": CODE,
    }


def _language(accepted: str) -> str:
    tags = (each.strip()[:2].lower() for each in accepted.split(",", _MOST_LANGUAGES))
    return next((tag for tag in tags if tag in LANGUAGES), ORIGINAL)
