"""What a release consists of beside the packages: bills of materials, hashes, a signature; and who checks them."""

import hashlib
import json
import os
import re
import runpy
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from service.cli.exit_codes import ExitCode
from tests.support.commands import plateau

ROOT = Path(__file__).parents[1]
SBOM = runpy.run_path(str(ROOT / ".ci/release/sbom.py"))


def test_a_bill_of_materials_is_valid_and_names_the_file_and_every_pin_of_the_lock(tmp_path: Path) -> None:
    package = tmp_path / "plateau.whl"
    package.write_bytes(b"a package")
    bill = valid_bill(package)
    assert bill["metadata"]["component"]["hashes"][0]["content"] == hashlib.sha256(b"a package").hexdigest()
    lock = (ROOT / "requirements.lock").read_text()
    libraries = [part for part in bill["components"] if part["purl"].startswith("pkg:pypi/")]
    assert {f"{part['name']}=={part['version']}" for part in libraries} == set(
        re.findall(r"^[a-z0-9-]+==[^\s;]+", lock, re.MULTILINE)
    )
    hashes = [each["content"] for part in libraries for each in part["externalReferences"][0]["hashes"]]
    assert sorted(hashes) == sorted(re.findall(r"sha256:(\w{64})", lock))
    within = valid_bill(None)
    assert within["components"] == bill["components"]
    assert within["metadata"]["component"]["name"] == "plateau-server"


def valid_bill(package: Path | None) -> Any:
    text = SBOM["sbom"](package)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    return json.loads(text)


def test_every_library_of_a_release_has_a_licence_that_is_allowed() -> None:
    needed = [part["name"] for file in ("plateau.whl", "plateau_client.whl") for part in SBOM["libraries"](file)]
    terms = {name: SBOM["licence"](name) for name in needed if name != "preact"}
    assert len(terms) > 50
    assert {name: text for name, text in terms.items() if text not in SBOM["ALLOWED"]} == {}


def test_the_web_client_has_the_library_that_the_bill_names() -> None:
    (preact,) = [part for part in SBOM["libraries"]("plateau.whl") if part["name"] == "preact"]
    lock = json.loads((ROOT / "api_spec/clients/typescript/package-lock.json").read_text())
    assert lock["packages"]["node_modules/preact"]["version"] == preact["version"]
    assert lock["packages"]["node_modules/preact"]["license"] == preact["licenses"][0]["license"]["id"]
    assert sorted(path.name for path in SBOM["VENDOR"].glob("*.mjs")) == ["hooks.mjs", "preact.mjs"]


def key(folder: Path, owner: str) -> Path:
    """Make a key that is thrown away with the folder; return its private half."""
    path = folder / f"{owner}.key"
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", owner, "-f", str(path)]
    subprocess.run(words, check=True)
    return path


