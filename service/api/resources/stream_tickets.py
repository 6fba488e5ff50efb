"""Stream tickets: a browser's EventSource sends no header, and a token must not stand in an address."""

from typing import TypedDict

from flask import Blueprint, Response

from domain.game.durations import moment
from service.api.http.endpoint import Operation
from service.api.http.request import body, caller, query, services
from service.api.http.response import answer, kept_to_oneself
from service.api.resources.bodies import NothingSchema
from service.games.access import check_scope

blueprint = Blueprint("stream_tickets", __name__)

_NOTHING = NothingSchema()


class StreamTicket(TypedDict):
    """A ticket that opens streams in place of the token, and until when."""

    ticket: str
    expires_at: str


@blueprint.post("/v1/me/stream-tickets")
@Operation(
    "play",
    "Create a ticket that opens streams",
    {201: StreamTicket},
    (403,),
    "required",
    body=_NOTHING,
    confirms=False,
    description=(
        "An `EventSource` sends no token, so its address carries a signed `ticket`, which opens streams for a minute, "
        "and nothing else. A stream lasts as long as the token that made its ticket. To open a stream again later, "
        "create a new ticket."
    ),
)
def create_stream_ticket() -> Response:
    """Create a ticket; it can do nothing but read what its token can read, as a stream."""
    me = caller(anywhere=True)
    check_scope(me, "games:read")
    query()
    body(_NOTHING)
    ticket, until = services().tickets.issue("stream", me.player, me.token)
    return kept_to_oneself(answer({"ticket": ticket, "expires_at": moment(until)}, 201))
