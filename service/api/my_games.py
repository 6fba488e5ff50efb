"""The caller's own games: all of them, or those in which it is their turn."""

from typing import Any, TypedDict

from flask import Blueprint, Response

from domain.game.durations import moment
from service.api.operation import Operation
from service.api.parameters import GAMES_CURSOR, IF_NONE_MATCH, LIMIT, TO_ACT
from service.api.request import caller, query, services
from service.api.response import page_of
from service.games.naming import named_list
from service.games.resources import GameResource
from service.store.game_index import IndexedGame

blueprint = Blueprint("my_games", __name__)


class MyGame(GameResource):
    """A game that you created or play in, whether it is your turn, and the deadline of that turn."""

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
    (TO_ACT, GAMES_CURSOR, LIMIT, IF_NONE_MATCH),
)
def list_my_games() -> Response:
    """List the caller's games."""
    me = caller()
    wanted = query()
    found, last = services().reader.games_of(me, wanted[GAMES_CURSOR], wanted[LIMIT], to_act=wanted[TO_ACT])
    games = named_list((each.summary for each in found), services().players.names)
    return page_of([game | _turn(each) for game, each in zip(games, found, strict=True)], last)


def _turn(listed: IndexedGame) -> dict[str, Any]:
    """Return the caller's turn in a game."""
    until = None if listed.until is None else moment(listed.until)
    return {"your_turn": listed.is_to_act, "deadline": until}
