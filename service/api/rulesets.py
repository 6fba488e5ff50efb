"""The games that this server hosts, with everything that a client needs to draw a form."""

from functools import cache
from importlib.resources import files
from typing import Any, TypedDict

from flask import Blueprint, Response

from domain import tutorials
from domain.game import proposals
from domain.registry import RULESETS
from domain.ruleset import AnyRuleset
from domain.serialization import Plain
from service.api.json_schema import action_schemas, standalone
from service.api.operation import Operation
from service.api.parameters import IF_NONE_MATCH, SCENE_LANG
from service.api.request import query
from service.api.response import hashed, page_of
from service.bots import BOTS
from service.errors import NotFound
from service.games.lessons import TutorialResource, tutorial_resource
from service.store.codec import dump

blueprint = Blueprint("rulesets", __name__)


class PlayerNumbers(TypedDict):
    """The possible numbers of players."""

    min: int
    max: int


class RulesetSummary(TypedDict):
    """A game that this server hosts; ``has_tutorial`` is whether there is one to learn it by."""

    id: str
    name: str
    summary: str
    rules_version: int
    players: PlayerNumbers
    has_tutorial: bool


class ChoiceResource(TypedDict):
    """The possible values of an option for a number of players.

    ``values`` lists all of them (null: too many to list, see ``note`` and the schema), and ``default`` is the value if
    the option is omitted. ``needs`` has, for a value (a number, true or false as JSON writes it), the values that other
    options must have, by option; ``note`` says why.
    """

    values: list[Any] | None
    default: Any
    needs: dict[str, dict[str, list[Any]]]
    note: str


class RulesetResource(TypedDict):
    """A ruleset in full. ``options`` and each of ``actions`` are JSON Schemas, ``proposals`` lists what the players can
    agree on, ``bots`` lists the bots that play it, and ``rules`` is a page of Markdown. ``choices`` lists the possible
    values of each option for each number of players; all others are rejected.
    """

    id: str
    name: str
    summary: str
    rules_version: int
    players: PlayerNumbers
    has_tutorial: bool
    options: dict[str, Any]
    choices: dict[str, dict[str, ChoiceResource]]
    actions: dict[str, dict[str, Any]]
    proposals: dict[str, str]
    bots: dict[str, str]
    rules: str


class RulesetList(TypedDict):
    """All games that this server hosts."""

    items: list[RulesetSummary]
    next_cursor: str | None


@blueprint.get("/v1/rulesets")
@Operation(
    "rulesets",
    "The games that can be played here",
    {200: RulesetList},
    (429,),
    parameters=(IF_NONE_MATCH,),
    description=(
        "Begin here to offer a choice of games. Each entry has the numbers of players; `GET "
        "/v1/rulesets/{ruleset_id}` has the rest."
    ),
)
def list_rulesets() -> Response:
    """List the rulesets."""
    query()
    return page_of([_summary(ruleset) for ruleset in RULESETS.values()], None)


@blueprint.get("/v1/rulesets/<ruleset_id>")
@Operation(
    "rulesets",
    "One game: players, options, actions",
    {200: RulesetResource},
    (429,),
    parameters=(IF_NONE_MATCH,),
    description=(
        "This is all that a client needs to draw a form for a new game: the options, the values that each "
        "number of players allows, and the bots. It also has a JSON Schema of each action, what the "
        "players can agree on, and the rules as Markdown."
    ),
)
def show_ruleset(ruleset_id: str) -> Response:
    """Show a ruleset."""
    query()
    return hashed(Response(_written(_found(ruleset_id).id), content_type="application/json"))


@blueprint.get("/v1/rulesets/<ruleset_id>/tutorial")
@Operation(
    "rulesets",
    "A game to learn by",
    {200: TutorialResource},
    (429,),
    parameters=(SCENE_LANG, IF_NONE_MATCH),
    description=(
        "A recorded game in which a learner makes the moves of one seat. Each step has the view and the scene of this "
        "seat, what happened since the step before, a comment, and the move to make. The view of a step is that of a "
        "game that does not exist on the server, so nothing can be posted to it. A ruleset without a tutorial is 404."
    ),
)
def show_tutorial(ruleset_id: str) -> Response:
    """Show the tutorial of a ruleset."""
    lang = query()[SCENE_LANG]
    ruleset = _found(ruleset_id)
    if not tutorials.has_tutorial(ruleset):
        raise NotFound("no-tutorial", f"{ruleset.name} has no tutorial")
    return hashed(Response(_lesson(ruleset_id, lang), content_type="application/json"))


def _found(ruleset_id: str) -> AnyRuleset:
    if ruleset_id not in RULESETS:
        raise NotFound("no-such-ruleset", f"there is no such ruleset; the rulesets are: {', '.join(RULESETS)}")
    return RULESETS[ruleset_id]


@cache
def _written(ruleset_id: str) -> bytes:
    return dump(_resource(RULESETS[ruleset_id]))


@cache
def _lesson(ruleset_id: str, lang: str) -> bytes:
    return dump(tutorial_resource(RULESETS[ruleset_id], lang))


def _summary(ruleset: AnyRuleset) -> RulesetSummary:
    return {
        "id": ruleset.id,
        "name": ruleset.name,
        "summary": ruleset.summary,
        "rules_version": ruleset.version,
        "players": {"min": ruleset.seats[0], "max": ruleset.seats[-1]},
        "has_tutorial": tutorials.has_tutorial(ruleset),
    }


def _resource(ruleset: AnyRuleset) -> RulesetResource:
    return {
        **_summary(ruleset),
        "options": standalone(ruleset.options.shape, closed=True),
        "choices": {str(seats): _choices(ruleset, seats) for seats in ruleset.seats},
        "actions": action_schemas(ruleset),
        "proposals": proposals.kinds(ruleset),
        "bots": {name: bot.summary for name, bot in BOTS.items() if bot.plays(ruleset.id)},
        "rules": (files(ruleset.package) / "rules.md").read_text(),
    }


def _choices(ruleset: AnyRuleset, seats: int) -> dict[str, ChoiceResource]:
    return {
        name: {
            "values": None if choice.values is None else [*choice.values],
            "default": choice.default,
            "needs": {
                _key(value): {other: [*values] for other, values in needed.items()}
                for value, needed in choice.needs.items()
            },
            "note": choice.note,
        }
        for name, choice in ruleset.options.choices(seats).items()
    }


def _key(value: Plain) -> str:
    """Write a value as a key: a text as it is, anything else as JSON writes it."""
    return value if isinstance(value, str) else dump(value).decode()
