"""Games and seats: create, list, show, join, leave."""

from collections.abc import Mapping
from functools import partial
from typing import Any, TypedDict

import orjson
from flask import Blueprint, Response

from domain.game.events import Clock
from domain.game.time_control import PLAY_BY_POST
from domain.registry import RULESETS
from service.accounts.players import Caller
from service.api import bodies
from service.api.operation import Operation, operation, services
from service.api.parameters import (
    GAME_STATUS,
    GAMES_CURSOR,
    IDEMPOTENCY_KEY,
    IF_NONE_MATCH,
    LIMIT,
    OPEN,
    RULESET,
)
from service.api.request import address, body, caller, current, idempotency_key, maybe_caller, query
from service.api.response import answer, kept_answer, no_content, page_of, versioned
from service.errors import Fault, Malformed
from service.forms import load
from service.games import representations
from service.games.access import check_holds, check_may_hand_over, check_may_play, check_scope
from service.games.commands import Join, Leave, PutBot
from service.games.desk import Create

blueprint = Blueprint("games", __name__)

_NEW_GAME, _TAKE_SEAT, _HAND_OVER = bodies.NewGameSchema(), bodies.TakeSeatSchema(), bodies.HandOverSchema()


class GameList(TypedDict):
    """A page of public games, newest first."""

    items: list[representations.GameResource]
    next_cursor: str | None


@blueprint.post("/v1/games")
@operation(
    Operation(
        "games",
        "Create a game",
        {201: representations.GameAtVersion},
        (400, 401, 403, 422),
        "required",
        _NEW_GAME,
        (IDEMPOTENCY_KEY,),
    )
)
def create_game() -> Response:
    """Create a game; it starts automatically when no seat is open."""
    me = caller()
    check_scope(me, "games:create")  # the body is checked before parameters and headers
    query()
    game_id, made = services().desk.create(_wanted(me))
    response = kept_answer(made)
    response.headers["Location"] = f"/v1/games/{game_id}"
    return response


def _wanted(me: Caller) -> Create:
    key = idempotency_key()
    posted = load(_NEW_GAME, current().body, also=_more_faults)
    ruleset, seats = RULESETS[posted["ruleset"]], posted["seats"]
    return Create(
        caller=me,
        ruleset=ruleset,
        options=bodies.read_options(ruleset, posted["options"]),
        mine=tuple("player" in seat for seat in seats),
        visibility=posted["visibility"],
        sandbox=posted["sandbox"],
        bots=tuple((number, seat["bot"]) for number, seat in enumerate(seats) if "bot" in seat),
        clock=_clock(posted),
        key=key,
        address=address(),
    )


def _clock(posted: Mapping[str, Any]) -> Clock | None:
    """Return the requested clock; the default is correspondence play, or no clock in a sandbox."""
    if "clock" not in posted:
        return None if posted["sandbox"] else PLAY_BY_POST
    return None if posted["clock"] is None else Clock(**posted["clock"])


def _more_faults(posted: Mapping[str, Any]) -> list[Fault]:
    """Find faults in the options, whose form depends on the ruleset."""
    ruleset, options = posted.get("ruleset"), posted.get("options", {})
    if not isinstance(ruleset, str) or ruleset not in RULESETS or not isinstance(options, dict):
        return []
    try:
        bodies.read_options(RULESETS[ruleset], options)
    except Malformed as malformed:
        return list(malformed.faults)
    return []


@blueprint.get("/v1/games")
@operation(
    Operation(
        "games",
        "The lobby",
        {200: GameList},
        (400, 401, 403),
        "optional",
        None,
        (GAME_STATUS, RULESET, OPEN, GAMES_CURSOR, LIMIT),
    )
)
def list_games() -> Response:
    """List public games, newest first."""
    wanted = query()
    reader = maybe_caller()
    if reader is not None:
        check_scope(reader, "games:read")
    status = wanted[GAME_STATUS]
    if wanted[OPEN]:
        if status not in (None, "open"):
            raise Malformed([Fault("?open", "invalid-parameter", "open: true is possible only with status=open")])
        status = "open"
    found, last = services().reader.lobby(status, wanted[RULESET], wanted[GAMES_CURSOR], wanted[LIMIT])
    return page_of([orjson.Fragment(item) for item in found], last)


@blueprint.get("/v1/games/<game_id>")
@operation(
    Operation(
        "games",
        "A game's public data",
        {200: representations.GameAtVersion, 304: None},
        (401, 403, 404),
        "optional",
        None,
        (IF_NONE_MATCH,),
    )
)
def show_game(game_id: str) -> Response:
    """Show a game."""
    query()
    game = services().reader.show(game_id, maybe_caller())
    return versioned(answer(representations.game_at_version(game)), game.version)


@blueprint.post("/v1/games/<game_id>/seats")
@operation(
    Operation(
        "games",
        "Take a seat",
        {201: representations.ActionAnswer},
        (400, 401, 403, 404, 409, 422),
        "required",
        _TAKE_SEAT,
        (IDEMPOTENCY_KEY,),
    )
)
def take_seat(game_id: str) -> Response:
    """Take a seat, optionally with a seed for the draws; the game starts when the last seat is taken."""
    me, desk = caller(), services().desk
    game = desk.enter(game_id, partial(check_may_play, caller=me))
    query()
    wanted = body(_TAKE_SEAT)
    command = Join(
        caller=me,
        seat=wanted.get("seat"),
        client_seed=wanted.get("client_seed"),
        address=address(),
        key=idempotency_key(),
    )
    return kept_answer(desk.do(game, command))


@blueprint.delete("/v1/games/<game_id>/seats/<int:seat>")
@operation(Operation("games", "Leave a seat before the start", {204: None}, (401, 403, 404, 409), "required"))
def leave_seat(game_id: str, seat: int) -> Response:
    """Leave a seat."""
    me, desk = caller(), services().desk
    game = desk.enter(game_id, partial(check_holds, caller=me, seat=seat))
    query()
    desk.do(game, Leave(caller=me, seat=seat))
    return no_content()


@blueprint.put("/v1/games/<game_id>/seats/<int:seat>")
@operation(
    Operation(
        "games",
        "Put a bot on a seat",
        {200: representations.ActionAnswer},
        (400, 401, 403, 404, 409),
        "required",
        _HAND_OVER,
    )
)
def hand_over_seat(game_id: str, seat: int) -> Response:
    """Put a bot on an open seat of a game that you created, or permanently on your own seat."""
    me, desk = caller(), services().desk
    game = desk.enter(game_id, partial(check_may_hand_over, caller=me, seat=seat))
    query()
    return kept_answer(desk.do(game, PutBot(caller=me, seat=seat, bot=body(_HAND_OVER)["bot"])))
