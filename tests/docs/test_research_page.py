"""The page of the laboratory keeps its promises: its examples run, its tables are as the code says."""

import re

import pytest

from domain.registry import BUILT_IN
from tests.docs import research_tables
from tests.support.documents import examples
from workers.research.actions import numbering


def test_the_examples_run_as_pasted(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(examples("docs/research.md", "research", "python"), "docs/research.md", "exec"), {})
    assert re.fullmatch(r"\((-?\d+, ){4}-?\d+\)\n", capsys.readouterr().out)


def test_the_tables_of_tensors_are_as_the_code_says() -> None:
    assert research_tables.DOCUMENT.read_text() == research_tables.page(), "run python -m tests.docs.research_tables"


def test_the_numbers_of_actions_are_as_the_code_says() -> None:
    text = research_tables.DOCUMENT.read_text()
    for ruleset in BUILT_IN:
        assert f"\n| `{ruleset.id}` | {numbering(ruleset.id).size} | " in text
