"""Rematches."""

from typing import TypedDict

from flask import Blueprint, Response

from service.api.http.endpoint import Operation
from service.api.http.request import services, write_to
from service.api.http.response import answer, receipted
from service.api.http.response_headers import RECEIPT
from service.api.resources.bodies import NothingSchema
from service.games.invitations.rematching import check_may_meet
from service.games.projections import representations
from service.games.projections.naming import nameplates, put_names
from service.games.projections.resources import GameAtVersion
from service.games.repository import head_of

blueprint = Blueprint("rematch", __name__)

_NOTHING = NothingSchema()


class RematchAnswer(TypedDict):
    """The new game, and your seat in it."""

    game: GameAtVersion
    seat: int


@blueprint.post("/v1/games/<game_id>/rematch")
@Operation(
    "games",
    "Propose a rematch, or accept one",
    {201: RematchAnswer},
    (403, 409, 422),
    "required",
    body=_NOTHING,
    headers={201: RECEIPT},
    repeats=True,
    description=(
        "Seats you in a new game with the same options, players and bots, everyone one seat further. The first player "
        "to ask creates it, and the others are invited to their seats for a day; those who ask later come to the "
        "same game. If one of them declines, it ends. The request can be repeated safely."
    ),
)
def meet_again(game_id: str) -> Response:
    """Propose or accept a rematch of a finished game in which the caller holds a seat."""
    sent = write_to(game_id, _NOTHING, check_may_meet)
    game, seat = services().rematching.meet(game_id, sent.caller)
    shown = representations.game_at_version(game, services().desk.patience)
    put_names(shown, nameplates(game, services().players.names))
    made: RematchAnswer = {"game": shown, "seat": seat}
    return receipted(answer(made, 201), head_of(game))
