"""What can be chosen next: how it is numbered, and which words it fits."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from service.cli.play.slots import Branch, Leaf, Scalar

YES = "x"
"""What is typed for yes."""

UNNUMBERED = -1
"""The key of an option that is yet to be numbered."""


@dataclass(frozen=True, slots=True)
class Option:
    """Something that can be chosen next: a whole action, or a value of its next part. ``key`` is the number to type."""

    key: int
    label: str
    words: Sequence[str]
    branches: Sequence[Branch]
    value: Scalar = None
    path: str = ""


def words_of(text: str) -> list[str]:
    """Split text into words, as the notation separates them; ``~`` is the sign of what is turned over."""
    return [word for word in re.split(r"[\s.,:;>/+*!$%()\[\]|=]+", plain(text).replace("~", f" {YES} ")) if word]


def plain(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def written(value: Scalar) -> str:
    return YES if value is True else "" if value is False or value is None else plain(str(value))


def code_of(leaf: Leaf) -> list[str]:
    values = [written(value) for slot in leaf.slots if slot.path != "type" for value in slot.values]
    return [value for value in values if value] or [written(leaf.slots[0].values[0])]


def matching(word: str, options: Sequence[Option]) -> list[Option]:
    """List the options that a word fits: as a value if there is one, or else as the beginning of a word."""
    exact = [each for each in options if word in each.words]
    return exact or [each for each in options if _begins(word, each)]


def _begins(word: str, option: Option) -> bool:
    said = plain(option.label)
    spoken = (*option.words, *re.split(r"[\W_]+", said))
    return any(each.startswith(word) for each in spoken) or (not word.isascii() and word in said)


def numbered(options: Sequence[Option]) -> list[Option]:
    """Give each option the number to type: its own value if that is a number, or else the next one that is free."""
    own = {each.key: place for place, each in reversed([*enumerate(options)]) if each.key != UNNUMBERED}
    free = (number for number in count(1) if number not in own)
    return [each if own.get(each.key) == place else replace(each, key=next(free)) for place, each in enumerate(options)]
