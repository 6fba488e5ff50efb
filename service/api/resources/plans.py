"""Plans: the next actions of a seat, and their bodies."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from flask import Blueprint, Response
from marshmallow import ValidationError, validates_schema

from domain.game.aggregate import Game
from domain.ruleset import AnyRuleset
from domain.sentences.message import Number, message
from domain.serialization import Plain
from domain.table import Seat
from service.api.http.endpoint import Operation
from service.api.http.parameters import AS_SEAT, IF_MATCH_PLAN, IF_NONE_MATCH
from service.api.http.request import caller, current, query, services, write_to
from service.api.http.response import answer, hashed, is_matched, no_content, stamped
from service.common.errors import Fault, Malformed, PlanReplaced, refusal
from service.games.plans.conditions import COMPARISONS, MOST_LEVELS, MOST_STARS
from service.games.plans.plan import MOST_BYTES, MOST_STEPS, MOST_TURNS, Plan, PlanResource, PlanStep
from service.input import fields
from service.input.fields import Invalid, Schema, Truth, wrong
from service.input.forms import action_of, load

_STEP = "/(?:[^~/*]|~[01])*"
POINTER = rf"(?:{_STEP})+(?:/\*(?:{_STEP})*){{0,{MOST_STARS}}}"
"""The form of a path: a JSON pointer whose first step names a part of the view, and some of whose others are ``*``."""

LONGEST_PATH, LONGEST_VALUE, MOST_VALUES = 200, 100, 50
_KINDS = ("path", "all", "any", "not")
_DEEPEST = 2 * (MOST_TURNS + MOST_LEVELS) + 8
"""How deep the JSON of a plan within its bounds can be; a deeper one is rejected before anything else reads it."""


def _is_scalar(value: Plain) -> bool:
    return value is None or isinstance(value, bool | int | float) or _is_text(value)


def _is_text(value: Plain) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_VALUE


def _is_number(value: Plain) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_list(value: Plain) -> bool:
    return isinstance(value, list) and 1 <= len(value) <= MOST_VALUES and all(map(_is_scalar, value))


_VALUES = {
    **dict.fromkeys(("eq", "ne"), (_is_scalar, f"a number, true, false, null, or a text of up to {LONGEST_VALUE}")),
    **dict.fromkeys(("lt", "le", "gt", "ge"), (_is_number, "a number")),
    **dict.fromkeys(("starts_with", "ends_with"), (_is_text, f"a text of up to {LONGEST_VALUE} characters")),
    "in": (_is_list, f"a list of 1 to {MOST_VALUES} values"),
}


class ConditionSchema(Schema):
    """A condition: a comparison at a path of the view, or all, any or none of other conditions."""

    path = fields.String(
        validate=[
            fields.Length(1, LONGEST_PATH),
            fields.Regexp(rf"{POINTER}\Z", wrong("pointer", example="/state/phase", most=MOST_STARS)),
        ]
    )
    op = fields.String(validate=fields.OneOf(list(COMPARISONS)))
    value = fields.Raw(allow_none=True)
    all = fields.List(fields.Nested("ConditionSchema"), validate=fields.Length(1, MOST_VALUES))
    any = fields.List(fields.Nested("ConditionSchema"), validate=fields.Length(1, MOST_VALUES))
    not_ = fields.Nested("ConditionSchema", data_key="not")

    @validates_schema(pass_original=True, skip_on_field_errors=True)
    def _check(self, _data: Any, original: Mapping[str, Any], **_: Any) -> None:
        if len(original.keys() & {*_KINDS}) != 1:
            raise Invalid("exactly-one", fields='"path", "all", "any" and "not"')
        if "path" not in original:
            if original.keys() & {"op", "value"}:
                raise Invalid("goes-with", fields='"op" and "value"', field='"path"')
            return
        op = original.get("op")
        if op is None:
            raise Invalid("comparison", ops=", ".join(COMPARISONS))
        fits, needed = _VALUES.get(op, (None, ""))
        if fits is None:
            if "value" in original:
                raise ValidationError({"value": [wrong("left-out", op=op)]})
        elif "value" not in original or not fits(original["value"]):
            raise ValidationError({"value": [wrong("needed", value=needed, op=op)]})


class PlanStepSchema(Schema):
    """What to do on a turn: an action, if the condition holds in your view, and the steps of the turn after it."""

    when = fields.Nested(ConditionSchema())
    action = fields.Dict(required=True)
    then = fields.List(fields.Nested("PlanStepSchema"))


class NewPlanSchema(Schema):
    """The plan of a seat, in place of the one that it has."""

    steps = fields.List(
        fields.Nested(PlanStepSchema()),
        load_default=list,
        metadata={"description": "The alternatives for your next turn; the first that fits is carried out."},
    )
    forced = Truth(load_default=False, metadata={"description": "Whether to play your only legal action for you."})


_FORM = NewPlanSchema()


def read_plan(ruleset: AnyRuleset, raw: bytes, body: Mapping[str, Any]) -> tuple[Sequence[PlanStep], bool]:
    """Read the steps and the switch of a plan; raise ``Malformed``."""
    if len(raw) > MOST_BYTES:
        said = message("fault.plan-too-large", most=Number(MOST_BYTES // 1024))
        raise Malformed([Fault("", "plan-too-large", said)])
    if _depth(body) > _DEEPEST:
        said = message("fault.plan-too-deep", turns=Number(MOST_TURNS), levels=Number(MOST_LEVELS))
        raise Malformed([Fault("", "plan-too-deep", said)])
    forced = load(_FORM, body)["forced"]
    steps: Sequence[PlanStep] = body.get("steps", ())
    listed = [*_listed(steps, "/steps", 1)]
    faults = [fault for at, step, turn in listed for fault in _faults(ruleset, step, at, turn)]
    if len(listed) > MOST_STEPS:
        faults.insert(0, Fault("/steps", "too-many-steps", message("fault.plan-steps", most=Number(MOST_STEPS))))
    if faults:
        raise Malformed(faults)
    return steps, forced


def _depth(value: Plain) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0)


def _listed(steps: Sequence[PlanStep], at: str, turn: int) -> Iterator[tuple[str, PlanStep, int]]:
    """List steps at all depths, each with its pointer and its turn, counted from 1."""
    for number, step in enumerate(steps):
        yield f"{at}/{number}", step, turn
        yield from _listed(step.get("then", ()), f"{at}/{number}/then", turn + 1)


def _faults(ruleset: AnyRuleset, step: PlanStep, at: str, turn: int) -> Iterator[Fault]:
    if turn > MOST_TURNS:
        yield Fault(at, "plan-too-deep", message("fault.plan-turns", turns=Number(MOST_TURNS)))
    if _levels(step.get("when", {})) > MOST_LEVELS:
        yield Fault(f"{at}/when", "plan-too-deep", message("fault.plan-levels", levels=Number(MOST_LEVELS)))
    try:
        action_of(ruleset, step["action"])
    except Malformed as error:
        yield from (Fault(f"{at}/action{each.pointer}", each.code, each.message) for each in error.faults)


def _levels(condition: Mapping[str, Any]) -> int:
    inner = [*condition.get("all", ()), *condition.get("any", ()), *([condition["not"]] if "not" in condition else ())]
    return 1 + max(map(_levels, inner), default=0)


blueprint = Blueprint("plans", __name__)

_NEW_PLAN = NewPlanSchema()


@blueprint.get("/v1/games/<game_id>/plan")
@Operation("play", {200: PlanResource}, "required", (AS_SEAT, IF_NONE_MATCH))
def show_plan(game_id: str) -> Response:
    """Your plan.

    Shows the part of your plan that was not carried out or dropped; without a plan, it has no steps. Only the holder of
    the seat can see it.
    """
    me, wanted = caller(), query()
    return hashed(_shown(*services().planning.show(game_id, me, wanted[AS_SEAT])))


@blueprint.put("/v1/games/<game_id>/plan")
@Operation(
    "play",
    {200: PlanResource},
    "required",
    (AS_SEAT, IF_MATCH_PLAN),
    problems=(409, 412),
    body=_NEW_PLAN,
    headers={200: ("ETag",)},
)
def put_plan(game_id: str) -> Response:
    """Plan your next turns.

    Replaces your plan. When your turn comes, or at once if it has come, the first step whose condition holds in your
    view and whose action is legal is carried out, and its `then` becomes the plan. If no step fits, the steps are
    dropped. Send `If-Match` with the ETag of the plan, so that another device's plan is not lost (412).
    """
    sent = write_to(game_id)
    steps, forced = read_plan(sent.game.ruleset, sent.raw, current().body)
    planning, player = services().planning, sent.caller.player
    made = planning.put(sent.game, sent.caller, sent.wanted[AS_SEAT], steps, forced, _check_match)
    if services().players.find(player) is None:
        planning.forget(player, [sent.game.id])  # the account has just been deleted
    return stamped(_shown(*made))


@blueprint.delete("/v1/games/<game_id>/plan")
@Operation("play", {204: None}, "required", (AS_SEAT, IF_MATCH_PLAN), problems=(412,))
def remove_plan(game_id: str) -> Response:
    """Remove your plan.

    No more turns are played for you. The request has no effect without a plan. With `If-Match`, only the plan that you
    know is removed (412).
    """
    sent = write_to(game_id)
    services().planning.remove(sent.game, sent.caller, sent.wanted[AS_SEAT], _check_match)
    return no_content()


def _shown(game: Game, seat: Seat, plan: Plan) -> Response:
    shown: PlanResource = {"game_id": game.id, "seat": seat, "steps": [*plan.steps], "forced": plan.forced}
    return answer(shown)


def _check_match(game: Game, seat: Seat, plan: Plan) -> None:
    if not is_matched(_shown(game, seat, plan)):
        raise PlanReplaced("plan-changed", refusal("plan-changed"))
