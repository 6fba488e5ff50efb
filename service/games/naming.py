"""The names of a game's players, as games, lists, views and pictures show them beside the ids."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b, sha256
from typing import Any

import orjson
import regex

from domain.game.aggregate import Game
from service.accounts.lookalikes import skeletons
from service.games.finding import speed_shown

Names = Callable[[Iterable[str]], Mapping[str, str]]
"""Looks up the names of players by their ids."""

_LEAST_TAG = 4
_LETTERS_DRAWN = 14
"""How many letters of a name a picture has room for."""


@dataclass(frozen=True, slots=True)
class Nameplates:
    """The names of a game's players by their ids, tags for those that look alike, and a digest of the names."""

    names: Mapping[str, str]
    tags: Mapping[str, str]
    digest: str

    def labels(self) -> Mapping[str, str]:
        """Return what a picture shows for each player: the beginning of a long name, and the tag."""
        return {player: self._label(player, name) for player, name in self.names.items()}

    def _label(self, player: str, name: str) -> str:
        tag = f" {self.tags[player]}" if player in self.tags else ""
        letters = regex.findall(r"\X", name)
        room = _LETTERS_DRAWN - len(tag)
        return (name if len(letters) <= room else "".join(letters[: room - 1]) + "…") + tag


def nameplates(game: Game, look_up: Names) -> Nameplates:
    """Return the nameplates of a game's players."""
    players = [game.creator, *[sitter.player for sitter in game.sitters if sitter and sitter.player]]
    return _nameplates(tuple(look_up(players).items()))


@lru_cache(4096)
def _nameplates(names: tuple[tuple[str, str], ...]) -> Nameplates:
    """Return the nameplates of players who are together in a game, which hardly ever change."""
    written = orjson.dumps(names)
    return Nameplates(dict(names), _tags(dict(names)), blake2b(written, digest_size=4).hexdigest())


def _tags(names: Mapping[str, str]) -> Mapping[str, str]:
    """Return a tag for each player whose name looks like another's: as much of a hash of the id as it takes."""
    looks = {player: skeletons(name) for player, name in names.items()}
    times = Counter(look for each in looks.values() for look in each)
    alike = [player for player, each in looks.items() if any(times[look] > 1 for look in each)]
    marks = {player: sha256(player.encode()).hexdigest() for player in alike}
    size = _LEAST_TAG
    while len({mark[:size] for mark in marks.values()}) < len(marks):
        size += 1
    return {player: mark[:size] for player, mark in marks.items()}


def put_names(shown: Any, plates: Nameplates) -> None:
    """Put names into the plain data of a game."""
    for seat in shown["seats"]:
        player = seat["player"]
        seat["name"], seat["tag"] = plates.names.get(player), plates.tags.get(player)
    if "creator" in shown:
        shown["creator_name"] = plates.names.get(shown["creator"])


def named_list(games: Iterable[bytes], look_up: Names) -> list[bytes]:
    """Put names into the public data of games, which lists keep as JSON; all names are looked up at once.

    Most games of a list are as they were when it was last shown, so what is found out about them is cached.
    """
    listed = [(game, _players(game)) for game in games]
    names = look_up({player for _, players in listed for player in players})
    return [
        _named(game, tuple([(player, names[player]) for player in players if player in names]))
        for game, players in listed
    ]


@lru_cache(2048)
def _players(game: bytes) -> tuple[str, ...]:
    """List the creator and the seated players of a game, each once."""
    shown = orjson.loads(game)
    return tuple(dict.fromkeys([shown["creator"], *(seat["player"] for seat in shown["seats"] if seat["player"])]))


@lru_cache(2048)
def _named(game: bytes, names: tuple[tuple[str, str], ...]) -> bytes:
    shown = orjson.loads(game)
    shown["speed"] = speed_shown(shown)
    put_names(shown, _nameplates(names))
    return orjson.dumps(shown)
