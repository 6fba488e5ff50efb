"""The index of names: which players have a name, or one that looks like it.

An entry can outlive the name that it stands for, if a process dies between two steps; a name never lacks its entry. So
readers of entries compare the names.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, cast

import redis
import regex

from domain.game.durations import instant
from service.store import keys


@dataclass(eq=False)
class Namesakes:
    """The index of names in one Redis; it holds hashes of names, and ids of players."""

    _redis: redis.Redis

    def add(self, pipe: Any, player_id: str, name: str, created_at: str) -> None:
        for key in _keys(name):
            pipe.zadd(key, {player_id: instant(created_at)})

    def enter(self, player_id: str, name: str, created_at: str) -> None:
        pipe = self._redis.pipeline(transaction=False)
        self.add(pipe, player_id, name, created_at)
        pipe.execute()

    def remove(self, player_id: str, names: Iterable[str], kept: str = "") -> None:
        """Remove a player from under names, but not from under the one that is ``kept``."""
        doomed = {key for name in names for key in _keys(name)} - _keys(kept)
        pipe = self._redis.pipeline(transaction=False)
        for key in doomed:
            pipe.zrem(key, player_id)
        pipe.execute()

    def settle(self, player_id: str, names: Iterable[str]) -> None:
        """Remove a player from under names that are not theirs, even while the name changes.

        A name that the player took in the meantime can lose its entry, so the name that they then have is entered.
        """
        name, _ = self._now(player_id)
        self.remove(player_id, names, name)
        name, created_at = self._now(player_id)
        if name:
            self.enter(player_id, name, created_at)

    def _now(self, player_id: str) -> tuple[str, str]:
        kept = cast("list[bytes | None]", self._redis.hmget(keys.player(player_id), ["name", "created_at"]))
        name, created_at = ((part or b"").decode() for part in kept)
        return name, created_at

    def find(self, name: str, most: int) -> list[str]:
        """List at most this many players for each skeleton of the name, oldest first; compare their names with it."""
        pipe = self._redis.pipeline(transaction=False)
        for key in _keys(name):
            pipe.zrange(key, 0, most - 1, withscores=True)
        found = cast("list[list[tuple[bytes, float]]]", pipe.execute())
        entries = {(at, player.decode()) for each in found for player, at in each}
        return [player for _, player in sorted(entries)]


def _keys(name: str) -> set[str]:
    return {keys.named(sha256(each.encode()).hexdigest()[:32]) for each in skeletons(name)}


# -- names that look alike, by the skeletons of Unicode Technical Standard #39 ------------------------------------
#
# Equal skeletons mean equal looks.
#
# ``lookalikes.txt`` has Unicode's table of characters that look alike, and its license.


_ACCENT = regex.compile(r"(?=\p{Mn})\p{Script=Inherited}")
"""Marks that letters of any script can carry; the vowel signs of a script are letters of its words."""


_INVISIBLE = regex.compile(r"\p{Default_Ignorable_Code_Point}")
"""Joiners, selectors and tags."""


def skeletons(name: str) -> frozenset[str]:
    """Return the skeletons of a name, as it is written and in lower case.

    Two names look alike if they have one in common: they differ only in accents, in case, or in characters that look
    the same.
    """
    return frozenset((_skeleton(name), _skeleton(name.casefold())))


def _skeleton(text: str) -> str:
    plain = _ACCENT.sub("", unicodedata.normalize("NFKD", _INVISIBLE.sub("", text)))
    return _ACCENT.sub("", unicodedata.normalize("NFKD", plain.translate(_prototypes())))


@cache
def _prototypes() -> dict[int, str]:
    """Return what each character looks like; read when a name is compared for the first time."""
    lines = files("service.accounts.names").joinpath("lookalikes.txt").read_text("utf-8").splitlines()
    pairs = (line.split(";") for line in lines if not line.startswith("#"))
    return {int(source, 16): "".join(chr(int(each, 16)) for each in target.split()) for source, target in pairs}
