"""Every rule has a test: markers on the tests say which, and docs/rules-coverage.md shows them."""

import pytest

from domain.registry import RULESETS
from tests.docs.rules_coverage import (
    DOCUMENT,
    PAGES,
    Marker,
    Rule,
    all_markers,
    document,
    faults,
    markers_in,
    rules_of,
    sections,
    table,
)

MARKERS = all_markers()


@pytest.mark.parametrize("ruleset_id", PAGES)
def test_every_rule_has_a_test_and_every_marker_quotes_one_rule(ruleset_id: str) -> None:
    assert faults(PAGES[ruleset_id].read_text(), [each for each in MARKERS if each.ruleset == ruleset_id]) == []


def test_every_marker_is_of_a_ruleset_that_has_a_page() -> None:
    assert {marker.ruleset for marker in MARKERS} == PAGES.keys()
    assert PAGES.keys() <= RULESETS.keys()


def test_the_tables_are_up_to_date() -> None:
    assert DOCUMENT.read_text() == document(DOCUMENT.read_text()), "run make spec"


@pytest.mark.parametrize("ruleset_id", PAGES)
def test_the_rules_of_a_page_are_found(ruleset_id: str) -> None:
    page = PAGES[ruleset_id].read_text()
    rules = rules_of(page)
    numbers = [heading.partition(".")[0] for heading in sections(page) if heading[0].isdigit()]
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
    assert {rule.section for rule in rules} == {*numbers, "Options"}
    body = page.partition("\n## ")[2]
    assert sum("**Decision**" in rule.text for rule in rules) == body.count("**Decision**")


PAGE = """# A game

Not a rule. **Decision**: neither.

## 1. Play

A card is led. Any other may follow (in 2022. and later), e.g. a
low one; **Decision**: ties
share. **Decision**: nobody
waits.

1. the first wins. Always.
2. the second loses

| seats | cards |
|---|---|
| 2 | 12 |
| 3, full | | 8 |

```
rim   A B
```

## Options

- `hands`: any number

## The view

No rule at all.
"""
RULES = [
    *("A card is led.", "Any other may follow (in 2022. and later), e.g. a low one;", "**Decision**: ties share."),
    *("**Decision**: nobody waits.", "the first wins.", "Always.", "the second loses"),
    *("2 / 12", "3, full / 8", "rim A B"),
]
SOURCE = """
@pytest.mark.rule("game", "1", "A card is led", "Any other may", "ties share", "nobody waits")
@pytest.mark.rule("game", "Options", "`hands`: any")
def test_one(): ...

@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.rule("game", "1", "2 / 12", "first wins", "Always", "second loses", "full / 8", "rim A B")
def test_two(number): ...

@pytest.mark.rule("game", "1", "A card is led", "Any other may")
def test_three(): ...

@pytest.mark.rule("game", "1", "this is no test")
def helper(): ...
"""
TABLE = """\
| section | rules | tests |
|---|---|---|
| 1 | “A card is led”, “Any other may” | `test_a.py::test_one`, `test_a.py::test_three` |
| 1 | “ties share”, “nobody waits” | `test_a.py::test_one` |
| 1 | “first wins”, “Always”, “second loses”, “2 / 12”, “full / 8”, “rim A B” | `test_a.py::test_two` |
| Options | “`hands`: any” | `test_a.py::test_one` |
"""


def test_a_page_is_taken_apart_into_sentences_decisions_items_and_rows() -> None:
    assert rules_of(PAGE) == [*(Rule("1", text) for text in RULES), Rule("Options", "`hands`: any number")]


def test_markers_are_read_from_tests_alone() -> None:
    found = markers_in(SOURCE, "test_a.py")
    assert [marker.test.partition("::")[2] for marker in found] == ["test_one", "test_one", "test_two", "test_three"]
    assert found[1] == Marker("game", "Options", ("`hands`: any",), "test_a.py::test_one")


def test_true_markers_have_no_faults_and_make_a_table_in_the_order_of_the_page() -> None:
    markers = markers_in(SOURCE, "domain/game/test_a.py")
    assert faults(PAGE, markers) == []
    assert table("game", PAGE, markers) == TABLE


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("waits.", "waits. **Decision**: so.", "section 1 has no test for: **Decision**: so."),
        ("\n## Options", "\n## 2. Score\n\nOne point.\n\n## Options", "section 2 has no test for: One point."),
        ("| 2 | 12 |", "| 2 | 13 |", "test_a.py::test_two: section 1 has 0 rules with the words: 2 / 12"),
        (
            "Always.",
            "Always. As always. Always so.",
            "test_a.py::test_two: section 1 has 2 rules with the words: Always",
        ),
        (', "nobody waits"', "", "section 1 has no test for: **Decision**: nobody waits."),
        ('"1", "2 / 12"', '"Options", "2 / 12"', "section 1 has no test for: the first wins."),
        (', "`hands`: any"', "", "test_a.py::test_one quotes nothing of section Options"),
        ("def test_two", "def two", "section 1 has no test for: the second loses"),
    ],
)
def test_a_rule_or_a_marker_that_is_other_than_the_rest_says_is_found(old: str, new: str, fault: str) -> None:
    assert old in PAGE + SOURCE
    assert fault in faults(PAGE.replace(old, new), markers_in(SOURCE.replace(old, new), "test_a.py"))
