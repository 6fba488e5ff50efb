"""Write the software bill of materials of a file of a release: ``python .ci/release/sbom.py FILE``, CycloneDX 1.6.

It names the file with its hash, and each library that it needs with version, licence and the hashes that pip accepts:
those of the lock, and what the web client has from others. The time is that of the commit, so two runs are alike.
"""

import hashlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, Property, XsUri
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

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


def libraries(file: str) -> Iterator[Component]:
    """Return each library that a file of a release needs, by the name of the file."""
    if file.startswith("plateau_client"):
        yield from pinned(ROOT / "requirements-client.lock")
    elif not file.endswith(".tgz"):  # the JavaScript client needs none
        yield from pinned(ROOT / "requirements.lock")
        manifest = (ROOT / "api_spec/clients/typescript/package.json").read_text()
        version = re.findall(r'"preact": "([\d.]+)"', manifest)[0]
        yield _library("preact", version, "MIT", PackageURL("npm", name="preact", version=version), [])


def pinned(lock: Path) -> Iterator[Component]:
    for name, version, rest in _PIN.findall(lock.read_text()):
        hashes = [HashType(alg=HashAlgorithm.SHA_256, content=each) for each in re.findall(r"sha256:(\w{64})", rest)]
        purl = PackageURL("pypi", name=name, version=version)
        source = ExternalReference(type=ExternalReferenceType.DISTRIBUTION, url=XsUri(str(purl)), hashes=hashes)
        yield _library(name, version, licence(name), purl, [source])


def _library(name: str, version: str, terms: str, purl: PackageURL, sources: list[ExternalReference]) -> Component:
    licences = [LicenseFactory().make_from_string(terms)] if terms else []
    return Component(
        name=name, version=version, purl=purl, bom_ref=str(purl), licenses=licences, external_references=sources
    )


def sbom(file: Path) -> str:
    """Return the bill of materials of a file."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    content = hashlib.sha256(file.read_bytes()).hexdigest()
    commit, time = subprocess.run(
        ["git", "log", "-1", "--format=%H %ct"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    about = {"plateau:commit": commit, "plateau:python": sys.version.split()[0]}
    component = Component(
        name=file.name,
        version=project["version"],
        type=ComponentType.FILE,
        licenses=[LicenseFactory().make_from_string(project["license"])],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=content)],
        bom_ref=file.name,
    )
    parts = list(libraries(file.name))
    bom = Bom(
        components=parts,
        serial_number=uuid5(NAMESPACE_URL, content),
        metadata=BomMetaData(
            component=component,
            timestamp=datetime.fromtimestamp(int(time), UTC),
            properties=[Property(name=name, value=value) for name, value in about.items()],
        ),
    )
    bom.register_dependency(component, parts)
    return JsonV1Dot6(bom).output_as_string(indent=1) + "\n"


if __name__ == "__main__":
    sys.stdout.write(sbom(Path(sys.argv[1])))
