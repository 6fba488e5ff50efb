"""What a monitor does for witnesses, and asks of them: it co-signs roots, and counts whose co-signatures are true."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.cli.client import Refused, Service
from service.cli.trusting import of_witnesses
from service.transparency.key_file import keys_in
from service.transparency.signatures import public_half, signed_text
from service.transparency.statements import COSIGNATURE, SignedRoot

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Witnessing:
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


def witnessing(command: Command) -> Command:
    """Give a command the options from which ``witnessing_of`` makes what it does about witnesses."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def witnessing_of(cosign: Path | None, witness: Sequence[str], witnesses: int | None) -> Witnessing:
    """Return what to do about witnesses; raise ``click.UsageError`` if the options make no sense."""
    known = frozenset(witness)
    if witnesses is not None and witnesses > len(known):
        raise click.UsageError(f"--witnesses {witnesses} asks for more than the {len(known)} witnesses named")
    try:
        own = keys_in(cosign)
    except ValueError as error:
        raise click.UsageError(f"--cosign {cosign}: {error}") from error
    return Witnessing(own[0] if own else None, known, len(known) if witnesses is None else witnesses)


_OPTIONS = (
    click.option(
        "--cosign",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Be a witness: co-sign each root that is consistent with the last one, with the Ed25519 key in this file.",
    ),
    *of_witnesses("a root before it counts"),
)
