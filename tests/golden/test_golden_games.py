"""Golden games: complete games kept as text, with a hash of every event. They must read as they did then.

A few games of each ruleset also keep a hash of all views after every event.
"""

import re
from functools import cache
from pathlib import Path

import pytest

from domain.french_tarot import events as tarot
from domain.laws.texts import written_again
from domain.le_plateau import events as ev
from domain.notation.lexer import NotationError
from domain.plateau.events import PiecesCaptured
from domain.texts import document
from tests.domain.laws.facts import facts_of
from tests.golden.hashes import files_of
from tests.golden.logs import FOLDER, GAMES, game_name


@cache
def reading_of(path: Path) -> document.Reading:
    """Read a golden game, and so check it against the rules."""
    return document.read(path.read_text())


def points_are_conserved_in_le_plateau(reading):
    scored = [event for event in reading.events if isinstance(event, ev.HandScored)]
    assert tuple(map(sum, zip(*(event.scores for event in scored), strict=True))) == reading.outcome.scores
    for event in scored:
        if reading.header.options.scoring == "zero_sum":
            assert sum(event.scores) == 0
        else:
            assert min(event.scores) >= 0


def no_piece_is_lost_in_plateau(reading):
    state = reading.header.ruleset.setup(reading.header.options, reading.header.seats)
    for event in reading.events:
        state = reading.header.ruleset.evolve(state, event)
        assert len(list(facts_of("plateau").places_of_cards(state))) == 24


def what_some_win_the_others_lose_in_french_tarot(reading):
    assert sum(reading.outcome.scores) == 0
    for event in reading.events:
        if isinstance(event, tarot.DealScored):
            assert sum(event.scores) == 0
            assert sum(share.score for share in event.calculation.shares) == 0


CONSERVED = {
    "le-plateau": points_are_conserved_in_le_plateau,
    "plateau": no_piece_is_lost_in_plateau,
    "french-tarot": what_some_win_the_others_lose_in_french_tarot,
    "plute": lambda reading: None,
}


def deals_in(text):
    """Return a text without its header and its result."""
    return text.partition("\n\n")[2].partition("result:")[0].rstrip()


@pytest.mark.parametrize("path", GAMES, ids=game_name)
def test_a_golden_game_reads_as_it_was_played(path):
    reading = reading_of(path)
    for file, lines in files_of(path, reading).items():
        assert file.read_text().splitlines() == lines
    CONSERVED[reading.header.ruleset.id](reading)
    if reading.header.ruleset.id != "plateau":  # in whose texts players offer draws
        assert written_again(reading).partition("\n\n")[2].rstrip() == deals_in(path.read_text())


def read_as_far_as_it_goes(lines):
    """Read lines up to the first that is rejected; return the events, and the message for that line."""
    try:
        return document.read("\n".join(lines)).events, None
    except NotationError as fault:
        return document.read("\n".join(lines[: fault.line - 1])).events, (lines[fault.line - 1], fault.message)


@pytest.mark.rule(
    "plateau",
    "Options",
    "`onboard_under_enemy` / `true`",
    "`pin` / `any`",
    "`merged_strength` / `false`",
    "`refused_tender_keeps_turn` / `true`",
)
@pytest.mark.parametrize(
    ("name", "turned_over", "refused"),
    [
        ("onboard-under-enemy", "onboard_under_enemy=no", (r".: [+]../0 ..", "the lowest piece is not yours")),
        ("pin", "pin=weapons", (r".: .*>.*:.*", "only a coloured face pins")),
        ("refused-tender-keeps-turn", "refused_tender_keeps_turn=yes", (r".: .*", "is to act")),
    ],
)
def test_a_golden_game_of_a_switch_has_an_action_that_the_switch_allows(name, turned_over, refused):
    lines = (FOLDER / "plateau" / f"{name}.txt").read_text().splitlines()
    _, (line, message) = read_as_far_as_it_goes(with_option(lines, turned_over))
    assert re.fullmatch(refused[0], line)
    assert refused[1] in message


def test_the_golden_game_of_merged_strength_has_a_capture_that_it_changes():
    path = FOLDER / "plateau" / "merged-strength.txt"
    other, _ = read_as_far_as_it_goes(with_option(path.read_text().splitlines(), "merged_strength=no"))
    one, two = next(pair for pair in zip(reading_of(path).events, other, strict=False) if pair[0] != pair[1])
    assert type(one) is type(two) is PiecesCaptured
    assert one.pieces[: len(two.pieces)] == two.pieces
    assert len(one.pieces) > len(two.pieces)


def with_option(lines, option):
    """Return a text with another value of one option."""
    name = option.partition("=")[0]
    (line,) = (line for line in lines if line.startswith("options:"))
    return [f"{re.sub(f' {name}=[a-z]+', '', each)} {option}" if each == line else each for each in lines]
