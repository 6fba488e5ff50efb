"""The command ``plateau``, whose commands are in modules of their own; each is loaded when it is used."""

from collections.abc import Mapping
from importlib import import_module

import click

_PLACES: Mapping[str, str] = {
    "admin": "admin:admin",
    "analyse": "bot_moves:analyse",
    "archive": "archive:archive",
    "backup": "backups:backup",
    "board": "board:board",
    "check": "check:check",
    "courier": "workers:courier",
    "dispatch": "workers:dispatch",
    "doctor": "upkeep:doctor",
    "entries": "store:entries",
    "export": "game_log:export",
    "generate": "generate:generate",
    "import": "import_games:import_games",
    "keys": "keys:keys",
    "log": "game_log:log",
    "luck": "bot_moves:luck",
    "mail-test": "upkeep:mail_test",
    "monitor": "monitor:monitor",
    "play": "play.command:play",
    "rerun": "bot_moves:rerun",
    "restore": "backups:restore",
    "serve": "serve:serve",
    "shards": "store:shards",
    "verify": "verify:verify_files",
    "verify-receipt": "verify_receipt:verify_receipt",
    "verify-release": "verify_release:verify_release",
    "warm": "upkeep:warm",
    "worker": "workers:worker",
}
"""Where each command is: a module of this package, and its name there."""


class _Commands(click.Group):
    """Commands that are loaded when they are used, since some take a moment."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        return sorted(_PLACES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        if cmd_name not in _PLACES:
            return None
        module, _, name = _PLACES[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"service.cli.{module}"), name)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="plateau-server", prog_name="plateau")
def main() -> None:
    """Plateau: a server for turn-based games with hidden information, over REST."""


if __name__ == "__main__":
    main()
