"""The components that depend on the ruleset: one for each ruleset, and unions of them, distinguished by ``ruleset``.

The names begin with the ruleset's prefix: ``PluteBidAction``, ``PluteHandDealtEvent``, ``PluteView``. A union of all
rulesets has the name without the prefix.
"""

from collections.abc import Mapping
from typing import Any

from domain import field_types as ft
from domain.deal_sets import events as deal_sets
from domain.events import EVENTS, GameCreated
from domain.registry import RULESETS, ruleset_prefix
from domain.ruleset import AnyRuleset
from domain.tournaments import events as tournaments
from service.api.json_schema import NONE, Schemas, as_posted, documented, enumeration, without_seat
from service.api.resources.me import MyGame
from service.api.type_names import camel
from service.deal_sets.resources import DailyResource, SetEventPage
from service.games.advice.resources import AdvisedAction, AnalysisResource, CostlyMove, HintResource
from service.games.projections.auditing import AuditResource
from service.games.projections.legal_schema import Schema
from service.games.projections.resources import (
    ActionAnswer,
    DryRun,
    EventPage,
    EventResource,
    GameAtVersion,
    GameInView,
    GameResource,
    LegalActions,
    ListedActions,
    ViewResource,
)
from service.tournaments.resources import TournamentEventPage, TournamentResource

_RESOURCES: Mapping[type, str] = {
    GameResource: "Game",
    GameAtVersion: "GameAtVersion",
    MyGame: "MyGame",
    DailyResource: "Daily",
    TournamentResource: "Tournament",
    ViewResource: "View",
    EventPage: "EventPage",
    AuditResource: "Audit",
    ActionAnswer: "ActionAnswer",
    LegalActions: "LegalActions",
    HintResource: "Hint",
    AnalysisResource: "Analysis",
}
_PARTS: Mapping[type, str] = {
    GameInView: "GameInView",
    ListedActions: "ListedActions",
    AdvisedAction: "AdvisedAction",
    CostlyMove: "CostlyMove",
}
_ACTION = "Action"
_RESULT = "ActionResult"


def add_rulesets(schemas: Schemas) -> None:
    for cls, name in _RESOURCES.items():
        schemas.reserve(cls, name)
    schemas.reserve(DryRun, _RESULT)
    schemas.reserve(SetEventPage, "SetEventPage")
    schemas.reserve(TournamentEventPage, "TournamentEventPage")
    schemas.add("NoData", {"type": "object", "description": "An event that only its type describes."})
    schemas.add(
        "TextByPointer",
        {"type": "object", "description": "Texts by JSON pointer.", "additionalProperties": {"type": "string"}},
    )
    shared = {
        name: _event(schemas, camel(name), name, cls, _data(schemas, camel(name), cls))
        for name, cls in EVENTS.items()
        if cls is not GameCreated
    }
    for ruleset in RULESETS.values():
        _add_ruleset(schemas, ruleset, shared)
    for cls, name in _RESOURCES.items():
        add_union(schemas, name, documented(cls))
    _add_any_action(schemas)
    _add_result(schemas)
    _add_log(schemas, "Set", "An event of a deal set.", deal_sets.EVENTS, SetEventPage)
    _add_log(schemas, "Tournament", "An event of a tournament.", tournaments.EVENTS, TournamentEventPage)


def _add_log(schemas: Schemas, name: str, about: str, events: Mapping[str, type], page: type) -> None:
    """Add the events of a log beside those of games; their options are those of any ruleset."""
    options: Schema = {"type": "object", "description": "The options of each game.", "additionalProperties": True}
    members = {
        each: _event(schemas, camel(each), each, cls, _data(schemas, camel(each), cls, {"options": options}))
        for each, cls in events.items()
    }
    event = schemas.add_union(f"{name}Event", about, "type", members)
    schemas.add(f"{name}EventPage", schemas.whole(page, given={"events": {"type": "array", "items": event}}))


def add_union(schemas: Schemas, name: str, description: str) -> None:
    members = {each: f"{ruleset_prefix(each)}{name}" for each in RULESETS}
    schemas.add_union(name, description, "ruleset", members)


def _add_any_action(schemas: Schemas) -> None:
    """Add the union of all actions; it lists actions, not unions, of which generators make one with a wrong key."""
    unions = [schemas.named[f"{ruleset_prefix(ruleset_id)}{_ACTION}"] for ruleset_id in RULESETS]
    actions = [action for union in unions for action in union["oneOf"]]
    schemas.add(_ACTION, {"anyOf": actions, "description": "An action of one of the rulesets."})


def _add_result(schemas: Schemas) -> None:
    """Add what a dry run and an action return: generators know one success, that of the least status, which is 200."""
    schemas.add("DryRun", schemas.whole(DryRun))
    answers = [schemas.to(f"{ruleset_prefix(ruleset_id)}ActionAnswer") for ruleset_id in RULESETS]
    about = "That the action would be accepted (`dry_run`), or what it caused."
    schemas.add(_RESULT, {"description": about, "anyOf": [schemas.to("DryRun"), *answers]})


