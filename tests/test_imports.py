"""Tests share helpers through modules of helpers, and reach the code through its public names.

What all games share names none of them, so that a new game opens few files outside its own folders.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from domain.registry import BUILT_IN
from tests.support.server import ROOT

CODE = ("domain", "service", "workers")
FILES = [path for path in sorted((ROOT / "tests").rglob("*.py")) if "node_modules" not in path.parts]


IMPORT = re.compile(r"^ *(?:import|from) .*?(?:\([^)]*\)|$)", re.MULTILINE)


@cache
def imports(path: Path) -> list[tuple[str, str]]:
    """List what a file imports: modules, and names from modules. Only lines that can be imports are parsed."""
    found: list[tuple[str, str]] = []
    for line in IMPORT.findall(path.read_text()):
        found += _named_in(line.strip())
    return found


def _named_in(line: str) -> Iterator[tuple[str, str]]:
    try:
        (node,) = ast.parse(line).body
    except (SyntaxError, ValueError):  # a line of a text
        return
    if isinstance(node, ast.Import):
        yield from ((alias.name, "") for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        yield from ((node.module or "", alias.name) for alias in node.names)


def test_no_file_imports_from_a_file_of_tests() -> None:
    commands = {ROOT / "tests/combinations.py"}  # it runs tests with the options that it chooses
    found = [
        f"{path.relative_to(ROOT)}: {module}.{name}"
        for path in FILES
        if path not in commands
        for module, name in imports(path)
        if module.startswith("tests.") and any(part.startswith("test_") for part in (*module.split("."), name))
    ]
    assert found == [], "what tests share is in tests/support, or in a helper module beside them"


def test_no_file_imports_a_private_name_of_the_code() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {module}.{name}"
        for path in FILES
        for module, name in imports(path)
        if module.partition(".")[0] in CODE and any(part.startswith("_") for part in (*module.split("."), name))
    ]
    assert found == [], "test through a public name"


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
