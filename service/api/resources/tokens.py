"""Tokens for one seat, and tickets that open a stream."""

from functools import partial
from typing import TypedDict

from flask import Blueprint, Response

from domain.game.aggregate import Game
from domain.game.durations import moment
from domain.table import Seat
from service.accounts.players import Caller
from service.api.http.endpoint import Operation
from service.api.http.request import body, caller, query, services, write_to
from service.api.http.response import answer, kept_to_oneself
from service.api.resources import bodies
from service.api.resources.bodies import NothingSchema
from service.api.resources.players import IF_LOST, NewTokenAnswer, new_token
from service.common.errors import no_such_player
from service.games.access import SEAT_SCOPES, check_opens_all, check_owns_account, check_scope, seat_to_share

blueprint = Blueprint("tokens", __name__)

_NEW_SEAT_TOKEN = bodies.NewSeatTokenSchema()


@blueprint.post("/v1/games/<game_id>/seats/<int:seat>/tokens")
@Operation("games", {201: NewTokenAnswer}, "required", body=_NEW_SEAT_TOKEN, if_lost=IF_LOST)
def create_seat_token(game_id: str, seat: int) -> Response:
    """Create a token that opens only your seat.

    Lets another device play without access to the rest of your account. The token that you send needs all the scopes
    that a guest has (403): a seat token cannot make another one. The new token is shown only here and stored hashed;
    revoke it like every other token. It is void once another player or a bot holds the seat.
    """
    sent = write_to(game_id, _NEW_SEAT_TOKEN, partial(_owned_seat, seat=seat))
    me = sent.caller
    made = services().players.create_token(me.player, SEAT_SCOPES, sent.body["label"], (game_id, seat), me.token)
    if made is None:
        raise no_such_player()
    return answer(new_token(*made), 201)


def _owned_seat(game: Game, caller: Caller, seat: Seat) -> Seat:
    """Return a seat of the caller's; reject a token that does not stand for the whole account."""
    held = seat_to_share(game, caller, seat)
    check_opens_all(caller)
    check_owns_account(caller)
    return held


_NOTHING = NothingSchema()


class StreamTicket(TypedDict):
    """A ticket that opens streams without the token, and its expiry."""

    ticket: str
    expires_at: str


@blueprint.post("/v1/me/stream-tickets")
@Operation("play", {201: StreamTicket}, "required", body=_NOTHING, confirms=False, repeats=True)
def create_stream_ticket() -> Response:
    """Create a ticket that opens streams.

    An `EventSource` sends no token, so its address carries a signed `ticket`, which only opens streams, for a minute. A
    stream lasts as long as the token that made its ticket. To open a stream again later, create a new ticket.
    """
    me = caller(anywhere=True)
    check_scope(me, "games:read")
    query()
    body(_NOTHING)
    ticket, until = services().tickets.issue("stream", me.player, me.token)
    return kept_to_oneself(answer({"ticket": ticket, "expires_at": moment(until)}, 201))
