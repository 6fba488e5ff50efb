"""Playing: views and pictures of them, actions, events, texts."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import orjson
from flask import Blueprint, Response

from domain.game.aggregate import Game
from domain.sentences.catalogue import ORIGINAL
from domain.table import Seat
from service.accounts.players import Caller
from service.api.http.endpoint import Operation
from service.api.http.parameters import (
    AS_SEAT,
    AS_VIEWER,
    AT,
    DRY_RUN,
    IDEMPOTENCY_KEY,
    IF_MATCH,
    IF_NONE_MATCH,
    KNOWLEDGE,
    LANG,
    SCENE_LANG,
    WITH_SCENE,
    WITH_VIEW,
)
from service.api.http.request import Sent, computed, query, read_by_anyone, services, write_to
from service.api.http.response import answer, kept_answer, kept_to_oneself, picture, receipted, versioned
from service.api.http.response_headers import RECEIPT
from service.api.resources import bodies
from service.api.resources.board_links import TICKET, holder_of_link
from service.common.errors import Refusal
from service.games.commands import Act
from service.games.projections import representations
from service.games.projections.naming import Nameplates, nameplates
from service.games.projections.narrating import in_words
from service.games.projections.resources import ActionAnswer, DryRun, ViewResource
from service.games.projections.scenes import SceneResource
from service.store.codec import Answer

blueprint = Blueprint("play", __name__)


class _Seen(NamedTuple):
    """What is shown of a game, from which seat (None: a spectator), whether all is open, and whether a plan acts."""

    game: Game
    viewer: Seat | None
    everything: bool
    planned: bool = False


@blueprint.get("/v1/games/<game_id>/view")
@Operation(
    "play",
    {200: ViewResource},
    "optional",
    (AS_VIEWER, AT, KNOWLEDGE, LANG, WITH_SCENE, IF_NONE_MATCH),
    problems=(403, 412),
    headers={200: RECEIPT},
    is_quick=True,
)
def show_view(game_id: str) -> Response:
    """A game as your seat sees it.

    Shows everything that the viewer is allowed to know at one version: the position, who can act, and, if it is your
    turn, your decision and your legal actions. While you wait for others, poll at most once a second, with
    `If-None-Match` and the last ETag; 304 means that there are no new events, and `planned` that your plan plays this
    turn. Another player's seat is 403 until the game is over, and so is `knowledge=full`. With `lang`, each legal
    action is described in words; with `with=scene`, the response has the scene and up to 2,000 legal actions.
    """
    reader, wanted, caller = read_by_anyone()
    if wanted[AT] is not None or wanted[KNOWLEDGE] == "full":
        return _seen(game_id, _view)
    game, viewer, plans = reader.look_with_plans(game_id, caller, wanted[AS_VIEWER])
    planned = services().planning.takes_turn(game, viewer, plans)
    return _shown(_Seen(game, viewer, everything=False, planned=planned), _view)


def _view(seen: _Seen, plates: Nameplates) -> Response:
    return answer(_viewed(seen, plates, with_scene=query()[WITH_SCENE] is not None))


def _viewed(seen: _Seen, plates: Nameplates, *, with_scene: bool) -> ViewResource:
    """Return the view; one with a scene takes milliseconds to make."""
    if not with_scene:
        return _rendered(seen, plates, with_scene=False)
    return computed(partial(_rendered, seen, plates, with_scene=True))


def _rendered(seen: _Seen, plates: Nameplates, *, with_scene: bool) -> ViewResource:
    game, viewer, everything, planned = seen
    lang = query()[LANG]
    most = representations.MOST_IN_PAGE if with_scene else representations.MOST_LISTED
    shown = representations.view(game, viewer, everything=everything, most=most)
    in_words(shown, game, plates, lang, planned=planned)
    if with_scene:
        shown["scene"] = representations.scene(game, viewer, lang or ORIGINAL, plates.labels(), everything=everything)
    return shown


@blueprint.get("/v1/games/<game_id>/board.svg")
@Operation(
    "play",
    {200: "image/svg+xml"},
    "optional",
    (AS_VIEWER, AT, KNOWLEDGE, TICKET, IF_NONE_MATCH),
    problems=(403, 412),
    headers={200: RECEIPT},
)
def show_board(game_id: str) -> Response:
    """A game as your seat sees it, as a picture.

    Draws the view with the same `as`, `at` and `knowledge` as an SVG, and shows nothing that the view does not. It
    follows the light or dark theme of the reader. Before the game starts, it shows the empty table. With the `ticket`
    of a board link, no token is needed.
    """
    holder = holder_of_link(game_id)
    response = _seen(game_id, _board, holder)
    return response if holder is None else kept_to_oneself(response)


def _board(seen: _Seen, plates: Nameplates) -> Response:
    return picture(representations.drawn(seen.game, seen.viewer, plates.labels(), everything=seen.everything))


def _seen(game_id: str, shown: Callable[[_Seen, Nameplates], Response], holder: Caller | None = None) -> Response:
    """Respond with a view of the requested version and viewer, unless the client already has it.

    ``holder`` is the caller if the request did not come with a token.
    """
    reader, wanted, caller = read_by_anyone()
    everything = wanted[KNOWLEDGE] == "full"
    game, viewer = reader.look(game_id, holder or caller, wanted[AS_VIEWER], wanted[AT], everything=everything)
    return _shown(_Seen(game, viewer, everything), shown)


def _shown(seen: _Seen, shown: Callable[[_Seen, Nameplates], Response]) -> Response:
    """Respond with what is shown of a game, unless the client already has it: as long as the plan acts, or does not."""
    plates = nameplates(seen.game, services().players.people)
    known = f"{plates.digest}1" if seen.planned else plates.digest
    return versioned(seen.game, seen.viewer, lambda: shown(seen, plates), known)


@blueprint.get("/v1/games/<game_id>/scene")
@Operation(
    "play",
    {200: SceneResource},
    "optional",
    (AS_VIEWER, AT, KNOWLEDGE, SCENE_LANG, IF_NONE_MATCH),
    problems=(403, 412),
    headers={200: RECEIPT},
)
def show_scene(game_id: str) -> Response:
    """A game as your seat sees it, in words and drawn.

    Returns the view with the same `as`, `at` and `knowledge` as data that a client can show without knowing the game: a
    title, sentences, the board as an SVG, rows of cards or pieces, and a line for each seat. It shows nothing that the
    view does not. `pick` is the value that a thing represents in an action: `card:RH` is the value `RH` of a field
    whose schema has `x-pick: card`. Before the game starts, it shows the empty table.
    """
    return _seen(game_id, _scene)


def _scene(seen: _Seen, plates: Nameplates) -> Response:
    lang = query()[SCENE_LANG]
    return answer(representations.scene(seen.game, seen.viewer, lang, plates.labels(), everything=seen.everything))


@blueprint.post("/v1/games/<game_id>/actions")
@Operation(
    "play",
    {201: ActionAnswer, 200: DryRun},
    "required",
    (AS_SEAT, DRY_RUN, LANG, WITH_VIEW, IF_MATCH, IDEMPOTENCY_KEY),
    problems=(409, 412, 422),
    body="action",
    headers={201: RECEIPT},
    confirms=False,
    is_quick=True,
)
def act(game_id: str) -> Response:
    """Act.

    Post a legal action as the view or the list of legal actions shows it. To act only on the position that you saw,
    send `If-Match`, or `decision_id` in the body; 412 means that the game has new events, 409 that it is not your turn,
    and 422 names the rule that the action breaks. With `dry_run=true`, the action is only checked, and the response is
    200. With `with`, the response has the view after the action, with words in the language `lang`, so no further
    request is needed.
    """
    sent = write_to(game_id)
    action, decision = bodies.read_action(sent.game.ruleset, sent.raw or b"{}")
    command = Act(
        caller=sent.caller,
        seat=sent.wanted[AS_SEAT],
        action=action,
        decision=decision,
        expected=sent.expected,
        key=sent.key,
    )
    if sent.wanted[DRY_RUN]:
        return answer(sent.desk.try_out(game_id, command))
    kept = sent.desk.do(sent.game, command)
    return kept_answer(kept) if sent.wanted[WITH_VIEW] is None else _with_view(kept, sent)


def _with_view(kept: Answer, sent: Sent) -> Response:
    """Respond with an answer and the view that follows, if the caller still has the seat that acted."""
    shown: ActionAnswer = orjson.loads(kept.body)
    try:
        game, seat = services().reader.follow(sent.game.id, sent.caller, shown["seat"], shown["version"])
        planned = services().planning.takes_turn(game, seat)
    except Refusal:
        return kept_answer(kept)
    plates = nameplates(game, services().players.people)
    seen = _Seen(game, seat, everything=False, planned=planned)
    shown["view"] = _viewed(seen, plates, with_scene=sent.wanted[WITH_VIEW] == "scene")
    return receipted(answer(shown, kept.status), kept.head)
