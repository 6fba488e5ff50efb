"""Packages of examples, installed and run as an operator does."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import httpx

from tests.support.processes import PATIENCE
from tests.support.server import ROOT, RunningService

DICE, HEARTS = ROOT / "examples/liars-dice", ROOT / "examples/hearts"
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-index", "--no-deps",
       "--no-build-isolation")  # fmt: skip


def install(folder: Path, sources: Path, change: Callable[[Path], None] = lambda _: None) -> str:
    """Install both packages in a folder, from copies that can be changed before; return the folder."""
    for package in (DICE, HEARTS):
        shutil.copytree(package, sources / package.name)
    change(sources)
    subprocess.run([*PIP, "--target", folder, sources / DICE.name, sources / HEARTS.name], check=True)
    return str(folder)


def run(command: Sequence[str], python_path: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environ = os.environ | {"PYTHONPATH": python_path}
    return subprocess.run(
        [sys.executable, *command], env=environ, cwd=folder, capture_output=True, text=True, timeout=240, check=False
    )


def player(service: RunningService) -> httpx.Client:
    token = httpx.post(f"{service.url}/v1/players", json={"name": "Ada"}).json()["token"]
    return httpx.Client(base_url=service.url, timeout=PATIENCE, headers={"Authorization": f"Bearer {token}"})


def imported(program: Path) -> set[str]:
    """Name the packages that a program imports, beside the standard library."""
    nodes = list(ast.walk(ast.parse(program.read_text())))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in names} - sys.stdlib_module_names
