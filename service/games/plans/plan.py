"""Plans: a player's actions for their next turns, and which of them a plan carries out now.

A plan belongs to a player and a seat. It is not in the log, so no other player sees it. Its steps are alternatives for
the next turn; each contains the steps for the turn after it. So a plan acts only on turns that the player planned for.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, NotRequired, TypedDict

import orjson

from domain.errors import IllegalAction, WrongMoment
from domain.game import aggregate
from domain.game.aggregate import Game
from domain.log.record import Record
from domain.table import Seat
from service.common.errors import Malformed
from service.games.plans.conditions import holds
from service.games.projections import representations
from service.input.forms import action_of
from service.store.event_store import Carried

MOST_STEPS = 50
"""How many steps a plan can have, at all depths."""
MOST_TURNS = 20
"""How many turns ahead a plan can reach."""
MOST_BYTES = 8 * 1024
"""How long the JSON of a plan can be."""

_GONE_BACK = "taken_back"


class PlanStep(TypedDict):
    """What to do on a turn: an action, if the condition holds in your view, and the steps of the turn after it."""

    when: NotRequired[dict[str, Any]]
    action: dict[str, Any]
    then: NotRequired[list["PlanStep"]]


class PlanResource(TypedDict):
    """The plan of your seat: the steps for your next turn (the first that fits is carried out), and a switch.

    With ``forced``, your only legal action is played for you.
    """

    game_id: str
    seat: int
    steps: list[PlanStep]
    forced: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a ``player``, made or continued at the version ``since``.

    ``steps`` are the alternatives for the next turn, the first that fits first. With ``forced``, an only legal action
    is played.
    """

    player: str
    since: int
    steps: Sequence[PlanStep] = field(default=(), repr=False)
    forced: bool = False


@dataclass(frozen=True, slots=True)
class Chosen:
    """The action that a plan carries out now, and the plan after it."""

    action: Any
    rest: Plan


def carried(seat: Seat, known: bytes, rest: Plan, records: Sequence[Record]) -> Carried:
    """Return the change of a seat's plan by a move that these records write.

    ``known`` is the stored plan, and ``rest`` its remaining steps, continued at the last of the seat's own events. If a
    deal follows them at once, the rest is outdated.
    """
    own = (record.version for record in takewhile(lambda record: not _deals(record), records) if record.seat == seat)
    since = max(own, default=records[0].version)
    return Carried(seat, known, written(replace(rest, since=since)))


def written(plan: Plan) -> bytes:
    """Write a plan as it is stored; an empty plan is not stored."""
    return orjson.dumps(plan) if plan.steps or plan.forced else b""


def read(stored: bytes) -> Plan:
    return Plan(**orjson.loads(stored))


def is_of_holder(plan: Plan, game: Game, seat: Seat) -> bool:
    sitter = game.sitters[seat]
    return sitter is not None and sitter.player == plan.player


def are_outdated(seat: Seat, game: Game, since: Sequence[Record]) -> bool:
    """Return whether the steps of a plan can no longer apply, by the records since they were made.

    That is so once the seat acted in another way, once something hidden was dealt, as at the beginning of a hand, and
    once the players agreed to a take-back.
    """
    own = game.ruleset.events
    return any(each.type == _GONE_BACK or (each.type in own and (each.seat == seat or _deals(each))) for each in since)


def _deals(record: Record) -> bool:
    """Return whether a record has a hidden part that no seat chose."""
    return record.seat is None and bool(record.hidden)


def by_steps(plan: Plan, game: Game, seat: Seat) -> Chosen | None:
    """Return the action of the first step that fits; None if none fits."""
    view = (
        orjson.loads(orjson.dumps(representations.view(game, seat)))
        if any("when" in step for step in plan.steps)
        else None
    )
    for step in plan.steps:
        if "when" not in step or holds(step["when"], view):
            action = _legal(game, seat, step["action"])
            if action is not None:
                return Chosen(action, replace(plan, steps=step.get("then", ())))
    return None


def _legal(game: Game, seat: Seat, posted: Any) -> Any:
    """Return the action of a step if it is legal now; None if not, or if it names another decision."""
    try:
        action, decision = action_of(game.ruleset, posted)
        aggregate.decide(game, seat, action)
    except (IllegalAction, WrongMoment, Malformed):
        return None
    return action if decision in (None, game.decision_id(seat)) else None


def by_force(plan: Plan, game: Game, seat: Seat) -> Chosen | None:
    """Return the only legal action, if the plan plays it; None if there are several."""
    if not plan.forced:
        return None
    legal = game.ruleset.legal_actions(game.state, seat)
    return Chosen(legal[0], replace(plan, steps=())) if len(legal) == 1 else None
