"""What the tests of clients share: packages that the first test that needs them makes."""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import yaml

from api_spec.compare import latest
from tests.support.server import ROOT

DOCUMENT = ROOT / "api_spec/openapi.yaml"
PACKAGE = ROOT / "api_spec/clients/python"
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-index", "--no-deps",
       "--no-build-isolation"]  # fmt: skip
GENERATOR = [sys.executable, "-m", "openapi_python_client", "generate", "--path", "openapi.json", "--config",
             "config.json", "--meta", "none", "--output-path", "made_client", "--fail-on-warning"]  # fmt: skip


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of this run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def made_once(folder: Path, make: Callable[[Path], None]) -> Path:
    """Let the first process that comes here fill a folder, and the others wait for it."""
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            make(folder)
            (folder / "made").touch()
    return folder


def strictly_checked(folder: Path, *files: str) -> subprocess.CompletedProcess[str]:
    """Run mypy over files of a folder; its cache lasts as long as the environment does."""
    cache = Path(sys.prefix) / "mypy-clients" / files[0]
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "", "--cache-dir", str(cache), *files]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="session", params=[DOCUMENT, *([last] if (last := latest()) else [])], ids=lambda path: path.stem)
def generated(shared: Path, request: pytest.FixtureRequest) -> Path:
    """The folder of the package that openapi-python-client writes: for this version, and for the last release."""
    return made_once(shared / f"generated-python-{request.param.stem}", partial(_generate, request.param))


@pytest.fixture(scope="session")
def installed(shared: Path) -> Path:
    """The folder into which pip has installed plateau-client by its path."""
    return made_once(shared / "installed-python", _install)


def _install(folder: Path) -> None:
    source = shutil.copytree(PACKAGE, folder / "source")
    subprocess.run([*PIP, "--target", folder, source], check=True)


def _generate(document_path: Path, folder: Path) -> None:
    document = yaml.load(document_path.read_text(), yaml.CSafeLoader)
    (folder / "openapi.json").write_text(json.dumps(document))
    (config,) = re.findall(r'^\{"post_hooks.*$', (ROOT / "docs/api.md").read_text(), re.MULTILINE)
    (folder / "config.json").write_text(config)
    done = subprocess.run(GENERATOR, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stdout.lower()
