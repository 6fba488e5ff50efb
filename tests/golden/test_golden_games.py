"""Golden games: complete games kept as text, with a hash of every step. They must read, and fold, as they did then."""

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from domain.french_tarot import events as tarot
from domain.le_plateau import events as ev
from domain.notation import document
from domain.notation.lexer import NotationError
from domain.plateau.events import PiecesCaptured
from tests.domain.laws.facts import facts_of
from tests.golden.hashes import hash_lines
from tests.golden.wanted import all_wanted, ways_of

FOLDER = Path(__file__).parent
GAMES = sorted(FOLDER.glob("*/*.txt"))

every_game = pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.name}/{path.stem}")


def digest() -> str:
    """Give a digest of all golden games."""
    kept = sorted(FOLDER.glob("*/*.txt")) + sorted(FOLDER.glob("*/*.hashes"))
    return sha256(b"".join(path.name.encode() + path.read_bytes() for path in kept)).hexdigest()[:16]


@cache
def reading_of(path: Path) -> document.Reading:
    """Read a golden game, and so check it against the rules."""
    return document.read(path.read_text())


@every_game
def test_a_golden_game_reads_as_it_was_played_step_by_step(path):
    reading = reading_of(path)
    header = reading.header
    lines = list(hash_lines(header.ruleset, header.options, header.seats, reading.events))
    assert lines == path.with_suffix(".hashes").read_text().splitlines()


@every_game
def test_a_golden_game_shows_what_it_is_kept_for(path):
    reading = reading_of(path)
    happens = re.match(r"; (\S+)\n", path.read_text())[1]
    (want,) = (want for want in all_wanted() if (want.ruleset, want.name) == (path.parent.name, path.stem))
    chosen = reading.header.ruleset.options.complete(want.options, want.seats)
    assert (want.happens, chosen, want.seats) == (happens, reading.header.options, reading.header.seats)
    assert happens in ways_of(want.ruleset).shown(reading.events)


@pytest.mark.parametrize(
    "path", [path for path in GAMES if path.parent.name == "le-plateau"], ids=lambda path: path.stem
)
def test_points_are_conserved_in_a_golden_game_of_le_plateau(path):
    reading = reading_of(path)
    scored = [event for event in reading.events if isinstance(event, ev.HandScored)]
    assert tuple(map(sum, zip(*(event.scores for event in scored), strict=True))) == reading.outcome.scores
    for event in scored:
        if reading.header.options.scoring == "zero_sum":
            assert sum(event.scores) == 0
        else:
            assert min(event.scores) >= 0


@pytest.mark.parametrize("path", [path for path in GAMES if path.parent.name == "plateau"], ids=lambda path: path.stem)
def test_no_piece_is_lost_in_a_golden_game_of_plateau(path):
    reading = reading_of(path)
    state = reading.header.ruleset.setup(reading.header.options, reading.header.seats)
    for event in reading.events:
        state = reading.header.ruleset.evolve(state, event)
        assert len(list(facts_of("plateau").places_of_cards(state))) == 24


@pytest.mark.parametrize(
    "path", [path for path in GAMES if path.parent.name == "french-tarot"], ids=lambda path: path.stem
)
def test_what_some_win_the_others_lose_in_a_golden_game_of_french_tarot(path):
    reading = reading_of(path)
    assert sum(reading.outcome.scores) == 0
    for event in reading.events:
        if isinstance(event, tarot.DealScored):
            assert sum(event.scores) == 0
            assert sum(share.score for share in event.calculation.shares) == 0


def read_as_far_as_it_goes(lines):
    """Read lines up to the first that is refused; answer the events, and what is said of that line."""
    try:
        return document.read("\n".join(lines)).events, None
    except NotationError as fault:
        return document.read("\n".join(lines[: fault.line - 1])).events, (lines[fault.line - 1], fault.message)


@pytest.mark.parametrize(
    ("name", "turned_over", "refused"),
    [
        ("onboard-under-enemy", "onboard_under_enemy=no", (r".: [+]../0 ..", "the lowest piece is not yours")),
        ("refused-tender-keeps-turn", "refused_tender_keeps_turn=yes", (r".: .*", "is to act")),
    ],
)
def test_a_golden_game_of_a_switch_has_an_action_that_the_switch_turned_over_forbids(name, turned_over, refused):
    lines = (FOLDER / "plateau" / f"{name}.txt").read_text().splitlines()
    _, (line, message) = read_as_far_as_it_goes(with_option(lines, turned_over))
    assert re.fullmatch(refused[0], line)
    assert refused[1] in message


def test_the_golden_game_of_strength_that_is_not_merged_has_a_capture_that_takes_more_with_the_switch_turned_over():
    path = FOLDER / "plateau" / "merged-strength.txt"
    other, _ = read_as_far_as_it_goes(with_option(path.read_text().splitlines(), "merged_strength=yes"))
    one, two = next(pair for pair in zip(reading_of(path).events, other, strict=False) if pair[0] != pair[1])
    assert type(one) is type(two) is PiecesCaptured
    assert two.pieces[: len(one.pieces)] == one.pieces
    assert len(two.pieces) > len(one.pieces)


def with_option(lines, option):
    """Give a text with another value of one option."""
    name = option.partition("=")[0]
    (line,) = (line for line in lines if line.startswith("options:"))
    return [f"{re.sub(f' {name}=[a-z]+', '', each)} {option}" if each == line else each for each in lines]


def test_every_golden_game_that_is_wanted_is_kept_and_no_other():
    assert {(path.parent.name, path.stem) for path in GAMES} == {(want.ruleset, want.name) for want in all_wanted()}


def test_no_golden_game_changes_without_a_line_in_the_changelog():
    assert f"`{digest()}`" in (FOLDER.parents[1] / "CHANGELOG.md").read_text()
