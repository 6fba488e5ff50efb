"""Every rule has a test: the tables of docs/rules-coverage.md say which, and are held against rules and tests."""

import pytest

from domain.registry import RULESETS
from tests.docs.rules_tables import Rule, faults, rules_of, sections
from tests.servers import ROOT

TABLES = sections((ROOT / "docs/rules-coverage.md").read_text())


def page_of(ruleset_id: str) -> str:
    return (ROOT / "domain" / ruleset_id.replace("-", "_") / "rules.md").read_text()


@pytest.mark.parametrize("ruleset_id", TABLES)
def test_every_rule_has_a_row_every_row_quotes_a_rule_and_every_test_exists(ruleset_id: str) -> None:
    assert faults(ruleset_id, page_of(ruleset_id), TABLES[ruleset_id]) == []


def test_every_table_is_of_a_ruleset() -> None:
    assert TABLES.keys() >= {"le-plateau", "plateau"}
    assert TABLES.keys() <= RULESETS.keys()


@pytest.mark.parametrize("ruleset_id", TABLES)
def test_the_rules_of_a_page_are_found(ruleset_id: str) -> None:
    page, rules = page_of(ruleset_id), rules_of(page_of(ruleset_id))
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
TABLE = """
| section | rule | tests |
|---|---|---|
| 1 | “A card is led”, “Any other may”, “ties share”, “nobody waits” | `test_play.py::test_any_card_can_be_led` |
| 1 | “first wins”, “Always”, “second loses”, “2 / 12”, “full / 8”, “rim A B” | `domain/test_tricks.py::{test}` |
| Options | “`hands`: any” | `test_options.py::test_the_defaults` |
""".replace("{test}", "test_suit_then_trump_then_anything")


def test_a_page_is_taken_apart_into_sentences_decisions_items_and_rows() -> None:
    assert rules_of(PAGE) == [*(Rule("1", text) for text in RULES), Rule("Options", "`hands`: any number")]


def test_a_true_table_has_no_faults() -> None:
    assert faults("le-plateau", PAGE, TABLE) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("waits.", "waits. **Decision**: so.", "section 1 has no row for: **Decision**: so."),
        ("| 2 | 12 |", "| 2 | 12 |\n| 4 | 9 |", "section 1 has no row for: 4 / 9"),
        ("loses\n", "loses\n3. the third\n", "section 1 has no row for: the third"),
        ("\n## Options", "\n## 2. Score\n\nOne point.\n\n## Options", "section 2 has no row for: One point."),
        ("| 2 | 12 |", "| 2 | 13 |", "section 1 has 0 rules with the words: 2 / 12"),
        ("Always.", "Always. As always. Always so.", "section 1 has 2 rules with the words: Always"),
    ],
)
def test_a_rule_that_is_new_or_other_than_the_table_says_is_found(old: str, new: str, fault: str) -> None:
    assert old in PAGE
    assert fault in faults("le-plateau", PAGE.replace(old, new), TABLE)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (", “nobody waits”", "", "section 1 has no row for: **Decision**: nobody waits."),
        ("| 1 | “first", "| Options | “first", "section 1 has no row for: the first wins."),
        ("“`hands`: any”", "hands", "a row of section Options quotes nothing"),
        ("`test_options.py::test_the_defaults`", "all", "no test is named for `hands`: any"),
        ("test_the_defaults", "the_defaults", "there is no test test_options.py::the_defaults"),
        ("test_options.py", "options.py", "there is no test options.py::test_the_defaults"),
        ("domain/test_tricks", "test_tricks", "there is no test test_tricks.py::test_suit_then_trump_then_anything"),
    ],
)
def test_a_table_that_misses_a_rule_or_names_what_is_not_there_is_found(old: str, new: str, fault: str) -> None:
    assert old in TABLE
    assert fault in faults("le-plateau", PAGE, TABLE.replace(old, new))
