"""Text notation cut into words, each with its place.

White space separates words. ``|`` counts as white space, and ``;`` begins a comment that runs to the end of its line. A
*label* (letters, digits, ``_`` and a colon) is a word of its own, even if the next word follows at once; a text in
double quotes, written as in JSON, is one word. Places are counted from line 1, column 1.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

Kind: TypeAlias = Literal["plain", "label", "quoted"]
_KINDS = get_args(Kind)

END = "result:"
"""The label of the result, with which a text ends."""

ASKED = "=?"
"""A player's question to the others, whose ``?`` does not stand for something hidden."""

_WORD = re.compile(
    r"""(?P<space>[\s|]+|;[^\n]*)
      | (?P<quoted>"(?:[^"\\\n]|\\[^\n])*")
      | (?P<label>[A-Za-z0-9_]+:)
      | (?P<plain>[^\s|;"]+|")""",
    re.VERBOSE,
)
_HIDDEN = "a ? stands for what was hidden from the viewer of this text: from here on it cannot be checked"


class NotationError(ValueError):
    """The first fault of a text: its line and column from 1, the reason, and the section of the rules, if any."""

    def __init__(self, line: int, column: int, message: str, rule: str = "") -> None:
        super().__init__(f"{line}:{column}: {message}" + (f" (rule {rule})" if rule else ""))
        self.line = line
        self.column = column
        self.message = message
        self.rule = rule


@dataclass(frozen=True, slots=True)
class Word:
    """A word, and the place of its first character. The word at the end of the text is empty."""

    text: str
    line: int
    column: int
    kind: Kind = "plain"

    @property
    def is_label(self) -> bool:
        """Return whether the word is a label."""
        return self.kind == "label"

    def __str__(self) -> str:
        return self.text if self.text else "the end of the text"

    def wrong(self, message: str, rule: str = "") -> NotationError:
        """Return the error that names the place of this word."""
        return NotationError(self.line, self.column, message, rule)

    def after(self) -> "Word":
        """Return an empty word at the place right after this one."""
        return Word("", self.line, self.column + len(self.text))

    def cut(self, separator: str) -> "tuple[Word, Word | None]":
        """Cut the word at the first separator; the second part is None if there is no separator."""
        head, found, tail = self.text.partition(separator)
        if not found:
            return self, None
        after = self.column + len(head) + len(separator)
        return Word(head, self.line, self.column), Word(tail, self.line, after)

    def pieces(self, separator: str) -> "Iterator[Word]":
        """Cut the word at every separator."""
        piece, rest = self.cut(separator)
        yield piece
        while rest is not None:
            piece, rest = rest.cut(separator)
            yield piece


class Lexer:
    """Returns the words of a text one after the other."""

    def __init__(self, text: str) -> None:
        self._words = list(_split(text.replace("\r\n", "\n").replace("\r", "\n")))
        self._taken = 0

    @property
    def next(self) -> Word:
        """Return the next word without taking it."""
        return self._words[self._taken]

    @property
    def more(self) -> bool:
        """Return whether words of the game follow: neither the end of the text nor the result."""
        return self.next.text.lower() not in ("", END)

    def ahead(self) -> Iterator[Word]:
        """Return the words that follow without taking them, up to the end of the text."""
        return iter(self._words[self._taken : -1])

    def peek(self, place: int) -> Word:
        """Return the word at a place among those ahead; beyond them, the empty word at the end of the text."""
        return self._words[min(self._taken + place, len(self._words) - 1)]

    def take(self) -> Word:
        """Take the next word; raise if it is hidden. At the end of the text this is always the empty word."""
        word = self.next
        if "?" in word.text and word.kind != "quoted" and word.text != ASKED:
            raise word.wrong(_HIDDEN)
        self._taken = min(self._taken + 1, len(self._words) - 1)
        return word

    def take_line(self, line: int) -> list[Word]:
        """Take the rest of a line."""
        words = []
        while self.next.text and self.next.line == line:
            words.append(self.take())
        return words


def _split(text: str) -> Iterator[Word]:
    line, start = 1, 0
    end = Word("", 1, 1)
    for found in _WORD.finditer(text):
        kind, content = found.lastgroup, found.group()
        if kind in _KINDS:
            yield Word(content, line, found.start() - start + 1, cast("Kind", kind))
            end = Word("", line, found.end() - start + 1)
        elif "\n" in content:
            line += content.count("\n")
            start = found.start() + content.rindex("\n") + 1
    yield end
