"""Playing: views and pictures of them, actions, events, texts."""

from collections.abc import Callable
from functools import partial

from flask import Blueprint, Response

from domain.game.aggregate import Game
from domain.table import Seat
from service.accounts.players import Caller
from service.api import bodies
from service.api.operation import Operation, operation, services
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
    WAIT,
)
from service.api.request import Values, caller, current, idempotency_key, if_match, maybe_caller, query
from service.api.response import answer, has_version, kept_answer, picture, versioned
from service.errors import Fault, Malformed
from service.games import representations
from service.games.access import check_holds, check_seated
from service.games.commands import Act

blueprint = Blueprint("play", __name__)


@blueprint.get("/v1/games/<game_id>/view")
@operation(
    Operation(
        "play",
        "A game as you are allowed to see it",
        {200: representations.ViewResource, 304: None},
        (400, 401, 403, 404),
        "optional",
        None,
        (AS_VIEWER, AT, IF_NONE_MATCH),
    )
)
def show_view(game_id: str) -> Response:
    """Show a game as the viewer is allowed to see it, now or at a version."""
    return _seen(game_id, lambda game, viewer: answer(representations.view(game, viewer)))


@blueprint.get("/v1/games/<game_id>/board.svg")
@operation(
    Operation(
        "play",
        "A game as you are allowed to see it, as a picture",
        {200: "image/svg+xml", 304: None},
        (400, 401, 403, 404),
        "optional",
        None,
        (AS_VIEWER, AT, IF_NONE_MATCH),
    )
)
def show_board(game_id: str) -> Response:
    """Draw the board of a view; before the start, the empty table."""
    return _seen(game_id, lambda game, viewer: picture(representations.drawn(game, viewer)))


def _seen(game_id: str, shown: Callable[[Game, Seat | None], Response]) -> Response:
    """Respond with a view of the requested version and viewer, unless the client already has it."""
    wanted = query()
    game, viewer = services().reader.look(game_id, maybe_caller(), wanted[AS_VIEWER], wanted[AT])
    response = Response(status=304) if has_version(game.version) else shown(game, viewer)
    response.set_etag(str(game.version))
    if AS_VIEWER in wanted and AT in wanted:
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
    """Carry out an action; a dry run only checks whether it would be accepted."""
    me, desk = caller(), services().desk
    game, wanted = seated(game_id, me)
    expected, key = if_match(), idempotency_key()
    action, decision = bodies.read_action(game.ruleset, current().raw or b"{}")
    command = Act(caller=me, seat=wanted[AS_SEAT], action=action, decision=decision, expected=expected, key=key)
    return answer(desk.try_out(game_id, command)) if wanted[DRY_RUN] else kept_answer(desk.do(game, command))


def seated(game_id: str, me: Caller) -> tuple[Game, Values]:
    """Check that the caller holds the requested seat; return the game and the query parameters."""
    game = services().desk.enter(game_id, partial(check_seated, caller=me))
    wanted = query()
    seat = wanted[AS_SEAT]
    if seat is not None:
        game = services().desk.enter(game_id, partial(check_holds, caller=me, seat=seat))
    return game, wanted


@blueprint.get("/v1/games/<game_id>/events")
@operation(
    Operation(
        "play",
        "The log as you are allowed to see it",
        {200: representations.EventPage},
        (400, 401, 403, 404, 422),
        "optional",
        None,
        (AFTER, EVENTS_LIMIT, AS_VIEWER, WAIT),
    )
)
def list_events(game_id: str) -> Response:
    """Show a page of the log; everything in it is public once the game is over."""
    wanted = query()
    page = services().reader.events(game_id, maybe_caller(), wanted[AS_VIEWER], wanted[AFTER], wanted[EVENTS_LIMIT])
    return answer(page)


@blueprint.get("/v1/games/<game_id>/export")
@operation(
    Operation(
        "play",
        "The whole game as text, as far as you are allowed to see it",
        {200: "text/plain", 304: None},
        (400, 401, 403, 404, 422),
        "optional",
        None,
        (EXPORT_FORMAT, AS_VIEWER, IF_NONE_MATCH),
    )
)
def export(game_id: str) -> Response:
    """Write a game as text that reads back to the same game."""
    wanted = query()
    if wanted[EXPORT_FORMAT] is None:
        message = f"format: name a format; the formats are: {', '.join(EXPORT_FORMATS)}"
        raise Malformed([Fault("?format", "missing-parameter", message)])
    game, text = services().reader.export(game_id, maybe_caller(), wanted[AS_VIEWER])
    return versioned(Response(text, content_type="text/plain; charset=utf-8"), game.version)
