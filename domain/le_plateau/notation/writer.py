"""Le Plateau in text, written: one line a deal, from events as some viewer may see them (docs/notation.md).

What the viewer may not know is ``?``, until the end of the hand has made it public.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from domain.le_plateau.options import Options
from domain.serialization import Plain

Event: TypeAlias = Mapping[str, Any]
"""An event as the interface shows it: its ``type``, ``seat`` and ``data``."""

HIDDEN = "?"
STOP = "stop"


def write(options: Options, events: Iterable[Event]) -> Iterator[str]:
    """Write a log, from the first deal on."""
    for deal in _deals(events):
        line = _Line(is_board_random=options.board.startswith("random"))
        for event in _opened(deal):
            line.add(event)
        yield str(line)


def _deals(events: Iterable[Event]) -> Iterator[list[Event]]:
    deal: list[Event] = []
    for event in events:
        if event["type"] == "hand_dealt" and deal:
            yield deal
            deal = []
        deal.append(event)
    if deal:
        yield deal


def _opened(deal: list[Event]) -> Iterator[Event]:
    """Put into the events of a deal what its end has made public."""
    shown = next((event["data"] for event in deal if event["type"] == "hand_revealed"), None)
    for event in deal:
        opened = _OPENED.get(event["type"]) if shown else None
        yield {**event, "data": event["data"] | opened(event["data"], shown)} if opened else event


_OPENED: Mapping[str, Callable[[Plain, Plain], dict[str, Plain]]] = {
    "hand_dealt": lambda data, shown: {
        "hands": [hand | dealt for hand, dealt in zip(data["hands"], shown["dealt"], strict=True)],
        "piles": shown["piles"],
        "talon": data["talon"] | {"cards": shown["talon"]},
    },
    "talon_taken": lambda _, shown: {"cards": shown["taken"]},
    "cards_discarded": lambda _, shown: {"cards": shown["discard"]},
    "card_given": lambda data, shown: {"card": _received(shown["gifts"], data["to"])},
    "talon_card_dealt": lambda data, shown: {"card": _received(shown["talon_dealt"], data["to"])},
}


def _received(cards: Plain, seat: int) -> Plain:
    return next(each["card"] for each in cards if each["to"] == seat)


def _cards(part: Plain) -> list[str]:
    return part.get("cards") or [HIDDEN]


class _Line:
    """The words of one deal."""

    def __init__(self, *, is_board_random: bool) -> None:
        self._is_board_random = is_board_random
        self._words: list[str] = []
        self._type = ""
        self._is_repeated = False
        self._tricks = 0
        self._is_trick_begun = False

    def __str__(self) -> str:
        return " ".join(self._words).removesuffix(" |")

    def add(self, event: Event) -> None:
        """Write an event, if it has words of its own."""
        self._is_repeated = event["type"] == self._type
        self._type = event["type"]
        if self._type in _WRITERS:
            _WRITERS[self._type](self, event["seat"], event["data"])

    def say(self, *words: object) -> None:
        """Write words."""
        self._words += map(str, words)

    def follows(self, what: object) -> None:
        """Write what followed from the last word, with that word."""
        self._words[-1] += f"={what}"

    def bar(self) -> None:
        """Set a part off from the one before."""
        if self._words[-1] != "|":
            self.say("|")

    def dealt(self, data: Plain) -> None:
        """Write where every card went."""
        self.say(f"{data['deal_number']}.", f"d{data['dealer']}")
        if self._is_board_random:
            self.say("board:", *data["board"])
        piles = {of_seat["seat"]: of_seat["piles"] for of_seat in data["piles"]}
        for hand in data["hands"]:
            of_seat = [f"{pile['top']}/{pile.get('under', HIDDEN)}" for pile in piles.get(hand["seat"], ())]
            self.say(f"{hand['seat']}:", *of_seat, *_cards(hand))
        if data["talon"]["count"]:
            self.say("talon:", *_cards(data["talon"]))
        self.bar()

    def received(self, keyword: str, data: Plain) -> None:
        """Write a card that somebody receives; those that follow it need no keyword."""
        if not self._is_repeated:
            self.say(keyword)
        self.say(f"{data.get('card', HIDDEN)}>{data['to']}")

    def played(self, seat: int, card: str) -> None:
        """Write a card; the first of a trick with its number and who leads."""
        if self._is_trick_begun:
            self.say(card)
        else:
            self.say(f"#{self._tricks + 1}", f"{seat}:{card}")
        self._is_trick_begun = True

    def won_trick(self, data: Plain) -> None:
        """Write who won a trick."""
        self.follows(data["winner"])
        self._tricks = data["number"]
        self._is_trick_begun = False

    def ended(self, *words: str) -> None:
        """Write how the hand ended."""
        self.bar()
        self.say(*words)
        self.bar()


def _bid(data: Plain) -> str:
    return f"{data['objective']}{'.x' if data.get('exchange') else ''}.{data['team']}={data['value']}"


def _began(line: _Line, phase: str) -> None:
    """Set off a phase in which others have their say; the exchange goes with the end of the bidding."""
    if phase in ("announce", "raise", "play"):
        line.bar()


_WRITERS: Mapping[str, Callable[[_Line, Any, Plain], None]] = {
    "hand_dealt": lambda line, _, data: line.dealt(data),
    "phase_began": lambda line, _, data: _began(line, data["phase"]),
    "bid_made": lambda line, seat, data: line.say(f"{seat}:{_bid(data)}"),
    "passed": lambda line, seat, _: line.say(f"{seat}:pass"),
    "contract_won": lambda line, _, __: line.bar(),
    "hand_passed_out": lambda line, _, __: line.ended("void"),
    "talon_turned": lambda line, _, data: line.say("open", *(card for group in data["groups"] for card in group)),
    "talon_group_chosen": lambda line, seat, data: line.say(f"{seat}:pick", data["group"]),
    "talon_taken": lambda line, seat, data: line.say(f"{seat}:take", *_cards(data)),
    "cards_discarded": lambda line, seat, data: line.say(f"{seat}:lay", *_cards(data)),
    "card_given": lambda line, seat, data: line.received(f"{seat}:give", data),
    "talon_card_dealt": lambda line, _, data: line.received("dealt", data),
    "card_announced": lambda line, seat, data: line.say(f"{seat}:call", data["card"]),
    "announcement_answered": lambda line, _, data: line.follows("-" if data["holder"] is None else data["holder"]),
    "objective_raised": lambda line, seat, data: line.say(f"{seat}:raise", f"{data['objective']}={data['value']}"),
    "objective_kept": lambda line, seat, _: line.say(f"{seat}:keep"),
    "declarer_abdicated": lambda line, seat, _: line.say(f"{seat}:abdicate"),
    "card_played": lambda line, seat, data: line.played(seat, data["card"]),
    "trick_won": lambda line, _, data: line.won_trick(data),
    "pile_card_turned": lambda line, _, data: line.say(f"{data['owner']}:/{data['card']}"),
    "discard_revealed": lambda line, _, data: line.ended("show", *data["cards"]),
    "talon_revealed": lambda line, _, data: line.ended("show", *data["cards"]),
    "hand_won": lambda line, _, data: line.ended(*(["won", *data["path"]] if data["by"] == "declarer" else ["lost"])),
    "hand_scored": lambda line, _, data: line.say("score", *data["scores"]),
    "stop_agreed": lambda line, _, __: line.say(STOP),
}
"""The words of each type of event. Those without any follow from the words of others."""
