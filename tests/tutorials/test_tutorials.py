"""The tutorials of the built-in rulesets, beside the laws of all tutorials: every language has a file, for example."""

import re
from importlib.resources import files

import pytest

from domain import tutorials
from domain.registry import BUILT_IN
from domain.sentences.catalogue import languages
from service.games.projections.lessons import tutorial_resource
from tests.tutorials.record import LESSONS, recorded, written

every_ruleset = pytest.mark.parametrize("ruleset", BUILT_IN, ids=lambda ruleset: ruleset.id)
every_language = pytest.mark.parametrize("language", languages())


@every_ruleset
def test_the_learner_ends_the_lesson_with_a_success(ruleset):
    *steps, end = tutorials.steps(ruleset)
    assert len(steps) >= 6
    learner = tutorials.learner(ruleset)
    if end.game.outcome is not None:
        assert learner in end.game.outcome.winners
    else:
        assert {record.type for record in end.happened} & {"bid_made_good", "hand_won"}


@every_ruleset
@every_language
def test_each_step_has_a_comment_in_each_language_and_there_is_no_other(ruleset, language):
    comments = tutorials.comments(ruleset, language)
    assert [step.comment for step in tutorials.steps(ruleset)] == [*comments]
    assert all(40 <= len(text) * (2.5 if language == "ja" else 1) <= 420 for text in comments.values())


@every_ruleset
def test_the_comments_are_translated(ruleset):
    comments = [tutorials.comments(ruleset, language) for language in languages()]
    for name in comments[0]:
        texts = [each[name] for each in comments]
        assert len({*texts}) == len(texts), name
    assert all(re.search("[ぁ-ん]", text) for text in comments[languages().index("ja")].values())


@every_ruleset
def test_french_comments_set_their_marks_apart_as_sentences_do(ruleset):
    comments = tutorials.comments(ruleset, "fr")
    assert not [name for name, text in comments.items() if re.search(r"(?<!\u00a0)[:;!?]|'", text)]


@every_ruleset
def test_the_recorded_game_is_what_the_script_writes(ruleset):
    stored = (files(ruleset.package) / "tutorial.json").read_text(encoding="utf-8")
    assert stored == written(recorded(ruleset.id)), "run python -m tests.tutorials.record"


def test_every_built_in_ruleset_has_a_tutorial():
    assert {*LESSONS} == {ruleset.id for ruleset in BUILT_IN}
    assert all(map(tutorials.has_tutorial, BUILT_IN))


@every_ruleset
@every_language
def test_a_client_gets_all_that_it_needs_to_show_a_step(ruleset, language):
    shown = tutorial_resource(ruleset, language)
    for step in shown["steps"]:
        version = step["view"]["version"]
        assert (step["scene"]["version"], step["view"]["viewer"]) == (version, {"seat": shown["learner"]})
        assert step["scene"]["lang"] == language
        assert (step["move"] is None) or "decision" in step["view"]
    versions = [step["view"]["version"] for step in shown["steps"]]
    assert versions == sorted({*versions})


def test_what_happened_is_said_by_name():
    first, second = tutorial_resource(BUILT_IN[0], "en")["steps"][:2]
    assert first["move"]["says"] == "Bid a bridge alone with exchange"
    assert "Ben passes." in second["happened"]
    assert not any("seat" in text.lower() for text in second["happened"])
