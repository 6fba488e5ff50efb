"""Seat tokens: each opens one seat of one game, for another device."""

from functools import partial

from flask import Blueprint, Response

from service.api import bodies
from service.api.operation import Operation
from service.api.players import NewTokenAnswer, new_token
from service.api.request import services, write_to
from service.api.response import answer
from service.errors import no_such_player
from service.games.access import SEAT_SCOPES, playing_seat

blueprint = Blueprint("seat_tokens", __name__)

_NEW_SEAT_TOKEN = bodies.NewSeatTokenSchema()


@blueprint.post("/v1/games/<game_id>/seats/<int:seat>/tokens")
@Operation(
    "games",
    "Make a token that opens only your seat",
    {201: NewTokenAnswer},
    (403,),
    "required",
    body=_NEW_SEAT_TOKEN,
    description=(
        "Lets another device play on without the rest of your account. The token is shown only here and stored hashed; "
        "revoke it like every other token. It opens nothing once somebody else holds the seat."
    ),
)
def create_seat_token(game_id: str, seat: int) -> Response:
    """Create a token for a seat of the caller's, with no more scopes than the token used; it is shown only once."""
    sent = write_to(game_id, _NEW_SEAT_TOKEN, partial(playing_seat, seat=seat))
    scopes = [scope for scope in SEAT_SCOPES if scope in sent.caller.scopes]
    made = services().players.create_token(sent.caller.player, scopes, sent.body["label"], (game_id, seat))
    if made is None:
        raise no_such_player()
    return answer(new_token(*made), 201)
