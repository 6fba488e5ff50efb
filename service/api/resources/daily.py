"""The deal of the day, and the logs of deal sets."""

from dataclasses import replace

from flask import Blueprint, Response

from service.api.http.endpoint import Operation
from service.api.http.parameters import (
    AFTER,
    EVENTS_LIMIT,
    IDEMPOTENCY_KEY,
    IF_NONE_MATCH,
    LIMIT,
    STANDINGS_CURSOR,
)
from service.api.http.request import body, caller, idempotency_key, query, read_by_anyone, services
from service.api.http.response import answer, encoded_cursor, hashed, kept_answer, linked, roomed
from service.api.http.response_headers import RECEIPT, ROOM
from service.api.resources.bodies import NothingSchema
from service.common.errors import NotFound, refusal
from service.deal_sets.card import card
from service.deal_sets.resources import CardResource, DailyList, DailyResults, SetEventPage
from service.games.access import check_scope
from service.games.projections.naming import named_list
from service.games.projections.resources import GameAtVersion

blueprint = Blueprint("daily", __name__)

_NOTHING = NothingSchema()


@blueprint.get("/v1/daily")
@Operation("daily", {200: DailyList}, "optional", (IF_NONE_MATCH,), problems=(403,))
def show_daily() -> Response:
    """The deals of the day.

    Lists the sets that are open now, the latest first: the same deals for everyone, against the same bots. With a
    token, `mine` shows what you have played, and the bots' scores beside yours. The results of a set that has closed
    are at its ruleset and date.
    """
    _, _, me = read_by_anyone()
    if me is not None:
        check_scope(me, "games:read")
    daily, player = services().daily, None if me is None else me.player
    found: DailyList = {"items": [daily.resource(one, player) for one in daily.open_now()], "next_cursor": None}
    return hashed(answer(found))


@blueprint.post("/v1/daily/<ruleset>/<date>/deals")
@Operation(
    "daily",
    {201: GameAtVersion, 200: GameAtVersion},
    "required",
    (IDEMPOTENCY_KEY,),
    problems=(404, 409, 422),
    body=_NOTHING,
    headers={201: ("Location", *RECEIPT, *ROOM), 200: ("Location",)},
)
def open_deal(ruleset: str, date: str) -> Response:
    """Open your next deal.

    Creates the game of the next deal of the set, which has begun: you hold seat 0, and bots the others; until the set
    closes, only you can see it. Until you have finished it, the response is that game, with 200. A deal
    is opened once: if you do not finish it before the set closes, it counts as last. After the last deal, and once the
    set has closed, the response is 409.
    """
    me = caller()
    check_scope(me, "games:create")
    check_scope(me, "games:play")
    query()
    one = services().daily.find(ruleset, date)
    body(_NOTHING)
    game_id, opened = services().daily.open_deal(one, me, idempotency_key())
    (game,) = named_list([opened.body], services().players.people)
    response = kept_answer(replace(opened, body=game))
    response.headers["Location"] = f"/v1/games/{game_id}"
    return roomed(response, services().limiter.room("new-games", me.player)) if opened.status == 201 else response


@blueprint.get("/v1/daily/<ruleset>/<date>/results")
@Operation("daily", {200: DailyResults}, "none", (STANDINGS_CURSOR, LIMIT, IF_NONE_MATCH), problems=(404,))
def list_results(ruleset: str, date: str) -> Response:
    """The results of a day.

    Lists the players, best first, once the set has closed; before that, the response is 404 (`not-closed`). A player's
    points are the sum of the differences from the mean of the field on each deal. Guests come last, without a rank. The
    secret of each deal and that of the set are public now, and so are all games.
    """
    wanted, daily = query(), services().daily
    one = daily.find(ruleset, date)
    reached, first, most = daily.results(one), wanted[STANDINGS_CURSOR] or 0, wanted[LIMIT]
    page = reached.standings[first : first + most]
    names = services().players.names(each.player for each in page)
    more = first + most < len(reached.standings)
    found: DailyResults = {
        "items": [
            {
                "rank": each.rank,
                "player": each.player,
                "name": names.get(each.player),
                "points": each.points,
                "percent": each.percent,
                "deals": each.deals,
                "games": [*each.games],
            }
            for each in page
        ],
        "deals": [
            {
                "number": each.number,
                "secret": one.deal_secret(each.number).hex(),
                "par": each.par,
                "mean": each.mean,
            }
            for each in reached.deals
        ],
        "next_cursor": encoded_cursor(str(first + most)) if more else None,
    }
    return linked(hashed(answer(found)), found["next_cursor"])


@blueprint.get("/v1/daily/<ruleset>/<date>/card")
@Operation("daily", {200: CardResource}, "required", (IF_NONE_MATCH,), problems=(404,))
def show_card(ruleset: str, date: str) -> Response:
    """Your day, to be shared.

    Shows for each deal that you have finished whether it went better or worse than for the bots, and the difference in
    all, as text and as a picture. Neither tells anything of the cards. Before you have opened a deal, the response is
    404 (`not-entered`).
    """
    me = caller()
    check_scope(me, "games:read")
    query()
    one = services().daily.find(ruleset, date)
    mine = services().daily.mine(one, me.player)
    if not mine["opened"]:
        raise NotFound("not-entered", refusal("not-entered"))
    shown: CardResource = card(one, mine)
    return hashed(answer(shown))


@blueprint.get("/v1/sets/<set_id>/events")
@Operation("daily", {200: SetEventPage}, "none", (AFTER, EVENTS_LIMIT, IF_NONE_MATCH), problems=(404,))
def list_set_events(set_id: str) -> Response:
    """The log of a deal set.

    Lists its events after a version, chained and sealed as those of a game: the commitment to its secret, the root by
    which its deals were fixed and the SHA-256 of each deal's secret, and once it has closed, the secret itself. With
    it, anyone can compute every deal again.
    """
    wanted = query()
    shown: SetEventPage = services().daily.events(set_id, wanted[AFTER], wanted[EVENTS_LIMIT])
    return hashed(answer(shown))
