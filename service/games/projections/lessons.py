"""Tutorials as clients receive them: what the learner sees at each step, the comment, and the move to make."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

from domain import tutorials
from domain.game.aggregate import Game
from domain.log.record import Record
from domain.ruleset import AnyRuleset
from domain.tutorials import Step
from service.accounts.players import Person
from service.accounts.profiles import PORTRAITS
from service.games.projections import representations
from service.games.projections.naming import nameplates
from service.games.projections.narrating import in_words, put_sentences, say_action
from service.games.projections.resources import ViewResource
from service.games.projections.scenes import SceneResource

_PLAYERS = tuple(map(Person, ("Alex", "Ben", "Chloé", "Daiki", "Emma", "Farid"), PORTRAITS))
"""Who sits at the table of a lesson, by seat."""


class LessonMove(TypedDict):
    """The move that the learner makes: the action, and what it does in words."""

    action: dict[str, Any]
    says: str


class LessonStep(TypedDict):
    """A position of the lesson, as the learner's seat sees it.

    ``happened`` says what was done since the step before. ``move`` is null at the end, where there is only something to
    read.
    """

    comment: str
    happened: list[str]
    view: ViewResource
    scene: SceneResource
    move: LessonMove | None


class TutorialResource(TypedDict):
    """A recorded game in which a learner makes the moves of one seat, with comments."""

    ruleset: str
    lang: str
    learner: int
    steps: list[LessonStep]


def tutorial_resource(ruleset: AnyRuleset, language: str) -> TutorialResource:
    """Show the tutorial of a ruleset, which must have one, in a language."""
    learner, comments = tutorials.learner(ruleset), tutorials.comments(ruleset, language)
    return {
        "ruleset": ruleset.id,
        "lang": language,
        "learner": learner,
        "steps": [_step(step, learner, comments, language) for step in tutorials.steps(ruleset)],
    }


def _step(step: Step, learner: int, comments: Mapping[str, str], language: str) -> LessonStep:
    game = step.game
    plates = nameplates(game, _people)
    action = None if step.move is None else dict(step.move)
    return {
        "comment": comments.get(step.comment, ""),
        "happened": _sentences(game, learner, step.happened, language),
        "view": in_words(representations.view(game, learner), game, plates, language),
        "scene": representations.scene(game, learner, language, plates.labels()),
        "move": None if action is None else {"action": action, "says": say_action(action, game, plates, language)},
    }


def _sentences(game: Game, learner: int, records: Sequence[Record], language: str) -> list[str]:
    events = representations.events(game, learner, [one for one in records if one.type in game.ruleset.events])
    put_sentences(events, game, _people, language)
    return [event["sentence"]["text"] for event in events]


def _people(players: Iterable[str]) -> dict[str, Person]:
    return {player: _PLAYERS[int(player) % len(_PLAYERS)] for player in players}
