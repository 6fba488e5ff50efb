"""The releases whose data this one must read, and how to install one of them beside this one.

No version has been tagged yet. What counts as a release is the state of the main branch at the end of each round of
work, for whoever ran the service then has data of that form. A new release gets a line here and a recording
(``make recordings``); a recording is never made anew, for it stands for data that exist.
"""

import configparser
import io
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.servers import ROOT


@dataclass(frozen=True, slots=True)
class Release:
    """A release: its name, the commit that it is built from, what was new in its data, and the latest form it reads."""

    name: str
    commit: str
    news: str
    form: int = 1

    def __str__(self) -> str:
        return self.name


RELEASES = [
    Release("2026-11-21", "b4c2d853", "the four games, clocks, bots; entries without a checksum"),
    Release("2026-11-22-a", "01b5793c", "checksums of entries, fair queue, limits"),
    Release("2026-11-22-b", "099c9c59", "names, invitations, rematches, cancelled games"),
    Release("2026-11-22-c", "b60ed287", "take-backs, forks, plans, notices, webhooks, mails, push messages"),
    Release("2026-11-22-d", "33fc09cd", "phrases, tutorials, the web client"),
    Release("2026-11-23-a", "6d9d5e18", "bot in events, the pace of bots, hints and analyses"),
    Release("2026-11-23-b", "ec81a167", "receipts, heads, acts of operators"),
    Release(
        "2026-11-23-c",
        "ba22f237",
        "secrets of deals, committed seeds, answers that expire, idle games that end",
        form=2,
    ),
]
"""Every release, the oldest first."""

PREVIOUS = RELEASES[-1]
"""The release before this one: what a rolling upgrade starts from."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A release that can be run: the folder of its packages, and the module and function of its command."""

    site: Path
    module: str
    function: str

    def command(self, *arguments: str) -> list[str]:
        """Return the command line of ``plateau`` with some arguments; run it in ``site``."""
        code = f"import sys; from {self.module} import {self.function} as main; sys.argv[0] = 'plateau'; main()"
        return [sys.executable, "-c", code, *arguments]


def install(source: Path, folder: Path) -> Installed:
    """Build the wheel of a source tree, and unpack it into a folder; what it depends on is that of this environment."""
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder / "wheel")]
    done = subprocess.run(build, cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"the wheel of {source} cannot be built:\n{done.stderr}"
    (wheel,) = (folder / "wheel").glob("*.whl")
    site = folder / "site"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
    (points,) = site.glob("*.dist-info/entry_points.txt")
    entries = configparser.ConfigParser()
    entries.read(points)
    module, _, function = entries["console_scripts"]["plateau"].partition(":")
    return Installed(site, module, function)


def install_release(release: Release, folder: Path) -> Installed:
    """Install a release from its commit; skip the test where the history does not have it, as in a source archive."""
    if not has(release):
        pytest.skip(f"the commit {release.commit} of release {release} is not in this copy of the repository")
    archive = subprocess.run(
        ["git", "archive", release.commit, "."], cwd=ROOT, capture_output=True, check=True
    ).stdout  # fmt: skip
    source = folder / "source"
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(source, filter="data")
    return install(source, folder)


def has(release: Release) -> bool:
    """Return whether the repository has the commit of a release."""
    asked = ["git", "cat-file", "-e", f"{release.commit}^{{commit}}"]
    return subprocess.run(asked, cwd=ROOT, capture_output=True, check=False).returncode == 0
