"""What players can do beside their actions: propose, vote, resign, claim."""

from collections.abc import Callable
from functools import partial

from flask import Blueprint, Response
from marshmallow import Schema

from domain.table import Seat
from service.api.http.endpoint import Operation
from service.api.http.parameters import AS_SEAT, IDEMPOTENCY_KEY, IF_MATCH
from service.api.http.request import services, write_to
from service.api.http.response import kept_answer, roomed
from service.api.http.response_headers import RECEIPT, ROOM
from service.api.resources import bodies
from service.games.commands import ClaimTimeout, Command, Propose, Resign, Vote
from service.games.projections.resources import ActionAnswer

blueprint = Blueprint("proposals", __name__)

_NEW_PROPOSAL, _NEW_VOTE = bodies.NewProposalSchema(), bodies.NewVoteSchema()
_RESIGNATION, _NOTHING = bodies.ResignationSchema(), bodies.NothingSchema()
_command = partial(
    Operation, "play", {201: ActionAnswer}, "required", (AS_SEAT, IF_MATCH, IDEMPOTENCY_KEY), problems=(409, 412, 422)
)


@blueprint.post("/v1/games/<game_id>/proposals")
@_command(body=_NEW_PROPOSAL, headers={201: (*RECEIPT, *ROOM)})
def propose(game_id: str) -> Response:
    """Propose something that every seat must accept.

    Use it for agreements of all players, such as a pause; `proposals` of the ruleset lists what is possible. The
    proposer accepts by proposing, and bots do not vote. Views list the proposal until every seat has accepted it, one
    declines, or the position that it was made for is over. A `take_back` returns to one of the versions that the view
    lists in `take_back`; others get 409 with the reason: `disclosed-since`, `no-such-position` or
    `nothing-to-take-back`.
    """
    return _done(game_id, _NEW_PROPOSAL, Propose)


@blueprint.post("/v1/games/<game_id>/proposals/<proposal_id>/votes")
@_command(body=_NEW_VOTE, headers={201: RECEIPT})
def vote(game_id: str, proposal_id: str) -> Response:
    """Accept or decline a proposal.

    The proposal passes when the last seat accepts, and ends when a seat declines. A proposal that is no longer open,
    and a second vote of a seat, get 409.
    """
    return _done(game_id, _NEW_VOTE, partial(Vote, proposal=proposal_id[:80]))


@blueprint.post("/v1/games/<game_id>/resign")
@_command(body=_RESIGNATION, headers={201: RECEIPT})
def resign(game_id: str) -> Response:
    """Resign, if the ruleset allows it.

    Ends the game for your seat at any time while it runs, even if it is not your turn. `confirm` must be true, because
    a resignation cannot be undone. A ruleset without resignation gets 422.
    """
    return _done(game_id, _RESIGNATION, lambda confirm, **who: Resign(**who))  # noqa: ARG005 - confirmed by then


@blueprint.post("/v1/games/<game_id>/claim")
@_command(body=_NOTHING, headers={201: RECEIPT})
def claim(game_id: str) -> Response:
    """Claim that the time of another seat is up, if the clock waits for claims.

    Use it when a seat is late in a game whose clock has `on_timeout` set to `wait`. The late seat loses the game, or a
    bot moves for it if the ruleset does not support resignation. If no seat is late, the response is 409.
    """
    return _done(game_id, _NOTHING, partial(ClaimTimeout, now=services().desk.now()))


def _done(game_id: str, form: Schema, command: Callable[..., Command[Seat]]) -> Response:
    """Have a command carried out whose own fields are those of the body; show the room of a rate that it counts in."""
    sent = write_to(game_id, form)
    seat = sent.wanted[AS_SEAT]
    done = command(caller=sent.caller, seat=seat, expected=sent.expected, key=sent.key, **sent.body)
    response = kept_answer(sent.desk.do(sent.game, done))
    rates = done.toll(sent.game).rates
    return roomed(response, services().limiter.room(*rates[0])) if rates else response
