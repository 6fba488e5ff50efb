"""What happens to every request before its view function, and to every response after it, in this order.

One function each, which the app calls itself: Flask would look up those of each blueprint for every request.
"""

from collections.abc import Callable
from typing import NamedTuple

from flask import Flask, Response

from service.api.http import cors, request, request_log
from service.api.http.compression import compressor
from service.api.http.errors import respond
from service.api.http.request import WRITES, ApiRequest, current
from service.store.event_store import StoreUnavailable

_FIRST_ERROR = 400


class Hooks(NamedTuple):
    """Both functions. ``before`` returns a response in place of that of the view function, or None."""

    before: Callable[[], Response | None]
    after: Callable[[Response], Response]


def hooks(app: Flask, origins: cors.Origins, *, compresses: bool) -> Hooks:
    """Return both functions; all view functions must be registered already."""
    check, compress = request.checker(app), compressor(app) if compresses else None
    vary = "Authorization, Accept, Accept-Encoding" + ("" if origins == cors.ANY else ", Origin")

    def before() -> Response | None:
        asked = current()
        check(asked)
        return cors.options(asked)

    def after(response: Response) -> Response:
        asked = current()
        response = _confirmed(asked, response)
        cors.allow(asked, response, origins)
        if compress is not None:
            response = compress(asked, response)
        response.headers["Vary"] = vary
        request_log.end(asked, response)
        return response

    return Hooks(before, after)


def _confirmed(asked: ApiRequest, response: Response) -> Response:
    """Hold back the success of a write until the replicas have what it wrote (``PLATEAU_REPLICAS``)."""
    operation = asked.operation
    if asked.method in WRITES and response.status_code < _FIRST_ERROR and operation is not None and operation.confirms:
        try:
            asked.services.confirm()
        except StoreUnavailable as error:
            return respond(error)
    return response
