"""Make a release: ``python .ci/release/release.py VERSION --key FILE``, in a clean tree.

It sets the version, dates the section of the changelog, keeps the interface as a released one, commits and tags. Then
it builds the packages, describes, hashes and signs them, checks them as a user would, and prints how to upload them.
Only pip, which fetches the locked libraries of the Debian package, and ``--sigstore`` need a network. A second run
continues where an earlier one stopped. ``--dry-run`` does all of it in a copy, with a key of its own.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
NAMESPACE = "plateau-release"
CHANGELOG = ROOT / "CHANGELOG.md"
SIGNERS = ROOT / "service/cli/allowed_signers"
MANUAL = ROOT / "service/web/manual"
RELEASED = ROOT / "api_spec/released"
_VERSIONS = {
    "pyproject.toml": r'(?m)^(version = ")[^"]+(")',
    "api_spec/clients/python/plateau_client/version.py": r'(?m)^(VERSION = ")[^"]+(")',
    "api_spec/clients/typescript/package.json": r'(\A\{\s*"name": "[^"]+",\s*"version": ")[^"]+(")',
    "api_spec/clients/typescript/package-lock.json": r'("name": "@plateau/client",\s*"version": ")[^"]+(")',
}
"""Where a version is written, by file."""


def run(*words: str | Path, **environ: str) -> str:
    done = subprocess.run(
        [*map(str, words)], cwd=ROOT, env=os.environ | environ, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))} failed ({done.returncode})")
    return done.stdout.strip()


# -- the commit -------------------------------------------------------------------------------------------------------


def checked(version: str, key: Path) -> str:
    """Return the name of the signer; end if the tree, the version or the key cannot be used."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise SystemExit(f"{version} is no version, such as 1.0.0")
    if changed := run("git", "status", "--porcelain"):
        raise SystemExit(f"the tree is not clean (git restore . undoes what a failed release has changed):\n{changed}")
    public = run("ssh-keygen", "-y", "-f", key)
    kind, content = public.split()[:2]
    for line in SIGNERS.read_text().splitlines():
        if not line.startswith("#") and f"{kind} {content}" in line:
            return line.split()[0]
    raise SystemExit(
        f"{SIGNERS.relative_to(ROOT)} does not have the key. Commit this line, with your address:\n"
        f'you@example.org namespaces="{NAMESPACE}" {kind} {content}'
    )


def section(version: str) -> str:
    """Return what the changelog says about a version."""
    found = re.search(rf"^## {re.escape(version)} \([^)]*\)\n+(.*?)(?=^## |\Z)", CHANGELOG.read_text(), re.M | re.S)
    if found is None:
        raise SystemExit(f"CHANGELOG.md has no section: ## {version} (unreleased)")
    return found[1].strip() + "\n"


def commit(version: str, key: Path) -> None:
    """Commit and tag the version, unless that is done."""
    tag = f"v{version}"
    if run("git", "tag", "--list", tag):
        if run("git", "rev-parse", f"{tag}^{{commit}}") != run("git", "rev-parse", "HEAD"):
            raise SystemExit(f"{tag} is another commit: check it out to complete that release, or choose a new version")
        return
    section(version)
    today = time.strftime("%Y-%m-%d", time.gmtime())
    replace(CHANGELOG, rf"(?m)^(## {re.escape(version)} \()unreleased(\))", today)
    for name, pattern in _VERSIONS.items():
        replace(ROOT / name, pattern, version)
    with TemporaryDirectory() as installed:  # the version in the documents is that of the installed package
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--target", installed]
        run(*pip, "--no-deps", "--no-index", "--no-build-isolation", ROOT)
        run(sys.executable, "-m", "api_spec.generate", PYTHONPATH=f"{ROOT}:{installed}")
    RELEASED.mkdir(exist_ok=True)
    shutil.copy(ROOT / "api_spec/openapi.yaml", RELEASED / f"{version}.yaml")
    run("git", "add", "--all")
    if run("git", "status", "--porcelain"):
        run("git", "commit", "--quiet", "--message", f"Release {version}")
    signing = ("-c", "gpg.format=ssh", "-c", f"user.signingkey={key}")
    run("git", *signing, "tag", "--sign", "--message", f"Plateau {version}", tag)


def replace(path: Path, pattern: str, text: str) -> None:
    path.write_text(re.sub(pattern, rf"\g<1>{text}\g<2>", path.read_text()))


# -- the files --------------------------------------------------------------------------------------------------------


def python(package: Path) -> Callable[[Path], None]:
    def build(target: Path) -> None:
        epoch = run("git", "log", "-1", "--format=%ct")
        words = [sys.executable, "-m", "hatchling", "build", "--directory", str(target)]
        done = subprocess.run(words, cwd=package, env=os.environ | {"SOURCE_DATE_EPOCH": epoch}, check=False)
        if done.returncode:
            raise SystemExit(f"{package} cannot be built")

    return build


def debian(target: Path) -> None:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    package = Path(run(sys.executable, ROOT / ".ci/deb/build.py", PATH=path, PYTHONPATH=str(ROOT)).splitlines()[-1])
    shutil.move(package, target / package.name)


def javascript(target: Path) -> None:
    run("npm", "pack", "--silent", "--pack-destination", target, ROOT / "api_spec/clients/typescript")


