"""Kernels run plain, and bots decide the same with compiled ones; what is not there is no error.

Bots are compiled beside their work, whatever happens on the way, and choose the same before and after.
"""

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import CodeType

import pytest
from click.testing import CliRunner

from service.cli.main import main
from tests.support.processes import PATIENCE
from tests.support.random_games import playing
from tests.support.server import wait_until
from tests.workers.bots.asking import asked
from tests.workers.extras import needs_numba
from workers.bots import compiled, greedy, searcher, warming
from workers.bots.compiled import fast, popcount, warm, words
from workers.bots.le_plateau import grid, kernel
from workers.bots.plute import kernel as plute
from workers.policy_process import PolicyProcess

LOADED_AND_RUN = """
import sys
from importlib import import_module
from pathlib import Path
from workers.bots import compiled
folder, *modules = sys.argv[1:]
for module in modules:  # as many kernels as here: what is kept is kept for all of them
    import_module(module)
from workers.bots.le_plateau import grid
assert compiled.warm(Path(folder))
twin = compiled.fast(grid.flood)
assert twin is not grid.flood
print(twin(1 << 27, grid.WHOLE) == grid.WHOLE, sum(twin.stats.cache_hits.values()))
"""


@pytest.fixture
def cooled():
    """Leave the process as it was found: running the plain source."""
    yield
    compiled.cool()


def test_without_being_warm_the_source_itself_runs():
    assert fast(grid.flood) is grid.flood
    assert words((3, 4)) == [3, 4]
    assert popcount(0b1011) == 3


def test_without_numba_nothing_is_compiled(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "numba", None)
    assert not warm(tmp_path)
    assert fast(grid.flood) is grid.flood


@needs_numba
def test_a_folder_is_for_the_constants_of_its_kernels_too(tmp_path, monkeypatch):
    before = warming.place_of(tmp_path)
    assert warming.place_of(tmp_path) == before
    monkeypatch.setattr(plute, "_GAME", (1, *plute._GAME[1:]))  # made from a table of the rules
    changed = warming.place_of(tmp_path)
    monkeypatch.setattr(kernel, "TRUMPS_ALL", kernel.TRUMPS_ALL >> 1)
    assert len({before, changed, warming.place_of(tmp_path)}) == 3


def test_kernels_take_from_elsewhere_only_what_their_folder_is_for():
    """Other kernels, numbers, and tuples of them, and no code within code, whose globals would be overlooked."""
    for module in warming.POLICIES:
        import_module(module)
    for function in compiled.signatures:
        code, known = function.__code__, function.__globals__
        called = {known[name] for name in code.co_names if callable(known.get(name))}
        assert called <= {popcount, *compiled.signatures}
        assert all(is_plain(value) for value in compiled.constants_of(function).values()), function
        assert not any(isinstance(value, CodeType) for value in code.co_consts)


def is_plain(value):
    """Return whether a value is a number, or made of numbers alone."""
    return isinstance(value, int) or (isinstance(value, tuple) and all(map(is_plain, value)))


def decided():
    """Return what greedy and a searcher think in every phase of a game at some tables of the card games."""
    tables = [("le-plateau", 2), ("le-plateau", 5), *(("french-tarot", seats) for seats in (3, 4, 5)), ("plute", 6)]
    thoughts = []
    for table in tables:
        phases = {}
        for step in playing(*table, 1):
            if step.game.pending:
                phases.setdefault(step.game.state.phase, []).append(step.game)
        for games in phases.values():
            game = games[len(games) // 2]
            question = asked(game, min(game.pending), 1, 120)
            thoughts += [greedy.think(question), searcher.think(question)]
    return thoughts


@needs_numba
@pytest.mark.long
@pytest.mark.parametrize("bounds", [False, True])
def test_compiled_bots_decide_the_same_bounds_checked_too(bounds, monkeypatch, cooled):
    thoughts = decided()
    monkeypatch.setattr(import_module("numba").config, "BOUNDSCHECK", int(bounds))
    assert warm(None)
    assert decided() == thoughts
    assert sum(thought.playouts > 0 for thought in thoughts) > 10


@needs_numba
@pytest.mark.long
def test_another_process_loads_what_was_compiled(tmp_path, cooled):
    assert warm(tmp_path)
    modules = sorted({function.__module__ for function in compiled.signatures})
    found = subprocess.run(
        [sys.executable, "-c", LOADED_AND_RUN, str(tmp_path), *modules], check=True, capture_output=True, text=True
    )
    assert found.stdout.split() == ["True", "1"]


@needs_numba
@pytest.mark.long
def test_a_folder_that_cannot_be_written_means_no_cache(tmp_path, cooled):
    (tmp_path / "kernels").write_text("in the way")
    assert warm(tmp_path)
    assert fast(grid.flood)(1 << 27, grid.WHOLE) == grid.WHOLE


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
