"""The page of the laboratory keeps its promises: its examples run, its tables are as the code says.

The page on data sets and OpenSpiel: its commands and its programs run as they stand.
"""

import re
import shlex

import pytest
from click.testing import CliRunner

from domain.registry import BUILT_IN
from service.cli.main import main
from tests.docs import research_tables
from tests.support.documents import examples
from tests.workers.extras import needed
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


PAGE = "docs/research-openspiel.md"


def test_the_commands_write_their_files(tmp_path, monkeypatch):
    needed("pyarrow")
    monkeypatch.chdir(tmp_path)
    for line in examples(PAGE, "generate").splitlines():
        plateau, *arguments = shlex.split(line)
        done = CliRunner().invoke(main, [*arguments, "--processes", "1"], catch_exceptions=False)
        assert (plateau, done.exit_code) == ("plateau", 0), done.output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["le-plateau.parquet", "plute.jsonl", "tarot.jsonl.gz"]


def test_the_programs_run(capsys):
    needed("pyspiel")
    exec(compile(examples(PAGE, "openspiel", "python"), PAGE, "exec"), {})
    actions, scores = capsys.readouterr().out.splitlines()
    assert "bid 4" in actions
    assert scores.startswith("[")
