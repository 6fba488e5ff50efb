"""``plateau backup`` copies a running service into a folder; ``plateau restore`` puts a copy into an empty store."""

import os
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

import click

from service.backup import manifest as manifests
from service.backup.copying import Copier
from service.backup.game_copying import Counts
from service.backup.manifest import Manifest, prune
from service.backup.parts import BackupError, Folder
from service.backup.restoring import Restored, Restorer, check
from service.cli.exit_codes import ExitCode
from service.cli.many import Progress
from service.cli.output import Command, fail, say
from service.cli.trusting import FILE, public_key
from service.cli.trusting import keys_in as keys_in_list
from service.common import wall_clock
from service.config.settings import Settings, check_rulesets
from service.runtime.data_folder import EngineError
from service.runtime.running_store import checked_store, store_to_fill
from service.store.archive.buckets import place_at
from service.store.event_store import StoreUnavailable
from service.store.redis.redis_rights import BACKUP
from service.store.redis.redis_server import StoreMisconfigured
from service.transparency.key_file import keys_in
from service.transparency.key_ring import KeyRing
from service.transparency.signatures import public_half


@click.command(cls=Command)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER")
@click.option("--whole", is_flag=True, help="Copy every log completely, even if FOLDER has earlier backups.")
@click.option("--keep", type=click.IntRange(min=1), metavar="NUMBER", help="Then remove all but the newest backups.")
def backup(folder: Path, *, whole: bool, keep: int | None) -> None:
    """Back up a service into FOLDER, while it runs.

    It needs the REDIS_URL of the service, or else its data folder (PLATEAU_DATA). The backup has everything that was
    acknowledged before the printed time. A further backup into the same FOLDER copies only the new part of each log.
    The logs of archived games stay in the archive, and are not copied. The files hold the secrets of running games,
    tokens' hashes, addresses, and the private signing key: keep them as safe as the store.

    The service signs the backup with the key that signs receipts. The last line has this key: keep it in another
    place than the backup, because plateau restore needs it.
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
    except (StoreUnavailable, StoreMisconfigured) as error:
        fail(ExitCode.UNREACHABLE, str(error))
    except (BackupError, OSError) as error:
        fail(ExitCode.NOT_DONE, str(error))
    if copier.unknown:
        say(f"not copied, for no service has written it: {_some(copier.unknown)}", err=True)
    for game_id, reason in made.damaged.items():
        say(f"{game_id} is damaged, and was copied as it is: {reason}", err=True)
    sys.exit(ExitCode.DAMAGED if made.damaged else ExitCode.DONE)


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


@click.command(cls=Command)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True), metavar="FOLDER")
@click.option("--backup", "name", metavar="NAME", help="The backup to restore; the newest if not given.")
@click.option(
    "--key",
    "trusted",
    multiple=True,
    callback=public_key,
    metavar="KEY",
    help="Public key of the service, as plateau backup printed it; can be repeated.",
)
@click.option("--keys", type=FILE, metavar="FILE", help="Its keys, saved from /.well-known/plateau-keys.json.")
@click.option("--check", "only_checks", is_flag=True, help="Check the backup, and restore nothing.")
def restore(folder: Path, name: str | None, trusted: Sequence[str], keys: Path | None, *, only_checks: bool) -> None:
    """Restore a backup from FOLDER into an empty store.

    The backup must be signed with a key that you name by --key or --keys, or that is in PLATEAU_SIGNING_KEYS, because
    the command trusts its content, including the list of administrators. Without a key, the command only prints the
    key that the backup names, so that you can compare it.

    The store is the one at REDIS_URL, or else a new data folder, PLATEAU_DATA; no service can run on it. The backup is
    checked before anything is written, and every game is verified afterwards. The number of shards can differ
    (PLATEAU_SHARDS). The logs of archived games are not in a backup: set PLATEAU_ARCHIVE to the archive, which must
    still have them.
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
    except (EngineError, StoreMisconfigured, StoreUnavailable) as error:
        fail(ExitCode.UNREACHABLE, str(error))
    except (BackupError, OSError) as error:
        fail(ExitCode.NOT_DONE, str(error))
    say(
        f"{manifest.name}: restored as of {manifest.as_of}, and verified; {restored.games} games with "
        f"{restored.events} events, {manifest.players} players"
    )
    for game_id, reason in restored.damaged.items():
        say(f"{game_id} was damaged when it was backed up, and is as it was: {reason}", err=True)
    sys.exit(ExitCode.DAMAGED if restored.damaged else ExitCode.DONE)


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
