"""What all games share names none of them, so that a new game opens few files outside its own folders."""

import re
from collections.abc import Iterator
from pathlib import Path

from domain.registry import BUILT_IN

ROOT = Path(__file__).parents[1]
OWN = {ruleset.id for ruleset in BUILT_IN} | {ruleset.id.replace("-", "_") for ruleset in BUILT_IN}
LISTS = {
    "domain/registry.py",  # the list of the games
    "service/web/static/refine/known.js",  # generated
    "service/web/static/verify_bundle.mjs",  # a second implementation in one file, the deals of each game included
}
PRODUCT = "plateau"
NAMES = "|".join(ruleset.id.replace("-", "[-_ ]") for ruleset in BUILT_IN if ruleset.id != PRODUCT)
NAMED = re.compile(rf"\b(?:{NAMES})\b|\b(?:domain|bots|features|spelling|deals)\.{PRODUCT}\b", re.IGNORECASE)


def shared() -> Iterator[Path]:
    """Yield the sources outside the folders and files of a game."""
    for room in ("domain", "service", "workers"):
        for path in (ROOT / room).rglob("*"):
            own = {part.partition(".")[0] for part in path.relative_to(ROOT).parts}
            if path.suffix in (".py", ".js", ".mjs", ".html") and not own & OWN:
                yield path


def test_what_all_games_share_names_none_of_them() -> None:
    found = {path.relative_to(ROOT).as_posix() for path in shared() if NAMED.search(path.read_text("utf-8"))}
    assert found == LISTS
