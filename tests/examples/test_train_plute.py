"""The worked example of the laboratory: it learns, it writes its weights, and it plays in the league with them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from examples import train_plute
from tests.support.server import ROOT


def run(folder: Path, *arguments: str) -> str:
    ran = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=300, check=False, cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.long
def test_it_learns_a_little_and_plays_in_the_league_with_what_it_has_learned(tmp_path: Path) -> None:
    program = ROOT / "examples/train_plute.py"
    assert run(tmp_path, str(program), "10", "2").endswith("10 hands\nthe weights are in plute.npy\n")
    assert np.array_equal(np.load(tmp_path / "plute.npy"), train_plute.train(10, 2))
    bots = "examples.train_plute:think,random"
    table = run(
        tmp_path,
        "-m",
        "bench.league",
        "--bots",
        bots,
        "--ruleset",
        "plute",
        "--option",
        "win_at=1",
        "--option",
        "lose_at=1",
        "--deals",
        "1",
        "--processes",
        "1",
    )
    assert re.search(r"\| examples.train_plute:think, version \d+ \| random, version \d+ \| 1 \| [\d.]+", table)


def test_it_is_short_and_needs_only_numpy_beside_this_project() -> None:
    text = (ROOT / "examples/train_plute.py").read_text()
    assert len(text.splitlines()) <= 100
    imported = {name.partition(".")[0] for name in re.findall(r"^(?:from|import) ([\w.]+)", text, re.MULTILINE)}
    assert imported - sys.stdlib_module_names == {"numpy", "domain", "workers"}
