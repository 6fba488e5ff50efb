"""Patterns of catalogues, in a part of ICU MessageFormat that translators and their tools know.

``{name}`` stands for a parameter; ``{count, plural, =0 {none} one {# card} other {# cards}}`` chooses by a number,
which ``#`` writes. Enumerations have an entry for each value, so there is no ``select``.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias, Union


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of a parameter."""

    name: str


@dataclass(frozen=True, slots=True)
class Plural:
    """A choice by a number: the exact number first (``=0``), then its plural category."""

    name: str
    cases: Mapping[str, "Pattern"]

    def chosen(self, number: int, category: str) -> "Pattern":
        """Return the case of a number."""
        fitting = (case for case in (f"={number}", category) if case in self.cases)
        return self.cases[next(fitting, "other")]


Pattern: TypeAlias = tuple[Union[str, Slot, Plural], ...]  # noqa: UP007 - names itself

_TOKEN = re.compile(r"[{}#]|[^{}#]+")
_PLURAL = re.compile(r"\s*(\w+)\s*,\s*plural\s*,\s*(\S+)\s*")
_CASE = re.compile(r"\s*(\S+)\s*")


def parsed(text: str) -> Pattern:
    """Parse a pattern; raise ``ValueError``."""
    return _Reader(text).whole()


def parameters(pattern: Pattern) -> frozenset[str]:
    """Return the names of all the parameters in a pattern."""
    return frozenset(_names(pattern))


def _names(pattern: Pattern) -> Iterator[str]:
    for part in pattern:
        if isinstance(part, Slot):
            yield part.name
        elif isinstance(part, Plural):
            yield part.name
            for case in part.cases.values():
                yield from _names(case)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _TOKEN.findall(text)
        self._next = 0

    def whole(self) -> Pattern:
        pattern = self._pattern(None)
        if self._next < len(self._tokens):
            raise self._wrong("a brace closes that was not opened")
        return pattern

    def _pattern(self, counted: str | None) -> Pattern:
        """Read up to a closing brace or the end; ``#`` is the number of the plural around."""
        parts: list[str | Slot | Plural] = []
        while self._next < len(self._tokens) and not self._at("}"):
            piece = self._take()
            if piece == "{":
                parts.append(self._argument())
            else:
                parts.append(Slot(counted) if piece == "#" and counted is not None else piece)
        return tuple(parts)

    def _argument(self) -> Slot | Plural:
        inside = self._take()
        if self._at("}"):
            self._next += 1
            if not inside.strip().isidentifier():
                raise self._wrong(f"{{{inside}}} is no parameter")
            return Slot(inside.strip())
        opening = _PLURAL.fullmatch(inside)
        if opening is None:
            raise self._wrong(f"{{{inside} is neither a parameter nor a plural")
        return self._plural(opening[1], opening[2])

    def _plural(self, name: str, case: str) -> Plural:
        cases: dict[str, Pattern] = {}
        while True:
            self._expect("{")
            cases[case] = self._pattern(name)
            self._expect("}")
            if self._at("}"):
                break
            following = _CASE.fullmatch(self._take())
            if following is None:
                if self._at("}"):
                    break
                raise self._wrong("a plural continues with a case")
            case = following[1]
        self._expect("}")
        if "other" not in cases:
            raise self._wrong("a plural needs the case other")
        return Plural(name, cases)

    def _at(self, brace: str) -> bool:
        return self._next < len(self._tokens) and self._tokens[self._next] == brace

    def _expect(self, brace: str) -> None:
        if self._take() != brace:
            raise self._wrong(f"{brace} is missing")

    def _take(self) -> str:
        if self._next == len(self._tokens):
            raise self._wrong("it ends within braces")
        self._next += 1
        return str(self._tokens[self._next - 1])

    def _wrong(self, why: str) -> ValueError:
        return ValueError(f"{self._text!r}: {why}")
