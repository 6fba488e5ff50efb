"""Opening the seeds that players committed to when they joined, between the last seat and the start."""

from flask import Blueprint, Response

from service.api.http.endpoint import Operation
from service.api.http.parameters import IDEMPOTENCY_KEY
from service.api.http.request import write_to
from service.api.http.response import kept_answer
from service.api.http.response_headers import RECEIPT
from service.api.resources.bodies import OpenSeedSchema
from service.games.commands import OpenSeed
from service.games.projections.resources import ActionAnswer

blueprint = Blueprint("seeds", __name__)

_OPEN_SEED = OpenSeedSchema()


@blueprint.post("/v1/games/<game_id>/seeds")
@Operation(
    "games",
    "Open the seed that you committed to",
    {201: ActionAnswer},
    (403, 409, 422),
    "required",
    (IDEMPOTENCY_KEY,),
    body=_OPEN_SEED,
    headers={201: RECEIPT},
    description=(
        "Send it once the game shows `seeds_awaited` with your seat: then every seat is taken, and all commitments are "
        "in the log. The game starts with the last seed, or when the time is up. A seed that is not the one that you "
        "committed to is 422 (`wrong-seed`); before and after the phase, and for a seed that is open, the response "
        "is 409."
    ),
)
def open_seed(game_id: str) -> Response:
    """Open the seed of a seat; the game starts with the last one."""
    sent = write_to(game_id, _OPEN_SEED)
    return kept_answer(sent.desk.do(sent.game, OpenSeed(caller=sent.caller, key=sent.key, **sent.body)))
