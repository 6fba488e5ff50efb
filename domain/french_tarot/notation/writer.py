"""French Tarot in text, written: one line a deal, from events as a viewer can see them (docs/notation.md).

What the viewer cannot know is ``?``, until the end of the deal makes it public. The hands of a deal that was thrown in
become public only at the end of the match.
"""

from collections.abc import Iterator, Sequence

from domain.french_tarot.options import Options
from domain.log.record import Shown
from domain.notation.deal_writer import Line, Writers, cards_of, write_deals
from domain.serialization import Plain


def write(_options: Options, events: Sequence[Shown]) -> Iterator[str]:
    """Write a log, from the first deal on."""
    return write_deals(events, "cards_dealt", _WRITERS, _disclosed)


def _disclosed(deal: Sequence[Shown]) -> Iterator[Shown]:
    """Put into the events of a deal what became public later: by its end, a petit sec, a chien turned up."""
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


def _dealt(line: Line, data: Plain) -> None:
    """Write where every card went; a seat that sits out has no hand."""
    line.begin(data["deal_number"], data["dealer"])
    for hand in data["hands"]:
        if hand["count"]:
            line.cards(hand["seat"], hand)
    line.cards("chien", data["chien"])
    line.bar()


def _partner(partner: int | None) -> tuple[str, ...]:
    return ("alone",) if partner is None else ("partner", str(partner))


def _began(line: Line, phase: str) -> None:
    """Set off the bidding, and the play."""
    if phase in ("bid", "poignee", "play"):
        line.bar()


_WRITERS: Writers = {
    "cards_dealt": lambda line, _, data: _dealt(line, data),
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
    "cards_discarded": lambda line, seat, data: line.say(f"{seat}:lay", *cards_of(data)),
    "trumps_shown": lambda line, _, data: line.say(f"{data['taker']}:show", *data["cards"]),
    "slam_announced": lambda line, seat, _: line.say(f"{seat}:slam"),
    "petit_chelem_announced": lambda line, seat, _: line.say(f"{seat}:petit_chelem"),
    "slam_declined": lambda line, seat, _: line.say(f"{seat}:no_slam"),
    "poignee_shown": lambda line, seat, data: line.say(f"{seat}:poignee", data["level"], *data["cards"]),
    "poignee_declined": lambda line, seat, _: line.say(f"{seat}:pass"),
    "misere_announced": lambda line, seat, data: line.say(f"{seat}:misere", data["kind"]),
    "card_played": lambda line, seat, data: line.play(seat, data["card"]),
    "trick_won": lambda line, _, data: line.end_trick(data),
    "deal_scored": lambda line, _, data: line.part(
        "points", data["calculation"]["count"]["card_points"], "score", *data["scores"]
    ),
}
