"""Phrases: what players say to each other at a table, in each reader's language."""

from flask import Blueprint, Response

from service.api.http.endpoint import Operation
from service.api.http.parameters import AS_SEAT, IDEMPOTENCY_KEY, IF_NONE_MATCH, SCENE_LANG
from service.api.http.request import read_by_anyone, services, write_to
from service.api.http.response import answer, hashed, kept_answer, roomed
from service.api.http.response_headers import ROOM
from service.api.resources.bodies import NewPhraseSchema
from service.games.phrases import PhraseAnswer, PhraseMenu
from service.games.talking import toll

blueprint = Blueprint("phrases", __name__)

_NEW_PHRASE = NewPhraseSchema()


@blueprint.get("/v1/games/<game_id>/phrases")
@Operation("play", {200: PhraseMenu}, "optional", (SCENE_LANG, IF_NONE_MATCH))
def list_phrases(game_id: str) -> Response:
    """What was said at the table.

    Lists the latest 50 phrases of the players, oldest first, the possible phrases, and, if players cannot talk now,
    when they can, all in one language. To follow, open the log as a stream with `phrases`.
    """
    reader, wanted, caller = read_by_anyone()
    return hashed(answer(services().talking.show(reader.show(game_id, caller), wanted[SCENE_LANG])))


@blueprint.post("/v1/games/<game_id>/phrases")
@Operation(
    "play",
    {201: PhraseAnswer},
    "required",
    (AS_SEAT, IDEMPOTENCY_KEY),
    problems=(409, 422),
    body=_NEW_PHRASE,
    headers={201: ROOM},
)
def say_phrase(game_id: str) -> Response:
    """Say a phrase.

    Anyone who can see the game reads it in their own language; there is no free text. Players can talk before the start
    and after the end; during a game, only if this cannot signal anything to a partner, or was agreed on (409). A player
    can say a limited number of phrases in a minute (429).
    """
    sent = write_to(game_id, _NEW_PHRASE)
    talking, player = services().talking, sent.caller.player
    said = talking.say(sent.game, sent.caller, sent.wanted[AS_SEAT], sent.body["phrase"], sent.key)
    if services().players.find(player) is None:
        talking.forget(player, [sent.game.id])  # the account has just been deleted
    return roomed(kept_answer(said), services().limiter.room(*toll(sent.game, sent.caller).rates[0]))
