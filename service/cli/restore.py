"""The command ``plateau restore``: put a backup into an empty store."""

import os
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

import click

from service.backup import manifest as manifests
from service.backup.manifest import Manifest
from service.backup.parts import BackupError, Folder
from service.backup.restoring import Restored, Restorer, check
from service.cli.output import say
from service.cli.progress import Progress
from service.cli.trusting import FILE, public_key
from service.cli.trusting import keys_in as keys_in_list
from service.cli.workers import fail
from service.config.setting_fields import InvalidSettings
from service.config.settings import Settings, check_rulesets
from service.runtime.data_folder import EngineError
from service.runtime.running_store import store_to_fill
from service.store.archive.buckets import place_at
from service.store.event_store import StoreUnavailable
from service.store.redis.redis_server import StoreMisconfigured
from service.transparency.key_file import keys_in
from service.transparency.signatures import public_half

_DAMAGED, _CONFIGURATION, _STORE, _REFUSED = 1, 2, 3, 4


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True), metavar="FOLDER")
@click.option("--backup", "name", metavar="NAME", help="The backup to restore; the newest if not given.")
@click.option(
    "--key",
    "trusted",
    multiple=True,
    callback=public_key,
    metavar="KEY",
    help="Public key of the service, which plateau backup has printed; several can be.",
)
@click.option("--keys", type=FILE, metavar="FILE", help="Its keys, saved from /.well-known/plateau-keys.json.")
@click.option("--check", "only_checks", is_flag=True, help="Check the backup, and restore nothing.")
def restore(folder: Path, name: str | None, trusted: Sequence[str], keys: Path | None, *, only_checks: bool) -> None:
    """Restore a backup from FOLDER into an empty store.

    The backup must be signed with a key that you name by --key or --keys, or that is in PLATEAU_SIGNING_KEYS: what it
    has is believed, also who is an administrator. Without one, the command prints the key that the backup names, so
    that you can compare it.

    The store is the one at REDIS_URL, or else a new data folder, PLATEAU_DATA; no service may run on it. The backup is
    checked before anything is written, and every game is verified afterwards. The number of shards can be another one
    than before (PLATEAU_SHARDS). The logs of archived games are not in a backup: set PLATEAU_ARCHIVE to the archive,
    which must still have them.

    Exit codes: 0 done, 1 done, but some logs were damaged already when they were backed up, 2 configuration, 3 the
    store cannot be used, 4 the backup is damaged or the store is not empty: nothing was restored, or a line says that
    the restoration did not end.
    """
    place = Folder(folder)
    try:
        check_rulesets()
        settings = Settings.from_environment(os.environ)
        in_files = (*(() if keys is None else keys_in_list(keys).values()), *_own_keys(settings))
        manifest = _chosen(place, name, {*trusted, *in_files})
        if only_checks:
            say(f"{manifest.name}: whole; {len(check(place, manifest))} games, {manifest.events} events")
            return
        restored = _restored(settings, place, manifest)
    except InvalidSettings as error:
        fail(_CONFIGURATION, str(error))
    except (EngineError, StoreMisconfigured, StoreUnavailable) as error:
        fail(_STORE, str(error))
    except (BackupError, OSError) as error:
        fail(_REFUSED, str(error))
    say(
        f"{manifest.name}: restored as of {manifest.as_of}, and verified; {restored.games} games with "
        f"{restored.events} events, {manifest.players} players"
    )
    for game_id, reason in restored.damaged.items():
        say(f"{game_id} was damaged when it was backed up, and is as it was: {reason}", err=True)
    sys.exit(_DAMAGED if restored.damaged else 0)


def _own_keys(settings: Settings) -> Sequence[str]:
    return [public_half(key) for key in keys_in(settings.signing_keys)]


def _chosen(place: Folder, name: str | None, trusted: Collection[str]) -> Manifest:
    names = manifests.manifests(place)
    if not names:
        raise BackupError(f"there is no backup in {place.path}")
    if name is not None and name not in names:
        raise BackupError(f"there is no backup {name} in {place.path}; there are {', '.join(names)}")
    return manifests.read(place, name or names[-1], trusted)


def _restored(settings: Settings, place: Folder, manifest: Manifest) -> Restored:
    progress, archive = Progress("checked {} games"), place_at(settings.archive)
    with store_to_fill(settings) as client:
        restorer = Restorer(client, settings.shards, settings.patience, progress.show, archive)
        return restorer.restore(place, manifest)
