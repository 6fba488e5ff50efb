"""Sentences for the events that a reader can see, and words for legal actions, with players' names.

The sentences are made from the shown events and actions alone (``domain.texts.sentences``); names are always current.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from domain.game.aggregate import Game
from domain.sentences.message import AtSeat, Player, plain
from domain.serialization import Plain
from domain.texts.sentences import tell, tell_action, words
from service.games.projections.naming import Nameplates, People, bot_at, named_seats, nameplates, put_names
from service.games.projections.resources import (
    EventResource,
    LegalActions,
    ListedActions,
    SentenceResource,
    ViewResource,
)

SEATING = ("seat_taken", "seat_left")
"""The events that name a player."""


def put_sentences(events: Sequence[EventResource], game: Game, look_up: People, language: str) -> str:
    """Put a sentence into each event of a game, as a reader sees it; return a digest of the names."""
    plates = all_nameplates(game, look_up, _named(events))
    for event in events:
        event["sentence"] = _Narrator(game, event["version"], plates, language).sentence(event)
    return plates.digest


def in_words(
    shown: ViewResource, game: Game, plates: Nameplates, language: str | None, *, planned: bool = False
) -> ViewResource:
    """Put players' names into a view; if a language is requested, words for the legal actions; and whether a plan acts.

    Only a viewer who may read the plan may learn of it.
    """
    put_names(shown["game"], plates)
    if "legal_actions" in shown:
        say_actions(shown["legal_actions"], game, plates, language)
    if planned:
        shown["planned"] = True
    return shown


def say_actions(listed: ListedActions | LegalActions, game: Game, plates: Nameplates, language: str | None) -> None:
    if language is not None and listed["actions"] is not None:
        narrator = _Narrator(game, game.version, plates, language)
        listed["says"] = [narrator.action(each) for each in listed["actions"]]


def say_action(action: Mapping[str, Plain], game: Game, plates: Nameplates, language: str) -> str:
    return _Narrator(game, game.version, plates, language).action(action)


def all_nameplates(game: Game, look_up: People, named: Iterable[str] = ()) -> Nameplates:
    former = (held.sitter.player for held in game.former if held.sitter.player)
    return nameplates(game, look_up, dict.fromkeys((*former, *named)))


def _named(events: Sequence[EventResource]) -> Iterator[str]:
    yield from (event["data"]["player"] for event in events if event["type"] in SEATING)


class _Narrator:
    """Puts messages into words as of one version of a game."""

    def __init__(self, game: Game, version: int, plates: Nameplates, language: str) -> None:
        self._words, self._ruleset, self._plates = words(game.ruleset, language), game.ruleset, plates
        self._holders = [game.holder(seat, version) for seat in range(len(game.sitters))]
        self._named = named_seats(self._holders)

    def sentence(self, event: EventResource) -> SentenceResource:
        message = tell(self._ruleset, event)
        params = {name: self._with_names(plain(each)) for name, each in message.parameters.items()}
        return {"id": message.id, "params": params, "text": self._words.sentence(message, self._name)}

    def action(self, action: Mapping[str, Plain]) -> str:
        return self._words.sentence(tell_action(self._ruleset, action), self._name)

    def _with_names(self, parameter: dict[str, Plain]) -> Any:
        """Add the name of each seat and player to a parameter."""
        match parameter["kind"]:
            case "list":
                return {**parameter, "items": [self._with_names(each) for each in parameter["items"]]}
            case "message":
                said = parameter["message"]
                params = {name: self._with_names(each) for name, each in said["params"].items()}
                return {**parameter, "message": {"id": said["id"], "params": params}}
            case "player":
                return {**parameter, **self._nameplate(parameter["player"])}
            case "seat":
                holder = self._holders[parameter["seat"]]
                player, bot = (holder.player, holder.bot) if holder else (None, None)
                key = bot_at(parameter["seat"]) if bot else player
                return {**parameter, "player": player, "bot": bot, **self._nameplate(key)}
            case _:
                return parameter

    def _nameplate(self, key: str | None) -> dict[str, str | None]:
        person = self._plates.person(key)
        return {"name": person and person.name, "tag": self._plates.tags.get(key or "")}

    def _name(self, who: AtSeat | Player) -> str | None:
        """Return the name to say; None if a seat is called by its number."""
        key = who.value if isinstance(who, Player) else self._named.get(who.value)
        return self._plates.in_sentences().get(key or "")
