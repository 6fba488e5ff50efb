"""Hints for a decision, and analyses and luck of finished games."""

from collections.abc import Sequence

from flask import Blueprint, Response

from domain.game.aggregate import Game
from domain.table import Seat
from service.accounts.players import Caller
from service.api.http.endpoint import Operation
from service.api.http.live import rests
from service.api.http.parameters import (
    AT,
    IF_NONE_MATCH,
    MOVES_LIMIT,
    SCENE_LANG,
    SEAT_ANALYSED,
    SEAT_TO_ADVISE,
    Values,
)
from service.api.http.request import address, caller, query, read_by_anyone, services, write_to
from service.api.http.response import answer, hashed
from service.api.resources.bodies import NothingSchema
from service.games.access import check_may_read
from service.games.advice.advising import Advising, question_of, unanswered
from service.games.advice.question_store import topic_of
from service.games.advice.resources import (
    AnalysisResource,
    HintResource,
    LuckResource,
    analysis_resource,
    hint_resource,
    luck_resource,
)
from service.games.projections.naming import nameplates
from service.streams.source import EVENT, Batch, Item, Source

blueprint = Blueprint("advice", __name__)

_NOTHING = NothingSchema()
_PATIENCE = 10
"""How many seconds a request waits for the workers."""
_AGAIN = 2
"""After how many seconds a client should ask again."""


@blueprint.post("/v1/games/<game_id>/hints")
@Operation(
    "play",
    {200: HintResource},
    "required",
    (SEAT_TO_ADVISE, AT, SCENE_LANG),
    problems=(409, 412, 422),
    body=_NOTHING,
    confirms=False,
    repeats=True,
)
def give_hint(game_id: str) -> Response:
    """What a bot would do, and why.

    In a sandbox, or where bots hold all other seats, for a seat of yours that has a decision; in a game that is over,
    for any seat that had one at the version `at`. The bot gets only the view of that seat, and the game does
    not change. The request waits up to ten seconds for the workers; then it gets 503, and the same request gets
    the hint later. The number of hints for one player in an hour is limited (429).
    """
    sent = write_to(game_id, _NOTHING, check_may_read)
    advising, wanted = services().advising, sent.wanted
    then, seat = advising.decision(game_id, sent.caller, wanted[SEAT_TO_ADVISE], wanted[AT])
    hint = advising.hint(then, seat, sent.caller, address())
    if hint is None:
        if rests(_Awaited(advising, then, seat, sent.caller), "", _PATIENCE):
            return Response()
        raise unanswered()
    plates = nameplates(then, services().players.people)
    return answer(hint_resource(then, seat, hint, plates, wanted[SCENE_LANG]))


class _Awaited(Source):
    """A hint that a client waits for. It only says that the hint is there."""

    def __init__(self, advising: Advising, then: Game, seat: Seat, caller: Caller) -> None:
        self._advising = advising
        self._game_id, self._question = then.id, question_of(then, seat)
        self._caller = caller

    @property
    def topics(self) -> Sequence[str]:
        return (topic_of(self._game_id),)

    @property
    def player(self) -> str | None:
        return self._caller.player

    def read(self, after: str, heard: str | None) -> Batch:
        """Return an item once the hint is there; the request itself then checks everything again."""
        if heard not in (None, self._question) or not self._advising.given(self._game_id, self._question):
            return Batch((), after)
        return Batch([Item("given", EVENT, b"{}")], "given")


@blueprint.post("/v1/games/<game_id>/analysis")
@Operation(
    "play",
    {202: AnalysisResource},
    "required",
    (SEAT_ANALYSED, MOVES_LIMIT, SCENE_LANG),
    problems=(422,),
    body=_NOTHING,
    confirms=False,
    repeats=True,
)
def analyse(game_id: str) -> Response:
    """Analyse a finished game.

    Anyone who can see a game that is over can start its analysis: the workers ask a bot about every decision, from the
    view that its seat had then, while no player waits for them. GET shows the progress. A game has one analysis: a
    request changes nothing while it runs; it resumes one that has stopped, and retries decisions at which the bot
    failed.
    """
    sent = write_to(game_id, _NOTHING, check_may_read)
    return _shown(services().advising.analyse(game_id, sent.caller, address()), sent.wanted, 202)


@blueprint.get("/v1/games/<game_id>/analysis")
@Operation("play", {200: AnalysisResource}, "optional", (SEAT_ANALYSED, MOVES_LIMIT, SCENE_LANG, IF_NONE_MATCH))
def show_analysis(game_id: str) -> Response:
    """The moves of a finished game that cost most.

    Shows how many decisions are done, and of these the moves that cost most: the move, the bot's choice, the difference
    of the bot's estimates, and the reason. While `done` and `failed` together are less than `all`, repeat the request
    after some seconds; POST resumes an analysis that has stopped. An analysis is kept for a day; without one, the
    response is 404.
    """
    reader, wanted, caller = read_by_anyone()
    return hashed(_shown(reader.show(game_id, caller), wanted, 200))


@blueprint.get("/v1/games/<game_id>/luck")
@Operation(
    "play",
    {200: LuckResource, 202: LuckResource},
    "required",
    (IF_NONE_MATCH,),
    headers={202: ("Retry-After",)},
    problems=(403, 422),
)
def show_luck(game_id: str) -> Response:
    """Luck and play apart: what the deals of a finished game were worth to each seat.

    A bot replays each deal in every seat, with seeds that follow from the secret of the deal, so that anyone can work
    out the same (`plateau luck`): the mean is the `baseline`, and what a seat scored beyond it is play. The first
    request has the workers begin, while no player waits for them; until they are done, the response is 202 with the
    deals that are. The result is kept for a day, and never rated.
    """
    query()
    game, luck = services().advising.luck(game_id, caller(), address())
    shown = luck_resource(game, luck)
    if luck.is_done:
        return hashed(answer(shown))
    response = answer(shown, 202)
    response.headers["Retry-After"] = str(_AGAIN)
    return response


def _shown(game: Game, wanted: Values, status: int) -> Response:
    found = services().advising.analysis(game)
    plates = nameplates(game, services().players.people)
    seat, most, lang = wanted[SEAT_ANALYSED], wanted[MOVES_LIMIT], wanted[SCENE_LANG]
    return answer(analysis_resource(game, found, plates, lang, seat, most), status)
