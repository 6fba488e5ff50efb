"""What seats do beside their actions: propose, vote, resign."""

from flask import Blueprint, Response
from marshmallow import Schema

from service.api import bodies
from service.api.http import (
    Operation,
    body,
    caller,
    idempotency_key,
    if_match,
    kept_answer,
    operation,
    query,
    services,
    whole,
)
from service.api.parameters import AS_SEAT, IDEMPOTENCY_KEY, IF_MATCH
from service.forms import load
from service.games import representations
from service.games.commands import Petition

blueprint = Blueprint("agreements", __name__)

_NEW_PROPOSAL, _NEW_VOTE = bodies.NewProposal(), bodies.NewVote()
_RESIGNATION, _NOTHING = bodies.Resignation(), bodies.Nothing()
_PROBLEMS = (400, 401, 403, 404, 409, 412, 422)
_PARAMETERS = (AS_SEAT, IF_MATCH, IDEMPOTENCY_KEY)


def _described(summary: str, posted: object) -> Operation:
    return Operation("play", summary, {201: representations.ActionAnswer}, _PROBLEMS, "required", posted, _PARAMETERS)


@blueprint.post("/v1/games/<game_id>/proposals")
@operation(_described("Propose something that every seat must accept", _NEW_PROPOSAL))
def propose(game_id: str) -> Response:
    """Propose; the proposal's id is in the event that this answers with, and in views while it is open."""
    return kept_answer(services().games.propose(game_id, caller(), _proposal))


def _proposal() -> Petition:
    seat = _seat()
    wanted = load(_NEW_PROPOSAL, body())
    return Petition((wanted["kind"], wanted["duration"]), seat, if_match(), idempotency_key())


@blueprint.post("/v1/games/<game_id>/proposals/<proposal>/votes")
@operation(_described("Accept or decline a proposal", _NEW_VOTE))
def vote(game_id: str, proposal: str) -> Response:
    """Vote; the last seat to accept carries the proposal, the first to decline ends it."""
    me = caller()
    return kept_answer(services().games.vote(game_id, me, lambda: _vote(proposal)))


def _vote(proposal: str) -> Petition:
    seat = _seat()
    accept = load(_NEW_VOTE, body())["accept"]
    return Petition((proposal[:80], accept), seat, if_match(), idempotency_key())


@blueprint.post("/v1/games/<game_id>/resign")
@operation(_described("Give up, where the ruleset allows it", _RESIGNATION))
def resign(game_id: str) -> Response:
    """Resign, at any time while the game runs."""
    return kept_answer(services().games.resign(game_id, caller(), lambda: _read(_RESIGNATION)))


@blueprint.post("/v1/games/<game_id>/claim")
@operation(_described("Claim that the time of another seat is up, where the clock waits for that", _NOTHING))
def claim(game_id: str) -> Response:
    """Claim; the late seat then resigns, where the ruleset knows that, or a bot decides for it."""
    return kept_answer(services().games.claim(game_id, caller(), lambda: _read(_NOTHING)))


def _read(posted: Schema) -> Petition:
    seat = _seat()
    load(posted, body())
    return Petition(None, seat, if_match(), idempotency_key())


def _seat() -> int | None:
    wanted: int | None = query(**{"as": whole(0, 11)}).get("as")
    return wanted
