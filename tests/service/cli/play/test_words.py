"""The words of the terminal client."""

import re
from importlib.resources import files

import orjson

from service.cli.output import clean
from service.cli.play.words import Words
from tests.support.server import ROOT

PATTERNS = orjson.loads(files("service.cli.play").joinpath("sentences.en.json").read_bytes())


def test_every_message_is_used() -> None:
    source = "".join(path.read_text() for path in (ROOT / "service/cli/play").glob("*.py"))
    used = {*re.findall(r'"([a-z_.]+)"', source)}
    commands = {f"command.{each}" for each in re.findall(r'^            "([a-z]+)": ', source, re.MULTILINE)}
    assert PATTERNS.keys() - used == commands


def test_a_number_has_its_form() -> None:
    assert [Words("en")("cards", count=number) for number in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert [Words("fr")("cards", count=number) for number in (0, 1, 2)] == ["0 carte", "1 carte", "2 cartes"]
    assert Words("tlh")("seat", number=1) == "Seat 1"


def test_what_acts_on_a_terminal_is_left_out_of_a_text() -> None:
    assert clean("A\x1b[2Jb\u202e\u2068c\u2069\N{NO-BREAK SPACE}: d\r\n") == "A[2Jbc : d "
