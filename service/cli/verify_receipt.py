"""The command ``plateau verify-receipt``: check receipts without a server, and find contradictions."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple

import click

from service.cli.exit_codes import ExitCode
from service.cli.output import Command, fail, say
from service.transparency.key_ring import Receipt, receipt_in


class _Found(NamedTuple):
    place: str
    receipt: Receipt


@click.command("verify-receipt", cls=Command)
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
    that give the same version of a game different hashes, or different times, prove that the server has shown two logs.
    """
    public_keys, signed, not_signed = _keys_in(key_file), [], 0
    for each in (each for file in files for each in _receipts_in(file)):
        is_signed = each.receipt.is_signed_by(public_keys)
        by = f"signed by {each.receipt.key_id}" if is_signed else "NOT SIGNED by any of these keys"
        say(f"{each.place}: version {each.receipt.version} of {each.receipt.game}: {by}")
        signed += [each] if is_signed else []
        not_signed += not is_signed
    proofs = [*_contradictions(signed)]
    for one, other in proofs:
        which, two = f"version {one.receipt.version} of {one.receipt.game}", _differing(one.receipt, other.receipt)
        say(f"{one.place} and {other.place} CONTRADICT each other: {which} has two {two}")
    if proofs or not_signed:
        sys.exit(ExitCode.CONTRADICTED if proofs else ExitCode.WRONG)


def _contradictions(signed: Iterable[_Found]) -> Iterator[tuple[_Found, _Found]]:
    """Find those that contradict the first receipt for the same version of a game: each statement once."""
    by_place: dict[tuple[str, int], dict[tuple[str, str], _Found]] = {}
    for each in signed:
        said = by_place.setdefault((each.receipt.game, each.receipt.version), {})
        said.setdefault((each.receipt.hash, each.receipt.at), each)
    for first, *others in (said.values() for said in by_place.values()):
        yield from ((first, other) for other in others)


def _differing(one: Receipt, other: Receipt) -> str:
    return "hashes" if one.hash != other.hash else "times"


def _keys_in(file: BinaryIO) -> Mapping[str, str]:
    try:
        document: Any = json.loads(file.read())
        return {str(key["key_id"]): str(key["public_key"]) for key in document["keys"]}
    except (ValueError, LookupError, TypeError):
        fail(ExitCode.UNREADABLE, f"{file.name} is not a list of keys, as /.well-known/plateau-keys.json has it")


def _receipts_in(file: BinaryIO) -> Iterator[_Found]:
    lines = [(number, line) for number, line in enumerate(file, 1) if line.strip()]
    if not lines:
        fail(ExitCode.UNREADABLE, f"{file.name} has no receipt")
    for number, line in lines:
        place = f"{file.name}:{number}"
        try:
            yield _Found(place, receipt_in(line))
        except ValueError as error:
            fail(ExitCode.UNREADABLE, f"{place}: {error}")
