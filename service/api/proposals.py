"""What players can do beside their actions: propose, vote, resign, claim."""

from flask import Blueprint, Response

from service.api import bodies
from service.api.operation import Operation, operation, services
from service.api.parameters import AS_SEAT, IDEMPOTENCY_KEY, IF_MATCH
from service.api.play import seated
from service.api.request import body, caller, idempotency_key, if_match
from service.api.response import kept_answer
from service.games import representations
from service.games.commands import ClaimTimeout, Propose, Resign, Vote

blueprint = Blueprint("proposals", __name__)

_NEW_PROPOSAL, _NEW_VOTE = bodies.NewProposalSchema(), bodies.NewVoteSchema()
_RESIGNATION, _NOTHING = bodies.ResignationSchema(), bodies.NothingSchema()
_PROBLEMS = (400, 401, 403, 404, 409, 412, 422)
_PARAMETERS = (AS_SEAT, IF_MATCH, IDEMPOTENCY_KEY)


def _described(summary: str, posted: object) -> Operation:
    return Operation("play", summary, {201: representations.ActionAnswer}, _PROBLEMS, "required", posted, _PARAMETERS)


@blueprint.post("/v1/games/<game_id>/proposals")
@operation(_described("Propose something that every seat must accept", _NEW_PROPOSAL))
def propose(game_id: str) -> Response:
    """Propose something; the response's event has the proposal's id, as do views while the proposal is open."""
    me = caller()
    game, wanted = seated(game_id, me)
    posted = body(_NEW_PROPOSAL)
    command = Propose(
        caller=me,
        seat=wanted[AS_SEAT],
        expected=if_match(),
        key=idempotency_key(),
        kind=posted["kind"],
        duration=posted["duration"],
    )
    return kept_answer(services().desk.do(game, command))


@blueprint.post("/v1/games/<game_id>/proposals/<proposal>/votes")
@operation(_described("Accept or decline a proposal", _NEW_VOTE))
def vote(game_id: str, proposal: str) -> Response:
    """Vote; the proposal is carried when the last seat accepts, and closed when any seat declines."""
    me = caller()
    game, wanted = seated(game_id, me)
    command = Vote(
        caller=me,
        seat=wanted[AS_SEAT],
        accept=body(_NEW_VOTE)["accept"],
        proposal=proposal[:80],
        expected=if_match(),
        key=idempotency_key(),
    )
    return kept_answer(services().desk.do(game, command))


@blueprint.post("/v1/games/<game_id>/resign")
@operation(_described("Resign, if the ruleset supports it", _RESIGNATION))
def resign(game_id: str) -> Response:
    """Resign, at any time while the game runs."""
    me = caller()
    game, wanted = seated(game_id, me)
    body(_RESIGNATION)
    command = Resign(caller=me, seat=wanted[AS_SEAT], expected=if_match(), key=idempotency_key())
    return kept_answer(services().desk.do(game, command))


@blueprint.post("/v1/games/<game_id>/claim")
@operation(_described("Claim that another seat's time is up, if the clock waits for claims", _NOTHING))
def claim(game_id: str) -> Response:
    """Claim a timeout; the late seat resigns if the ruleset supports that, otherwise a bot moves for it."""
    me, desk = caller(), services().desk
    game, wanted = seated(game_id, me)
    body(_NOTHING)
    seat, now = wanted[AS_SEAT], desk.now()
    command = ClaimTimeout(caller=me, seat=seat, expected=if_match(), key=idempotency_key(), now=now)
    return kept_answer(desk.do(game, command))