def _add_ruleset(schemas: Schemas, ruleset: AnyRuleset, shared: Mapping[str, str]) -> None:
    prefix = ruleset_prefix(ruleset.id)
    action = _add_actions(schemas, ruleset, prefix)
    about = {"description": f"Options of {ruleset.name}. Those that are omitted have their defaults."}
    schemas.add(f"{prefix}OptionsInput", schemas.whole(ruleset.options.shape, closed=True) | about)
    options = schemas.add(f"{prefix}Options", _all_required(schemas, ruleset.options.shape))
    state = schemas.add(f"{prefix}State", schemas.whole(ruleset.view))
    named = enumeration((ruleset.id,))
    event = _add_events(schemas, ruleset, shared, {"options": options, "ruleset": named})
    given: Mapping[str, Schema] = {
        "ruleset": named,
        "options": options,
        "state": state,
        "game": schemas.to(f"{prefix}GameInView"),
        "legal_actions": schemas.to(f"{prefix}ListedActions"),
        "actions": {"type": "array", "items": action},
        "schema": schemas.to("LegalActionsForm"),
        "events": {"type": "array", "items": event},
        "weighed": {"type": "array", "items": schemas.to(f"{prefix}AdvisedAction")},
        "moves": {"type": "array", "items": schemas.to(f"{prefix}CostlyMove")},
        **dict.fromkeys(("action", "played", "best"), action),
    }
    for cls, name in (*_PARTS.items(), *_RESOURCES.items()):
        schemas.add(f"{prefix}{name}", _ruleset_first(schemas.whole(cls, given=given)))


def _add_actions(schemas: Schemas, ruleset: AnyRuleset, prefix: str) -> Schema:
    """Add the actions; they are closed in lists too, since a listed action can be posted as it is."""
    members = {}
    for name, cls in ruleset.actions.items():
        members[name] = f"{prefix}{camel(name)}Action"
        schemas.add(members[name], as_posted(schemas.whole(cls, closed=True), name))
    return schemas.add_union(f"{prefix}{_ACTION}", f"An action of {ruleset.name}.", "type", members)


def _add_events(
    schemas: Schemas, ruleset: AnyRuleset, shared: Mapping[str, str], of_creation: Mapping[str, Schema]
) -> Schema:
    prefix = ruleset_prefix(ruleset.id)
    members = dict(shared)
    own = {"game_created": GameCreated, **ruleset.events}
    for name, cls in own.items():
        data = _data(schemas, f"{prefix}{camel(name)}", cls, of_creation if cls is GameCreated else NONE)
        members[name] = _event(schemas, f"{prefix}{camel(name)}", name, cls, data)
    return schemas.add_union(f"{prefix}Event", f"An event of a game of {ruleset.name}.", "type", members)


def _data(schemas: Schemas, name: str, cls: type, given: Mapping[str, Schema] = NONE) -> Schema:
    """Add the data of an event; a viewer does not see every secret, so none is required."""
    schema = without_seat(schemas.whole(cls, given=given))
    return schemas.add(f"{name}Data", schema) if schema["properties"] else schemas.to("NoData")


def _event(schemas: Schemas, prefix: str, name: str, cls: type, data: Schema) -> str:
    acted = any(field.key == "seat" for field in ft.fields_of(cls))
    texts = schemas.to("TextByPointer")
    given = {"type": enumeration((name,)), "data": data, "sealed": texts, "salts": texts}
    schema = schemas.whole(EventResource, given=given)
    if acted:
        schema["properties"]["seat"] = {"type": "integer"}  # in other events it is null
    else:
        del schema["properties"]["bot"]
    component = f"{prefix}Event"
    schemas.add(component, schema | {"description": schemas.whole(cls)["description"]})
    return component


def _all_required(schemas: Schemas, cls: type) -> Schema:
    whole = schemas.whole(cls)
    properties = {name: _extensible(schemas, schema) for name, schema in whole["properties"].items()}
    required = [each.key for each in ft.fields_of(cls) if not each.omittable]
    return whole | {"properties": properties, "required": required}


def _extensible(schemas: Schemas, schema: Schema) -> Schema:
    """Let an option that a response shows have values that a later version adds."""
    nullable: bool = {"type": "null"} in schema.get("oneOf", ())
    part = schema["oneOf"][0] if nullable else schema
    values = schemas.named.get(part.get("$ref", "").rpartition("/")[2], part)
    if "enum" not in values:
        return schema
    about = {"description": schema["description"]} if "description" in schema else {}
    kind = [values["type"], "null"] if nullable else values["type"]
    return {"type": kind, "x-extensible-enum": values["enum"]} | about


def _ruleset_first(schema: Schema) -> Schema:
    """Put the property that distinguishes the rulesets first, because generated clients read them in order."""
    properties: dict[str, Any] = schema["properties"]
    first = {key: properties[key] for key in ("ruleset",) if key in properties}
    return schema | {"properties": first | properties}
