"""What the tests of clients share: one running service, and one generated package, made by the first that needs it."""

import fcntl
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.servers import ROOT, RunningService, running_service

DOCUMENT = ROOT / "api_spec/openapi.yaml"
GENERATOR = [sys.executable, "-m", "openapi_python_client", "generate", "--path", "openapi.json", "--config",
             "config.json", "--meta", "none", "--output-path", "made_client", "--fail-on-warning"]  # fmt: skip


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """The service as a process of its own."""
    with running_service(tmp_path_factory.mktemp("service")) as running:
        yield running


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the package that openapi-python-client writes; all test processes of a run share it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = shared / "generated-python"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            _generate(folder)
            (folder / "made").touch()
    return folder


def _generate(folder: Path) -> None:
    document = yaml.load(DOCUMENT.read_text(), yaml.CSafeLoader)
    (folder / "openapi.json").write_text(json.dumps(document))
    (config,) = re.findall(r'^\{"post_hooks.*$', (ROOT / "docs/api.md").read_text(), re.MULTILINE)
    (folder / "config.json").write_text(config)
    done = subprocess.run(GENERATOR, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stdout.lower()
