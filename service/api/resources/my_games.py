"""The caller's own games: all of them, or those in which it is their turn."""

from typing import TypedDict

import orjson
from flask import Blueprint, Response

from domain.game.durations import moment
from service.api.http.endpoint import Operation
from service.api.http.parameters import GAME_STATUS, GAMES_CURSOR, IF_NONE_MATCH, LIMIT, RULESET, SPEED, TO_ACT
from service.api.http.request import caller, query, services
from service.api.http.response import page_of
from service.games.finding import Filter
from service.games.projections.naming import named_list
from service.games.projections.resources import GameResource
from service.store.game_index import IndexedGame

blueprint = Blueprint("my_games", __name__)


class MyGame(GameResource):
    """A game that you created or play in, whether it is your turn, and the deadline of that turn.

    It is your turn as well when your seed is awaited.
    """

    your_turn: bool
    deadline: str | None


class MyGames(TypedDict):
    """A page of your games."""

    items: list[MyGame]
    next_cursor: str | None


@blueprint.get("/v1/me/games")
@Operation(
    "games",
    "Your games, newest first; with to_act those in which it is your turn, the most urgent first",
    {200: MyGames},
    (403,),
    "required",
    (GAME_STATUS, RULESET, SPEED, TO_ACT, GAMES_CURSOR, LIMIT, IF_NONE_MATCH),
    description=(
        "Lists the games that you created or play in, private ones too, each with `your_turn` and your "
        "`deadline`. With `to_act=true`, it is the list for a player who has just come back. A filtered page can have "
        "fewer games than `limit`, even none: follow `next_cursor` until it is null."
    ),
)
def list_my_games() -> Response:
    """List the caller's games."""
    me = caller()
    wanted = query()
    filtered = Filter(wanted[GAME_STATUS], wanted[RULESET], wanted[SPEED])
    page = services().reader.games_of(me, filtered, wanted[GAMES_CURSOR], wanted[LIMIT], to_act=wanted[TO_ACT])
    games = named_list((each.summary for each in page.games), services().players.names)
    return page_of([_with_turn(game, each) for game, each in zip(games, page.games, strict=True)], page.last)


def _with_turn(game: bytes, listed: IndexedGame) -> orjson.Fragment:
    """Add the caller's turn to a game, which is written as JSON."""
    until = None if listed.until is None else moment(listed.until)
    turn = orjson.dumps({"your_turn": listed.is_to_act, "deadline": until})
    return orjson.Fragment(b"%b,%b" % (game[:-1], turn[1:]))
