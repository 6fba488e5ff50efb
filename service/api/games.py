"""Games and seats: create, list, show, join, leave."""

from collections.abc import Mapping
from typing import Any, TypedDict, cast

import orjson
from flask import Blueprint, Response

from domain.game.aggregate import Status
from domain.game.events import Clock
from domain.game.time_control import PLAY_BY_POST
from domain.registry import RULESETS
from service.api import bodies
from service.api.http import (
    Operation,
    address,
    answer,
    body,
    caller,
    idempotency_key,
    kept_answer,
    maybe_caller,
    no_content,
    one_of,
    operation,
    query,
    services,
    versioned,
    whole,
)
from service.api.pages import cursor_to, page_of
from service.api.parameters import CURSOR, GAME_STATUS, IDEMPOTENCY_KEY, IF_NONE_MATCH, LIMIT, OPEN, RULESET
from service.errors import Fault, Malformed
from service.forms import load
from service.games import representations
from service.games.access import check_scope
from service.games.commands import GameSpec
from service.games.desk import STATUSES
from service.games.seat_commands import SeatWish

blueprint = Blueprint("games", __name__)

_NEW_GAME, _TAKE_SEAT, _HAND_OVER = bodies.NewGame(), bodies.TakeSeat(), bodies.HandOver()


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
    """Set up a game; it starts by itself when no seat is open."""
    me = caller()
    check_scope(me, "games:create")  # before anything is said of parameters and headers
    query()
    game_id, made = services().games.create(me, _spec, idempotency_key(), address())
    response = kept_answer(made)
    response.headers["Location"] = f"/v1/games/{game_id}"
    return response


def _spec() -> GameSpec:
    wanted = load(_NEW_GAME, body(), also=_more_faults)
    ruleset = RULESETS[wanted["ruleset"]]
    seats = wanted["seats"]
    return GameSpec(
        ruleset=ruleset,
        options=bodies.read_options(ruleset, wanted["options"]),
        mine=tuple("player" in seat for seat in seats),
        visibility=wanted["visibility"],
        sandbox=wanted["sandbox"],
        bots=tuple((number, seat["bot"]) for number, seat in enumerate(seats) if "bot" in seat),
        clock=_clock(wanted),
    )


def _clock(wanted: Mapping[str, Any]) -> Clock | None:
    """Give the clock asked for; if nothing is said of it, that of play by post, and none to a sandbox."""
    if "clock" not in wanted:
        return None if wanted["sandbox"] else PLAY_BY_POST
    return None if wanted["clock"] is None else Clock(**wanted["clock"])


def _more_faults(posted: Mapping[str, Any]) -> list[Fault]:
    """Find what is wrong with the options, whose form depends on the ruleset."""
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
        (GAME_STATUS, RULESET, OPEN, CURSOR, LIMIT),
    )
)
def list_games() -> Response:
    """List public games, newest first."""
    wanted = query(
        status=one_of(*STATUSES),
        ruleset=one_of(*RULESETS),
        open=one_of("true", "false"),
        cursor=cursor_to("gm_"),
        limit=whole(1, 100),
    )
    reader = maybe_caller()
    if reader is not None:
        check_scope(reader, "games:read")
    status = wanted.get("status")
    if wanted.get("open") == "true":
        if status not in (None, "open"):
            raise Malformed([Fault("?open", "invalid-parameter", "open: true goes with status=open only")])
        status = "open"
    found, last = services().games.list(
        cast("Status | None", status), wanted.get("ruleset"), wanted.get("cursor"), wanted.get("limit", 50)
    )
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
    game = services().games.show(game_id, maybe_caller())
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
    """Take a seat, perhaps with a seed for the draws; the last one to sit starts the game."""
    me = caller()
    return kept_answer(services().games.join(game_id, me, _seat_wish, address()))


def _seat_wish() -> SeatWish:
    query()
    wanted = load(_TAKE_SEAT, body())
    return SeatWish(wanted.get("seat"), wanted.get("client_seed"), idempotency_key())


@blueprint.delete("/v1/games/<game_id>/seats/<int:seat>")
@operation(Operation("games", "Leave a seat before the start", {204: None}, (401, 403, 404, 409), "required"))
def leave_seat(game_id: str, seat: int) -> Response:
    """Leave a seat."""
    services().games.leave(game_id, caller(), seat, query)
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
    """Put a bot on an open seat of a game that you created, or let it take over your own seat for good."""
    return kept_answer(services().games.hand_over(game_id, caller(), seat, _bot))


def _bot() -> str:
    query()
    bot: str = load(_HAND_OVER, body())["bot"]
    return bot
