"""The command ``plateau warm``: compile what bots count with, before the first worker needs it."""

import os
import sys
import time

import click

from service.cli.output import say
from service.cli.workers import HelpWithSettings, fail
from service.config.setting_fields import InvalidSettings
from service.config.settings import Settings
from workers.bots import compiled, warming

_MISSING, _CONFIGURATION, _NOT_KEPT = 1, 2, 3


class _Warm(HelpWithSettings):
    """``warm``, with its own exit codes."""

    settings = frozenset({"PLATEAU_DATA"})
    exit_codes = (
        "everything is compiled",
        "numba is not installed",
        "configuration",
        "the folder cannot be written",
    )


@click.command(cls=_Warm)
@click.option("--data", metavar="FOLDER", help="Folder in which workers look for compiled bots.")
def warm(data: str | None) -> None:
    """Compile the bots' code with numba in advance.

    Workers otherwise do this in the background. Bots choose the same moves compiled and not compiled; compiled, they
    take less time. The extra fast-bots installs numba.
    """
    try:
        given = {} if data is None else {"PLATEAU_DATA": data}
        folder = Settings.from_environment(os.environ | given).data
    except InvalidSettings as error:
        fail(_CONFIGURATION, str(error))
    if not compiled.is_installed():
        fail(_MISSING, "numba is not installed, so bots play without it: pip install 'plateau-server[fast-bots]'")
    place = warming.place_of(folder)
    if place is None:
        fail(
            _NOT_KEPT, f"{folder} cannot be written, so compiled bots cannot be kept there; choose another with --data"
        )
    was_complete, began = compiled.is_complete(place), time.monotonic()
    with click.progressbar(length=compiled.number_of_kernels(), label="compiling", file=sys.stderr) as bar:
        compiled.prepared(folder, lambda: bar.update(1))
    took = f"{compiled.number_of_kernels()} functions in {time.monotonic() - began:.1f} s"
    say(f"loaded {took}; they were compiled before" if was_complete else f"compiled {took}")
    say(f"kept in {place}")
