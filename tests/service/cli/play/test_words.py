"""The words of the terminal client: every message in every language, with the same parameters."""

import re
from importlib.resources import files
from string import Formatter

import orjson
import pytest

from domain.sentences.catalogue import languages
from service.cli.output import clean
from service.cli.play.words import Words
from tests.support.server import ROOT

PATTERNS = {
    language: orjson.loads(files("service.cli.play").joinpath(f"words.{language}.json").read_bytes())
    for language in languages()
}


def parameters(pattern: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(pattern) if name}


@pytest.mark.parametrize("language", languages())
def test_every_message_has_the_same_parameters_in_every_language(language: str) -> None:
    original, words = PATTERNS["en"], PATTERNS[language]
    assert {each.removesuffix(".one") for each in words} == {each.removesuffix(".one") for each in original}
    for each, pattern in words.items():
        wanted = parameters(original[each.removesuffix(".one")])
        assert parameters(pattern) == wanted or each.endswith(".one"), each
        assert parameters(pattern) <= wanted, each


def test_every_message_is_used() -> None:
    source = "".join(path.read_text() for path in (ROOT / "service/cli/play").glob("*.py"))
    used = {*re.findall(r'"([a-z_.]+)"', source)}
    commands = {f"command.{each}" for each in re.findall(r'^            "([a-z]+)": ', source, re.MULTILINE)}
    assert {each.removesuffix(".one") for each in PATTERNS["en"]} - used == commands


def test_a_number_has_its_form() -> None:
    assert [Words("en")("cards", count=number) for number in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert [Words("fr")("cards", count=number) for number in (0, 1, 2)] == ["0 carte", "1 carte", "2 cartes"]
    assert Words("tlh")("seat", number=1) == "Seat 1"


def test_what_acts_on_a_terminal_is_left_out_of_a_text() -> None:
    assert clean("A\x1b[2Jb\u202e\u2068c\u2069\N{NO-BREAK SPACE}: d\r\n") == "A[2Jbc : d "
