"""The command ``plateau monitor``: follow the log of heads of a service, and say if it shows another history.

Without ``--once``, a service that cannot be reached, is busy, or waits for witnesses, is asked again.
"""

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import click
import orjson
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.audit.signed import CLOCKS
from domain.game.durations import instant
from domain.log import merkle
from service.cli.asking import checked_url, reporting
from service.cli.client import Refused, Service, Unreachable
from service.cli.exit_codes import ExitCode
from service.cli.output import Command, say
from service.cli.trusting import of_witnesses, public_key
from service.runtime import data_folder
from service.transparency.key_file import keys_in
from service.transparency.signatures import COSIGNATURE, SignedRoot, key_id, public_half, root_in, signed_text

_FIRST_WAIT = 5
"""How many seconds to wait after a first failure; each further one doubles them."""
_MOST_DOUBLINGS = 20
_NOT_FOUND = 404


class Caught(Exception):
    """The service shows something that cannot be true: the message says what, ``kept`` which root it contradicts."""

    def __init__(self, what: str, kept: SignedRoot | None) -> None:
        super().__init__(what)
        self.kept = kept


@dataclass(frozen=True, slots=True)
class _Look:
    service: Service
    answers: list[Mapping[str, Any]] = field(default_factory=list)

    def ask(self, path: str) -> Any:
        """Return an answer; raise ``Unreachable`` if the same request can succeed later, else ``Refused``."""
        try:
            answer = self.service.ask("GET", path)
        except Refused as refusal:
            if refusal.passes:
                raise Unreachable(str(refusal)) from refusal
            self.answers.append({"path": path, "refused": str(refusal)})
            raise
        self.answers.append({"path": path, "answer": answer})
        return answer


@dataclass(frozen=True, slots=True)
class _Witnessing:
    """The key to co-sign with, None for none, and the witnesses of whom at least so many must have co-signed a root."""

    key: Ed25519PrivateKey | None = None
    witnesses: frozenset[str] = frozenset()
    least: int = 0

    def cosign(self, service: Service, root: SignedRoot) -> str | None:
        """Co-sign a root that was checked; return why the service does not keep that, None if it does.

        Raise ``Unreachable``.
        """
        if self.key is None:
            return None
        signature = self.key.sign(signed_text(COSIGNATURE, root.statement())).hex()
        one = {"witness": public_half(self.key), "signature": signature}
        try:
            service.ask("POST", f"/v1/heads/{root.size}/signatures", one)
        except Refused as refusal:
            return str(refusal)
        return None

    def missing(self, shown: Any, root: SignedRoot) -> int:
        """Return how many co-signatures a root lacks, by the answer in which a service showed it."""
        listed = shown.get("cosignatures", ()) if isinstance(shown, dict) else ()
        return max(0, self.least - len({each["witness"] for each in listed if self._counts(each, root)}))

    def _counts(self, one: Any, root: SignedRoot) -> bool:
        try:
            return one["witness"] in self.witnesses and root.is_cosigned(one["witness"], one["signature"])
        except (LookupError, TypeError):
            return False


