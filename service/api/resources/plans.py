"""Plans: what a player wants done on their next turns, known to nobody else."""

from flask import Blueprint, Response

from domain.game.aggregate import Game
from domain.table import Seat
from service.api.http.endpoint import Operation
from service.api.http.parameters import AS_SEAT, IF_MATCH_PLAN, IF_NONE_MATCH
from service.api.http.request import caller, current, query, services, write_to
from service.api.http.response import answer, hashed, is_matched, no_content, stamped
from service.api.resources.plan_bodies import NewPlanSchema, read_plan
from service.common.errors import PlanReplaced, refusal
from service.games.plans.plan import Plan
from service.games.projections.resources import PlanResource

blueprint = Blueprint("plans", __name__)

_NEW_PLAN = NewPlanSchema()


@blueprint.get("/v1/games/<game_id>/plan")
@Operation(
    "play",
    "Your plan",
    {200: PlanResource},
    (403,),
    "required",
    (AS_SEAT, IF_NONE_MATCH),
    description=(
        "Shows the plan of your seat, as far as it has not been carried out or dropped; without one, it has no steps. "
        "Nobody but the holder of the seat can see it."
    ),
)
def show_plan(game_id: str) -> Response:
    """Show the plan of a seat of the caller's."""
    me, wanted = caller(), query()
    return hashed(_shown(*services().planning.show(game_id, me, wanted[AS_SEAT])))


@blueprint.put("/v1/games/<game_id>/plan")
@Operation(
    "play",
    "Plan your next turns",
    {200: PlanResource},
    (403, 409, 412),
    "required",
    (AS_SEAT, IF_MATCH_PLAN),
    body=_NEW_PLAN,
    headers={200: ("ETag",)},
    description=(
        "Replaces your plan. When your turn comes, or at once if it has come, the first step whose condition holds in "
        "your view and whose action is legal is carried out, and its `then` becomes the plan. If no step fits, the "
        "steps are dropped. Send `If-Match` with the ETag of the plan, so that another device's plan is not lost (412)."
    ),
)
def put_plan(game_id: str) -> Response:
    """Replace the plan of a seat of the caller's."""
    sent = write_to(game_id)
    steps, forced = read_plan(sent.game.ruleset, sent.raw, current().body)
    planning, player = services().planning, sent.caller.player
    made = planning.put(sent.game, sent.caller, sent.wanted[AS_SEAT], steps, forced, _check_match)
    if services().players.find(player) is None:
        planning.forget(player, [sent.game.id])  # the account has just been deleted
    return stamped(_shown(*made))


@blueprint.delete("/v1/games/<game_id>/plan")
@Operation(
    "play",
    "Remove your plan",
    {204: None},
    (403, 412),
    "required",
    (AS_SEAT, IF_MATCH_PLAN),
    description=(
        "From then on, nothing is played for you. It is no error if there is no plan. With `If-Match`, only the plan "
        "that you know is removed (412)."
    ),
)
def remove_plan(game_id: str) -> Response:
    """Remove the plan of a seat of the caller's."""
    sent = write_to(game_id)
    services().planning.remove(sent.game, sent.caller, sent.wanted[AS_SEAT], _check_match)
    return no_content()


def _shown(game: Game, seat: Seat, plan: Plan) -> Response:
    shown: PlanResource = {"game_id": game.id, "seat": seat, "steps": [*plan.steps], "forced": plan.forced}
    return answer(shown)


def _check_match(game: Game, seat: Seat, plan: Plan) -> None:
    """Reject a request that names another plan than the one that there is."""
    if not is_matched(_shown(game, seat, plan)):
        raise PlanReplaced("plan-changed", refusal("plan-changed"))
