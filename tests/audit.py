"""Look for known vulnerabilities in the libraries that a lock file names: part of ``make check``.

    python -m tests.audit [--lock requirements-dev.lock] [--url https://api.osv.dev/v1/query] [--database all.zip]

pip-audit asks the OSV database. A known vulnerability makes this fail, and so does a database that answers with an
error. Without a network there is nothing to ask: that is said, and does not fail, so that one can work offline.

A machine without a network can audit with a copy of the database, which OSV publishes as one file:
https://osv-vulnerabilities.storage.googleapis.com/PyPI/all.zip
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parents[1]
OSV = "https://api.osv.dev/v1/query"
SECONDS = 10

_OUT_OF_REACH = re.compile(
    r"requests\.exceptions\.(?:ConnectionError|ProxyError|ConnectTimeout|ReadTimeout):"
    r"|^ERROR:pip_audit\._cli:Could not connect to ",
    re.MULTILINE,
)
_REFUSED = re.compile(r"requests\.exceptions\.HTTPError: (.*)")

_PIN = re.compile(r"^([a-z0-9-]+)==([^\s;]+)", re.MULTILINE)
_MARKER = re.compile(r"^(\S+==\S+) ;[^\\\n]*", re.MULTILINE)
"""Where a library is for some platforms only; all of them are audited everywhere."""


def audited(lock: Path, url: str) -> tuple[int, list[str]]:
    """Audit a lock file; return the exit code and the lines to print."""
    with tempfile.TemporaryDirectory() as folder:
        everywhere = Path(folder) / lock.name
        everywhere.write_text(_MARKER.sub(r"\1 ", lock.read_text()))
        ran = _pip_audit(everywhere, url)
    try:
        report: dict[str, Any] = json.loads(ran.stdout)
    except ValueError:
        if refused := _REFUSED.search(ran.stderr):
            return 2, [f"NOT AUDITED: {url} answered with an error: {refused[1]}"]
        if _OUT_OF_REACH.search(ran.stderr):
            return 0, [f"NOT AUDITED: {url} cannot be reached. Run 'make check' again with a network."]
        return 2, [f"pip-audit failed on {lock.name}:", ran.stderr.strip()]
    found = [line for library in report["dependencies"] for line in _told(library)]
    if found:
        return 1, [
            f"Known vulnerabilities in {lock.name}; raise the versions with 'make lock UPGRADE=--upgrade':",
            *found,
        ]
    if not report["dependencies"]:
        return 2, [f"{lock.name} names no library"]
    return 0, [f"No known vulnerability in the {len(report['dependencies'])} libraries of {lock.name}"]


def audited_offline(lock: Path, database: Path) -> tuple[int, list[str]]:
    """Audit a lock file with a copy of the database; return the exit code and the lines to print."""
    pins = dict(_PIN.findall(lock.read_text()))
    found, newest = [], ""
    with zipfile.ZipFile(database) as copy:
        for name in copy.namelist():
            entry = json.loads(copy.read(name))
            newest = max(newest, entry.get("modified", ""))
            if "withdrawn" not in entry:
                found += [(entry, each) for each in entry.get("affected", ()) if _concerns(each, pins)]
    if not pins or not newest:
        return 2, [f"{lock.name if newest else database.name} has nothing to audit"]
    if found:
        return 1, [
            f"Known vulnerabilities in {lock.name}; raise the versions with 'make lock UPGRADE=--upgrade':",
            *(
                f"  {each['package']['name']}: {entry['id']} {' '.join(entry.get('aliases', ()))}"
                for entry, each in found
            ),
        ]
    return 0, [f"No vulnerability known until {newest} in the {len(pins)} libraries of {lock.name}"]


def _concerns(affected: dict[str, Any], pins: dict[str, str]) -> bool:
    """Whether an entry of the database concerns a version that a lock file pins."""
    package = affected.get("package", {})
    name = re.sub(r"[-_.]+", "-", package.get("name", "")).lower()
    if package.get("ecosystem") != "PyPI" or name not in pins:
        return False
    return pins[name] in affected.get("versions", ()) or any(
        is_in_range(pins[name], each["events"]) for each in affected.get("ranges", ()) if each["type"] == "ECOSYSTEM"
    )


def is_in_range(version: str, events: list[dict[str, str]]) -> bool:
    """Whether a version is in a range; one that cannot be compared with a bound counts as within."""
    is_in = False
    try:
        bounds = sorted((Version(bound), kind) for event in events for kind, bound in event.items() if kind != "limit")
        at = Version(version)
    except InvalidVersion:
        return True
    for bound, kind in bounds:
        compared = (at > bound) - (at < bound)
        if kind == "introduced" and compared >= 0:
            is_in = True
        if (kind == "fixed" and compared >= 0) or (kind == "last_affected" and compared > 0):
            is_in = False
    return is_in


def _pip_audit(lock: Path, url: str) -> subprocess.CompletedProcess[str]:
    options = ["--disable-pip", "--require-hashes", "--format", "json", "--progress-spinner", "off"]
    service = ["--vulnerability-service", "osv", "--osv-url", url, "--timeout", str(SECONDS)]
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(lock), *options, *service]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _told(library: dict[str, Any]) -> list[str]:
    """Write a line for each vulnerability of a library; one that was skipped is a fault as well."""
    if "skip_reason" in library:
        return [f"  {library['name']}: not audited, {library['skip_reason']}"]
    return [
        f"  {library['name']} {library['version']}: {found['id']} {' '.join(found.get('aliases', []))}"
        f", mended in {', '.join(found['fix_versions']) or 'no version yet'}"
        for found in library["vulns"]
    ]


def main() -> None:
    """Audit, print, and exit with 1 if there is a vulnerability, 2 if the audit failed."""
    parser = argparse.ArgumentParser(description="Look for known vulnerabilities in a lock file.")
    parser.add_argument("--lock", type=Path, default=ROOT / "requirements-dev.lock", help="the lock file (%(default)s)")
    parser.add_argument("--url", default=OSV, help="where to ask (%(default)s)")
    parser.add_argument("--database", type=Path, help="a copy of the database, to audit without a network")
    wanted = parser.parse_args()
    code, lines = audited_offline(wanted.lock, wanted.database) if wanted.database else audited(wanted.lock, wanted.url)
    print("\n".join(lines), file=sys.stderr if code else sys.stdout)
    sys.exit(code)


if __name__ == "__main__":
    main()