def _keys(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> Mapping[str, str]:
    return {key_id(each): each for each in public_key(context, parameter, given)}


_NAMED, _LEAST = of_witnesses("a root before it counts")


@click.command(cls=Command)
@click.argument("url", callback=lambda _context, _parameter, url: checked_url(url))
@click.option(
    "--key", "keys", multiple=True, required=True, callback=_keys, help="Public key to trust; can be repeated."
)
@click.option("--state", type=click.Path(dir_okay=False, path_type=Path), required=True, help="File for the last root.")
@click.option("--every", type=click.IntRange(min=1), default=600, show_default=True, help="Seconds between two checks.")
@click.option("--once", is_flag=True, help="Check once, and exit.")
@click.option(
    "--cosign",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Be a witness: co-sign each root that is consistent with the last one, with the Ed25519 key in this file.",
)
@_NAMED
@_LEAST
def monitor(url: str, keys: Mapping[str, str], state: Path, every: int, *, once: bool, **witnesses: Any) -> None:
    """Follow the log of heads of the service at URL.

    Each new root must be signed, and a proof must show that it begins with all leaves of the last one, which FILE
    keeps. If the service shows a contradiction, the command writes the proof to a file beside FILE: both roots, and
    the responses of the service.

    With --witness, a root counts only once it is co-signed: until then, FILE keeps the last co-signed one.

    With --cosign, the file FILE.cosigned keeps the last co-signed root, and is written before signing: each new root
    must begin with its leaves, too. Use a key with one FILE only, and keep both files.
    """
    service, failures, asked = Service(url), 0, _witnessing_of(**witnesses)
    while True:
        with reporting():
            try:
                is_kept = _look(service, keys, state, asked)
                failures = 0
            except Unreachable as silence:
                if once:
                    raise
                failures += 1
                say(f"plateau: {silence}; it is asked again", err=True)
        if once:
            sys.exit(ExitCode.DONE if is_kept else ExitCode.UNWITNESSED)
        time.sleep(min(every, _FIRST_WAIT << min(failures - 1, _MOST_DOUBLINGS)) if failures else every)


def _witnessing_of(cosign: Path | None, witness: Sequence[str], witnesses: int | None) -> _Witnessing:
    """Return what to do about witnesses; raise ``click.UsageError`` if the options make no sense."""
    known = frozenset(witness)
    if witnesses is not None and witnesses > len(known):
        raise click.UsageError(f"--witnesses {witnesses} asks for more than the {len(known)} witnesses named")
    try:
        own = keys_in(cosign)
    except ValueError as error:
        raise click.UsageError(f"--cosign {cosign}: {error}") from error
    return _Witnessing(own[0] if own else None, known, len(known) if witnesses is None else witnesses)


def _look(service: Service, keys: Mapping[str, str], state: Path, asked: _Witnessing) -> bool:
    """Look once, and keep the root; end the command if the service is caught.

    Return False if the root was not kept, because witnesses are missing.
    """
    look, cosigned = _Look(service), state.with_name(f"{state.name}.cosigned")
    kept = [root for root in (_kept(state), _kept(cosigned)) if root is not None]
    try:
        root = looked(look, keys, kept)
    except Caught as caught:
        say(f"plateau: {service.url} is caught: {caught}", err=True)
        say(_write_proof(state, caught, look), err=True)
        sys.exit(ExitCode.CONTRADICTED)
    if asked.key is not None:
        _keep(cosigned, root)  # a signature that is lost on its way is one all the same
    if (refused := asked.cosign(service, root)) is not None:
        say(f"plateau: the root of {root.size} leaves is not co-signed: {refused}", err=True)
    if missing := asked.missing(look.answers[0]["answer"], root):
        say(f"{root.at}: {root.size} leaves, root {root.root}: waits for {missing} more witnesses")
        return False
    _keep(state, root)
    say(f"{root.at}: {root.size} leaves, root {root.root}: signed, and consistent with what was before")
    return True


def looked(look: _Look, keys: Mapping[str, str], kept: Sequence[SignedRoot]) -> SignedRoot:
    """Return the latest root of a service; raise ``Caught`` if it does not continue each of those kept."""
    root = _latest(look, max(kept, key=lambda each: each.size, default=None))
    if not root.is_signed(keys):
        raise Caught(f"the root of {root.size} leaves is not signed with a trusted key", next(iter(kept), None))
    for each in dict.fromkeys(kept):
        _check_goes_on(look, root, each)
    return root


def _check_goes_on(look: _Look, root: SignedRoot, kept: SignedRoot) -> None:
    """Check that the leaves of a root begin with those of one that was kept; raise ``Caught``."""
    if root.size < kept.size:
        raise Caught(f"its log had {kept.size} leaves on {kept.at}, and has {root.size} now", kept)
    if instant(root.at) < instant(kept.at) - CLOCKS:
        raise Caught(
            f"its root of {root.size} leaves is dated {root.at}, before that of {kept.size} of {kept.at}", kept
        )
    try:
        answer = look.ask(f"/v1/heads/consistency?from_size={kept.size}&size={root.size}")
    except Refused as refusal:
        raise Caught(
            f"it does not prove that its {root.size} leaves begin with the {kept.size} of {kept.at}", kept
        ) from refusal
    if not merkle.is_consistent(kept.size, _hash(kept.root), root.size, _hash(root.root), _proof(answer, kept)):
        raise Caught(f"its {root.size} leaves do not begin with the {kept.size} of {kept.at}, root {kept.root}", kept)


def _latest(look: _Look, kept: SignedRoot | None) -> SignedRoot:
    try:
        return root_in(look.ask("/v1/heads"))
    except ValueError as error:
        raise Caught("it sent something other than a root", kept) from error
    except Refused as refusal:
        if kept is None or refusal.status != _NOT_FOUND:
            raise
        raise Caught(f"its log had {kept.size} leaves on {kept.at}, and is gone", kept) from refusal


def _proof(answer: Any, kept: SignedRoot) -> list[bytes]:
    try:
        return [_hash(part) for part in answer["proof"]]
    except (KeyError, TypeError, ValueError) as error:
        raise Caught("it sent something other than a proof", kept) from error


def _hash(text: str) -> bytes:
    return bytes.fromhex(text)


def _kept(state: Path) -> SignedRoot | None:
    try:
        return root_in(orjson.loads(state.read_bytes()))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise click.UsageError(f"{state} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise click.UsageError(f"{state} is not a file of this command") from error


def _keep(path: Path, root: SignedRoot) -> None:
    try:
        data_folder.write_durably(path, orjson.dumps(root))
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error.strerror}") from error


def _write_proof(state: Path, caught: Caught, look: _Look) -> str:
    """Write down for others what a service showed, and say where; files with other contents have other names."""
    content = {"service": look.service.url, "caught": str(caught), "kept": caught.kept, "answers": look.answers}
    written = orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    proof = state.with_name(f"{state.name}.caught-{sha256(written).hexdigest()[:16]}.json")
    try:
        data_folder.write_durably(proof, written)
    except OSError as error:
        return f"The proof cannot be written to {proof}: {error.strerror}."
    return f"The proof is in {proof}."
