"""The bots that can take a seat."""

from typing import TypedDict

from flask import Blueprint, Response

from domain.registry import RULESETS
from service.api.http.endpoint import Operation
from service.api.http.parameters import IF_NONE_MATCH, SCENE_LANG
from service.api.http.request import query
from service.api.http.response import page_of
from service.bots import BOTS

blueprint = Blueprint("bots", __name__)


class BotResource(TypedDict):
    """A bot: its name in requests, its title, a sentence about it, and the ids of the rulesets that it plays.

    ``version`` rises with every change that can change a move; ``playouts`` is the maximum for a move, 0 if it does not
    search.
    """

    name: str
    title: str
    summary: str
    rulesets: list[str]
    version: int
    playouts: int


class BotList(TypedDict):
    """All bots."""

    items: list[BotResource]
    next_cursor: str | None


@blueprint.get("/v1/bots")
@Operation("rulesets", {200: BotList}, parameters=(SCENE_LANG, IF_NONE_MATCH))
def list_bots() -> Response:
    """The bots that can take a seat.

    Lists the bots with the rulesets that each plays. Name one for a seat or in the clock of a new game, or for an open
    seat of a game. A bot that does not play the ruleset is rejected (422). Titles and sentences are in the requested
    language.
    """
    language = query()[SCENE_LANG]
    return page_of([bot_resource(name, language) for name in BOTS], None)


def bot_resource(name: str, language: str) -> BotResource:
    bot = BOTS[name]
    return {
        "name": name,
        "title": bot.called(language) or name,
        "summary": bot.about(language),
        "rulesets": [each for each in RULESETS if bot.plays(each)],
        "version": bot.version,
        "playouts": bot.playouts,
    }