def signed(release: Path, by: Path, purpose: str = "plateau-release") -> None:
    names = sorted(path.name for path in release.iterdir() if path.suffix not in {".sig", ""})
    sums = release / "SHA256SUMS"
    sums.write_text("".join(f"{hashlib.sha256((release / each).read_bytes()).hexdigest()}  {each}\n" for each in names))
    (release / "SHA256SUMS.sig").unlink(missing_ok=True)
    subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-f", by, "-n", purpose, sums], check=True, capture_output=True)


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A signed release of one package, with the keys beside its folder."""
    folder = tmp_path / "release"
    folder.mkdir()
    ada, _ = key(tmp_path, "ada"), key(tmp_path, "eve")
    (tmp_path / "signers").write_text(f'ada namespaces="plateau-release" {ada.with_suffix(".key.pub").read_text()}')
    (folder / "plateau.whl").write_bytes(b"a package")
    (folder / "plateau.whl.cdx.json").write_text(SBOM["sbom"](folder / "plateau.whl"))
    signed(folder, ada)
    return folder


def changed(release: Path, name: str) -> None:
    content = bytearray((release / name).read_bytes())
    content[-1] ^= 1
    (release / name).write_bytes(content)


def with_an_old_bill(release: Path) -> None:
    """Sign, by mistake, the bill of materials of an earlier build."""
    (release / "plateau.whl").write_bytes(b"a later package")
    signed(release, release.parent / "ada.key")


FORGERIES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a byte of the package": (lambda it: changed(it, "plateau.whl"), "plateau.whl: CHANGED"),
    "a byte of the bill": (lambda it: changed(it, "plateau.whl.cdx.json"), "plateau.whl.cdx.json: CHANGED"),
    "a byte of the hashes": (lambda it: changed(it, "SHA256SUMS"), "SHA256SUMS is NOT SIGNED by a key in "),
    "another key": (lambda it: signed(it, it.parent / "eve.key"), "SHA256SUMS is NOT SIGNED by a key in "),
    "another purpose": (lambda it: signed(it, it.parent / "ada.key", "git"), "SHA256SUMS is NOT SIGNED by a key in "),
    "an old bill": (with_an_old_bill, "plateau.whl.cdx.json: OF ANOTHER FILE"),
    "no bill": (lambda it: (it / "plateau.whl.cdx.json").unlink(), "plateau.whl.cdx.json: MISSING"),
    "another name": (lambda it: (it / "plateau.whl").rename(it / "other.whl"), "other.whl: NOT RELEASED"),
}


def test_a_release_as_it_was_signed_is_accepted(release: Path) -> None:
    run = plateau("verify-release", *map(str, release.glob("*.whl*")), "--signers", str(release.parent / "signers"))
    assert (run.exit_code, run.stdout) == (ExitCode.DONE, "2 files are as ada has released\n"), run.stderr


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_release_is_refused_by_name(release: Path, forgery: str) -> None:
    forge, said = FORGERIES[forgery]
    forge(release)
    (package,) = release.glob("*.whl")
    run = plateau("verify-release", str(package), "--signers", str(release.parent / "signers"))
    assert run.exit_code == ExitCode.WRONG
    assert said in run.output


def test_without_a_hash_list_or_a_key_nothing_is_said_to_be_right(release: Path, tmp_path: Path) -> None:
    (release / "SHA256SUMS.sig").unlink()
    package, signers = str(release / "plateau.whl"), tmp_path / "signers"
    assert plateau("verify-release", package, "--signers", str(signers)).exit_code == ExitCode.UNREADABLE
    signers.write_text("# nobody yet\n")
    assert plateau("verify-release", package, "--signers", str(signers)).exit_code == ExitCode.INCOMPLETE


@pytest.mark.long
def test_a_signature_by_sigstore_is_checked_with_its_name_and_issuer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The signed text is of others, and not a list of hashes: what is signed right names no file."""
    venv.create(tmp_path / "venv", with_pip=True)
    pip = [
        tmp_path / "venv/bin/python",
        "-m",
        "pip",
        "--quiet",
        "--disable-pip-version-check",
        "install",
        "sigstore>=4",
    ]
    subprocess.run(pip, check=True)
    monkeypatch.setenv("PATH", f"{tmp_path}/venv/bin:{os.environ['PATH']}")
    published = json.loads((ROOT / "tests/sigstore.json").read_text())
    package, sums = tmp_path / "plateau.whl", tmp_path / "SHA256SUMS"
    package.touch()
    sums.write_text(published["content"])
    (tmp_path / "SHA256SUMS.sigstore.json").write_text(json.dumps(published["bundle"]))

    def verified(name: str, issuer: str = published["issuer"]) -> str:
        run = plateau("verify-release", str(package), "--identity", name, issuer)
        assert run.exit_code == ExitCode.WRONG
        return run.output

    refused = f"{sums} is NOT SIGNED by "
    assert f"{package}: NOT RELEASED" in verified(published["identity"])
    assert refused in verified("ada@example.org")
    assert refused in verified(published["identity"], "https://accounts.example")
    sums.write_text(published["content"].upper())
    assert refused in verified(published["identity"])


@pytest.mark.long
def test_a_release_is_rehearsed_from_the_changelog_to_the_commands_that_publish_it() -> None:
    words = [sys.executable, ROOT / ".ci/release/release.py", "9.9.9", "--dry-run"]
    refused = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "CHANGELOG.md has no section: ## 9.9.9 (unreleased)" in refused.stderr
    (version,) = re.findall(r"^## (\S+) \(unreleased\)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    words[2] = version
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"git push origin HEAD v{version}" in done.stdout
    for name in (f"plateau_server-{version}-py3-none-any.whl", f"plateau_server-{version}.tar.gz", "SHA256SUMS.sig"):
        assert re.search(rf"^ *\d+  {re.escape(name)}$", done.stdout, re.MULTILINE), name
    assert "files are as rehearsal has released" in done.stdout
