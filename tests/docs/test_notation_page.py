"""The page on games as text: its examples are right, its grammar matches written texts, its output is real."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from domain.laws.texts import fault_of, seen, written_again
from domain.notation.lexer import Lexer
from domain.texts import document
from service.cli.main import main
from tests.support.documents import examples
from tests.support.random_games import played
from tests.support.sampling import VARIANTS
from tests.support.server import ROOT

PAGE = "docs/notation.md"
CHANGES = re.findall(r"^\| `(.*?)` \| `(.*?)` \| `(\d+:\d+: .*)` \|$", (ROOT / PAGE).read_text(), re.MULTILINE)
FOUR = examples(PAGE, "notation 4", "text")


def words_of(text: str) -> list[str]:
    """List the words of a text."""
    lexer, found = Lexer(text.replace("?", "¿")), []
    while lexer.next.text:
        found.append(lexer.take().text.replace("¿", "?"))
    return found


@pytest.mark.parametrize("game", ["2", "4", "6", "tarot", "plute", "plateau"])
def test_an_example_is_right_and_says_all_that_would_be_written(game: str) -> None:
    text = examples(PAGE, f"notation {game}", "text")
    written = words_of(written_again(document.read(text)))
    first = "B:" if game == "plateau" else "1."
    wanted = written[written.index(first) :]
    said = words_of(text)
    start = said.index(first)
    assert said[start : start + len(wanted)] == wanted


def test_the_example_of_a_whole_game_is_verified_by_its_seeds() -> None:
    reading = document.read(examples(PAGE, "notation 2", "text"))
    assert reading.outcome is not None
    assert reading.header.draws is not None


def test_the_example_is_answered_as_shown() -> None:
    done = CliRunner().invoke(main, ["check", "-"], input=FOUR)
    assert (done.exit_code, done.stdout) == (0, examples(PAGE, "notation 4 answer", "text"))


def test_the_example_for_a_viewer_is_refused_at_its_first_hidden_word() -> None:
    text = examples(PAGE, "notation hidden", "text")
    fault = fault_of(text)
    assert fault is not None
    place = text.splitlines()[fault.line - 1].index("?") + 1
    assert (fault.column, fault.message[:5]) == (place, "a ? s")


def test_a_fault_is_shown_as_on_the_page(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(FOUR.replace("#2 2:T14", "#2 3:T14"))
    done = CliRunner().invoke(main, ["check", str(file)])
    assert done.exit_code == 1
    assert done.stderr.replace(f"{tmp_path}/", "") == examples(PAGE, "notation terminal", "text")


def test_there_are_examples_of_what_is_wrong() -> None:
    assert len(CHANGES) > 10


@pytest.mark.parametrize(("old", "new", "answer"), CHANGES)
def test_a_change_of_the_example_is_answered_as_the_page_says(old: str, new: str, answer: str) -> None:
    assert FOUR.count(old) == 1
    assert str(fault_of(FOUR.replace(old, new))) == answer


# -- the grammar: it has no recursion, so that it makes one regular expression --------------------------------------

RULES = dict(re.findall(r"^(\w+)\s+::= (.*(?:\n {10}.*)*)", examples(PAGE, "notation grammar", "ebnf"), re.MULTILINE))
TERM = re.compile(
    r"""(?P<rule>\w+)|"(?P<text>[^"]+)"|'(?P<quote>[^']+)'|(?P<set>\[(?:\\.|[^\]])+\])|(?P<sign>[()|?*+.])|\s+"""
)


def pattern(rule: str) -> str:
    """Make the regular expression of a rule: words end in a blank, except in rules in capitals, whose signs touch."""
    is_word = rule.isupper()
    parts = []
    for term in TERM.finditer(RULES[rule]):
        name, text = term["rule"], term["text"] or term["quote"]
        if name is not None:
            parts.append(f"(?:{pattern(name)} )" if name.isupper() and not is_word else f"(?:{pattern(name)})")
        elif text is not None:
            parts.append(f"(?:{re.escape(text)}{'' if is_word else ' '})")
        else:
            parts.append(term["set"] or term["sign"] or "")
    return f"(?:{''.join(parts)})"


def test_every_rule_of_the_grammar_is_used_and_known() -> None:
    used = {name for rule in RULES.values() for name in re.findall(r"(?<![\[\"'\w])\b[A-Za-z]+\b(?![\"'\]\w])", rule)}
    assert {name for name in RULES if name != "text"} <= used
    re.compile(pattern("text"))


@pytest.mark.parametrize(
    ("ruleset_id", "seats", "variant"),
    [pytest.param(*table, marks=pytest.mark.long if number % 5 else ()) for number, table in enumerate(VARIANTS)],
)
def test_the_grammar_fits_whatever_is_written(ruleset_id: str, seats: int, variant: str) -> None:
    grammar = re.compile(pattern("text"))
    steps = played(ruleset_id, seats, 1, variant)
    for log in (seen(steps), seen(steps[:-5], 0, everything=False)):
        assert grammar.fullmatch("".join(f"{word} " for word in words_of(document.write(log))))


def test_the_grammar_fits_the_examples_and_not_just_anything() -> None:
    grammar = re.compile(pattern("text"))
    for name in ("notation 2", "notation 4", "notation 6", "notation hidden", "notation tarot", "notation plute"):
        words = words_of(examples(PAGE, name, "text"))
        assert grammar.fullmatch("".join(f"{word} " for word in words))
        for other in (words[1:], [*words, "RH="], [*words, "talon:"], [*words, "lay"], [*words, "y.x"], [*words, "RT"]):
            assert not grammar.fullmatch("".join(f"{word} " for word in other))
