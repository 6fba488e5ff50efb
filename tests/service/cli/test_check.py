"""The command that checks a game written as text."""

import pytest
from click.testing import Result

from domain.laws.texts import seen
from domain.registry import RULESETS
from domain.texts import document
from tests.support.commands import plateau
from tests.support.random_games import played


def check(text: str | bytes, file: str = "-") -> Result:
    return plateau("check", file, given=text)


def whole(seats: int = 3) -> str:
    return document.write(seen(played("le-plateau", seats, 0)))


def test_a_game_that_is_right_is_told_hand_by_hand_with_its_result() -> None:
    done = check(whole())
    scores = played("le-plateau", 3, 0)[-1].game.outcome
    assert scores is not None
    lines = done.stdout.splitlines()
    assert (done.exit_code, done.stderr) == (0, "")
    assert [line.split(":")[0] for line in lines[:3]] == ["deal 1", "deal 2", "deal 3"]
    assert lines[3:] == [
        "Le Plateau, 3 seats: everything follows the rules.",
        "The deals match the secret and the seeds.",
        f"The game is over (hands_played): seat {scores.winners[0]} won; "
        f"scores by seat: {' '.join(map(str, scores.scores))}.",
    ]


def test_of_a_game_without_draws_nothing_is_said_of_deals() -> None:
    game = played("plateau", 2, 3)
    done = check(document.write(seen(game)))
    said, over = done.stdout.splitlines()[-2:]
    assert said == "Plateau, 2 seats: everything follows the rules."
    outcome = game[-1].game.outcome
    assert outcome is not None
    assert over == (
        f"The game is over ({outcome.reason}): seat {outcome.winners[0]} won; "
        f"scores by seat: {' '.join(map(str, outcome.scores))}."
    )
    assert "secret" not in done.stdout


def test_a_draw_is_won_by_nobody_alone() -> None:
    drawn = "notation: 1\nruleset: plateau 2\nseats: 2\nB: * a1 xx.rr\nW: * d4 xx.bb\nB: =?\nW: =\n"
    done = check(drawn)
    last = done.stdout.splitlines()[-1]
    assert last == "The game is over (agreement): there is no single winner; scores by seat: 0 0."


@pytest.mark.parametrize(
    ("words", "last"),
    [
        ("", "The game is not over; the next deal follows."),
        ("1. d0 0: {0} 1: {1} 2: {2} talon: {3} pass", "The game is not over; to act: seat 2."),
    ],
)
def test_a_game_may_continue(words: str, last: str) -> None:
    deal = next(event for event in seen(played("le-plateau", 3, 0)) if event["type"] == "hand_dealt")["data"]
    cards = [" ".join(part["cards"]) for part in (*deal["hands"], deal["talon"])]
    done = check("notation: 1\nruleset: le-plateau 1\nseats: 3\n" + words.format(*cards))
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, last)
    assert "seeds" not in done.stdout


def test_the_first_thing_that_is_wrong_is_shown_with_its_place(tmp_path) -> None:
    text = whole()
    line = next(line for line in text.splitlines() if line.startswith("2."))
    place = line.index("score") + len("score ")
    file = tmp_path / "game.txt"
    file.write_text(text.replace(line, line[:place] + "99 " + line[place:]))
    done = check("", str(file))
    assert done.exit_code == 1
    assert done.stdout.startswith("deal 1: ")
    said, excerpt, caret = done.stderr.splitlines()
    number = text.splitlines().index(line) + 1
    assert said.startswith(f"{file}:{number}:{place + 1}: by the rules it is ")
    assert said.endswith("not 99 (rule 8. Score)")
    assert excerpt[caret.index("^") :].startswith("99 ")
    assert excerpt.startswith("...")
    assert len(excerpt) < 110


def test_a_short_line_is_shown_whole_and_tabs_do_not_move_the_caret() -> None:
    done = check("notation: 1\r\n\truleset:\tchess 1\r\n")
    assert done.stderr.splitlines() == [
        f"<stdin>:2:11: there is no ruleset chess; the rulesets are: {' '.join(RULESETS)}",
        " ruleset: chess 1",
        "          ^",
    ]


def test_a_file_from_another_editor_is_read() -> None:
    assert check("\ufeff" + whole().replace("\n", "\r\n")).exit_code == 0


@pytest.mark.parametrize("content", [b"notation: 1\n; \xe9\n", b"notation: 1\n; \xff\xfe"])
def test_what_is_not_utf8_is_refused_at_its_place(content: bytes) -> None:
    done = check(content)
    assert (done.exit_code, done.stderr.splitlines()[0]) == (1, "<stdin>:2:3: this is not UTF-8 text")
