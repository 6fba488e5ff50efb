"""Following a source over HTTP: as a stream, in the form that the client accepts, or by a request that waits."""

import time
from typing import Any, cast

from flask import Response
from marshmallow.fields import Field

from service.accounts.players import Caller
from service.api.http.environ import CONTINUATION
from service.api.http.parameters import LAST_EVENT_ID, ticket_of
from service.api.http.request import address, current, maybe_caller, query, read_header, services
from service.api.http.response import ApiResponse
from service.common.errors import Fault, Malformed, Unauthenticated, refusal
from service.input.fields import wrong
from service.streams.forms import FORMS, Form
from service.streams.source import Source
from service.streams.streams import Stream, Wait

STREAMED: tuple[str, ...] = tuple(FORMS)
"""The media types of streams, for what an operation declares as its 200."""

TICKET = ticket_of(
    "Streams only: a stream ticket, in place of a token, for browsers, whose EventSource sends no header.",
    wrong("ticket"),
)
_WAIT_UNTIL = "plateau.wait-until"


def wanted_form() -> Form | None:
    """Return the form of stream that the client prefers; None if it prefers JSON."""
    asked = current()
    if "HTTP_ACCEPT" not in asked.environ:
        return None
    return FORMS.get(asked.accept_mimetypes.best_match(("application/json", *STREAMED)) or "")


def resumed_after(after: str, form: Field[Any]) -> str:
    """Return the cursor to continue from: that of Last-Event-ID, read by a form, if the client sends one."""
    last = current().header(LAST_EVENT_ID)
    return read_header(LAST_EVENT_ID.name, last, form) if last else after


def follower(game_id: str | None = None) -> Caller | None:
    """Return the subscriber: the caller, or the player who made the ticket of the request; None if there is neither.

    A ticket made with a seat token of a different game than ``game_id`` counts as anonymous.
    """
    caller, ticket = maybe_caller(), query()[TICKET]
    if ticket is None:
        return caller
    if wanted_form() is None:
        raise Malformed([Fault("?ticket", "invalid-parameter", "ticket: a stream ticket only opens streams")])
    facts = services().tickets.read("stream", ticket)
    holder = services().players.caller_now(*facts) if facts else None
    if holder is None:
        raise Unauthenticated("invalid-ticket", refusal("invalid-ticket"))
    if holder.game not in (None, game_id):
        return None
    current().player = holder.player
    return holder


def streamed(source: Source, after: str, form: Form) -> Response:
    """Respond with all events so far and, if the server supports streams, with new ones as they arrive."""
    asked, streams = current(), services().streams
    streams.places.check(source.player, address())
    batch = source.read(after, None)
    content = form.opening + form.written(batch.items)
    if batch.end is not None:
        content += form.last("end", batch.cursor, batch.end)
    elif asked.method != "HEAD" and CONTINUATION in asked.environ:
        fields = {"request_id": asked.id, "player": asked.player}
        asked.environ[CONTINUATION] = Stream(streams, source, form, batch.cursor, address(), fields)
    response = ApiResponse(content, content_type=form.media_type)
    if asked.environ.get(CONTINUATION) or asked.method == "HEAD":  # a stream states no length, whatever it has now
        del response.headers["Content-Length"]
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"  # or nginx would hold events back
    return response


def rests(source: Source, after: str, seconds: int) -> bool:
    """Return whether to handle this request again once the source has new data, or the time is up.

    A request that finds nothing new calls this; if the result is true, its response is not sent. If the server does not
    support this, the request does not wait. Raise ``Limited`` if there is no room for another stream.
    """
    asked, streams = current(), services().streams
    until = cast("float", asked.environ.setdefault(_WAIT_UNTIL, time.monotonic() + seconds))
    left = until - time.monotonic()
    if left <= 0 or streams.is_closing or asked.method == "HEAD" or CONTINUATION not in asked.environ:
        return False
    streams.places.check(source.player, address())
    asked.environ[CONTINUATION] = Wait(streams, source, after, address(), left)
    return True
