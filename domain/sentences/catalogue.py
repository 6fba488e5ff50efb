"""Catalogues: the patterns of a language by message id, and how they put a message into words.

A package has its catalogues beside its code, as ``sentences.<language>.json``. Those of ``domain.sentences`` have what
all games share; a ruleset adds its own, and can reword what is shared.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import TypeAlias
from warnings import warn

from domain.sentences.message import (
    AtSeat,
    Card,
    Decimal,
    Items,
    Message,
    Number,
    Parameter,
    Player,
    Score,
    Text,
    seat_number,
)
from domain.sentences.pattern import Pattern, Slot, parameters, parsed

ORIGINAL = "en"
"""The language that every package must have, and in which each message is read that another language lacks."""

Names: TypeAlias = Callable[[AtSeat | Player], str | None]
"""Looks up the name to show for a seat or a player; None if there is none."""

SHARED = __package__
"""The package with the words that all games share."""

_TRUMP = re.compile(r"T([1-9][0-9]?)")
_FILE = "sentences.{}.json"


def nobody_is_named(_: AtSeat | Player) -> None:
    """Name nobody: seats are shown by their numbers."""


def _one_is_singular(number: int) -> str:
    return "one" if number == 1 else "other"


def _up_to_one_is_singular(number: int) -> str:
    return "one" if number in (0, 1) else "other"


def _no_singular(_: int) -> str:
    return "other"


PLURALS: Mapping[str, Callable[[int], str]] = {
    "en": _one_is_singular,
    "fr": _up_to_one_is_singular,
    "ja": _no_singular,
}
"""The plural category of a whole number, by the rules of the Unicode CLDR; a new language adds a line."""

DECIMAL_MARKS = {"fr": ","}
"""What separates a fraction in the languages that do not write a point."""

WITHOUT_CAPITALS = frozenset({"ja"})
"""The languages in which a code at the start of a sentence keeps its first letter."""


class _Name(str):
    """A name, which keeps its own first letter at the start of a sentence."""

    __slots__ = ()


class _Unworded(Exception):
    """A message has no words, or has others than its parameters fit."""


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """The patterns of one language, those that all games share and those of one ruleset.

    A message that the language lacks is said by the ``original``, with all that is in it, so that its numbers and lists
    are those of one language, too. One that the original lacks as well is spelled, and warned of: a package that lacks
    words must not keep readers from a game.
    """

    language: str
    patterns: Mapping[str, Pattern]
    original: "Catalogue | None" = None
    package: str = SHARED

    def __contains__(self, message_id: str) -> bool:
        return message_id in self.saying(message_id).patterns

    def saying(self, message_id: str) -> "Catalogue":
        """Return the catalogue that says a message: this one, or the original where this one lacks it."""
        return self if self.original is None or message_id in self.patterns else self.original

    def sentence(self, message: Message, names: Names = nobody_is_named) -> str:
        """Put a message into words, with a capital letter at the start if the language has them; names keep theirs."""
        first, *rest = [piece for piece in self.pieces(message, names) if piece] or [""]
        is_kept = isinstance(first, _Name) or self.saying(message.id).language in WITHOUT_CAPITALS
        return "".join([first if is_kept else first[:1].upper() + first[1:], *rest])

    def say(self, message_id: str, /, **filled: str | int) -> str:
        """Put a message whose parameters are texts and numbers into words as they stand within a sentence."""
        given = {name: Number(each) if isinstance(each, int) else Text(each) for name, each in filled.items()}
        return self.phrase(Message(message_id, given))

    def phrase(self, message: Message, names: Names = nobody_is_named) -> str:
        """Put a message into words as they stand within a sentence."""
        return "".join(self.pieces(message, names))

    def pieces(self, message: Message, names: Names) -> Sequence[str]:
        """Put a message into words, with each name as a piece of its own."""
        said_by = self.saying(message.id)
        if said_by is not self:
            return said_by.pieces(message, names)
        try:
            if message.id not in self.patterns:
                raise _Unworded("there are no words for it")
            return [*self._filled(self.patterns[message.id], message.parameters, names)]
        except _Unworded as why:
            warn(f"{self.package} cannot say {message.id}, so readers get this id: {why}", stacklevel=1)
            return [*self._spelled(message, names)]

    def _spelled(self, message: Message, names: Names) -> Iterator[str]:
        """Write the id of a message, and its parameters in parentheses."""
        yield _Name(message.id)
        before = " ("
        for name, parameter in message.parameters.items():
            yield f"{before}{name}: "
            yield from self._worded(parameter, names)
            before = ", "
        if message.parameters:
            yield ")"

    def _filled(self, pattern: Pattern, given: Mapping[str, Parameter], names: Names) -> Iterator[str]:
        for part in pattern:
            if isinstance(part, str):
                yield part
                continue
            if part.name not in given:
                raise _Unworded(f"it has no parameter {part.name}")
            parameter = given[part.name]
            if isinstance(part, Slot):
                yield from self._worded(parameter, names)
            else:
                number = _counted(parameter)
                yield from self._filled(part.chosen(number, PLURALS[self.language](number)), given, names)

    def _worded(self, parameter: Parameter, names: Names) -> Iterator[str]:
        match parameter:
            case AtSeat() | Player():
                name = names(parameter)
                yield from (_Name(name),) if name else self.pieces(_unnamed(parameter), names)
            case Message() | Card() | Items():
                yield from self.pieces(self._composed(parameter), names)
            case Score(score):
                yield f"{score:+d}".replace("-", "−") if score else "0"
            case Decimal(digits):
                yield digits.replace(".", DECIMAL_MARKS.get(self.language, "."))
            case _:
                yield str(parameter.value)

    def _composed(self, parameter: Message | Card | Items) -> Message:
        match parameter:
            case Card(code):
                return self._card(code)
            case Items(items):
                return _listed(items)
            case _:
                return parameter

    def _card(self, code: str) -> Message:
        """Return a card in words: the ruleset's own, or its rank and suit."""
        if f"card.{code}" in self:
            return Message(f"card.{code}")
        rank, suit = f"rank.{code[:-1]}", f"suit.{code[-1:]}"
        if rank in self and suit in self:
            return Message("card", {"rank": Message(rank), "suit": Message(suit)})
        if trump := _TRUMP.fullmatch(code):
            return Message("trump", {"number": Number(int(trump[1]))})
        return Message("excuse") if code == "EX" else Message("code", {"code": Text(code)})


