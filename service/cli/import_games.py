"""The command ``plateau import``: add finished games of other servers to the store on this host."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from domain.audit.bundle import Unreadable, read
from domain.audit.signed import Trust
from service.accounts.admin_log import AdminLog, Entry
from service.cli.exit_codes import ExitCode
from service.cli.many import each, with_bar
from service.cli.output import Command, say
from service.cli.store import games_here
from service.cli.trusting import trust_of, trusting
from service.cli.verify import bundles_in
from service.common import wall_clock
from service.games import importing
from service.store.event_store import Append


@dataclass(frozen=True, slots=True)
class _Read:
    """What was found in a file: a game that verifies, or why there is none, with the exit code."""

    path: Path
    game: Append | None = None
    code: ExitCode = ExitCode.DONE
    why: str = ""


@click.command("import", cls=Command)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@trusting
def import_games(files: tuple[Path, ...], **trusted: Any) -> None:
    """Import finished games of other servers.

    FILE is an export in the format `bundle`; a folder means all its files *.jsonl. The command verifies each game like
    `plateau verify`, and adds it to the store with its id and its log unchanged. It rejects a game that does not
    verify, or whose id belongs to another game here. It does not change a game that is already here. The admin log
    has an entry for each.

    This writes directly to the store, so it needs REDIS_URL or the data folder (PLATEAU_DATA) of the running service.
    """
    store, trust, paths = games_here(), trust_of(**trusted), bundles_in(files)
    log = AdminLog(store.client, wall_clock.now)
    codes = set()
    reading: Callable[[Path], _Read] = partial(_read, trust=trust)
    for found in with_bar(each(reading, paths, len(paths)), len(paths), "Importing"):
        code, line = found.code, found.why
        if found.game is not None:
            try:
                log.add(Entry(act="import", game_id=found.game.game_id))
                line = f"{found.game.game_id}: {importing.add(store, found.game)}"
            except importing.NotImported as refusal:
                code, line = ExitCode.REFUSED, f"{found.game.game_id}: REFUSED: {refusal}"
        codes.add(code)
        say(f"{found.path}: {line}", err=code != ExitCode.DONE)
    sys.exit(next(code for code in (ExitCode.REFUSED, ExitCode.UNREADABLE, ExitCode.DONE) if code in codes))


def _read(path: Path, trust: Trust) -> _Read:
    try:
        return _Read(path, importing.checked(read(path.read_bytes()), trust))
    except (OSError, Unreadable) as error:
        return _Read(path, None, ExitCode.UNREADABLE, f"unreadable: {error}")
    except importing.NotImported as refusal:
        return _Read(path, None, ExitCode.REFUSED, f"REFUSED: {refusal}")
    except Exception as error:  # noqa: BLE001 - rulesets from outside can raise anything, and other files continue
        return _Read(
            path, None, ExitCode.REFUSED, f"REFUSED: the rules cannot read it: {type(error).__name__}: {error}"
        )
