"""Whose signatures a command trusts: its options for keys, receipts and witnesses, and what they mean."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from domain.audit.signed import Trust
from domain.game.durations import instant
from service.transparency.key_ring import receipt_in
from service.transparency.signatures import is_signed

KEY_DIGITS = 64
FILE = click.Path(dir_okay=False, path_type=Path)

Command = TypeVar("Command", bound=Callable[..., Any])


def trusting(command: Command) -> Command:
    """Give a command the options from which ``trust_of`` makes what it trusts."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def trust_of(keys: Path | None, receipts: Sequence[Path], witness: Sequence[str], witnesses: int | None) -> Trust:
    """Return what is trusted; raise ``click.UsageError`` if a file cannot be read or the options make no sense."""
    if witnesses is not None and witnesses > len(set(witness)):
        raise click.UsageError(f"--witnesses {witnesses} asks for more than the {len(set(witness))} witnesses named")
    return Trust(
        is_signed,
        None if keys is None else keys_in(keys),
        [asdict(receipt) for path in receipts for receipt in _receipts_in(path)],
        witness,
        len(set(witness)) if witnesses is None else witnesses,
        *({} if keys is None else _times_in(keys, part) for part in ("from", "until")),
    )


def keys_in(path: Path) -> Mapping[str, str]:
    """Read a list of public keys, as a server publishes it, by their ids; raise ``click.UsageError``."""
    try:
        document: Any = json.loads(path.read_bytes())
        return {str(key["key_id"]): str(key["public_key"]) for key in document["keys"]}
    except (OSError, ValueError, LookupError, TypeError) as error:
        said = f"{path} is not a list of keys, as /.well-known/plateau-keys.json has it"
        raise click.UsageError(said) from error


def _times_in(path: Path, part: Literal["from", "until"]) -> Mapping[str, str]:
    """Return from when or until when the keys of a list sign, by their ids; without those that do not say a time."""
    found = {}
    for key in json.loads(path.read_bytes())["keys"]:
        with suppress(LookupError, TypeError, ValueError):
            instant(key[part])
            found[str(key["key_id"])] = key[part]
    return found


def public_key(_context: click.Context, _parameter: click.Parameter, given: Sequence[str]) -> Sequence[str]:
    for each in given:
        try:
            if len(bytes.fromhex(each)) * 2 != len(each) or len(each) != KEY_DIGITS:
                raise ValueError
        except ValueError:
            raise click.BadParameter(f"a public key has {KEY_DIGITS} hex digits") from None
    return tuple(each.lower() for each in given)


def _receipts_in(path: Path) -> list[Any]:
    try:
        return [receipt_in(line) for line in path.read_bytes().splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise click.UsageError(f"{path} does not have a receipt in each line: {error}") from error


def of_witnesses(what: str) -> Sequence[Callable[[Command], Command]]:
    """Return the options that name witnesses, who must have co-signed ``what``, and how many of them must have."""
    return (
        click.option(
            "--witness",
            multiple=True,
            callback=public_key,
            metavar="KEY",
            help=f"Public key of a witness who must have co-signed {what}; can be repeated.",
        ),
        click.option(
            "--witnesses",
            type=click.IntRange(min=1),
            help="Minimum number of these witnesses; default: all.",
        ),
    )


_OPTIONS = (
    click.option("--keys", type=FILE, metavar="FILE", help="Keys to trust, saved from /.well-known/plateau-keys.json."),
    click.option(
        "--receipts", multiple=True, type=FILE, metavar="FILE", help="Receipts that you have kept, one in each line."
    ),
    *of_witnesses("a root over the game"),
)
