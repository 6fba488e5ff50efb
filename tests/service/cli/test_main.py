"""The command `plateau` loads what its command needs."""

import subprocess
import sys

import pytest
from click.testing import CliRunner

from service.cli import main
from tests.support.server import ROOT

HEAVY = ("domain.registry", "flask", "numba", "redis", "rich", "workers")


@pytest.mark.parametrize("line", [["log", "--help"], ["play", "--help"], ["--version"]])
def test_what_a_command_does_not_need_is_not_loaded(line: list[str]) -> None:
    look = f"import sys; from service.cli.main import main; main({line}, standalone_mode=False)"
    look += f"; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", look], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("\n[]\n")


def test_every_command_answers_to_its_name() -> None:
    shown = CliRunner().invoke(main.main, ["--help"]).output
    for name in main._PLACES:
        assert f"\n  {name} " in shown
        assert f"Usage: main {name} " in CliRunner().invoke(main.main, [name, "--help"]).output
