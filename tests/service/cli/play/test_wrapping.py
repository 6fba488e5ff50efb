"""Lines of the terminal break where a language allows, and stand below the beginning of the first."""

import pytest
from rich.console import Console

from service.cli.play.wrapping import Paragraph


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
def test_a_line_breaks_where_its_language_allows_and_goes_on_below_the_first(text: str, expected: list[str]) -> None:
    assert lines(text, " 4 ") == expected
