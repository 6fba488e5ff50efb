"""Plute in text, written: one line a hand, from events as some viewer may see them (docs/notation.md).

A hand that the viewer may not know is ``?``, unless its seat has played all of it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from domain.plute.deck import TRICKS, Card, in_pack_order
from domain.plute.options import Options
from domain.serialization import Plain
from domain.table import Seat

Event: TypeAlias = Mapping[str, Any]
"""An event as the interface shows it: its ``type``, ``seat`` and ``data``."""

HIDDEN = "?"
PASS, CLAIM, STOP = "pass", "claim", "stop"
WON, PLUTE, MADE, SET = "won", "plute", "made", "set"


def write(_options: Options, events: Sequence[Event]) -> Iterator[str]:
    """Write a log, from the first deal on."""
    dealt = [index for index, event in enumerate(events) if event["type"] == "hand_dealt"]
    for start, end in pairwise([*dealt, len(events)]):
        line = _Line(events[start:end])
        for event in events[start:end]:
            line.add(event)
        yield str(line)


class _Line:
    """The words of one hand."""

    def __init__(self, hand: Sequence[Event]) -> None:
        self._played = [event for event in hand if event["type"] == "card_played"]
        self._words: list[str] = []
        self._tricks = 0
        self._is_trick_begun = False

    def __str__(self) -> str:
        return " ".join(self._words).removesuffix(" |")

    def add(self, event: Event) -> None:
        """Write an event, if it has words of its own."""
        if event["type"] in _WRITERS:
            _WRITERS[event["type"]](self, event["seat"], event["data"])

    def say(self, *words: object) -> None:
        """Write words."""
        self._words += map(str, words)

    def part(self, *words: object) -> None:
        """Write words, set off from those before."""
        self.bar()
        self.say(*words)

    def bar(self) -> None:
        """Set what follows off from what is written."""
        if self._words[-1] != "|":
            self.say("|")

    def dealt(self, data: Plain) -> None:
        """Write where every card went."""
        self.say(f"{data['hand_number']}.", f"d{data['dealer']}")
        for hand in data["hands"]:
            self.say(f"{hand['seat']}:", *(hand.get("cards") or self._all_played(hand["seat"]) or [HIDDEN]))
        self.bar()

    def _all_played(self, seat: Seat) -> tuple[Card, ...] | None:
        """Give the cards dealt to a seat that has played all of them, and so shown them."""
        cards = [event["data"]["card"] for event in self._played if event["seat"] == seat]
        return in_pack_order(cards) if len(cards) == TRICKS else None

    def played(self, seat: Seat, card: Card) -> None:
        """Write a card; the first of a trick with its number and who leads."""
        if self._is_trick_begun:
            self.say(card)
        else:
            self.say(f"#{self._tricks + 1}", f"{seat}:{card}")
        self._is_trick_begun = True

    def named(self, trump: str) -> None:
        """Write the suit that a card declares, with that card; one that names its own suit says enough."""
        if not self._words[-1].endswith(trump):
            self._words[-1] += f".{trump}"

    def won_trick(self, data: Plain) -> None:
        """Write who won a trick, with its last card."""
        self._words[-1] += f"={data['winner']}"
        self._tricks = data["number"]
        self._is_trick_begun = False


_WRITERS: Mapping[str, Callable[[_Line, Any, Plain], None]] = {
    "hand_dealt": lambda line, _, data: line.dealt(data),
    "bid_made": lambda line, seat, data: line.say(f"{seat}:{data['points']}"),
    "passed": lambda line, seat, _: line.say(f"{seat}:{PASS}"),
    "contract_won": lambda line, _, __: line.bar(),
    "card_played": lambda line, seat, data: line.played(seat, data["card"]),
    "trump_named": lambda line, _, data: line.named(data["trump"]),
    "trick_won": lambda line, _, data: line.won_trick(data),
    "hand_claimed": lambda line, seat, _: line.part(f"{seat}:{CLAIM}"),
    "hand_stopped": lambda line, _, __: line.part(STOP),
    "points_counted": lambda line, _, data: line.part(WON, data["team"], data["game_value"], *data["points"]),
    "plute_made": lambda line, _, data: line.part(PLUTE, data["team"]),
    "bid_made_good": lambda line, _, data: line.part(MADE, data["team"], data["made"]),
    "team_set": lambda line, _, data: line.part(SET, data["team"], data["set"]),
}
"""The words of each type of event. Those without any follow from the words of others."""
