"""The laws of tutorials fail on each fault that is planted in one, and name it."""

import json
import re
import shutil
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from domain.errors import IllegalAction
from domain.laws import LAWS, Case, tutorials
from domain.laws.play import Table
from domain.registry import RULESETS
from domain.tutorials import fault as tutorial_fault
from tests.domain.laws.facts import facts_of

PLUTE = RULESETS["plute"]
LAWS_OF_TUTORIALS = [law for law in LAWS if law in vars(tutorials).values()]


@pytest.fixture
def lesson(tmp_path, monkeypatch, request):
    """Make a ruleset whose tutorial is the one of Plute with a change in one of its files; None removes the file."""

    def make(file, change):
        package = "lesson_" + re.sub("[^a-z0-9]", "_", request.node.name)
        folder = tmp_path / package
        folder.mkdir()
        (folder / "__init__.py").write_text("")
        for path in Path(str(files(PLUTE.package))).glob("*.json"):
            shutil.copy(path, folder)
        content = json.loads((folder / file).read_text("utf-8"))
        (folder / file).unlink()
        if change(content) is not False:
            (folder / file).write_text(json.dumps(content), "utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        return replace(PLUTE, package=package)

    return make


def broken(ruleset):
    """Return what the laws of tutorials say, by the law, with the errors of the rules."""
    table, found = Table(ruleset, facts_of("plute"), 6), {}
    for law in LAWS_OF_TUTORIALS:
        try:
            Case(law, table).check()
        except (AssertionError, IllegalAction) as error:
            found[law.name] = str(error).partition("\n")[0]
    return found


def set_move(place, **changes):
    return lambda game: game["moves"][place][1].update(changes)


def set_step(place, **changes):
    return lambda game: game["steps"][place].update(changes)


MOVES = "each move of a tutorial is a legal action of the learner"
STEPS = "a tutorial continues from step to step to its end"
COMMENTS = "each step of a tutorial has a comment"


@pytest.mark.parametrize(
    ("file", "change", "law", "why"),
    [
        ("tutorial.json", set_move(0, points=12), MOVES, "the learner cannot do this: bid"),
        ("tutorial.json", set_move(1, type="bid", points=1), MOVES, "bid"),
        ("tutorial.json", lambda game: game.update(learner=1), MOVES, "the learner cannot do this: bid"),
        ("tutorial.json", set_step(1, after=7), MOVES, "the learner cannot do this: trump"),
        ("tutorial.json", lambda game: game["steps"].pop(), STEPS, "moves are left after the last step: ruff"),
        ("tutorial.json", set_step(2, after=6), STEPS, "a step stands at the moves of another"),
        ("tutorial.json", set_step(2, comment="knave"), COMMENTS, "en lacks comments: knave"),
        ("tutorial.en.json", lambda texts: texts.pop("jack"), COMMENTS, "en lacks comments: jack"),
        ("tutorial.fr.json", lambda texts: texts.pop("jack"), COMMENTS, "fr lacks comments: jack"),
        ("tutorial.ja.json", lambda texts: texts.update(jack=" "), COMMENTS, "a comment is empty: ja"),
        ("tutorial.en.json", lambda texts: texts.update(knave="?"), COMMENTS, "no step has these comments: en"),
        ("tutorial.en.json", lambda _: False, COMMENTS, "en lacks comments: bid, trump"),
    ],
)
def test_a_fault_in_a_tutorial_is_found_by_the_law_that_forbids_it(lesson, file, change, law, why):
    assert why in broken(lesson(file, change))[law]


@pytest.mark.parametrize("change", [lambda _: None, lambda _: False], ids=["as it is", "without French"])
def test_a_tutorial_keeps_its_laws_without_a_translation_too(lesson, change):
    assert broken(lesson("tutorial.fr.json", change)) == {}


@pytest.mark.parametrize(
    ("file", "change", "why"),
    [
        ("tutorial.json", set_move(0, points=12), "IllegalAction: "),
        ("tutorial.json", lambda game: game["moves"][0][1].pop("type"), "KeyError: 'type'"),
        ("tutorial.json", lambda game: game.pop("steps"), "KeyError: 'steps'"),
        ("tutorial.json", lambda game: game["steps"].clear(), "ValueError: "),
        ("tutorial.json", lambda game: game["steps"].pop(), "moves are left after the last step"),
        ("tutorial.json", lambda game: game.update(learner=9), "the learner has no seat"),
        ("tutorial.json", lambda game: game.update(ends_with="no_such_event"), "RuntimeError: "),
        ("tutorial.fr.json", lambda texts: texts.update(jack=" "), None),
        ("tutorial.fr.json", lambda _: False, None),
        ("tutorial.json", lambda _: False, None),
    ],
)
def test_a_tutorial_that_does_not_play_is_known_by_its_fault(lesson, file, change, why):
    fault = tutorial_fault(lesson(file, change))
    assert fault is None if why is None else why in fault
