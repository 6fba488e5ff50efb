"""The page on data sets and OpenSpiel: its commands and its programs run as they stand."""

import shlex

from click.testing import CliRunner

from service.cli.main import main
from tests.support.documents import examples
from tests.workers.extras import needed

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
