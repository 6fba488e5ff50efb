"""Pages, docstrings, help and errors avoid the words listed in ``plain_english.txt``."""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.support.server import ROOT

AVOIDED: Final = [
    line.split(" | ")
    for line in Path(__file__).with_name("plain_english.txt").read_text().splitlines()
    if not line.startswith("#")
]
FILES: Final = sorted(
    path
    for pattern in (
        "*.md",
        "docs/**/*.md",
        "domain/**/*.py",
        "domain/sentences/sentences.en.json",
        "service/**/*.py",
        "service/**/*.lua",
        "service/**/sentences.en.json",
        "workers/**/*.py",
        "api_spec/*.py",
        "api_spec/scenarios/*.py",
    )
    for path in ROOT.glob(pattern)
    if path.name != "rules-coverage.md"  # it quotes the rules
)
WORDS: Final = re.compile(
    r"(?<![\w-])(" + "|".join(re.escape(word) for word, _ in AVOIDED) + r")(?![\w-])", re.IGNORECASE
)


def faults(text: str) -> list[str]:
    """List the avoided words of a text, each with its line."""
    return [f"{text.count(chr(10), 0, found.start()) + 1}: {found[0]}" for found in WORDS.finditer(text)]


@pytest.mark.parametrize("folder", ["docs", "domain", "service", "workers", "api_spec", ""])
def test_texts_avoid_words_that_make_a_reader_stop(folder: str) -> None:
    paths = [path for path in FILES if folder == _folder(path)]
    assert paths
    found = [f"{path.relative_to(ROOT)}:{fault}" for path in paths for fault in faults(path.read_text())]
    assert not found, "\n".join(["tests/docs/plain_english.txt has what to write instead", *found])


def test_an_avoided_word_is_found_with_its_line() -> None:
    assert faults("A game.\nWhoever holds a seat acts.") == ["2: Whoever"]


def test_a_word_that_only_contains_an_avoided_one_is_allowed() -> None:
    assert not faults("the canewood, and news of beforehand")


def _folder(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    return parts[0] if len(parts) > 1 else ""