def builders() -> Iterator[tuple[str, Callable[[Path], None]]]:
    """Return what builds the files of a release, each with the pattern of their names."""
    yield "plateau_server-*", python(ROOT)
    yield "plateau_client-*", python(ROOT / "api_spec/clients/python")
    for program, pattern, build in (("dpkg", "*.deb", debian), ("npm", "*.tgz", javascript)):
        if shutil.which(program):
            yield pattern, build
        else:
            print(f"left out, because {program} is not installed: {pattern}")


def built(folder: Path) -> list[Path]:
    """Build what is not in the folder yet; a file comes there only when it is complete."""
    for pattern, build in builders():
        if not any(folder.glob(pattern)):
            with TemporaryDirectory(dir=folder.parent) as work:
                build(Path(work))
                for file in Path(work).iterdir():
                    if file.suffix in {".whl", ".gz", ".deb", ".tgz"}:
                        file.rename(folder / file.name)
    return sorted(path for path in folder.iterdir() if path.suffix in {".whl", ".gz", ".deb", ".tgz"})


def describe(files: list[Path], version: str) -> None:
    """Write a bill of materials for each file, and the notes."""
    for file in files:
        bill = run(sys.executable, HERE / "sbom.py", file)
        file.with_name(f"{file.name}.cdx.json").write_text(f"{bill}\n")
    folder = files[0].parent
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (folder / "NOTES.md").write_text(
        f"{section(version)}\n## Check what you got\n\n```sh\nplateau verify-release FILE\n```\n\n```text\n{sums}```\n"
    )


def sign(folder: Path, key: Path, *, sigstore: bool) -> None:
    sums, signature, bundle = (folder / f"SHA256SUMS{end}" for end in ("", ".sig", ".sigstore.json"))
    signature.unlink(missing_ok=True)
    bundle.unlink(missing_ok=True)
    files = sorted(path for path in folder.iterdir() if path != sums)
    sums.write_text("".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files))
    run("ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", NAMESPACE, sums)
    if sigstore:
        run("sigstore", "sign", "--bundle", bundle, sums)


def release(version: str, key: Path, *, sigstore: bool) -> Path:
    """Make the release; return the folder with its files."""
    signer = checked(version, key)
    commit(version, key)
    folder = ROOT / f"dist/{version}-{run('git', 'rev-parse', '--short', 'HEAD')}"
    folder.mkdir(parents=True, exist_ok=True)
    run(sys.executable, ROOT / "docs/manual.py", MANUAL, PYTHONPATH=str(ROOT))
    try:
        files = built(folder)
    finally:
        shutil.rmtree(MANUAL)
    describe(files, version)
    sign(folder, key, sigstore=sigstore)
    cli = "from service.cli.main import main; main()"
    print(run(sys.executable, "-c", cli, "verify-release", "--signers", SIGNERS, *files, PYTHONPATH=str(ROOT)))
    print("\n".join(f"{path.stat().st_size:>10}  {path.name}" for path in sorted(folder.iterdir())))
    print(f"\nThe release is complete, signed by {signer}. Nothing has left this machine. To publish it:\n")
    for line in uploads(version, folder):
        print(f"  {line}")
    return folder


def uploads(version: str, folder: Path) -> Iterator[str]:
    here = folder.relative_to(ROOT)
    yield f"git push origin HEAD v{version}"
    yield f"gh release create v{version} --verify-tag --notes-file {here}/NOTES.md {here}/*"
    yield f"uv publish {here}/*.whl {here}/*.tar.gz"
    yield from (f"npm publish --access public {path.relative_to(ROOT)}" for path in folder.glob("*.tgz"))


def rehearse(version: str) -> None:
    """Make the release in a copy of the last commit, with a key that is thrown away with it."""
    with TemporaryDirectory() as work:
        copy, key = Path(work, "plateau"), Path(work, "key")
        run("git", "clone", "--quiet", "--local", ROOT, copy)
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "rehearsal", "-f", key)
        signers = copy / SIGNERS.relative_to(ROOT)
        public = key.with_suffix(".pub").read_text()
        signers.write_text(f'{signers.read_text()}rehearsal namespaces="{NAMESPACE}" {public}')
        run("git", "-C", copy, "config", "user.name", "rehearsal")
        run("git", "-C", copy, "config", "user.email", "rehearsal@localhost")
        run("git", "-C", copy, "commit", "--quiet", "--all", "--message", "The key of a rehearsal")
        words = [sys.executable, copy / HERE.relative_to(ROOT) / "release.py", version, "--key", key]
        if subprocess.run(words, cwd=copy, check=False).returncode:
            raise SystemExit("the rehearsal failed")
    print("\nThis was a rehearsal: all of it was in a copy, which is gone.")


def main() -> None:
    parser = argparse.ArgumentParser(description="Make a release.")
    parser.add_argument("version", help="such as 1.0.0; the changelog has a section for it")
    parser.add_argument("--key", type=Path, help="the private key that signs, as ssh-keygen makes them")
    parser.add_argument(
        "--sigstore", action="store_true", help="sign by sigstore, too; it asks who you are in a browser"
    )
    parser.add_argument("--dry-run", action="store_true", help="do all of it in a copy, with a key of its own")
    given = parser.parse_args()
    if given.dry_run:
        rehearse(given.version)
    elif given.key is None:
        parser.error("the release must be signed: --key FILE")
    elif given.sigstore and not shutil.which("sigstore"):
        parser.error("sigstore is not installed: pip install sigstore")
    else:
        release(given.version, given.key.expanduser().resolve(), sigstore=given.sigstore)


if __name__ == "__main__":
    main()
