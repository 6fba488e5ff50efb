"""Legal actions in pages: however many there are, a response costs no more than its page.

A cursor names the game, the decision (and with it the seat) and the number of the next action. It is valid while the
decision is pending, since a seat gets a new decision whenever its legal actions change.
"""

import re
from base64 import urlsafe_b64decode

from flask import Blueprint, Response

from service.api.http.endpoint import Operation
from service.api.http.parameters import AS_SEAT, IF_NONE_MATCH, LANG, LEGAL_ACTIONS_LIMIT, cursor
from service.api.http.request import caller, query, services
from service.api.http.response import answer, encoded_cursor, linked, versioned
from service.api.http.response_headers import RECEIPT
from service.common.errors import Fault, Malformed
from service.games.projections import representations
from service.games.projections.naming import nameplates
from service.games.projections.narrating import say_actions
from service.games.projections.resources import LegalActions
from service.input.fields import Invalid, field_fault, wrong

blueprint = Blueprint("legal_actions", __name__)

_FORM = re.compile(r"(\S{1,80}) (d[0-9]{1,12}_[0-9]{1,2}) ([0-9]{1,15})", re.ASCII)
_NO_CURSOR = "a next_cursor of an earlier page of this game's legal actions"


def _place(text: str) -> tuple[str, str, int]:
    """Read a cursor: the game, the decision, and the number of the next action."""
    try:
        found = _FORM.fullmatch(urlsafe_b64decode(text.encode("ascii")).decode("ascii"))
    except ValueError as error:
        raise Invalid("action", actions=_NO_CURSOR) from error
    if found is None or not int(found[3]):
        raise Invalid("action", actions=_NO_CURSOR)
    return found[1], found[2], int(found[3])


_CURSOR = cursor(_place)


@blueprint.get("/v1/games/<game_id>/legal-actions")
@Operation(
    "play",
    {200: LegalActions},
    "required",
    (AS_SEAT, _CURSOR, LEGAL_ACTIONS_LIMIT, LANG, IF_NONE_MATCH),
    problems=(412,),
    headers={200: RECEIPT},
)
def list_legal_actions(game_id: str) -> Response:
    """The legal actions of your seat now, a page at a time.

    Use it when the view does not list them because there are more than 200. The list is empty while your seat cannot
    act. A cursor is valid as long as the decision is pending; after that it gets 412, so start again without one. With
    `lang`, the page also describes each action in words.
    """
    me, wanted = caller(), query()
    of_game, decision, start = wanted[_CURSOR] or (game_id, None, 0)
    if of_game != game_id:
        raise _no_cursor()
    game, seat, actions = services().reader.legal_actions(game_id, me, wanted[AS_SEAT], decision)
    if start and start >= len(actions):
        raise _no_cursor()
    page = range(start, min(start + wanted[LEGAL_ACTIONS_LIMIT], len(actions)))
    is_last = page.stop >= len(actions)
    following = None if is_last else encoded_cursor(f"{game.id} {game.decision_id(seat)} {page.stop}")
    plates = nameplates(game, services().players.people) if wanted[LANG] else None

    def shown() -> Response:
        listed = representations.legal_actions(game, seat, actions, page, following)
        if plates is not None:
            say_actions(listed, game, plates, wanted[LANG])
        return answer(listed)

    return linked(versioned(game, seat, shown, plates.digest if plates else ""), following)


def _no_cursor() -> Malformed:
    return Malformed(
        [Fault("?cursor", "invalid-parameter", field_fault("cursor", wrong("action", actions=_NO_CURSOR)))]
    )
