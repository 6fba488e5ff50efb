"""Legal actions in pages: however many there are, an answer costs no more than its page.

A cursor names the game, the decision (and with it the seat) and the number of the next action; it is good for as long
as the decision is pending, since a seat that can do something else has a new decision.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable

from flask import Blueprint, Response

from service.api.http import Operation, answer, caller, operation, query, services, versioned, whole
from service.api.pages import linked
from service.api.parameters import AS_SEAT, CURSOR, IF_NONE_MATCH, LEGAL_ACTIONS_LIMIT
from service.errors import Fault, Malformed
from service.games import representations

blueprint = Blueprint("legal_actions", __name__)

_CURSOR = re.compile(r"(\S{1,80}) (d[0-9]{1,12}_[0-9]{1,2}) ([0-9]{1,15})", re.ASCII)
_NO_CURSOR = "must be a next_cursor of an earlier page of this game's legal actions"


@blueprint.get("/v1/games/<game_id>/legal-actions")
@operation(
    Operation(
        "play",
        "The legal actions of your seat now, a page at a time",
        {200: representations.LegalActions, 304: None},
        (400, 401, 403, 404, 412),
        "required",
        None,
        (AS_SEAT, CURSOR, LEGAL_ACTIONS_LIMIT, IF_NONE_MATCH),
    )
)
def list_legal_actions(game_id: str) -> Response:
    """List legal actions of the caller's seat, at most 2,000 in a page, with their number and a JSON Schema of all."""
    me = caller()
    wanted = query(
        **{"as": whole(0, 11), "cursor": _cursor_of(game_id), "limit": whole(1, representations.MOST_IN_PAGE)}
    )
    decision, start = wanted.get("cursor", (None, 0))
    game, seat, actions = services().games.legal_actions(game_id, me, wanted.get("as"), decision)
    if start and start >= len(actions):
        raise Malformed([Fault("?cursor", "invalid-parameter", f"cursor: {_NO_CURSOR}")])
    page = range(start, min(start + wanted.get("limit", representations.MOST_IN_PAGE), len(actions)))
    text = f"{game.id} {game.decision_id(seat)} {page.stop}" if page.stop < len(actions) else None
    cursor = None if text is None else urlsafe_b64encode(text.encode()).decode()
    shown = representations.legal_actions(game, seat, actions, page, cursor)
    return versioned(linked(answer(shown), cursor), game.version)


def _cursor_of(game_id: str) -> Callable[[str], tuple[str, int]]:
    """Make the reader of a cursor into a game's legal actions: the decision, and the number to go on from."""

    def read(text: str) -> tuple[str, int]:
        try:
            found = _CURSOR.fullmatch(urlsafe_b64decode(text.encode("ascii")).decode("ascii"))
        except ValueError as error:
            raise ValueError(_NO_CURSOR) from error
        if found is None or found[1] != game_id or not int(found[3]):
            raise ValueError(_NO_CURSOR)
        return found[2], int(found[3])

    return read