def _counted(parameter: Parameter) -> int:
    if not isinstance(parameter, Number):
        raise _Unworded(f"a plural counts a number, not a {type(parameter).__name__}")
    return parameter.value


def _unnamed(who: AtSeat | Player) -> Message:
    return Message("seat", {"seat": seat_number(who.value)}) if isinstance(who, AtSeat) else Message("player")


def _listed(items: tuple[Parameter, ...]) -> Message:
    """Return a list as messages of pairs, as the Unicode CLDR does: a start, then one by one, then the end."""
    if not items:
        return Message("list.nothing")
    *before, last = items
    if not before:
        return Message("list.one", {"item": last})
    if len(before) == 1:
        return Message("list.two", {"first": before[0], "last": last})
    rest: Parameter = before[0]
    for item in before[1:]:
        rest = Message("list.start", {"first": rest, "next": item})
    return Message("list.end", {"first": rest, "last": last})


@cache
def languages() -> tuple[str, ...]:
    """List the languages that can be requested, the original one first."""
    found = (language for language in PLURALS if _texts(SHARED, language))
    return tuple(sorted(found, key=lambda language: (language != ORIGINAL, language)))


def language_of(tag: str | None) -> str:
    """Return the language with words that a tag such as fr-CA begins with, or else the original one."""
    first = (tag or "").partition("-")[0]
    return first if first in languages() else ORIGINAL


def words_of_all_games(language: str) -> Catalogue:
    """Return the catalogue of what all games share."""
    return catalogue(SHARED, language)


@cache
def catalogue(package: str, language: str = ORIGINAL) -> Catalogue:
    """Return the catalogue of a package in a language, which lacks what its file lacks or has with other parameters.

    What a package rewords in the original language, it has to reword in every other: the shared words of a language do
    not mean the same.
    """
    shared, own = _texts(SHARED, language), _texts(package, language)
    if language == ORIGINAL:
        return Catalogue(language, {**shared, **own}, package=package)
    original = catalogue(package)
    reworded = _texts(package, ORIGINAL)
    patterns = {**{each: pattern for each, pattern in shared.items() if each not in reworded}, **own}
    fitting = {
        each: pattern
        for each, pattern in patterns.items()
        if parameters(pattern) <= parameters(original.patterns.get(each, pattern))
    }
    return Catalogue(language, fitting, original, package)


def home_of(module: str) -> str | None:
    """Return the package that a module is in, or is, without importing the module; None if there is none."""
    package = module.rpartition(".")[0] or module
    try:
        found = find_spec(package)
    except ModuleNotFoundError:
        return None
    return package if found and found.submodule_search_locations else None


def speaks(package: str, language: str) -> bool:
    """Return whether a package has words of its own in a language."""
    return bool(_texts(package, language))


def lacking(package: str, language: str) -> tuple[str, ...]:
    """List the messages that a package has in some language, but lacks in this one."""
    known = catalogue(package, language).patterns
    return tuple(dict.fromkeys(each for other in languages() for each in _texts(package, other) if each not in known))


@cache
def _texts(package: str, language: str) -> Mapping[str, Pattern]:
    """Return the patterns in the file of a package, none if it has no file; raise ``ValueError`` if it is malformed."""
    file = files(package) / _FILE.format(language)
    if not file.is_file():
        return {}
    try:
        return {message_id: parsed(text) for message_id, text in json.loads(file.read_text("utf-8")).items()}
    except ValueError as error:
        raise ValueError(f"{file.name} of {package}: {error}") from error
