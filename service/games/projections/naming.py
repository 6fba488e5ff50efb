"""The names of a game's players and bots, as games, lists, views and pictures show them beside the ids."""

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
from service.accounts.names.namesakes import skeletons
from service.accounts.players import Person

People = Callable[[Iterable[str]], Mapping[str, Person]]
"""Looks up the name and portrait of players, by their ids."""

CAST = (
    Person("Félix", "fox"),
    Person("Olga", "owl"),
    Person("Basile", "badger"),
    Person("Mina", "cat"),
    Person("Bruno", "bear"),
    Person("Wanda", "wolf"),
    Person("Rosa", "frog"),
    Person("Pip", "mouse"),
)
"""The names and portraits of bots, the same in every language. Players cannot choose these portraits."""

_LEAST_TAG = 4
_LETTERS_DRAWN = 14
"""How many letters of a name a picture has room for."""
_DRAWN_AS = ("{}", "You ({})", "{} (you)")
"""The forms that a label takes in pictures."""
_TO_THE_LEFT = ("R", "AL", "AN")
_SEATS_DRAWN = tuple(f"Player {seat + 1}" for seat in range(12))
"""What pictures show for seats without a name."""
_SEATS_SAID = tuple(
    words_of_all_games(language).sentence(Message("seat", {"seat": seat_number(seat)}))
    for language in languages()
    for seat in range(12)
)
"""What sentences say for seats without a name."""


@dataclass(frozen=True, slots=True)
class Nameplates:
    """The people of a game: players by their ids, bots by ``bot_at``, and tags for players who look like others.

    The digest covers all names and portraits.
    """

    players: Mapping[str, Person]
    bots: Mapping[str, Person]
    tags: Mapping[str, str]
    digest: str

    def person(self, key: str | None) -> Person | None:
        return self.players.get(key or "") or self.bots.get(key or "")

    def labels(self) -> Mapping[str, str]:
        """Return the label of each in a picture: a long name is cut, and gets a tag if it then looks like another."""
        return _labels(tuple(self.players.items()), tuple(self.bots.items()))

    def in_sentences(self) -> Mapping[str, str]:
        """Return the name of each in a sentence: a player's name gets a tag if it looks like another."""
        return _in_sentences(tuple(self.players.items()), tuple(self.bots.items()))


_Named = tuple[tuple[str, Person], ...]


def nameplates(game: Game, look_up: People, others: Iterable[str] = ()) -> Nameplates:
    players = [game.creator, *[sitter.player for sitter in game.sitters if sitter and sitter.player], *others]
    seats = [seat for seat, sitter in enumerate(game.sitters) if sitter and sitter.bot]
    return _nameplates(tuple(look_up(players).items()), _bots(game.id, seats))


def bot_at(seat: Seat) -> str:
    """Return the key of a seat's bot, in place of a player's id."""
    return f"bot {seat}"


def _bots(game_id: str, seats: Iterable[Seat]) -> _Named:
    order = _drawn(game_id)
    return tuple([(bot_at(seat), _double(order[seat % len(order)], seat // len(order))) for seat in seats])


@lru_cache(4096)
def _drawn(game_id: str) -> Sequence[Person]:
    """Return the cast in an order that is drawn for a game, the same for every viewer."""
    return sorted(CAST, key=lambda bot: blake2b(f"{game_id} {bot.portrait}".encode(), digest_size=8).digest())


def _double(person: Person, times: int) -> Person:
    return person._replace(name=f"{person.name} {times + 1}") if times else person


@lru_cache(4096)
def _nameplates(players: _Named, bots: _Named) -> Nameplates:
    """Return the nameplates of a game, cached because they hardly ever change."""
    digest = blake2b(repr((players, bots)).encode(), digest_size=4).hexdigest()
    return Nameplates(dict(players), dict(bots), _tags(_names(players), _in_full, others=_names(bots).values()), digest)


def _names(people: _Named) -> dict[str, str]:
    return {key: person.name for key, person in people}


@lru_cache(4096)
def _labels(players: _Named, bots: _Named) -> Mapping[str, str]:
    shown = _names(players)
    tags = _tags(shown, _cut, _DRAWN_AS, (*_SEATS_DRAWN, *_names(bots).values()))
    return {player: _cut(name, tags.get(player)) for player, name in shown.items()} | _names(bots)


@lru_cache(4096)
def _in_sentences(players: _Named, bots: _Named) -> Mapping[str, str]:
    shown = _names(players)
    tags = _tags(shown, _in_full, others=(*_SEATS_SAID, *_names(bots).values()))
    return {player: _isolated(_in_full(name, tags.get(player))) for player, name in shown.items()} | _names(bots)


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
    """Return tags for the names that look alike as written, or like ``others``, until no two do."""
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
    """Return the shortest parts of hashes of the players' ids that are all different."""
    marks = {player: sha256(player.encode()).hexdigest() for player in players}
    size = _LEAST_TAG
    while len({mark[:size] for mark in marks.values()}) < len(marks):
        size += 1
    return {player: mark[:size] for player, mark in marks.items()}


def named_seats(holders: Sequence[Sitter | None]) -> Mapping[Seat, str]:
    """Return the key of the holder of each seat that has a name; several seats of one player have none."""
    players = [sitter.player if sitter else None for sitter in holders]
    keys = {seat: player for seat, player in enumerate(players) if player and players.count(player) == 1}
    return keys | {seat: bot_at(seat) for seat, sitter in enumerate(holders) if sitter and sitter.bot}


def put_names(shown: Any, plates: Nameplates) -> None:
    for seat in shown["seats"]:
        person = plates.person(bot_at(seat["seat"]) if seat["bot"] else seat["player"])
        seat["name"], seat["tag"] = person and person.name, plates.tags.get(seat["player"])
        seat["portrait"] = (person and person.portrait) or None
    if "creator" in shown:
        creator = plates.person(shown["creator"])
        shown["creator_name"], shown["creator_tag"] = creator and creator.name, plates.tags.get(shown["creator"])


def named_list(games: Iterable[bytes], look_up: People) -> list[bytes]:
    """Put names into the public data of games, which lists store as JSON; all names are looked up at once.

    Most games of a list are unchanged since it was last shown, so the results are cached.
    """
    listed = [(game, _players(game)) for game in games]
    people = look_up({player for _, players in listed for player in players})
    return [
        _named(game, tuple([(player, people[player]) for player in players if player in people]))
        for game, players in listed
    ]


@lru_cache(2048)
def _players(game: bytes) -> tuple[str, ...]:
    shown = orjson.loads(game)
    return tuple(dict.fromkeys([shown["creator"], *(seat["player"] for seat in shown["seats"] if seat["player"])]))


@lru_cache(2048)
def _named(game: bytes, people: _Named) -> bytes:
    shown = orjson.loads(game)
    put_names(shown, _nameplates(people, _bots(shown["id"], [each["seat"] for each in shown["seats"] if each["bot"]])))
    return orjson.dumps(shown)
