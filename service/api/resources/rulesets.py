"""The games that this server hosts, with everything that a client needs to draw a form."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, TypedDict

import orjson
from flask import Blueprint, Response

from domain import tutorials
from domain.game import proposals
from domain.registry import RULESETS
from domain.ruleset import AnyRuleset
from domain.sentences.message import Text
from domain.texts import form
from service.api.http.endpoint import Operation
from service.api.http.parameters import IF_NONE_MATCH, SCENE_LANG
from service.api.http.request import query
from service.api.http.response import hashed, page_of
from service.api.json_schema import action_schemas, standalone
from service.api.resources.bots import BotResource, bot_resource
from service.bots import BOTS
from service.common.errors import NotFound, refusal
from service.games.projections.lessons import TutorialResource, tutorial_resource

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
    options must have, by option, and ``comes_with`` the options that must be given with it and have too many values to
    list; ``note`` says why, in the requested language.
    """

    values: list[Any] | None
    default: Any
    needs: dict[str, dict[str, list[Any]]]
    comes_with: dict[str, list[str]]
    note: str


class FieldWordsResource(TypedDict):
    """An option, or a field of actions, in words: its name, and its values as JSON writes them, texts without quotes.

    Values without an entry, such as numbers, are shown as they are, or represent things of the scene.
    """

    name: str
    values: dict[str, str]


class CribEntryResource(TypedDict):
    """What a player can look up during a game: a title, a text, beginnings of words that lead to it, and ``things``, a
    regular expression that matches the whole codes of the things of a scene that it concerns ("" for none).
    """

    term: str
    says: str
    words: list[str]
    things: str


class RulesetResource(TypedDict):
    """A ruleset in full. ``options`` and each of ``actions`` are JSON Schemas, ``proposals`` says what the players can
    agree on, ``has_resignation`` whether a seat can resign, ``bots`` lists the bots that play it, and ``rules`` is a
    page of Markdown. ``choices`` lists the possible values of each option for each number of players; all others are
    rejected. ``words`` has the name of each option and of its values in the requested language, for a form.
    ``action_words`` has the same for the kinds of actions, as the field ``type``, and for each of their fields by its
    path without places in lists: ``bid.team``, ``give.gifts.seat``. ``crib`` is the rules on one screen, in the
    requested language, for a look during a game.
    """

    id: str
    name: str
    summary: str
    rules_version: int
    players: PlayerNumbers
    has_tutorial: bool
    options: dict[str, Any]
    choices: dict[str, dict[str, ChoiceResource]]
    words: dict[str, FieldWordsResource]
    action_words: dict[str, FieldWordsResource]
    actions: dict[str, dict[str, Any]]
    proposals: dict[str, str]
    has_resignation: bool
    bots: list[BotResource]
    crib: list[CribEntryResource]
    rules: str


class RulesetList(TypedDict):
    """All games that this server hosts."""

    items: list[RulesetSummary]
    next_cursor: str | None


@blueprint.get("/v1/rulesets")
@Operation("rulesets", {200: RulesetList}, parameters=(SCENE_LANG, IF_NONE_MATCH))
def list_rulesets() -> Response:
    """The games that can be played here.

    Use it to offer a choice of games. Each entry has the numbers of players, and its name and summary in the requested
    language; `GET /v1/rulesets/{ruleset}` has the rest.
    """
    language = query()[SCENE_LANG]
    return page_of([_summary(ruleset, language) for ruleset in RULESETS.values()], None)


@blueprint.get("/v1/rulesets/<ruleset>")
@Operation("rulesets", {200: RulesetResource}, parameters=(SCENE_LANG, IF_NONE_MATCH))
def show_ruleset(ruleset: str) -> Response:
    """One game: players, options, actions.

    Has all that a client needs to draw a form for a new game: the options, the values that each number of players
    allows, both with names in the requested language, and the bots. It also has a JSON Schema of each action, what the
    players can agree on, and the rules as Markdown.
    """
    language = query()[SCENE_LANG]
    return hashed(Response(_written(_found(ruleset).id, language), content_type="application/json"))


@blueprint.get("/v1/rulesets/<ruleset>/tutorial")
@Operation("rulesets", {200: TutorialResource}, parameters=(SCENE_LANG, IF_NONE_MATCH))
def show_tutorial(ruleset: str) -> Response:
    """A tutorial game.

    A recorded game in which a learner makes the moves of one seat. Each step has the view and the scene of this seat,
    the events since the step before, a comment, and the move to make. The game of these views does not exist on the
    server, so actions cannot be posted to it. A ruleset without a tutorial is 404.
    """
    language = query()[SCENE_LANG]
    found = _found(ruleset)
    if not _has_tutorial(found):
        raise NotFound("no-tutorial", refusal("no-tutorial", game=Text(found.name)))
    return hashed(Response(_lesson(found.id, language), content_type="application/json"))


def _found(ruleset_id: str) -> AnyRuleset:
    if ruleset_id not in RULESETS:
        raise NotFound("no-such-ruleset", refusal("no-such-ruleset", rulesets=Text(", ".join(RULESETS))))
    return RULESETS[ruleset_id]


@cache
def _written(ruleset_id: str, language: str) -> bytes:
    return orjson.dumps(_resource(RULESETS[ruleset_id], language))


def _has_tutorial(ruleset: AnyRuleset) -> bool:
    """Return whether a ruleset has a tutorial that plays."""
    return tutorials.has_tutorial(ruleset) and tutorials.fault(ruleset) is None


@cache
def _lesson(ruleset_id: str, language: str) -> bytes:
    return orjson.dumps(tutorial_resource(RULESETS[ruleset_id], language))


def _summary(ruleset: AnyRuleset, language: str) -> RulesetSummary:
    return {
        "id": ruleset.id,
        "name": form.name(ruleset, language),
        "summary": form.summary(ruleset, language),
        "rules_version": ruleset.version,
        "players": {"min": ruleset.seats[0], "max": ruleset.seats[-1]},
        "has_tutorial": _has_tutorial(ruleset),
    }


def _resource(ruleset: AnyRuleset, language: str) -> RulesetResource:
    return {
        **_summary(ruleset, language),
        "options": standalone(ruleset.options.shape, closed=True),
        "choices": {str(seats): _choices(ruleset, seats, language) for seats in ruleset.seats},
        "words": _words(form.option_words(ruleset, language)),
        "action_words": _words(form.action_words(ruleset, language)),
        "actions": action_schemas(ruleset),
        "proposals": form.proposals(ruleset, proposals.kinds(ruleset), language),
        "has_resignation": ruleset.resigned is not None,
        "bots": [bot_resource(name, language) for name, bot in BOTS.items() if bot.plays(ruleset.id)],
        "crib": [
            {"term": each.term, "says": each.says, "words": [*each.words], "things": each.things}
            for each in form.crib(ruleset, language)
        ],
        "rules": (files(ruleset.package) / "rules.md").read_text(),
    }


def _words(said: Mapping[str, form.FieldWords]) -> dict[str, FieldWordsResource]:
    return {name: {"name": each.name, "values": {**each.values}} for name, each in said.items()}


def _choices(ruleset: AnyRuleset, seats: int, language: str) -> dict[str, ChoiceResource]:
    return {
        name: {
            "values": None if choice.values is None else [*choice.values],
            "default": choice.default,
            "needs": {
                form.key(value): {other: [*values] for other, values in needed.items()}
                for value, needed in choice.needs.items()
            },
            "comes_with": {form.key(value): [*others] for value, others in choice.comes_with.items()},
            "note": ruleset.options.note(choice, language),
        }
        for name, choice in ruleset.options.choices(seats).items()
    }
