"""Pages, docstrings, help and errors avoid the words listed in ``plain_english.txt``."""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.support.server import ROOT

_EVERYWHERE, _, _FOR_USERS = Path(__file__).with_name("plain_english.txt").read_text().partition("\n# What users")
OF_USERS: Final = (
    "*.md",
    "docs/**/*.md",
    "bench/README.md",
    "examples/**/*.md",
    "domain/*/rules.md",
    "api_spec/clients/*/README.md",
    "api_spec/clients/python/plateau_client/*.py",
    "api_spec/clients/typescript/src/*.js",
    "service/api/**/*.py",
    "service/cli/**/*.py",
    "service/config/settings.py",
    "service/**/sentences.en.json",
)
ELSEWHERE: Final = (
    "domain/**/*.py",
    "domain/sentences/sentences.en.json",
    "service/**/*.py",
    "service/**/*.lua",
    "workers/**/*.py",
    "api_spec/*.py",
    "api_spec/scenarios/*.py",
)


def _words(*lists: str) -> re.Pattern[str]:
    lines = [line for text in lists for line in text.splitlines()[1:]]
    words = "|".join(re.escape(line.partition(" | ")[0]) for line in lines if not line.startswith("#"))
    return re.compile(rf"(?<![\w.-])({words})(?![\w-])", re.IGNORECASE)


def _files(*patterns: str) -> set[Path]:
    """Find the files, but for the page that quotes the rules."""
    return {path for each in patterns for path in ROOT.glob(each) if path.name != "rules-coverage.md"}


FILES: Final = dict.fromkeys(_files(*ELSEWHERE), _words(_EVERYWHERE)) | dict.fromkeys(
    _files(*OF_USERS), _words(_EVERYWHERE, _FOR_USERS)
)


def faults(text: str, words: re.Pattern[str]) -> list[str]:
    """List the avoided words of a text, each with its line."""
    return [f"{text.count(chr(10), 0, found.start()) + 1}: {found[0]}" for found in words.finditer(text)]


@pytest.mark.parametrize("folder", ["docs", "domain", "service", "workers", "api_spec", "examples", "bench", ""])
def test_texts_avoid_words_that_make_a_reader_stop(folder: str) -> None:
    paths = [path for path in FILES if folder == _folder(path)]
    assert paths
    found = [f"{path.relative_to(ROOT)}:{fault}" for path in paths for fault in faults(path.read_text(), FILES[path])]
    assert not found, "\n".join(["tests/docs/plain_english.txt has what to write instead", *sorted(found)])


def test_an_avoided_word_is_found_with_its_line() -> None:
    text = "A game.\nWhoever holds a seat acts.\nNobody watches the canewood, and news of beforehand."
    assert faults(text, _words(_EVERYWHERE)) == ["2: Whoever"]
    assert faults(text, _words(_EVERYWHERE, _FOR_USERS)) == ["2: Whoever", "3: Nobody"]


def _folder(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    return parts[0] if len(parts) > 1 else ""
