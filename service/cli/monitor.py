"""The command ``plateau monitor``: follow the log of heads of a service, and say if it shows another history.

Exit codes: 0 the log has only grown, 1 the service rejected the request, 2 wrong usage, 3 the service cannot be
reached, 4 the log is not the one of before, or is not signed with a key that is trusted.
"""

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import orjson

from domain.log import merkle
from service.cli.asking import checked_url, reporting
from service.cli.cleaning import clean
from service.cli.client import Service
from service.heads.statements import SignedRoot
from service.signing.signatures import key_id

_CAUGHT = 4
_KEY_DIGITS = 64


class Caught(Exception):
    """The service shows something that cannot be true; the message says what."""


def _keys(_context: click.Context, _parameter: click.Parameter, given: Sequence[str]) -> Mapping[str, str]:
    """Return public keys by their ids."""
    try:
        if any(len(each) != _KEY_DIGITS for each in given):
            raise ValueError
        return {key_id(each.lower()): each.lower() for each in given}
    except ValueError:
        raise click.BadParameter(f"a public key has {_KEY_DIGITS} hex digits") from None


@click.command()
@click.argument("url", callback=lambda _context, _parameter, url: checked_url(url))
@click.option(
    "--key", "keys", multiple=True, required=True, callback=_keys, help="Public key to trust; several can be."
)
@click.option("--state", type=click.Path(dir_okay=False, path_type=Path), required=True, help="File for the last root.")
@click.option("--every", type=click.IntRange(min=1), default=600, show_default=True, help="Seconds between two looks.")
@click.option("--once", is_flag=True, help="Look once, and end.")
def monitor(url: str, keys: Mapping[str, str], state: Path, every: int, *, once: bool) -> None:
    """Follow the log of heads of the service at URL.

    Each new root must be signed, and must be proved to begin with all leaves of the last one, which FILE keeps.

    Exit codes: 0 the log has only grown, 1 the service rejected the request, 2 wrong usage, 3 the service cannot be
    reached, 4 the log is not the one of before, or is not signed with a key that is trusted.
    """
    service = Service(url)
    while True:
        with reporting():
            try:
                root = looked(service, keys, _kept(state))
            except Caught as caught:
                click.echo(f"plateau: {url} is caught: {caught}", err=True)
                sys.exit(_CAUGHT)
        written = state.with_name(f"{state.name}.new")
        written.write_bytes(orjson.dumps(root))
        written.replace(state)
        click.echo(
            f"{clean(root.at)}: {root.size} leaves, root {root.root}: signed, and consistent with what was before"
        )
        if once:
            return
        time.sleep(every)


def looked(service: Service, keys: Mapping[str, str], kept: SignedRoot | None) -> SignedRoot:
    """Return the latest root of a service; raise ``Caught`` if it does not go on from the one kept."""
    root = _root(service.ask("GET", "/v1/heads"))
    if not root.is_signed(keys):
        raise Caught(f"the root of {root.size} leaves is not signed with a trusted key")
    if kept is None:
        return root
    if root.size < kept.size:
        raise Caught(f"its log had {kept.size} leaves on {kept.at}, and has {root.size} now")
    answer = service.ask("GET", f"/v1/heads/consistency?from={kept.size}&size={root.size}")
    if not merkle.is_consistent(kept.size, _hash(kept.root), root.size, _hash(root.root), _proof(answer)):
        raise Caught(f"its {root.size} leaves do not begin with the {kept.size} of {kept.at}, root {kept.root}")
    return root


def _kept(state: Path) -> SignedRoot | None:
    if not state.exists():
        return None
    try:
        return SignedRoot(**orjson.loads(state.read_bytes()))
    except (ValueError, TypeError) as error:
        raise click.UsageError(f"{state} is not a file of this command") from error


def _root(answer: Any) -> SignedRoot:
    try:
        root = SignedRoot.of(answer)
        _hash(root.root)
        is_root = type(root.size) is int and all(isinstance(each, str) for each in (root.at, root.signature))
    except (KeyError, TypeError, ValueError) as error:
        raise Caught("it sent something other than a root") from error
    if not is_root:
        raise Caught("it sent something other than a root")
    return root


def _proof(answer: Any) -> list[bytes]:
    try:
        return [_hash(part) for part in answer["proof"]]
    except (KeyError, TypeError, ValueError) as error:
        raise Caught("it sent something other than a proof") from error


def _hash(text: str) -> bytes:
    return bytes.fromhex(text)
