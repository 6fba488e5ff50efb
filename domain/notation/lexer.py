"""The words of a text, and where each stands: what every text notation is read with.

Words stand between white space. ``|`` is white space for the eye, and ``;`` begins a comment that runs to the end of
its line. A *label* (letters, digits, ``_`` and a colon) is a word of its own, also when the next one follows at once; a
text in double quotes, written as in JSON, is one word. Places are counted from line 1, column 1.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

Kind: TypeAlias = Literal["plain", "label", "quoted"]

END = "result:"
"""The label after which a text says how the game ended."""

ASKED = "=?"
"""What one player asks of the others: here the ``?`` hides nothing."""

_WORD = re.compile(
    r"""(?P<space>[\s|]+|;[^\n]*)
      | (?P<quoted>"(?:[^"\\\n]|\\[^\n])*")
      | (?P<label>[A-Za-z0-9_]+:)
      | (?P<plain>[^\s|;"]+|")""",
    re.VERBOSE,
)
_HIDDEN = "a ? stands for what the viewer of this text was not to know yet: from here on it cannot be checked"


class NotationError(ValueError):
    """The first place of a text that is wrong: line and column from 1, why, and the section of the rules, if one."""

    def __init__(self, line: int, column: int, message: str, rule: str = "") -> None:
        super().__init__(f"{line}:{column}: {message}" + (f" (rule {rule})" if rule else ""))
        self.line = line
        self.column = column
        self.message = message
        self.rule = rule


@dataclass(frozen=True, slots=True)
class Word:
    """A word, and the place of its first character. At the end of the text the word is empty."""

    text: str
    line: int
    column: int
    kind: Kind = "plain"

    @property
    def is_label(self) -> bool:
        """Say whether it is a label."""
        return self.kind == "label"

    def __str__(self) -> str:
        return self.text if self.text else "the end of the text"

    def wrong(self, message: str, rule: str = "") -> NotationError:
        """Make the error that names the place of this word."""
        return NotationError(self.line, self.column, message, rule)

    def after(self) -> "Word":
        """Give the place right after it, as a word that is not there."""
        return Word("", self.line, self.column + len(self.text))

    def cut(self, separator: str) -> "tuple[Word, Word | None]":
        """Cut it in two where a separator first stands; the second part is None if it does not."""
        head, found, tail = self.text.partition(separator)
        if not found:
            return self, None
        after = self.column + len(head) + len(separator)
        return Word(head, self.line, self.column), Word(tail, self.line, after)

    def pieces(self, separator: str) -> "Iterator[Word]":
        """Cut it wherever a separator stands."""
        piece, rest = self.cut(separator)
        yield piece
        while rest is not None:
            piece, rest = rest.cut(separator)
            yield piece


class Words:
    """The words of a text, taken one after the other."""

    def __init__(self, text: str) -> None:
        self._words = list(_split(text.replace("\r\n", "\n").replace("\r", "\n")))
        self._taken = 0

    @property
    def next(self) -> Word:
        """Give the next word without taking it."""
        return self._words[self._taken]

    @property
    def more(self) -> bool:
        """Say whether the game's own words go on: neither the text ends here nor the result begins."""
        return self.next.text.lower() not in ("", END)

    def take(self) -> Word:
        """Take the next word; refuses what is hidden. At the end it is the empty word, as often as asked."""
        word = self.next
        if "?" in word.text and word.kind != "quoted" and word.text != ASKED:
            raise word.wrong(_HIDDEN)
        self._taken = min(self._taken + 1, len(self._words) - 1)
        return word

    def take_line(self, line: int) -> list[Word]:
        """Take what is left of a line."""
        words = []
        while self.next.text and self.next.line == line:
            words.append(self.take())
        return words


def _split(text: str) -> Iterator[Word]:
    line, start = 1, 0
    end = Word("", 1, 1)
    for found in _WORD.finditer(text):
        kind, content = found.lastgroup, found.group()
        if kind in get_args(Kind):
            yield Word(content, line, found.start() - start + 1, cast("Kind", kind))
            end = Word("", line, found.end() - start + 1)
        elif "\n" in content:
            line += content.count("\n")
            start = found.start() + content.rindex("\n") + 1
    yield end
