"""The words of the terminal client.

Lines of the terminal break where a language allows, and stand below the beginning of the first.
"""

import re
from importlib.resources import files

import orjson
import pytest
from rich.console import Console

from service.cli.output import clean
from service.cli.play.screen import Paragraph
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
    assert Words("tlh")("seat", number=1) == "Player 1"


def test_what_acts_on_a_terminal_is_left_out_of_a_text() -> None:
    assert clean("A\x1b[2Jb\u202e\u2068c\u2069\N{NO-BREAK SPACE}: d\r\n") == "A[2Jbc : d "


def lines(text: str, mark: str = "", width: int = 20) -> list[str]:
    console = Console(width=width, color_system=None)
    with console.capture() as captured:
        console.print(Paragraph(text, mark=mark))
    return [line.rstrip() for line in captured.get().rstrip("\n").split("\n")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Move 2 pieces from a1 to a3", [" 4 Move 2 pieces", "   from a1 to a3"]),
        ("a" * 20, [" 4 " + "a" * 17, "   aaa"]),
        ("獲得はハイとオフ。", [" 4 獲得はハイとオ", "   フ。"]),
        ("獲得はハイ、ロージョーカー", [" 4 獲得はハイ、ロー", "   ジョーカー"]),
        ("Vous pouvez bien : oui", [" 4 Vous pouvez", "   bien : oui"]),
        (
            "T2\N{NO-BREAK SPACE}席4 T1\N{NO-BREAK SPACE}席5 T9\N{NO-BREAK SPACE}席6",
            [" 4 T2\xa0席4 T1\xa0席5", "   T9\xa0席6"],
        ),
        ("", [" 4"]),
    ],
)
def test_a_line_breaks_where_its_language_allows_and_continues_below_the_first(text: str, expected: list[str]) -> None:
    assert lines(text, " 4 ") == expected
