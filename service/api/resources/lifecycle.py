"""How a game ends and continues: leaving it unfinished, rematches, and opening committed seeds."""

from typing import TypedDict

import orjson
from flask import Blueprint, Response

from service.api.http.endpoint import Operation
from service.api.http.parameters import IDEMPOTENCY_KEY
from service.api.http.request import services, write_to
from service.api.http.response import answer, kept_answer, receipted
from service.api.http.response_headers import RECEIPT
from service.api.resources.bodies import NothingSchema, OpenSeedSchema
from service.games.access import check_created
from service.games.commands import Cancel, OpenSeed
from service.games.invitations.rematching import check_may_meet
from service.games.projections import representations
from service.games.projections.naming import named_list, nameplates, put_names
from service.games.projections.resources import ActionAnswer, GameAtVersion
from service.games.repository import head_of

blueprint = Blueprint("lifecycle", __name__)


@blueprint.delete("/v1/games/<game_id>")
@Operation("games", {200: GameAtVersion}, "required", problems=(409,), headers={200: RECEIPT})
def cancel_game(game_id: str) -> Response:
    """Cancel an open game that you created.

    Ends the game before it starts, even if seats are taken. Its log remains, and ends with `game_aborted`. A game that
    has started or ended cannot be cancelled (409).
    """
    sent = write_to(game_id, admit=check_created)
    cancelled = sent.desk.do(sent.game, Cancel(caller=sent.caller))
    (game,) = named_list([cancelled.body], services().players.people)
    return receipted(answer(orjson.Fragment(game)), cancelled.head)


_NOTHING = NothingSchema()


class RematchAnswer(TypedDict):
    """The new game, and your seat in it."""

    game: GameAtVersion
    seat: int


@blueprint.post("/v1/games/<game_id>/rematch")
@Operation(
    "games", {201: RematchAnswer}, "required", problems=(409, 422), body=_NOTHING, headers={201: RECEIPT}, repeats=True
)
def meet_again(game_id: str) -> Response:
    """Propose a rematch, or accept one.

    Seats you in a new game with the same options, players and bots, everyone one seat further. The first request
    creates it, and invites the others to their seats for a day; later requests return the same game. If one of them
    declines, it ends. The request can be repeated safely.
    """
    sent = write_to(game_id, _NOTHING, check_may_meet)
    game, seat = services().rematching.meet(game_id, sent.caller)
    shown = representations.game_at_version(game, services().desk.patience)
    put_names(shown, nameplates(game, services().players.people))
    made: RematchAnswer = {"game": shown, "seat": seat}
    return receipted(answer(made, 201), head_of(game))


_OPEN_SEED = OpenSeedSchema()


@blueprint.post("/v1/games/<game_id>/seeds")
@Operation(
    "games",
    {201: ActionAnswer},
    "required",
    (IDEMPOTENCY_KEY,),
    problems=(409, 422),
    body=_OPEN_SEED,
    headers={201: RECEIPT},
)
def open_seed(game_id: str) -> Response:
    """Open the seed that you committed to.

    Send the seed once the game shows `seeds_awaited` with your seat: then every seat is taken, and all commitments are
    in the log. The game starts with the last seed, or when the time is up. A seed that is not the one that you
    committed to is 422 (`wrong-seed`); before and after the phase, and for a seed that is open, the response is 409.
    """
    sent = write_to(game_id, _OPEN_SEED)
    return kept_answer(sent.desk.do(sent.game, OpenSeed(caller=sent.caller, key=sent.key, **sent.body)))
