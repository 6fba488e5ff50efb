"""Following something over HTTP: as a stream, in the form that the client accepts, or by a request that waits."""

import time
from typing import cast

from flask import Response

from service.api.asgi import CONTINUATION
from service.api.parameters import RequestHeader
from service.api.request import address, current, services
from service.api.response import ApiResponse
from service.errors import Fault, Malformed
from service.streams.forms import FORMS, Form
from service.streams.source import Source
from service.streams.streams import Stream, Wait

STREAMED: tuple[str, ...] = tuple(FORMS)
"""The media types of streams, for what an operation declares as its 200."""

LAST_EVENT_ID = RequestHeader(
    "Last-Event-ID",
    "Streams only: the id of the last event that arrived, which a browser sends when it reconnects; beats `after`.",
    {"type": "string"},
)
_WAIT_UNTIL = "plateau.wait-until"


def wanted_form() -> Form | None:
    """Return the form of stream that the client prefers; None if it prefers JSON."""
    asked = current()
    if "HTTP_ACCEPT" not in asked.environ:
        return None
    return FORMS.get(asked.accept_mimetypes.best_match(("application/json", *STREAMED)) or "")


def resumed_after(after: str) -> str:
    """Return the cursor to go on from: that of Last-Event-ID, if the client sends one."""
    last = current().environ.get("HTTP_LAST_EVENT_ID", "")
    if len(last) > 64 or not last.isascii():
        raise Malformed([Fault("Last-Event-ID", "invalid-header", "Last-Event-ID must be the id of an event")])
    return last or after


def streamed(source: Source, after: str, form: Form) -> Response:
    """Respond with a stream: what is there already, and on a server that can go on, whatever follows."""
    asked, streams = current(), services().streams
    streams.places.check(source.player, address())
    batch = source.read(after, None)
    content = form.opening + form.written(batch.items)
    if batch.end is not None:
        content += form.last("end", batch.cursor, batch.end)
    elif asked.method != "HEAD":
        fields = {"request_id": asked.id, "player": asked.player}
        asked.environ[CONTINUATION] = Stream(streams, source, form, batch.cursor, address(), fields)
    response = ApiResponse(content, content_type=form.media_type)
    if CONTINUATION in asked.environ:
        del response.headers["Content-Length"]
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"  # or nginx would hold events back
    return response


def rests(source: Source, after: str, seconds: int) -> bool:
    """Return whether to handle this request again once the source has something new, or the time is up.

    A request that finds nothing new calls this, and if so responds with anything: it is not sent. If the limit on
    streams is reached, the request does not wait.
    """
    asked, streams = current(), services().streams
    until = cast("float", asked.environ.setdefault(_WAIT_UNTIL, time.monotonic() + seconds))
    left = until - time.monotonic()
    if left <= 0 or streams.is_closing or asked.method == "HEAD":
        return False
    if not streams.places.has_room(source.player, address()):
        return False
    asked.environ[CONTINUATION] = Wait(streams, source, after, address(), left)
    return True
