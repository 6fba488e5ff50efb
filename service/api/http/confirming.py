"""Delay the response to a write until ``PLATEAU_REPLICAS`` replicas have it."""

from flask import Flask, Response

from service.api.http.errors import respond
from service.api.http.request import WRITES, current, services
from service.store.event_store import StoreUnavailable

_FIRST_ERROR = 400


def register(app: Flask) -> None:
    """See every response before it is logged and compressed: of those that see responses, the last one comes first."""
    app.after_request(_confirmed)


def _confirmed(response: Response) -> Response:
    asked = current()
    operation = asked.operation
    if asked.method in WRITES and response.status_code < _FIRST_ERROR and operation is not None and operation.confirms:
        try:
            services().confirm()
        except StoreUnavailable as error:
            return respond(error)
    return response
