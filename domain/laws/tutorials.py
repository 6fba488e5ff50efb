"""A tutorial plays as it is written, and says something at each step."""

from domain import tutorials
from domain.laws.law import of_rulesets
from domain.laws.play import Table
from domain.sentences.catalogue import ORIGINAL, languages
from domain.serialization import to_plain
from domain.tutorials import has_tutorial, learner, steps


@of_rulesets(has_tutorial)
def each_move_of_a_tutorial_is_a_legal_action_of_the_learner(table: Table) -> None:
    """All other moves are legal, too: the recorded game cannot be played otherwise."""
    ruleset, seat = table.ruleset, learner(table.ruleset)
    names = {cls: name for name, cls in ruleset.actions.items()}
    for step in steps(ruleset):
        legal = ruleset.legal_actions(step.game.state, seat)
        listed = [{"type": names[type(action)], **to_plain(action)} for action in legal]
        assert step.move is None or step.move in listed, f"the learner cannot do this: {step.comment}, {step.move}"


@of_rulesets(has_tutorial)
def a_tutorial_continues_from_step_to_step_to_its_end(table: Table) -> None:
    """Every step but the last has a move, and none stands where the one before it did."""
    *before, last = steps(table.ruleset)
    assert before, "a tutorial has a step with a move"
    assert all(step.move is not None for step in before)
    assert last.move is None, f"moves are left after the last step: {last.comment}"
    versions = [step.game.version for step in (*before, last)]
    assert versions == sorted({*versions}), "a step stands at the moves of another"


@of_rulesets(has_tutorial)
def each_step_of_a_tutorial_has_a_comment(table: Table) -> None:
    """In the original language and in each other that has a file; no comment is left over."""
    for language in languages():
        comments = tutorials.own_comments(table.ruleset, language)
        if comments or language == ORIGINAL:
            missing = tutorials.lacking(table.ruleset, language)
            assert not missing, f"{language} lacks comments: {', '.join(missing)}"
        unused = comments.keys() - tutorials.step_names(table.ruleset)
        assert not unused, f"no step has these comments: {language}, {unused}"
        assert all(text.strip() for text in comments.values()), f"a comment is empty: {language}"
