"""Games and seats: create, list, show, join, leave."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from typing import Any, TypedDict

import orjson
from flask import Blueprint, Response

from domain.events import Clock, Opening
from domain.game.aggregate import Game, Status
from domain.game.durations import lasting
from domain.game.time_control import PLAY_BY_POST
from domain.registry import RULESETS
from service.accounts.players import Caller
from service.api.http.endpoint import Operation
from service.api.http.parameters import (
    GAME_STATUS,
    GAMES_CURSOR,
    IDEMPOTENCY_KEY,
    IF_MATCH_HEAD,
    IF_NONE_MATCH,
    LIMIT,
    OPEN,
    OPEN_SEATS,
    PLAYER,
    RULESET,
    SORT,
    SPEED,
    Values,
)
from service.api.http.request import caller, current, idempotency_key, query, read_by_anyone, services, write_to
from service.api.http.response import answer, kept_answer, no_content, page_of, receipted, roomed, versioned
from service.api.http.response_headers import RECEIPT, ROOM
from service.api.resources import bodies
from service.common.errors import Fault, Malformed
from service.games.access import check_bot_plays, check_scope, seat_to_hand_over_again, seat_without_player_or_own
from service.games.commands import Brought, Create, Join, Leave, PutBot
from service.games.projections import representations
from service.games.projections.naming import Nameplates, named_list, nameplates, put_names
from service.games.projections.resources import ActionAnswer, GameAtVersion, GameResource, RematchResource
from service.games.reading import Filter
from service.games.repository import head_of
from service.input.forms import load

blueprint = Blueprint("games", __name__)

_NEW_GAME, _TAKE_SEAT, _HAND_OVER = bodies.NewGameSchema(), bodies.TakeSeatSchema(), bodies.HandOverSchema()


class GameList(TypedDict):
    """A page of public games, newest first."""

    items: list[GameResource]
    next_cursor: str | None


@blueprint.post("/v1/games")
@Operation(
    "games",
    {201: GameAtVersion},
    "required",
    (IDEMPOTENCY_KEY,),
    problems=(422,),
    body=_NEW_GAME,
    headers={201: ("Location", *RECEIPT, *ROOM)},
)
def create_game() -> Response:
    """Create a game.

    Each seat is for you, open, or for a bot; the game starts when no seat is open. Options that you omit have the
    default values of the ruleset; 422 explains each option that is not possible. Send an `Idempotency-Key`: if you
    repeat the request because no response arrived, it creates no second game.
    """
    me = caller()
    check_scope(me, "games:create")
    query()
    game_id, made = services().desk.create(_wanted(me))
    (game,) = named_list([made.body], services().players.people)
    response = kept_answer(replace(made, body=game))
    response.headers["Location"] = f"/v1/games/{game_id}"
    return roomed(response, services().limiter.room("new-games", me.player))


def _wanted(me: Caller) -> Create:
    key = idempotency_key()
    posted = load(_NEW_GAME, current().body, also=bodies.faults_of_options)
    ruleset, seats, clock = RULESETS[posted["ruleset"]], posted["seats"], _clock(posted)
    bots = tuple((number, seat["bot"]) for number, seat in enumerate(seats) if "bot" in seat)
    for bot in {bot for _, bot in bots} | ({clock.bot} if clock else set()):
        check_bot_plays(bot, ruleset)
    return Create(
        caller=me,
        ruleset=ruleset,
        options=bodies.read_options(ruleset, posted["options"]),
        sitters=tuple(me.player if "player" in seat else None for seat in seats),
        visibility=posted["visibility"],
        sandbox=posted["sandbox"],
        bots=bots,
        clock=clock,
        bot_pace=None if posted["bot_pace"] is None else lasting(posted["bot_pace"]),
        opening=posted["opening"] and Opening(**posted["opening"]),
        key=key,
    )


def _clock(posted: Mapping[str, Any]) -> Clock | None:
    """Return the requested clock; the default is correspondence play, or no clock in a sandbox."""
    if "clock" not in posted:
        return None if posted["sandbox"] else PLAY_BY_POST
    return None if posted["clock"] is None else Clock(**posted["clock"])


@blueprint.get("/v1/games")
@Operation(
    "games",
    {200: GameList},
    "optional",
    (GAME_STATUS, RULESET, OPEN, OPEN_SEATS, SPEED, PLAYER, SORT, GAMES_CURSOR, LIMIT, IF_NONE_MATCH),
    problems=(403,),
)
def list_games() -> Response:
    """The lobby.

    Lists public games, newest first, to find a table to join or a game to watch. Filters combine; `open=true` and
    `open_seats` need `status=open` (400). A filtered page can have fewer games than `limit`, even none: follow
    `next_cursor` until it is null.
    """
    reader, wanted, me = read_by_anyone()
    if me is not None:
        check_scope(me, "games:read")
    player = wanted[PLAYER]
    filtered = Filter(_status(wanted), wanted[RULESET], wanted[SPEED], wanted[OPEN_SEATS] or int(wanted[OPEN]), player)
    if player and not (me and me.player == player) and "games" not in services().players.profiles.find(player).shows:
        return page_of([], None)
    page = reader.lobby(filtered, wanted[GAMES_CURSOR], wanted[LIMIT], newest_first=wanted[SORT] != "oldest")
    named = named_list((each.summary for each in page.games), services().players.people)
    return page_of([orjson.Fragment(game) for game in named], page.last)


def _status(wanted: Values) -> Status | None:
    """Return the requested status; only open games have open seats that can be taken."""
    status = wanted[GAME_STATUS]
    asked = [name for name, is_asked in (("open", wanted[OPEN]), ("open_seats", wanted[OPEN_SEATS])) if is_asked]
    if asked and status not in (None, "open"):
        faults = [Fault(f"?{name}", "invalid-parameter", f"{name}: possible only with status=open") for name in asked]
        raise Malformed(faults)
    return "open" if asked else status


@blueprint.get("/v1/games/<game_id>")
@Operation(
    "games", {200: GameAtVersion}, "optional", (IF_NONE_MATCH,), problems=(403,), headers={200: RECEIPT}, is_quick=True
)
def show_game(game_id: str) -> Response:
    """A game's public data.

    Shows the seats, the options, the clocks and the outcome, which are the same for every viewer; for the position,
    read the view. A private game is 404 to anyone but its creator, its players and the invited.
    """
    reader, _, me = read_by_anyone()
    game = reader.show(game_id, me)
    plates, rematch = nameplates(game, services().players.people), services().rematching.shown(game)
    digest = plates.digest + (blake2b(orjson.dumps(rematch), digest_size=4).hexdigest() if rematch else "")
    return versioned(game, "anyone", lambda: _named(game, plates, rematch), digest)


def _named(game: Game, plates: Nameplates, rematch: RematchResource | None) -> Response:
    shown = representations.game_at_version(game, services().desk.patience, rematch)
    put_names(shown, plates)
    return answer(shown)


@blueprint.post("/v1/games/<game_id>/seats")
@Operation(
    "games",
    {201: ActionAnswer},
    "required",
    (IF_MATCH_HEAD, IDEMPOTENCY_KEY),
    problems=(409, 412, 422, 428),
    body=_TAKE_SEAT,
    headers={201: (*RECEIPT, *ROOM)},
)
def take_seat(game_id: str) -> Response:
    """Take a seat.

    Takes the seat that the body names, or else the first open one; the game starts when the last seat is taken.
    `client_seed` is mixed into every draw of the game, so the server alone cannot choose them; with `seed_commitment`
    instead, you open the seed once every seat is taken, before the game starts. Both need `If-Match` with the `head` of
    the game (428); if the game now has another head (412), read it, and try again with a fresh seed. If the seat is
    taken, or the game has started, the response is 409.
    """
    sent = write_to(game_id, _TAKE_SEAT, services().inviting.check_may_see)
    brought = Brought(sent.body.get("client_seed"), current().header(IF_MATCH_HEAD), sent.body.get("seed_commitment"))
    command = Join(caller=sent.caller, now=sent.desk.now(), seat=sent.body.get("seat"), brought=brought, key=sent.key)
    (joins, *_) = command.toll(sent.game).rates
    return roomed(kept_answer(services().joining.join(sent.game, command)), services().limiter.room(*joins))


@blueprint.delete("/v1/games/<game_id>/seats/<int:seat>")
@Operation("games", {204: None}, "required", problems=(409,), headers={204: RECEIPT})
def leave_seat(game_id: str, seat: int) -> Response:
    """Leave a seat before the start.

    Opens your seat again; has no effect on an open seat. Once the game has started (409), resign if the ruleset allows
    it, or hand the seat to a bot.
    """
    sent = write_to(game_id, admit=partial(seat_without_player_or_own, seat=seat))
    now = services().reader.current(game_id)
    if now.status == "open" and now.sitters[seat] is None:  # it was left before
        return receipted(no_content(), head_of(now))
    left = sent.desk.do(sent.game, Leave(caller=sent.caller, seat=seat))
    return receipted(no_content(), left.head)


@blueprint.put("/v1/games/<game_id>/seats/<int:seat>")
@Operation("games", {200: ActionAnswer}, "required", problems=(409, 422), body=_HAND_OVER, headers={200: RECEIPT})
def hand_over_seat(game_id: str, seat: int) -> Response:
    """Put a bot on a seat.

    The creator can fill an open seat with a bot. A player can hand their own seat to a bot for the rest of the game,
    which cannot be undone. The request has no effect if this bot already has the seat. Anyone else gets 403.
    """
    sent = write_to(game_id, _HAND_OVER, partial(seat_to_hand_over_again, seat=seat))
    now = services().reader.current(game_id)
    if not now.is_over and now.bot_of(seat) == sent.body["bot"]:  # it was handed over before
        return receipted(answer(representations.action_answer(now, seat, (), viewer=None)), head_of(now))
    return kept_answer(sent.desk.do(sent.game, PutBot(caller=sent.caller, now=sent.desk.now(), seat=seat, **sent.body)))
