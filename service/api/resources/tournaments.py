"""Tournaments: create, list, show, enter, withdraw, act as the director."""

from flask import Blueprint, Response

from service.api.http.endpoint import Operation
from service.api.http.parameters import (
    AFTER,
    EVENTS_LIMIT,
    IDEMPOTENCY_KEY,
    IF_NONE_MATCH,
    LIMIT,
    TOURNAMENTS_CURSOR,
)
from service.api.http.request import body, caller, current, idempotency_key, query, read_by_anyone, services
from service.api.http.response import answer, hashed, kept_answer, no_content, page_of, roomed
from service.api.http.response_headers import ROOM
from service.api.resources import bodies
from service.games.access import check_scope
from service.input.forms import load
from service.tournaments.resources import TournamentEventPage, TournamentList, TournamentResource

blueprint = Blueprint("tournaments", __name__)

_NEW, _ENTRY, _ACT = bodies.NewTournamentSchema(), bodies.EntrySchema(), bodies.NewTournamentActSchema()


@blueprint.get("/v1/tournaments")
@Operation("tournaments", {200: TournamentList}, "none", (TOURNAMENTS_CURSOR, LIMIT, IF_NONE_MATCH))
def list_tournaments() -> Response:
    """All tournaments, the last to start first.

    Lists those that can be entered, those that are played and those that have ended.
    """
    values = query()
    page, last = services().tournaments.page(values[TOURNAMENTS_CURSOR], values[LIMIT])
    return page_of(page, last)


@blueprint.post("/v1/tournaments")
@Operation(
    "tournaments",
    {201: TournamentResource},
    "required",
    (IDEMPOTENCY_KEY,),
    problems=(422,),
    body=_NEW,
    headers={201: ("Location", *ROOM)},
)
def create_tournament() -> Response:
    """Create a tournament.

    The token needs the scope `tournaments`, which the operator gives. Players enter until some time before the start,
    so that the lots of the first round can be sealed in between. 422 explains what no round could be played with.
    """
    me = caller()
    check_scope(me, "tournaments")
    query()
    posted = load(_NEW, current().body, also=bodies.faults_of_options)
    tournament_id, made = services().tournaments.create(me, posted, idempotency_key())
    response = kept_answer(made)
    response.headers["Location"] = f"/v1/tournaments/{tournament_id}"
    return roomed(response, services().limiter.room("new-tournaments", me.player))


@blueprint.get("/v1/tournaments/<tournament_id>")
@Operation("tournaments", {200: TournamentResource}, "optional", (IF_NONE_MATCH,), problems=(403, 404))
def show_tournament(tournament_id: str) -> Response:
    """A tournament.

    Shows who plays, the standings after the last round that has closed, and with a token, in `mine`, which game of
    yours is played now. While a round is played, nothing tells what others have reached.
    """
    _, _, me = read_by_anyone()
    if me is not None:
        check_scope(me, "games:read")
    one = services().tournaments.find(tournament_id)
    shown: TournamentResource = services().tournaments.resource(one, None if me is None else me.player)
    return hashed(answer(shown))


@blueprint.get("/v1/tournaments/<tournament_id>/events")
@Operation("tournaments", {200: TournamentEventPage}, "none", (AFTER, EVENTS_LIMIT, IF_NONE_MATCH), problems=(404,))
def list_tournament_events(tournament_id: str) -> Response:
    """The log of a tournament.

    Lists its events after a version, chained as those of a game: who entered, the tables of each round and the set of
    its deals, what each table reached, and what the director did, with the reason.
    """
    values = query()
    shown: TournamentEventPage = services().tournaments.events(tournament_id, values[AFTER], values[EVENTS_LIMIT])
    return hashed(answer(shown))


@blueprint.put("/v1/tournaments/<tournament_id>/entry")
@Operation("tournaments", {200: TournamentResource}, "required", problems=(404, 409), body=_ENTRY, headers={200: ()})
def enter_tournament(tournament_id: str) -> Response:
    """Enter a tournament.

    You play from the first round on. If all places are taken, or entries have closed, you are a reserve: the director
    can give you the place of another. Who does not meet the conditions gets 403.
    """
    me = caller()
    check_scope(me, "games:play")
    query()
    services().tournaments.find(tournament_id)
    return answer(services().tournaments.enter(me, tournament_id, body(_ENTRY).get("invitation")))


@blueprint.delete("/v1/tournaments/<tournament_id>/entry")
@Operation("tournaments", {204: None}, "required", problems=(404, 409))
def withdraw_from_tournament(tournament_id: str) -> Response:
    """Withdraw from a tournament.

    Later rounds do without you. A game that you play continues, and your clock runs. After the first round has begun,
    you cannot enter again.
    """
    me = caller()
    check_scope(me, "games:play")
    query()
    services().tournaments.withdraw(me, tournament_id)
    return no_content()


@blueprint.post("/v1/tournaments/<tournament_id>/acts")
@Operation("tournaments", {201: TournamentResource}, "required", (IDEMPOTENCY_KEY,), problems=(404, 409), body=_ACT)
def act_as_director(tournament_id: str) -> Response:
    """Act as the director of a tournament.

    Adjust the points of a player, withdraw a player, give a place to a reserve, or cancel the tournament. The log shows
    it to everyone, with the reason. The token needs the scope `tournaments` of the player who created the tournament.
    """
    me = caller()
    check_scope(me, "tournaments")
    query()
    posted = body(_ACT)
    return kept_answer(services().tournaments.act(me, tournament_id, posted, idempotency_key()))
