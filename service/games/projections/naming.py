"""The names of a game's players, as games, lists, views and pictures show them beside the ids."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b, sha256
from typing import Any
from unicodedata import bidirectional

import orjson
import regex

from domain.game.aggregate import Game
from domain.game.parts import Sitter
from domain.sentences.catalogue import languages, words_of_all_games
from domain.sentences.message import Message, seat_number
from domain.table import Seat
from service.accounts.names.lookalikes import skeletons
from service.bots import BOTS

Names = Callable[[Iterable[str]], Mapping[str, str]]
"""Looks up the names of players by their ids."""

_LEAST_TAG = 4
_LETTERS_DRAWN = 14
"""How many letters of a name a picture has room for."""
_DRAWN_AS = ("{}", "You ({})", "{} (you)")
"""What pictures make of a label."""
_TO_THE_LEFT = ("R", "AL", "AN")
_SEATS_DRAWN = tuple(f"Seat {seat + 1}" for seat in range(12))
"""What pictures show for seats without a name."""
_SEATS_SAID = tuple(
    words_of_all_games(language).sentence(Message("seat", {"seat": seat_number(seat)}))
    for language in languages()
    for seat in range(12)
)
"""What sentences say for seats without a name."""


@dataclass(frozen=True, slots=True)
class Nameplates:
    """The names of a game's players by their ids, tags for those that look alike, and a digest of the names."""

    names: Mapping[str, str]
    tags: Mapping[str, str]
    digest: str

    def labels(self) -> Mapping[str, str]:
        """Return what a picture shows for each player: a long name is cut, and has a tag if that looks like another."""
        return _labels(tuple(self.names.items()))

    def in_sentences(self) -> Mapping[str, str]:
        """Return what a sentence calls each player: the name, with a tag if it looks like that of another or a bot."""
        return _in_sentences(tuple(self.names.items()))


def nameplates(game: Game, look_up: Names, others: Iterable[str] = ()) -> Nameplates:
    players = [game.creator, *[sitter.player for sitter in game.sitters if sitter and sitter.player], *others]
    return _nameplates(tuple(look_up(players).items()))


@lru_cache(4096)
def _nameplates(names: tuple[tuple[str, str], ...]) -> Nameplates:
    """Return the nameplates of players who are together in a game, which hardly ever change."""
    written = orjson.dumps(names)
    return Nameplates(dict(names), _tags(dict(names), _in_full), blake2b(written, digest_size=4).hexdigest())


@lru_cache(4096)
def _labels(names: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    shown = dict(names)
    tags = _tags(shown, _cut, _DRAWN_AS, _SEATS_DRAWN)
    return {player: _cut(name, tags.get(player)) for player, name in shown.items()}


@lru_cache(4096)
def _in_sentences(names: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    shown = dict(names)
    tags = _tags(shown, _in_full, others=(*_SEATS_SAID, *BOTS))
    return {player: _isolated(_in_full(name, tags.get(player))) for player, name in shown.items()}


def _isolated(name: str) -> str:
    """Set a name that is written from right to left apart from the direction of the sentence around it."""
    if all(bidirectional(letter) not in _TO_THE_LEFT for letter in name):
        return name
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"


def _in_full(name: str, tag: str | None) -> str:
    return f"{name} {tag}" if tag else name


def _cut(name: str, tag: str | None) -> str:
    letters = regex.findall(r"\X", name)
    room = _LETTERS_DRAWN - (len(tag) + 1 if tag else 0)
    return _in_full(name if len(letters) <= room else "".join(letters[: room - 1]) + "…", tag)


def _tags(
    names: Mapping[str, str],
    write: Callable[[str, str | None], str],
    shown_as: Sequence[str] = ("{}",),
    others: Iterable[str] = (),
) -> Mapping[str, str]:
    """Return tags for as many players as it takes for no two to look alike as they are written, nor like ``others``."""
    marks, tags = _marks(names), dict[str, str]()
    reserved = [look for each in others for look in skeletons(each)]
    while True:
        texts = {player: write(name, tags.get(player)) for player, name in names.items()}
        looks = {
            player: {look for each in shown_as for look in skeletons(each.format(text))}
            for player, text in texts.items()
        }
        times = Counter([*reserved, *(look for each in looks.values() for look in each)])
        alike = {player for player, each in looks.items() if any(times[look] > 1 for look in each)} - tags.keys()
        if not alike:
            return tags
        tags |= {player: marks[player] for player in names if player in alike}


def _marks(players: Iterable[str]) -> Mapping[str, str]:
    """Return as much of a hash of each player's id as it takes to tell them apart."""
    marks = {player: sha256(player.encode()).hexdigest() for player in players}
    size = _LEAST_TAG
    while len({mark[:size] for mark in marks.values()}) < len(marks):
        size += 1
    return {player: mark[:size] for player, mark in marks.items()}


def named_seats(holders: Sequence[Sitter | None]) -> Mapping[Seat, str]:
    """Return the player of each seat that goes by a name: not a bot's, and none of several that one player holds."""
    players = [sitter.player if sitter else None for sitter in holders]
    return {seat: player for seat, player in enumerate(players) if player and players.count(player) == 1}


def put_names(shown: Any, plates: Nameplates) -> None:
    for seat in shown["seats"]:
        player = seat["player"]
        seat["name"], seat["tag"] = plates.names.get(player), plates.tags.get(player)
    if "creator" in shown:
        creator = shown["creator"]
        shown["creator_name"], shown["creator_tag"] = plates.names.get(creator), plates.tags.get(creator)


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
    shown = orjson.loads(game)
    return tuple(dict.fromkeys([shown["creator"], *(seat["player"] for seat in shown["seats"] if seat["player"])]))


@lru_cache(2048)
def _named(game: bytes, names: tuple[tuple[str, str], ...]) -> bytes:
    shown = orjson.loads(game)
    put_names(shown, _nameplates(names))
    return orjson.dumps(shown)
