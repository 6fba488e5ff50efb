"""The command ``plateau keys``: the keys that sign receipts, and how another one takes over."""

import os

import click

from service.cli.exit_codes import ExitCode
from service.cli.output import Group, fail, say
from service.common import wall_clock
from service.config.settings import Settings
from service.runtime.running_store import running_store
from service.transparency.key_file import keys_in
from service.transparency.key_ring import KeyInFile, KeyRing


@click.group(cls=Group)
def keys() -> None:
    """List the keys that sign receipts, or replace the one that signs.

    It needs a running service: the one at REDIS_URL, or else the one with its data in PLATEAU_DATA.
    """


@keys.command("list")
def list_keys() -> None:
    """List all keys, the oldest first: id, public key, and the times between which it signed.

    A service that has never started has none.
    """
    _show(_ring())


@keys.command()
def rotate() -> None:
    """Make a new key, which signs from now on.

    All processes of the service use it within a minute. Signatures of the old key stay valid.
    """
    ring = _ring()
    try:
        ring.rotate()
    except KeyInFile:
        fail(
            ExitCode.CONFIGURATION,
            "the service signs with a key from a file, so put the new key at the top of the file in "
            "PLATEAU_SIGNING_KEYS, and restart the service",
        )
    _show(ring)


def _ring() -> KeyRing:
    settings = Settings.from_environment(os.environ)
    return KeyRing(running_store(settings), wall_clock.now, keys_in(settings.signing_keys))


def _show(ring: KeyRing) -> None:
    for each in ring.listed():
        say(f"{each.key_id}  {each.public_key}  {each.since}  {each.until or 'signs now'}")
