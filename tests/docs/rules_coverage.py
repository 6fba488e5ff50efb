"""Which test holds which rule: ``python -m tests.docs.rules_coverage`` writes the tables from the markers on the tests.

    @pytest.mark.rule("plute", "4", "words of a rule", "words of another")

names a ruleset, a section of its page, and the rules that the test holds, each by words that stand in no other rule of
that section. A rule is a sentence, a decision, an item of a list or a row of a table (its cells joined by " / ") in a
numbered section of the page, or in its options. Markers are read from the source, so their arguments are literals.
Laws take no markers: ``tests.domain.laws.rules`` lists the rules that they hold.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from tests.domain.laws.rules import RULES
from tests.support.server import ROOT

TESTS = ROOT / "tests"
DOCUMENT = ROOT / "docs/rules-coverage.md"
PAGES = {path.parent.name.replace("_", "-"): path for path in sorted(ROOT.glob("domain/*/rules.md"))}
"""The page of every ruleset, by its id."""


@dataclass(frozen=True)
class Rule:
    """A rule, on one line, and the section that it stands in."""

    section: str
    text: str


@dataclass(frozen=True)
class Marker:
    """The rules that a test or a law holds; a test is named by its file below tests/, a law by its file."""

    ruleset: str
    section: str
    quotes: tuple[str, ...]
    test: str


# -- the rules of a page ------------------------------------------------------------------------------------------


def sections(page: str) -> dict[str, str]:
    """Split a page at its headings of the second level."""
    parts = re.split(r"^## ", page, flags=re.MULTILINE)[1:]
    return {heading: text for heading, _, text in (part.partition("\n") for part in parts)}


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
        yield from (" / ".join(filter(None, _cells(line))) for line in lines[2:])
        return
    prose = "\n".join(line for line in lines if not line.startswith("```"))
    for item in re.split(r"^(?:- |\d+\. )", prose, flags=re.MULTILINE):
        yield from filter(None, _sentences(" ".join(item.split())))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _sentences(prose: str) -> list[str]:
    """Split prose after every full stop, and before every decision."""
    return re.split(r"(?<=[.!?]) (?![a-z])|(?<=[.!?]\)) (?![a-z])|(?<=.) (?=\*\*Decision\*\*)", prose)


# -- the markers on the tests -------------------------------------------------------------------------------------


def all_markers() -> list[Marker]:
    """List the markers of all tests, by file and line, and what the laws hold."""
    of_tests = [
        marker
        for path in sorted(TESTS.rglob("test_*.py"))
        for marker in markers_in(path.read_text(), str(path.relative_to(TESTS)))
    ]
    return of_tests + _of_laws()


def _of_laws() -> list[Marker]:
    return [
        Marker(ruleset, section, tuple(quotes), f"{law.check.__module__.replace('.', '/')}.py::{law.check.__name__}")
        for law, held in RULES.items()
        for ruleset, section, *quotes in held
    ]


def markers_in(source: str, file: str) -> list[Marker]:
    """List the markers of a file of tests."""
    if "mark.rule(" not in source:
        return []
    return [
        Marker(ruleset, section, tuple(quotes), f"{file}::{function.name}")
        for function in ast.parse(source).body
        if isinstance(function, ast.FunctionDef) and function.name.startswith("test_")
        for decorator in function.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule"
        for ruleset, section, *quotes in [map(ast.literal_eval, decorator.args)]
    ]


def faults(page: str, markers: Sequence[Marker]) -> list[str]:
    """List the faults of a ruleset's markers: rules without a test, and words that are not those of one rule."""
    rules = rules_of(page)
    held = {rule for marker in markers for quote in marker.quotes for rule in _quoted(rules, marker.section, quote)}
    return [
        *(f"section {rule.section} has no test for: {rule.text}" for rule in rules if rule not in held),
        *(fault for marker in markers for fault in _faults_of(marker, rules)),
    ]


def _quoted(rules: Sequence[Rule], section: str, quote: str) -> list[Rule]:
    return [rule for rule in rules if rule.section == section and quote in rule.text]


def _faults_of(marker: Marker, rules: Sequence[Rule]) -> Iterator[str]:
    if not marker.quotes:
        yield f"{marker.test} quotes nothing of section {marker.section}"
    for quote in marker.quotes:
        found = len(_quoted(rules, marker.section, quote))
        if found != 1:
            yield f"{marker.test}: section {marker.section} has {found} rules with the words: {quote}"


# -- the tables ---------------------------------------------------------------------------------------------------


def table(ruleset_id: str, page: str, markers: Sequence[Marker]) -> str:
    """Return the table of a ruleset: its rules in the order of the page, each with the tests that hold it.

    Quotes of one section that follow each other and have the same tests share a row.
    """
    rules = rules_of(page)
    tests: dict[tuple[str, str], list[str]] = {}
    for marker in markers:
        for quote in marker.quotes:
            tests.setdefault((marker.section, quote), []).append(_short(ruleset_id, marker.test))

    def place(named: tuple[str, str]) -> tuple[int, int]:
        section, quote = named
        (rule,) = _quoted(rules, section, quote)
        return rules.index(rule), rule.text.index(quote)

    rows = groupby(sorted(tests, key=place), key=lambda named: (named[0], tests[named]))
    lines = [
        f"| {section} | {', '.join(f'“{quote}”' for _, quote in named)} | {', '.join(f'`{test}`' for test in held)} |"
        for (section, held), named in rows
    ]
    return "\n".join(["| section | rules | tests |", "|---|---|---|", *lines, ""])


def _short(ruleset_id: str, test: str) -> str:
    """Name a test without the folder if it lies with the tests of the ruleset."""
    return test.removeprefix(f"domain/{ruleset_id.replace('-', '_')}/")


def document(old: str) -> str:
    """Return the document with its tables generated; the text around them stays."""
    markers = all_markers()
    for ruleset_id, page in PAGES.items():
        if f"## {ruleset_id}\n" not in old:
            old += f"\n## {ruleset_id}\n\n[The rules](../{page.relative_to(ROOT)}).\n\n| |\n"
        own = [marker for marker in markers if marker.ruleset == ruleset_id]
        head, _, rest = old.partition(f"## {ruleset_id}\n")
        before, _, after = rest.partition("\n|")
        kept = re.sub(r"\A[^\n]*\n(?:\|[^\n]*\n)*", "", after)
        old = f"{head}## {ruleset_id}\n{before}\n{table(ruleset_id, page.read_text(), own)}{kept}"
    return old


def main() -> None:
    """Write the document, or fail with what is wrong with the markers."""
    markers = all_markers()
    wrong = [
        f"{ruleset_id}: {fault}"
        for ruleset_id, page in PAGES.items()
        for fault in faults(page.read_text(), [marker for marker in markers if marker.ruleset == ruleset_id])
    ]
    if wrong:
        raise SystemExit("\n".join(wrong))
    DOCUMENT.write_text(document(DOCUMENT.read_text()))


if __name__ == "__main__":
    main()
