"""Write a software bill of materials: ``python .ci/release/sbom.py [FILE]``, CycloneDX 1.6.

It names the file of a release with its hash, or without FILE the installation that it becomes a part of; and each
library with version, licence and the hashes that pip accepts: those of the lock, and what the web client has from
others. The time is that of the commit, so two runs are alike. The build of the image runs it, too, where there is
nothing but Python.
"""

import hashlib
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

ROOT = Path(__file__).parents[2]
VENDOR = ROOT / "service/web/static/vendor"
_PIN = re.compile(r"^([a-z0-9-]+)==([^\s;]+)(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)
_CLASSIFIERS = {
    "Apache Software License": "Apache-2.0",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
_READ = {
    "async-timeout": "Apache-2.0",
    "brotlicffi": "MIT",
    "itsdangerous": "BSD-3-Clause",
    "jinja2": "BSD-3-Clause",
    "lupa": "MIT",
    "prompt-toolkit": "BSD-3-Clause",
    "segno": "BSD-3-Clause",
    "uvloop": "MIT OR Apache-2.0",
}
"""Licences that were read in the files of a library, because its metadata do not name them exactly."""
ALLOWED = {
    *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0", "MPL-2.0", "PSF-2.0", "Unlicense"),
    *("Apache-2.0 AND BSD-2-Clause", "Apache-2.0 AND CNRI-Python", "MIT AND PSF-2.0"),
    *("Apache-2.0 OR BSD-2-Clause", "Apache-2.0 OR BSD-3-Clause", "MIT OR Apache-2.0"),
    "MPL-2.0 AND (Apache-2.0 OR MIT)",
}
"""Under which terms a library may be part of a release. Somebody reads each new one before it is added."""


def licence(name: str) -> str:
    """Return the licence of a library as an SPDX expression, or "" if nothing says it."""
    if name in _READ:
        return _READ[name]
    try:
        about = metadata(name)
    except PackageNotFoundError:
        return ""
    classifiers = [text.rpartition(" :: ")[2] for text in about.get_all("Classifier") or [] if "License" in text]
    mapped = [_CLASSIFIERS[text] for text in classifiers if text in _CLASSIFIERS]
    return about["License-Expression"] or (mapped[0] if len(mapped) == 1 else about["License"] or "")


def libraries(file: str) -> Iterator[dict[str, Any]]:
    """Return each library that a file of a release needs, by the name of the file."""
    if file.startswith("plateau_client"):
        yield from pinned(ROOT / "requirements-client.lock")
    elif not file.endswith(".tgz"):  # the JavaScript client needs none
        yield from pinned(ROOT / "requirements.lock")
        manifest = (ROOT / "api_spec/clients/typescript/package.json").read_text()
        version = re.findall(r'"preact": "([\d.]+)"', manifest)[0]
        yield _library("npm", "preact", version, "MIT")


def pinned(lock: Path) -> Iterator[dict[str, Any]]:
    for name, version, rest in _PIN.findall(lock.read_text()):
        yield _library("pypi", name, version, licence(name), re.findall(r"sha256:(\w{64})", rest))


def _library(kind: str, name: str, version: str, terms: str, hashes: Sequence[str] = ()) -> dict[str, Any]:
    purl = f"pkg:{kind}/{name}@{version}"
    part = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
    source = {"type": "distribution", "url": purl, "hashes": [_sha256(content) for content in sorted(hashes)]}
    return part | {"licenses": _terms(terms)} | ({"externalReferences": [source]} if hashes else {})


def _terms(expression: str) -> list[dict[str, Any]]:
    if not expression:
        return []
    return [{"expression": expression} if " " in expression else {"license": {"id": expression}}]


def _sha256(content: str) -> dict[str, str]:
    return {"alg": "SHA-256", "content": content}


def sbom(file: Path | None) -> str:
    """Return the bill of materials of a file, or of the installation."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    name = file.name if file else project["name"]
    component = {
        "type": "file" if file else "application",
        "bom-ref": name,
        "name": name,
        "version": project["version"],
        "licenses": _terms(project["license"]),
    }
    identity = f"{name} {project['version']}"
    if file:
        identity = hashlib.sha256(file.read_bytes()).hexdigest()
        component["hashes"] = [_sha256(identity)]
    properties, about = {"plateau:python": sys.version.split()[0]}, {"component": component}
    if (ROOT / ".git").exists():
        commit, seconds = subprocess.run(
            ["git", "log", "-1", "--format=%H %ct"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.split()
        properties["plateau:commit"] = commit
        about["timestamp"] = datetime.fromtimestamp(int(seconds), UTC).isoformat()
    about["properties"] = [{"name": key, "value": value} for key, value in sorted(properties.items())]
    parts = sorted(libraries(name), key=lambda part: part["bom-ref"])
    needs = [{"ref": name, "dependsOn": [part["bom-ref"] for part in parts]}]
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, identity)}",
        "version": 1,
        "metadata": about,
        "components": parts,
        "dependencies": needs,
    }
    return json.dumps(bill, indent=1) + "\n"


if __name__ == "__main__":
    sys.stdout.write(sbom(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
