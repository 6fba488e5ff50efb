"""The command ``plateau backup``: copy all games, players and keys of a running service into a folder."""

import os
import sys
from pathlib import Path

import click

from service.backup.copying import Copier
from service.backup.game_copying import Counts
from service.backup.manifest import prune
from service.backup.parts import BackupError, Folder
from service.cli.output import say
from service.cli.progress import Progress
from service.cli.workers import fail
from service.common import wall_clock
from service.config.setting_fields import InvalidSettings
from service.config.settings import Settings
from service.runtime.running_store import checked_store
from service.store.event_store import StoreUnavailable
from service.store.redis.redis_rights import BACKUP
from service.store.redis.redis_server import StoreMisconfigured
from service.transparency.key_file import keys_in
from service.transparency.key_ring import KeyRing

_DAMAGED, _CONFIGURATION, _STORE, _REFUSED = 1, 2, 3, 4


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER")
@click.option("--whole", is_flag=True, help="Copy all of every log, also what the latest backup in FOLDER has.")
@click.option("--keep", type=click.IntRange(min=1), metavar="NUMBER", help="Then remove all but the newest backups.")
def backup(folder: Path, *, whole: bool, keep: int | None) -> None:
    """Back up a service into FOLDER, while it runs.

    It needs the REDIS_URL of the service, or else its data folder (PLATEAU_DATA). Everything that was acknowledged
    before the moment that is printed is in the backup. A further backup into the same FOLDER copies of each log only
    what is new. The logs of archived games stay in the archive, and are not copied. The files hold the secrets of
    running games, tokens' hashes, addresses, and the private signing key: keep them as safe as the store.

    The service signs the backup with the key that signs receipts. The last line names this key: keep it in another
    place than the backup, because plateau restore asks for it.

    Exit codes: 0 done, 1 done, but logs in the store are damaged, 2 configuration, 3 the store cannot be reached, 4 no
    backup was made, or it was, as a line says, but no earlier one could be removed.
    """
    place, progress = Folder(folder), Progress("copied {} games")
    try:
        settings = Settings.from_environment(os.environ)
        client = checked_store(settings, BACKUP)
        ring = KeyRing(client, wall_clock.now, keys_in(settings.signing_keys))
        copier = Copier(client, place, ring, lambda counts: progress.show(counts.games))
        with client, place.held():
            made, counts = copier.copy(whole=whole)
            say(f"{made.name}: everything acknowledged before {made.as_of}; {_words(counts)}")
            public_key = ring.public_keys(ring.key_id)[ring.key_id]
            say(f"signed with the key {public_key}: keep it elsewhere, for plateau restore --key")
            if keep is not None:
                _remove_others(place, keep)
    except InvalidSettings as error:
        fail(_CONFIGURATION, str(error))
    except (StoreUnavailable, StoreMisconfigured) as error:
        fail(_STORE, str(error))
    except (BackupError, OSError) as error:
        fail(_REFUSED, str(error))
    if copier.unknown:
        say(f"not copied, for no service has written it: {_some(copier.unknown)}", err=True)
    for game_id, reason in made.damaged.items():
        say(f"{game_id} is damaged, and was copied as it is: {reason}", err=True)
    sys.exit(_DAMAGED if made.damaged else 0)


def _remove_others(place: Folder, keep: int) -> None:
    try:
        gone = prune(place, keep)
    except BackupError as error:
        raise BackupError(f"no earlier backup was removed: {error}") from error
    for name in gone:
        say(f"{name}: removed")


def _words(counts: Counts) -> str:
    return (
        f"{counts.games} games with {counts.events} events, {counts.new_events} of them new, {counts.players} players"
    )


def _some(keys: list[str]) -> str:
    return ", ".join(keys[:5]) + (f" and {len(keys) - 5} more" if len(keys) > 5 else "")
