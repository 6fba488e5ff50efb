"""The command ``plateau verify-receipt``: check receipts without a server, and find contradictions."""

import json
import sys
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, BinaryIO, NamedTuple

import click

from service.cli.cleaning import clean
from service.cli.workers import fail
from service.signing.receipts import Receipt, receipt_in

_NOT_SIGNED, _USAGE, _CONTRADICTION = 1, 2, 4


class _Found(NamedTuple):
    """A receipt, and where it stands."""

    place: str
    receipt: Receipt


@click.command("verify-receipt")
@click.argument("files", type=click.File("rb"), nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--keys",
    "key_file",
    type=click.File("rb"),
    required=True,
    metavar="FILE",
    help="The public keys, saved from /.well-known/plateau-keys.json of the server.",
)
def verify_receipt(files: tuple[BinaryIO, ...], key_file: BinaryIO) -> None:
    """Check receipts without a server.

    Each line of FILE is the value of a header Plateau-Receipt; FILE can be - for standard input. Two signed receipts
    that give the same version of a game different hashes prove that the server has shown two logs.

    Exit codes: 0 all are signed, 1 a receipt is not signed by these keys, 2 a file cannot be read, 4 signed receipts
    contradict each other.
    """
    public_keys = _keys_in(key_file)
    found = [each for file in files for each in _receipts_in(file)]
    signed = [each for each in found if each.receipt.is_signed_by(public_keys)]
    for each in found:
        by = f"signed by {each.receipt.key_id}" if each in signed else "NOT SIGNED by any of these keys"
        click.echo(clean(f"{each.place}: version {each.receipt.version} of {each.receipt.game}: {by}"))
    proofs = [(one, other) for one, other in combinations(signed, 2) if one.receipt.contradicts(other.receipt)]
    for one, other in proofs:
        which = f"version {one.receipt.version} of {one.receipt.game}"
        click.echo(clean(f"{one.place} and {other.place} CONTRADICT each other: {which} has two hashes"))
    if proofs or len(signed) < len(found):
        sys.exit(_CONTRADICTION if proofs else _NOT_SIGNED)


def _keys_in(file: BinaryIO) -> Mapping[str, str]:
    try:
        document: Any = json.loads(file.read())
        return {str(key["key_id"]): str(key["public_key"]) for key in document["keys"]}
    except (ValueError, LookupError, TypeError):
        fail(_USAGE, f"{file.name} is not a list of keys, as /.well-known/plateau-keys.json has it")


def _receipts_in(file: BinaryIO) -> Iterator[_Found]:
    lines = [(number, line) for number, line in enumerate(file, 1) if line.strip()]
    if not lines:
        fail(_USAGE, f"{file.name} has no receipt")
    for number, line in lines:
        place = f"{file.name}:{number}"
        try:
            yield _Found(place, receipt_in(line))
        except ValueError as error:
            fail(_USAGE, f"{place}: {error}")
