"""The command ``plateau verify-release``: check that files are those that the publisher has signed."""

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from service.cli.exit_codes import ExitCode
from service.cli.output import Command, fail, say

SIGNERS = Path(__file__).with_name("allowed_signers")
SUMS = "SHA256SUMS"
NAMESPACE = "plateau-release"
"""What a signature is for: one that the same key has made for another purpose does not count."""
BILL = ".cdx.json"
"""The end of the name of the bill of materials that belongs to a file."""


@click.command("verify-release", cls=Command)
@click.argument(
    "files", type=click.Path(exists=True, dir_okay=False, path_type=Path), nargs=-1, required=True, metavar="FILE..."
)
@click.option(
    "--signers",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=SIGNERS,
    metavar="FILE",
    help="The publisher's public keys, as ssh-keygen reads them; by default those that came with this version.",
)
@click.option(
    "--identity",
    metavar="NAME ISSUER",
    nargs=2,
    help="Check the signature by sigstore instead: who signed, and the URL of the issuer that vouches for the signer.",
)
def verify_release(files: tuple[Path, ...], signers: Path, identity: tuple[str, str] | None) -> None:
    """Check that files are as the publisher has released them.

    The folder of each FILE must also have SHA256SUMS and SHA256SUMS.sig of the release, and FILE.cdx.json, its bill of
    materials. Nothing is sent anywhere; ssh-keygen checks the signature. With --identity, the program sigstore checks
    SHA256SUMS.sigstore.json instead.
    """
    if identity is None:
        _needs("ssh-keygen", "it comes with OpenSSH (apt install openssh-client)")
        if not any(line.strip() and not line.startswith("#") for line in signers.read_text().splitlines()):
            fail(ExitCode.INCOMPLETE, f"{signers} names no key; take the file of a later version, or --signers")
    else:
        _needs("sigstore", "pip install sigstore")
    by_folder = {
        folder: _Release(folder, _by_sigstore(folder, *identity) if identity else _signer(folder, signers))
        for folder in {file.parent: None for file in files}
    }
    faults = [line for file in files for line in by_folder[file.parent].faults(file)]
    for line in faults:
        say(line)
    if faults:
        sys.exit(ExitCode.WRONG)
    for folder, release in by_folder.items():
        number = sum(file.parent == folder for file in files)
        say(f"{number} {'file is' if number == 1 else 'files are'} as {release.signer} has released")


class _Release:
    """The files of a release in a folder, whose list of hashes is signed."""

    def __init__(self, folder: Path, signer: str) -> None:
        self.signer = signer
        pairs = (line.partition("  ") for line in _text(folder / SUMS).splitlines())
        self.sums = {name: content for content, _, name in pairs}

    def faults(self, file: Path) -> Iterator[str]:
        """Name what is wrong with a file and its bill of materials."""
        bill = file.with_name(file.name + BILL)
        yield from self._changed(file)
        if file.name.endswith(BILL):
            return
        if not bill.exists():
            yield f"{bill}: MISSING: the bill of materials of {file.name}"
            return
        yield from self._changed(bill)
        if _described(bill) != (file.name, _hash(file)):
            yield f"{bill}: OF ANOTHER FILE: it does not describe {file.name}"

    def _changed(self, file: Path) -> Iterator[str]:
        if file.name not in self.sums:
            yield f"{file}: NOT RELEASED: {SUMS} does not name it"
        elif self.sums[file.name] != _hash(file):
            yield f"{file}: CHANGED: it does not have the hash in {SUMS}"


def _signer(folder: Path, signers: Path) -> str:
    """Return who of the signers has signed the list of hashes in a folder."""
    sums, signature = folder / SUMS, folder / f"{SUMS}.sig"
    content = _text(sums)
    _text(signature)
    keys = ("-f", str(signers), "-s", str(signature))
    for name in _output("ssh-keygen", "-Y", "find-principals", *keys).splitlines():
        if _output("ssh-keygen", "-Y", "verify", *keys, "-n", NAMESPACE, "-I", name, content=content):
            break
    else:
        fail(ExitCode.WRONG, f"{sums} is NOT SIGNED by a key in {signers}")
    return name


def _by_sigstore(folder: Path, name: str, issuer: str) -> str:
    """Return the name if it has signed the list of hashes in a folder; the roots of trust are those of the program."""
    sums, bundle = folder / SUMS, folder / f"{SUMS}.sigstore.json"
    _text(sums)
    _text(bundle)
    who = ("--cert-identity", name, "--cert-oidc-issuer", issuer)
    command = ("sigstore", "verify", "identity", "--offline", "--bundle", str(bundle), *who, str(sums))
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - as below
    if done.returncode:
        reason = (done.stderr.strip() or "no reason given").splitlines()[-1]
        fail(ExitCode.WRONG, f"{sums} is NOT SIGNED by {name}, according to sigstore: {reason}")
    return name


def _needs(program: str, remedy: str) -> None:
    if shutil.which(program) is None:
        fail(ExitCode.INCOMPLETE, f"{program} is not installed; {remedy}")


def _output(*words: str, content: str = "") -> str:
    """Return what a program prints, or "" if it refuses."""
    done = subprocess.run(  # noqa: S603 - the words are an action, paths and names
        words,
        input=content,
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if done.returncode else done.stdout + done.stderr


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except (OSError, ValueError):
        fail(ExitCode.UNREADABLE, f"{path} cannot be read; it belongs to the files of every release")


def _hash(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _described(bill: Path) -> tuple[str, str] | None:
    """Return the name and the hash of the file that a bill of materials describes."""
    try:
        component: Mapping[str, Any] = json.loads(bill.read_text())["metadata"]["component"]
        return component["name"], component["hashes"][0]["content"]
    except (OSError, ValueError, LookupError, TypeError):
        return None
