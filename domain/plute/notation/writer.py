"""Plute in text, written: one line a hand, from events as a viewer can see them (docs/notation.md).

A hand that the viewer cannot know is ``?``, unless its seat has played all of it.
"""

from collections.abc import Iterator, Sequence

from domain.log.record import Shown
from domain.notation.deal_writer import Line, Writers, write_deals
from domain.plute.deck import TRICKS, in_pack_order
from domain.plute.options import Options
from domain.serialization import Plain

PASS, CLAIM, STOP = "pass", "claim", "stop"
WON, PLUTE, MADE, SET = "won", "plute", "made", "set"


def write(_options: Options, events: Sequence[Shown]) -> Iterator[str]:
    """Write a log, from the first deal on."""
    return write_deals(events, "hand_dealt", _WRITERS, _disclosed)


def _disclosed(hand: Sequence[Shown]) -> Iterator[Shown]:
    """Put the cards of seats that have played all of theirs into the deal, where they are hidden."""
    deal, *rest = hand
    shown: dict[int, list[str]] = {}
    for event in rest:
        if event["type"] == "card_played":
            shown.setdefault(event["seat"], []).append(event["data"]["card"])
    played_out = {seat: {"cards": in_pack_order(cards)} for seat, cards in shown.items() if len(cards) == TRICKS}
    hands = [played_out.get(dealt["seat"], {}) | dealt for dealt in deal["data"]["hands"]]
    yield {**deal, "data": deal["data"] | {"hands": hands}}
    yield from rest


def _dealt(line: Line, data: Plain) -> None:
    line.begin(data["hand_number"], data["dealer"])
    for hand in data["hands"]:
        line.cards(hand["seat"], hand)
    line.bar()


def _trump_named(line: Line, trump: str) -> None:
    """Write the suit that a card declares, unless the card names its own suit."""
    if not line.last.endswith(trump):
        line.append(f".{trump}")


_WRITERS: Writers = {
    "hand_dealt": lambda line, _, data: _dealt(line, data),
    "bid_made": lambda line, seat, data: line.say(f"{seat}:{data['points']}"),
    "passed": lambda line, seat, _: line.say(f"{seat}:{PASS}"),
    "contract_won": lambda line, _, __: line.bar(),
    "card_played": lambda line, seat, data: line.play(seat, data["card"]),
    "trump_named": lambda line, _, data: _trump_named(line, data["trump"]),
    "trick_won": lambda line, _, data: line.end_trick(data),
    "hand_claimed": lambda line, seat, _: line.part(f"{seat}:{CLAIM}"),
    "hand_stopped": lambda line, _, __: line.part(STOP),
    "points_counted": lambda line, _, data: line.part(WON, data["team"], data["game_value"], *data["points"]),
    "plute_made": lambda line, _, data: line.part(PLUTE, data["team"]),
    "bid_made_good": lambda line, _, data: line.part(MADE, data["team"], data["made"]),
    "team_set": lambda line, _, data: line.part(SET, data["team"], data["set"]),
}
