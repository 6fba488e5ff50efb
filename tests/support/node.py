"""Node.js and the tools of the TypeScript client, as ``make node`` installs them."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.support.server import ROOT

PACKAGE = ROOT / "api_spec/clients/typescript"
_TOOLS = PACKAGE / "node_modules"

STRICT = {
    "strict": True,
    "exactOptionalPropertyTypes": True,
    "noUncheckedIndexedAccess": True,
    "skipLibCheck": False,
    "module": "nodenext",
    "target": "es2022",
    "lib": ["es2022"],
    "types": ["node"],
    "typeRoots": [str(_TOOLS / "@types")],
    "outDir": "out",
}
"""How the tests compile, which is stricter than most people do."""


def needed() -> None:
    """Skip the tests if this machine has no Node.js, unless PLATEAU_NEEDS_NODE says that it must."""
    lacking = _lacking()
    if lacking and os.environ.get("PLATEAU_NEEDS_NODE") == "1":
        pytest.fail(lacking)
    if lacking:
        pytest.skip(lacking)


def _lacking() -> str | None:
    if not shutil.which("node"):
        return "Node.js is not installed"
    if int(run("node", "--version").strip().removeprefix("v").partition(".")[0]) < 20:
        return "the Node.js of this machine is older than version 20"
    return None if (_TOOLS / ".bin").is_dir() else "the tools of the TypeScript client are not installed: make node"


def tool(name: str, *arguments: str | Path, cwd: Path = PACKAGE) -> str:
    """Run a program that ``make node`` has installed, and return what it prints."""
    return run(_TOOLS / ".bin" / name, *arguments, cwd=cwd)


def run(*command: str | Path, cwd: Path = PACKAGE, env: Mapping[str, str] | None = None) -> str:
    """Run a program and return what it prints; fail, with what it printed, if it fails."""
    done = subprocess.run(
        command, cwd=cwd, env=os.environ | (env or {}), capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def begin(folder: Path) -> None:
    """Make a folder a package of ES modules."""
    (folder / "package.json").write_text(json.dumps({"type": "module", "private": True}))


def compile_strictly(folder: Path, files: Sequence[str]) -> None:
    """Compile files of a package into its folder ``out``."""
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": STRICT, "files": files}))
    tool("tsc", "--project", ".", cwd=folder)


def borrow(folder: Path, library: str) -> None:
    """Let the modules of a folder import a library that ``make node`` has installed."""
    (folder / "node_modules").mkdir(exist_ok=True)
    (folder / "node_modules" / library).symlink_to(_TOOLS / library)


def asset(path: str) -> str:
    """Return a file of a package that ``make node`` has installed."""
    return (_TOOLS / path).read_text()
