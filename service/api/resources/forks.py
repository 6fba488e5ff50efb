"""Forks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from flask import Blueprint, Response

from domain.game.aggregate import Game
from domain.sentences.message import Number, message
from domain.table import Seat
from service.api.http.endpoint import Operation
from service.api.http.parameters import IDEMPOTENCY_KEY
from service.api.http.request import services, write_to
from service.api.http.response import kept_answer, roomed
from service.api.http.response_headers import RECEIPT, ROOM
from service.api.resources.bodies import NewForkSchema
from service.common.errors import Fault, Malformed
from service.games.access import check_bot_plays
from service.games.forking import Fork
from service.games.projections.naming import named_list
from service.games.projections.resources import GameAtVersion

blueprint = Blueprint("forks", __name__)

_NEW_FORK = NewForkSchema()


@blueprint.post("/v1/games/<game_id>/forks")
@Operation(
    "games",
    {201: GameAtVersion},
    "required",
    (IDEMPOTENCY_KEY,),
    problems=(409, 412, 422),
    body=_NEW_FORK,
    headers={201: ("Location", *RECEIPT, *ROOM)},
)
def fork_game(game_id: str) -> Response:
    """Fork a game: continue from any version.

    Creates a sandbox that begins at a position of the game; you hold all seats without bots. During the game, the fork
    begins at what you know, with the rest drawn at random, and is private to you. Once the game is over, it begins at
    the true position. 409 means that no seat can act at this version.
    """
    forking = services().forking
    sent = write_to(game_id, _NEW_FORK, forking.check_may_fork)
    posted = sent.body
    viewer = posted.get("as_")
    wanted = Fork(
        caller=sent.caller,
        at=posted.get("at"),
        viewer="spectator" if "as_" in posted and viewer is None else viewer,
        visibility=posted["visibility"],
        bots=_bots(sent.game, posted.get("seats")),
        key=sent.key,
    )
    fork_id, made = forking.fork(sent.game, wanted)
    (game,) = named_list([made.body], services().players.people)
    response = kept_answer(replace(made, body=game))
    response.headers["Location"] = f"/v1/games/{fork_id}"
    return roomed(response, services().limiter.room("new-games", sent.caller.player))


def _bots(game: Game, seats: Sequence[Mapping[str, str]] | None) -> tuple[tuple[Seat, str], ...]:
    if seats is None:
        return ()
    if len(seats) != len(game.sitters):
        said = message("fault.seats-of-fork", seats=Number(len(game.sitters)), given=Number(len(seats)))
        raise Malformed([Fault("/seats", "wrong-number", said)])
    bots = tuple((number, seat["bot"]) for number, seat in enumerate(seats) if "bot" in seat)
    for bot in {bot for _, bot in bots}:
        check_bot_plays(bot, game.ruleset)
    return bots
