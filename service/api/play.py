"""Playing: views and pictures of them, legal actions, actions, events."""

from collections.abc import Callable

from flask import Blueprint, Response, request

from domain.game.aggregate import Game
from domain.table import Seat
from service.api import bodies
from service.api.http import (
    Operation,
    answer,
    caller,
    idempotency_key,
    if_match,
    kept_answer,
    maybe_caller,
    one_of,
    operation,
    picture,
    query,
    services,
    versioned,
    whole,
)
from service.api.parameters import (
    AFTER,
    AS_SEAT,
    AS_VIEWER,
    AT,
    DRY_RUN,
    EVENTS_LIMIT,
    EXPORT_FORMAT,
    EXPORT_FORMATS,
    IDEMPOTENCY_KEY,
    IF_MATCH,
    IF_NONE_MATCH,
)
from service.api.request import asked
from service.errors import Fault, Malformed, Unprocessable
from service.games import representations
from service.games.access import Wanted
from service.games.commands import Order

blueprint = Blueprint("play", __name__)

_HIGHEST = 10**9
_ACTION_PARAMETERS = {"as": whole(0, 11), "dry_run": one_of("true", "false")}


def _viewer(text: str) -> Wanted:
    if text == "spectator":
        return "spectator"
    try:
        return whole(0, 11)(text)
    except ValueError as error:
        raise ValueError("must be a seat, counted from 0, or spectator") from error


@blueprint.get("/v1/games/<game_id>/view")
@operation(
    Operation(
        "play",
        "What you may know of a game",
        {200: representations.ViewResource, 304: None},
        (400, 401, 403, 404),
        "optional",
        None,
        (AS_VIEWER, AT, IF_NONE_MATCH),
    )
)
def show_view(game_id: str) -> Response:
    """Show a game as a viewer may know it, now or at a version."""
    return _seen(game_id, lambda game, viewer: answer(representations.view(game, viewer)))


@blueprint.get("/v1/games/<game_id>/board.svg")
@operation(
    Operation(
        "play",
        "What you may know of a game, as a picture",
        {200: "image/svg+xml", 304: None},
        (400, 401, 403, 404),
        "optional",
        None,
        (AS_VIEWER, AT, IF_NONE_MATCH),
    )
)
def show_board(game_id: str) -> Response:
    """Draw the state of a view; an empty table before the start."""
    return _seen(game_id, lambda game, viewer: picture(representations.drawn(game, viewer)))


def _seen(game_id: str, shown: Callable[[Game, Seat | None], Response]) -> Response:
    """Answer with a game as the viewer asked for may know it, at the version asked for, unless the caller has it."""
    wanted = query(**{"as": _viewer, "at": whole(1, _HIGHEST)})
    game, viewer = services().games.look(game_id, maybe_caller(), wanted.get("as"), wanted.get("at"))
    is_known = request.if_none_match.contains_weak(str(game.version))
    response = Response(status=304) if is_known else shown(game, viewer)
    response.set_etag(str(game.version))
    if "as" in wanted and "at" in wanted:
        response.headers["Cache-Control"] = "private, max-age=31536000, immutable"
    return response


@blueprint.post("/v1/games/<game_id>/actions")
@operation(
    Operation(
        "play",
        "Act",
        {201: representations.ActionAnswer, 200: representations.DryRun},
        (400, 401, 403, 404, 409, 412, 422),
        "required",
        "action",
        (AS_SEAT, DRY_RUN, IF_MATCH, IDEMPOTENCY_KEY),
    )
)
def act(game_id: str) -> Response:
    """Carry out an action; a dry run only says whether it would be accepted."""
    me = caller()
    wants_dry_run = bool(request.query_string) and request.args.get("dry_run") == "true"
    if wants_dry_run:
        return answer(services().games.try_out(game_id, me, _order))
    return kept_answer(services().games.act(game_id, me, _order))


def _order() -> Order:
    wanted = query(**_ACTION_PARAMETERS)
    ask = asked()
    return Order(
        read=lambda ruleset: bodies.read_action(ruleset.id, ask.raw or b"{}"),
        seat=wanted.get("as"),
        version=if_match(),
        key=idempotency_key(),
    )


@blueprint.get("/v1/games/<game_id>/events")
@operation(
    Operation(
        "play",
        "The log as you may see it",
        {200: representations.EventPage},
        (400, 401, 403, 404, 422),
        "optional",
        None,
        (AFTER, EVENTS_LIMIT, AS_VIEWER),
    )
)
def list_events(game_id: str) -> Response:
    """Show a page of the log; everything is open once the game is over."""
    wanted = query(**{"after": whole(0, _HIGHEST), "limit": whole(1, 1000), "as": _viewer, "wait": _unsupported})
    page = services().games.events(
        game_id, maybe_caller(), wanted.get("as"), wanted.get("after", 0), wanted.get("limit", 100)
    )
    return answer(page)


@blueprint.get("/v1/games/<game_id>/export")
@operation(
    Operation(
        "play",
        "The whole game as text, with what you may see of it",
        {200: "text/plain", 304: None},
        (400, 401, 403, 404, 422),
        "optional",
        None,
        (EXPORT_FORMAT, AS_VIEWER, IF_NONE_MATCH),
    )
)
def export(game_id: str) -> Response:
    """Write a game as text that reads back to the same game."""
    wanted = query(**{"format": one_of(*EXPORT_FORMATS), "as": _viewer})
    if "format" not in wanted:
        message = f"format: say which form you want; there is: {', '.join(EXPORT_FORMATS)}"
        raise Malformed([Fault("?format", "missing-parameter", message)])
    game, text = services().games.export(game_id, maybe_caller(), wanted.get("as"))
    return versioned(Response(text, content_type="text/plain; charset=utf-8"), game.version)


def _unsupported(_text: str) -> None:
    raise Unprocessable("unsupported", "wait: waiting for events is not supported yet; poll with after=")
