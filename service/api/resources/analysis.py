"""The analysis of a finished game: the moves that cost most. The workers find them, as background work."""

from flask import Blueprint, Response

from domain.game.aggregate import Game
from service.api.http.endpoint import Operation
from service.api.http.parameters import IF_NONE_MATCH, MOVES_LIMIT, SCENE_LANG, SEAT_ANALYSED, Values
from service.api.http.request import address, read_by_anyone, services, write_to
from service.api.http.response import answer, hashed
from service.api.resources.bodies import NothingSchema
from service.games.access import check_may_read
from service.games.advice.resources import AnalysisResource, analysis_resource
from service.games.projections.naming import nameplates

blueprint = Blueprint("analysis", __name__)

_NOTHING = NothingSchema()


@blueprint.post("/v1/games/<game_id>/analysis")
@Operation(
    "play",
    "Have a finished game analysed",
    {202: AnalysisResource},
    (403, 422, 429, 503),
    "required",
    (SEAT_ANALYSED, MOVES_LIMIT, SCENE_LANG),
    body=_NOTHING,
    confirms=False,
    repeats=True,
    description=(
        "Anyone who can see a game that is over can have it analysed: the workers ask a bot about every decision, "
        "from the view that its seat had then, while no player waits for them. GET shows how far they are. There is "
        "one analysis of a game: a request for one that goes on or is done changes nothing; one that has stopped goes "
        "on, and decisions at which the bot failed are tried again."
    ),
)
def analyse(game_id: str) -> Response:
    """Begin or continue the analysis of a game."""
    sent = write_to(game_id, _NOTHING, check_may_read)
    return _shown(services().advising.analyse(game_id, sent.caller, address()), sent.wanted, 202)


@blueprint.get("/v1/games/<game_id>/analysis")
@Operation(
    "play",
    "The moves of a finished game that cost most",
    {200: AnalysisResource},
    (429,),
    "optional",
    (SEAT_ANALYSED, MOVES_LIMIT, SCENE_LANG, IF_NONE_MATCH),
    description=(
        "Shows how many decisions are done, and of these the moves that cost most: what was played, what the bot would "
        "have done, how much more it expects of that, and why. While `done` and `failed` together are less than `all`, "
        "ask again after some seconds; POST resumes an analysis that has stopped. An analysis is kept for a day; "
        "without one, the response is 404."
    ),
)
def show_analysis(game_id: str) -> Response:
    """Show what the analysis of a game has found so far."""
    reader, wanted, caller = read_by_anyone()
    return hashed(_shown(reader.show(game_id, caller), wanted, 200))


def _shown(game: Game, wanted: Values, status: int) -> Response:
    found = services().advising.analysis(game)
    plates = nameplates(game, services().players.names)
    seat, most, lang = wanted[SEAT_ANALYSED], wanted[MOVES_LIMIT], wanted[SCENE_LANG]
    return answer(analysis_resource(game, found, plates, lang, seat, most), status)
