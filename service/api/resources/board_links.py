"""Links that show a player's own board in a browser, which sends no header: signed, and valid for minutes."""

from typing import TypedDict

from flask import Blueprint, Response

from domain.game.durations import moment
from service.accounts.players import Caller
from service.api.http.endpoint import Operation
from service.api.http.parameters import AS_SEAT, ticket_of
from service.api.http.request import query, services, write_to
from service.api.http.response import answer
from service.api.resources.bodies import NothingSchema
from service.common.errors import NotFound, refusal
from service.games.access import looking_seat
from service.input.fields import wrong

blueprint = Blueprint("board_links", __name__)

_NOTHING = NothingSchema()


class BoardLink(TypedDict):
    """A link to a player's own board without a token, relative to the service's address, and its expiry."""

    url: str
    expires_at: str


TICKET = ticket_of(
    "The ticket of a board link, in place of a token: shows the board from the seat that the link was made for.",
    wrong("action", actions="the ticket of a board link"),
)


@blueprint.post("/v1/games/<game_id>/board-links")
@Operation("play", {201: BoardLink}, "required", (AS_SEAT,), body=_NOTHING, confirms=False, repeats=True)
def create_board_link(game_id: str) -> Response:
    """Create a link to your own board, for a browser.

    A browser sends no token, so the address of the picture carries a signed ticket for your seat. It shows the board to
    anyone who has it, for some minutes, while you hold the seat and the token that made the link is valid; afterwards
    it returns 404. `url` is relative to the address of the service; `&at=` selects an earlier version.
    """
    sent = write_to(game_id, _NOTHING, looking_seat)
    seat = looking_seat(sent.game, sent.caller, sent.wanted[AS_SEAT])
    ticket, until = services().tickets.issue("board", game_id, sent.caller.player, sent.caller.token, str(seat))
    return answer({"url": f"/v1/games/{game_id}/board.svg?ticket={ticket}", "expires_at": moment(until)}, 201)


def holder_of_link(game_id: str) -> Caller | None:
    """Return who made the link of this request, limited to its seat; None for a request without a link."""
    text = query()[TICKET]
    if text is None:
        return None
    facts = services().tickets.read("board", text)
    if facts is None:
        raise _no_such_link()
    of_game, player, token, seat = facts
    if services().players.caller_now(player, token) is None:
        raise _no_such_link()
    if of_game != game_id or int(seat) not in services().reader.current(game_id).seats_of(player):
        raise _no_such_link()
    return Caller(player, frozenset({"games:read"}), seat=int(seat), game=game_id)


def _no_such_link() -> NotFound:
    return NotFound("no-such-link", refusal("no-such-link"))
