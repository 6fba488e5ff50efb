"""Ending a game before it starts."""

import orjson
from flask import Blueprint, Response

from service.api.http.endpoint import Operation
from service.api.http.request import services, write_to
from service.api.http.response import answer, receipted
from service.api.http.response_headers import RECEIPT
from service.games.access import check_created
from service.games.ending import Cancel
from service.games.projections.naming import named_list
from service.games.projections.resources import GameAtVersion

blueprint = Blueprint("ending", __name__)


@blueprint.delete("/v1/games/<game_id>")
@Operation(
    "games",
    "Cancel an open game that you created",
    {200: GameAtVersion},
    (403, 409),
    "required",
    headers={200: RECEIPT},
    description=(
        "Ends the game before it starts; seats need not be left first. Its log remains, and ends with `game_aborted`. "
        "Once the game has started or ended (409), nobody can cancel it."
    ),
)
def cancel_game(game_id: str) -> Response:
    """Cancel a game; its log remains, and ends with the reason."""
    sent = write_to(game_id, admit=check_created)
    cancelled = sent.desk.do(sent.game, Cancel(caller=sent.caller))
    (game,) = named_list([cancelled.body], services().players.names)
    return receipted(answer(orjson.Fragment(game)), cancelled.head)
