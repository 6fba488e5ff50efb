"""The Python package as a stranger gets it: installed by its path, with its README and its types."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from plateau_client.version import VERSION

from tests.clients.conftest import DOCUMENT, PACKAGE, strictly_checked
from tests.support.server import ROOT, running_service

EXPECTED = [
    r"\{'reason': 'hands_played', ",
    r"0 did \['",
    r"1 .*\.$",
    r"version \d+ waits for \[0\]",
    r"active plt_\w+",
    r"gm_\w+ 20",
    r"\[11, 12, ",
    r"422 invalid-options /seats ",
    r"Pitch for two teams",
    r"\['first'\]$",
]
WRONG = [
    'ada.create({"ruleset": "plute", "seats": [{"player": "me"}], "options": {"hands": 8}})',
    'table.act({"type": "play", "cards": "SA"})',
]


@pytest.fixture(scope="module")
def readme(installed: Path) -> Path:
    """The program that the examples of the README are, beside the installed package."""
    program = installed / "readme.py"
    program.write_text(
        "\n".join(re.findall(r"^```python\n(.*?)^```", (PACKAGE / "README.md").read_text(), re.M | re.S))
    )
    return program


@pytest.mark.long
def test_the_readme_does_what_it_says(readme: Path, tmp_path: Path) -> None:
    with running_service(tmp_path, {"PLATEAU_WORKERS": "1"}) as service:
        program = readme.read_text().replace("http://127.0.0.1:8000", service.url)
        (tmp_path / "program.py").write_text(program)
        done = subprocess.run(
            [sys.executable, "program.py"], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(readme.parent)},
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for expected in EXPECTED:
        assert re.search(f"^{expected}", done.stdout, re.MULTILINE), (expected, done.stdout)


@pytest.mark.long
def test_mypy_accepts_the_readme_and_knows_the_types_of_each_game(readme: Path) -> None:
    (readme.parent / "wrong.py").write_text("\n".join([readme.read_text().rstrip(), *WRONG]))
    done = strictly_checked(readme.parent, "readme.py", "wrong.py")
    last = len(readme.read_text().splitlines()) + len(WRONG)
    assert {*re.findall(r"^(\S+?):\d+: error", done.stdout, re.M)} == {"wrong.py"}, done.stdout
    assert re.findall(r"^wrong.py:(\d+): error: Type of TypedDict is ambiguous", done.stdout, re.M) == [
        str(last - 1),
        str(last),
    ]


def test_the_package_has_the_version_of_the_interface_and_what_a_package_needs(installed: Path) -> None:
    assert yaml.load(DOCUMENT.read_text(), yaml.CSafeLoader)["info"]["version"] == VERSION
    (info,) = installed.glob("plateau_client-*.dist-info")
    metadata = (info / "METADATA").read_text()
    assert f"\nVersion: {VERSION}\n" in metadata
    assert "\nLicense-Expression: Apache-2.0\n" in metadata
    assert re.findall(r"^Requires-Dist: (\w+)", metadata, re.MULTILINE) == ["httpx"]
    assert (info / "licenses/LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    assert (installed / "plateau_client/py.typed").exists()
