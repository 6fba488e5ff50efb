"""Writing card games as text, one line a deal: what all such games share (docs/notation.md)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from domain.log.record import Shown
from domain.serialization import Plain
from domain.table import Seat

HIDDEN = "?"


class Line:
    """The words of one deal."""

    def __init__(self) -> None:
        self.is_repeated = False
        """Whether the event before was of the same type."""
        self._words: list[str] = []
        self._tricks = 0
        self._last_card: int | None = None

    def __str__(self) -> str:
        return " ".join(self._words).removesuffix(" |")

    def say(self, *words: object) -> None:
        """Add words."""
        self._words += map(str, words)

    @property
    def last(self) -> str:
        """Return the last word."""
        return self._words[-1]

    def append(self, suffix: str) -> None:
        """Append to the last word."""
        self._words[-1] += suffix

    def bar(self) -> None:
        """Separate the words that follow from those before."""
        if self._words[-1] != "|":
            self.say("|")

    def part(self, *words: object) -> None:
        """Write words, separated from those before."""
        self.bar()
        self.say(*words)

    def begin(self, number: int, dealer: Seat) -> None:
        """Write the number and the dealer of a deal."""
        self.say(f"{number}.", f"d{dealer}")

    def cards(self, label: object, part: Plain, *before: str) -> None:
        """Add the cards that go somewhere, or question marks for hidden ones."""
        self.say(f"{label}:", *before, *cards_of(part))

    def play(self, seat: Seat, card: str) -> None:
        """Add a card; the first of a trick with the trick's number and the leader."""
        if self._last_card is None:
            self.say(f"#{self._tricks + 1}", f"{seat}:{card}")
        else:
            self.say(card)
        self._last_card = len(self._words) - 1

    def end_trick(self, data: Plain) -> None:
        """Add the winner of a trick to its last card."""
        if self._last_card is not None:
            self._words[self._last_card] += f"={data['winner']}"
        self._last_card = None
        self._tricks = data["number"]


Writers: TypeAlias = Mapping[str, Callable[[Line, Plain, Plain], None]]
"""How events are written, by type: with the line, the seat and the data. Other types have no words of their own."""


def cards_of(part: Plain) -> Sequence[str]:
    """Return the cards of a part of an event, or the word for hidden ones."""
    return part.get("cards") or [HIDDEN]


def write_deals(
    events: Sequence[Shown], first: str, writers: Writers, opened: Callable[[Sequence[Shown]], Iterable[Shown]]
) -> Iterator[str]:
    """Write the deals of a log, each from its event of type ``first`` on.

    ``opened`` adds to the events of a deal what has become public since.
    """
    starts = [index for index, event in enumerate(events) if event["type"] == first]
    for start, end in pairwise([*starts, len(events)]):
        line, before = Line(), ""
        for event in opened(events[start:end]):
            kind = event["type"]
            line.is_repeated, before = kind == before, kind
            if write := writers.get(kind):
                write(line, event["seat"], event["data"])
        yield str(line)
