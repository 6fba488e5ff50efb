"""French Tarot in text, written: one line a deal, from events as some viewer may see them (docs/notation.md).

What the viewer may not know is ``?``, until the end of the deal has made it public. The hands of a deal that was thrown
in are made public by the end of the match alone.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from domain.french_tarot.options import Options
from domain.serialization import Plain

Event: TypeAlias = Mapping[str, Any]
"""An event as the interface shows it: its ``type``, ``seat`` and ``data``."""

HIDDEN = "?"


def write(_options: Options, events: Iterable[Event]) -> Iterator[str]:
    """Write a log, from the first deal on."""
    for deal in _deals(events):
        line = _Line()
        for event in _opened(deal):
            if event["type"] in _WRITERS:
                _WRITERS[event["type"]](line, event["seat"], event["data"])
        yield str(line)


def _deals(events: Iterable[Event]) -> Iterator[list[Event]]:
    deal: list[Event] = []
    for event in events:
        if event["type"] == "cards_dealt" and deal:
            yield deal
            deal = []
        deal.append(event)
    if deal:
        yield deal


def _opened(deal: list[Event]) -> Iterator[Event]:
    """Put into the events of a deal what has become public since: by its end, a petit sec, a chien turned up."""
    shown = next((event["data"] for event in deal if event["type"] == "deal_revealed"), None)
    hands = {hand["seat"]: hand["cards"] for hand in shown["dealt"]} if shown else {}
    hands |= {event["data"]["holder"]: event["data"]["cards"] for event in deal if event["type"] == "petit_sec_shown"}
    turned = [event["data"]["cards"] for event in deal if event["type"] == "chien_turned"]
    up = next(iter(turned), shown["chien"] if shown else None)
    for event in deal:
        data = event["data"]
        if event["type"] == "cards_dealt":
            dealt = [hand | {"cards": hands.get(hand["seat"], hand.get("cards"))} for hand in data["hands"]]
            chien = data["chien"] | ({"cards": up} if up else {})
            yield {**event, "data": data | {"hands": dealt, "chien": chien}}
        elif event["type"] == "cards_discarded" and shown:
            yield {**event, "data": data | {"cards": shown["ecart"]}}
        else:
            yield event


def _cards(part: Plain) -> list[str]:
    return part.get("cards") or [HIDDEN]


class _Line:
    """The words of one deal."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._tricks = 0
        self._is_trick_begun = False
        self._last_card = 0

    def __str__(self) -> str:
        return " ".join(self._words).removesuffix(" |")

    def say(self, *words: object) -> None:
        """Write words."""
        self._words += map(str, words)

    def bar(self) -> None:
        """Set a part off from the one before."""
        if self._words[-1] != "|":
            self.say("|")

    def dealt(self, data: Plain) -> None:
        """Write where every card went; who sits out has no hand."""
        self.say(f"{data['deal_number']}.", f"d{data['dealer']}")
        for hand in data["hands"]:
            if hand["count"]:
                self.say(f"{hand['seat']}:", *_cards(hand))
        self.say("chien:", *_cards(data["chien"]))
        self.bar()

    def played(self, seat: int, card: str) -> None:
        """Write a card; the first of a trick with its number and who leads."""
        if self._is_trick_begun:
            self.say(card)
        else:
            self.say(f"#{self._tricks + 1}", f"{seat}:{card}")
        self._is_trick_begun = True
        self._last_card = len(self._words) - 1

    def won_trick(self, data: Plain) -> None:
        """Write who won a trick, with its last card."""
        self._words[self._last_card] += f"={data['winner']}"
        self._tricks = data["number"]
        self._is_trick_begun = False

    def scored(self, data: Plain) -> None:
        """Write the points of the attack as people do, and what each seat won or lost."""
        self.bar()
        self.say("points", data["calculation"]["count"]["card_points"], "score", *data["scores"])


def _partner(partner: int | None) -> tuple[str, ...]:
    return ("alone",) if partner is None else ("partner", str(partner))


def _began(line: _Line, phase: str) -> None:
    """Set off the bidding, and the play."""
    if phase in ("bid", "poignee", "play"):
        line.bar()


_WRITERS: Mapping[str, Callable[[_Line, Any, Plain], None]] = {
    "cards_dealt": lambda line, _, data: line.dealt(data),
    "phase_began": lambda line, _, data: _began(line, data["phase"]),
    "petit_sec_shown": lambda line, _, data: line.say(f"{data['holder']}:petit_sec"),
    "petit_imprenable_declared": lambda line, _, data: line.say(f"{data['holder']}:imprenable"),
    "deal_thrown_in": lambda line, _, __: line.say("void"),
    "bid_made": lambda line, seat, data: line.say(f"{seat}:{data['contract']}"),
    "passed": lambda line, seat, _: line.say(f"{seat}:pass"),
    "contract_won": lambda line, _, __: line.bar(),
    "card_called": lambda line, seat, data: line.say(f"{seat}:call", data["card"]),
    "chien_turned": lambda line, _, data: line.say(f"{data['taker']}:take", *data["cards"]),
    "partner_revealed": lambda line, _, data: line.say(*_partner(data["partner"])),
    "cards_discarded": lambda line, seat, data: line.say(f"{seat}:lay", *_cards(data)),
    "trumps_shown": lambda line, _, data: line.say(f"{data['taker']}:show", *data["cards"]),
    "slam_announced": lambda line, seat, _: line.say(f"{seat}:slam"),
    "petit_chelem_announced": lambda line, seat, _: line.say(f"{seat}:petit_chelem"),
    "slam_declined": lambda line, seat, _: line.say(f"{seat}:no_slam"),
    "poignee_shown": lambda line, seat, data: line.say(f"{seat}:poignee", data["level"], *data["cards"]),
    "poignee_declined": lambda line, seat, _: line.say(f"{seat}:pass"),
    "misere_announced": lambda line, seat, data: line.say(f"{seat}:misere", data["kind"]),
    "card_played": lambda line, seat, data: line.played(seat, data["card"]),
    "trick_won": lambda line, _, data: line.won_trick(data),
    "deal_scored": lambda line, _, data: line.scored(data),
}
"""The words of each type of event. Those without any follow from the words of others."""
