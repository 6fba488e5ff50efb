"""Stores with games, and what a restored one must have in common with the one that was backed up."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import redis

from domain.game.timeouts import ENDLESS, Patience
from service.accounts.players import Key
from service.backup import manifest as manifests
from service.backup.copying import Copier
from service.backup.families import Role, role_of
from service.backup.game_copying import Counts
from service.backup.manifest import Manifest
from service.backup.parts import Folder
from service.backup.restoring import Restored, Restorer
from service.common import wall_clock
from service.store.event_store import EventStore
from service.transparency.key_ring import KeyRing
from tests.support.games import play_on, sandbox
from tests.support.stores import everything
from tests.support.wiring import Games, games_on

SHARDS = 16


def played_store(client: redis.Redis, games: int = 6, moves: int = 12) -> tuple[Games, list[str]]:
    """Make a store with games in the middle; every action has a key, k0, k1 and so on."""
    store = EventStore(client, SHARDS)
    store.check(allow_unsafe=True)
    store.naming_secret()
    desk = games_on(client)
    made = [sandbox(desk, seats=3) for _ in range(games)]
    for game_id in made:
        move_on(desk, game_id, moves)
    return desk, made


def move_on(games: Games, game_id: str, moves: int, seed: int = 1, prefix: str = "k") -> None:
    """Carry out legal actions in a sandbox."""
    rng = random.Random(seed)
    for number in range(moves):
        play_on(games, game_id, rng, Key(f"{prefix}{number}", f"{prefix}{number}"))


def back_up(client: redis.Redis, path: Path, *, whole: bool = False) -> tuple[Manifest, Counts]:
    """Back up a store into a folder."""
    folder = Folder(path)
    with folder.held():
        return copier_of(client, folder).copy(whole=whole)


def copier_of(client: redis.Redis, folder: Folder, told: Callable[[Counts], None] = lambda _: None) -> Copier:
    """Make what backs up a store with the keys in it."""
    return Copier(client, folder, KeyRing(client, wall_clock.now), told)


def read_manifest(path: Path, name: str | None = None) -> Manifest:
    """Read a manifest, that of the newest backup if none is named; trust the key in it."""
    folder = Folder(path)
    return manifests.read(folder, name or manifests.manifests(folder)[-1], None)


def restore(
    client: redis.Redis, path: Path, name: str | None = None, shards: int = SHARDS, patience: Patience = ENDLESS
) -> Restored:
    """Restore a backup, the newest if none is named."""
    return Restorer(client, shards, patience).restore(Folder(path), read_manifest(path, name))


def lasting(client: redis.Redis) -> dict[bytes, Any]:
    """Read all that a restoration brings back exactly: everything but what is fleeting, and feeds, which continue."""
    feeds = (b":changes", b":notices")
    return {
        key: value
        for key, value in everything(client).items()
        if role_of(key.decode()) is not Role.FLEETING and not (key.startswith(b"{s") and key.endswith(feeds))
    }
