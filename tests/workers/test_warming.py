"""Bots are compiled beside their work, whatever happens on the way, and choose the same before and after."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.cli.main import main
from tests.support.processes import PATIENCE
from tests.support.server import wait_until
from tests.workers.extras import needs_numba
from workers.bots import compiled, warming
from workers.policy_process import PolicyProcess

TELLS = "tests.workers.telling_policy:tells"
LONG = 10 * PATIENCE
"""Seconds: what compiles has a low priority."""
COMPILING = [sys.executable, "-m", "workers.bots.warming"]


@pytest.fixture
def process() -> Iterator[PolicyProcess]:
    process = PolicyProcess(PATIENCE)
    yield process
    process.stop()


def started(folder: Path) -> "subprocess.Popen[bytes]":
    """Start a process that compiles, and return it when it has begun."""
    compiling = subprocess.Popen([*COMPILING, str(folder)], stdin=subprocess.PIPE)
    wait_until(lambda: [*folder.glob("kernels/*/*")], "the folder to be made", LONG)
    return compiling


@needs_numba
def test_compiling_ends_with_the_process_that_asked_for_it(tmp_path: Path) -> None:
    with started(tmp_path) as compiling:
        assert compiling.stdin is not None
        compiling.stdin.close()
        assert compiling.wait(LONG) == 1
    assert not [*tmp_path.glob("kernels/*/complete")]


def test_where_nothing_can_be_compiled_or_kept_bots_play_on(process: PolicyProcess, tmp_path: Path) -> None:
    (tmp_path / "kernels").write_text("in the way")
    before = process.think(TELLS, {}, 3)
    process.compile_beside(tmp_path)
    assert process.think(TELLS, {}, 3) == before
    assert before.action["compiled"] is False


def test_warm_says_why_it_compiles_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kernels").write_text("in the way")
    if compiled.is_installed():
        refused = CliRunner().invoke(main, ["warm", "--data", str(tmp_path)])
        assert (refused.exit_code, str(tmp_path) in refused.stderr, "--data" in refused.stderr) == (3, True, True)
    monkeypatch.setitem(sys.modules, "numba", None)
    assert warming.place_of(tmp_path) is None
    missing = CliRunner().invoke(main, ["warm", "--data", str(tmp_path)])
    assert (missing.exit_code, "fast-bots" in missing.stderr) == (1, True)


@needs_numba
@pytest.mark.long
def test_a_process_compiles_beside_its_questions_and_the_next_one_loads(process: PolicyProcess, tmp_path: Path) -> None:
    """The first to compile is killed on the way; what it left does no harm."""
    with started(tmp_path) as killed:
        wait_until(lambda: [*tmp_path.glob("kernels/*/*/*.nbc")], "the first kernel to be compiled", LONG)
        killed.kill()
    before = process.think(TELLS, {}, 3)
    process.compile_beside(tmp_path)
    wait_until(lambda: [*tmp_path.glob("kernels/*/complete")], "all kernels to be compiled", LONG)
    wait_until(lambda: process.think(TELLS, {}, 3).action["compiled"], "compiled bots", LONG)
    assert process.think(TELLS, {}, 3).action == before.action | {"compiled": True}

    ran = CliRunner().invoke(main, ["warm", "--data", str(tmp_path)])
    assert ran.exit_code == 0
    assert ran.stdout.startswith("loaded")

    process.stop()  # the process that is started in its place is told to load, too
    wait_until(lambda: process.think(TELLS, {}, 3).action["compiled"], "compiled bots", LONG)
    assert process.think(TELLS, {}, 3).action == before.action | {"compiled": True}
