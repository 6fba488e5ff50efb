"""The tables that map the rules of a ruleset's page to tests, and what is wrong with one.

A row names a section, quotes words that stand in it “so”, and names tests in backticks. A rule is a sentence, a
decision, an item of a list or a row of a table (its cells joined by " / ") in a numbered section of the page, or in its
options.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import getfile
from pathlib import Path

from domain.laws import LAWS
from tests.servers import ROOT

TESTS = ROOT / "tests"


@dataclass(frozen=True)
class Row:
    """A row of a table of tests."""

    section: str
    quotes: tuple[str, ...]
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Rule:
    """A rule, on one line, and the section that it stands in."""

    section: str
    text: str


def sections(page: str) -> dict[str, str]:
    """Split a page at its headings of the second level."""
    parts = re.split(r"^## ", page, flags=re.MULTILINE)[1:]
    return {heading: text for heading, _, text in (part.partition("\n") for part in parts)}


def cells(line: str) -> list[str]:
    """Split a line of a table."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows_of(table: str) -> list[Row]:
    """Read a table of tests."""
    lines = [cells(line) for line in table.splitlines() if line.startswith("|")][2:]
    return [
        Row(section, tuple(re.findall("“(.+?)”", rule)), tuple(re.findall("`(.+?)`", tests)))
        for section, rule, tests in lines
    ]


def rules_of(page: str) -> list[Rule]:
    """List the rules of a page."""
    return [
        Rule(section, text)
        for heading, body in sections(page).items()
        for section in [heading.partition(".")[0]]
        if section.isdigit() or section == "Options"
        for block in body.strip().split("\n\n")
        for text in _texts(block.splitlines())
    ]


def _texts(lines: Sequence[str]) -> Iterator[str]:
    """Take a block apart: a table into its rows, anything else into sentences."""
    if lines[0].startswith("|"):
        yield from (" / ".join(filter(None, cells(line))) for line in lines[2:])
        return
    prose = "\n".join(line for line in lines if not line.startswith("```"))
    for item in re.split(r"^(?:- |\d+\. )", prose, flags=re.MULTILINE):
        yield from filter(None, _sentences(" ".join(item.split())))


def _sentences(prose: str) -> list[str]:
    """Split prose after every full stop, and before every decision."""
    return re.split(r"(?<=[.!?]) (?![a-z])|(?<=[.!?]\)) (?![a-z])|(?<=.) (?=\*\*Decision\*\*)", prose)


def faults(ruleset_id: str, page: str, table: str) -> list[str]:
    """Say what is wrong with a table: a rule without a row, words that stand nowhere, a test that does not exist."""
    rules, rows = rules_of(page), rows_of(table)
    return [
        *(f"section {rule.section} has no row for: {rule.text}" for rule in rules if not _is_quoted(rule, rows)),
        *(fault for row in rows for fault in _faults_of_quotes(row, rules)),
        *(f"there is no test {test}" for row in rows for test in row.tests if not _exists(ruleset_id, test)),
        *(f"no test is named for {' '.join(row.quotes)}" for row in rows if not row.tests),
    ]


def _is_quoted(rule: Rule, rows: Sequence[Row]) -> bool:
    return any(row.section == rule.section and quote in rule.text for row in rows for quote in row.quotes)


def _faults_of_quotes(row: Row, rules: Sequence[Rule]) -> Iterator[str]:
    """Demand that a row quotes something, and that each quotation stands in just one rule of its section."""
    if not row.quotes:
        yield f"a row of section {row.section} quotes nothing"
    for quote in row.quotes:
        found = sum(rule.section == row.section and quote in rule.text for rule in rules)
        if found != 1:
            yield f"section {row.section} has {found} rules with the words: {quote}"


def _exists(ruleset_id: str, test: str) -> bool:
    """Say whether there is a test, in the ruleset's folder or in the one named with it; or a law."""
    path, _, name = test.partition("::")
    if path.startswith("domain/laws/") and not Path(path).name.startswith("test_"):
        return name in _laws_in(ROOT / path)
    folder = TESTS if "/" in path else TESTS / "domain" / ruleset_id.replace("-", "_")
    return name in _tests_in(folder / path)


@cache
def _laws_in(path: Path) -> frozenset[str]:
    """Name the laws of a file, which the suite checks for every ruleset."""
    return frozenset(law.check.__name__ for law in LAWS if path == Path(getfile(law.check)))


@cache
def _tests_in(path: Path) -> frozenset[str]:
    """Name the tests of a file, as pytest would collect them."""
    if not path.name.startswith("test_") or not path.exists():
        return frozenset()
    functions = [node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)]
    return frozenset(name for name in functions if name.startswith("test_"))
