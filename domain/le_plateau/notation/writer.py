"""Le Plateau in text, written: one line a deal, from events as a viewer can see them (docs/notation.md).

What the viewer cannot know is ``?``, until the end of the hand makes it public.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from domain.le_plateau.options import Options
from domain.log.record import Shown
from domain.notation.deal_writer import HIDDEN, Line, Writers, cards_of, write_deals
from domain.serialization import Plain

STOP = "stop"


def write(options: Options, events: Sequence[Shown]) -> Iterator[str]:
    """Write a log, from the first deal on; a board must be written only where it is random."""
    random_board: Writers = {"hand_dealt": lambda line, _, data: _dealt(line, data, "board:", *data["board"])}
    writers = {**_WRITERS, **random_board} if options.board.startswith("random") else _WRITERS
    return write_deals(events, "hand_dealt", writers, _disclosed)


def _disclosed(deal: Sequence[Shown]) -> Iterator[Shown]:
    """Put into the events of a deal what its end made public."""
    shown = next((event["data"] for event in deal if event["type"] == "hand_revealed"), None)
    for event in deal:
        disclosed = _DISCLOSED.get(event["type"]) if shown else None
        yield {**event, "data": event["data"] | disclosed(event["data"], shown)} if disclosed else event


_DISCLOSED: Mapping[str, Callable[[Plain, Plain], Mapping[str, Plain]]] = {
    "hand_dealt": lambda data, shown: {
        "hands": [hand | dealt for hand, dealt in zip(data["hands"], shown["dealt"], strict=True)],
        "piles": shown["piles"],
        "talon": data["talon"] | {"cards": shown["talon"]},
    },
    "talon_taken": lambda _, shown: {"cards": shown["taken"]},
    "cards_discarded": lambda _, shown: {"cards": shown["discard"]},
    "card_given": lambda data, shown: {"card": _given_to(shown["gifts"], data["to"])},
    "talon_card_dealt": lambda data, shown: {"card": _given_to(shown["talon_dealt"], data["to"])},
}


def _given_to(cards: Plain, seat: int) -> Plain:
    return next(each["card"] for each in cards if each["to"] == seat)


def _dealt(line: Line, data: Plain, *board: str) -> None:
    """Write where every card went."""
    line.begin(data["deal_number"], data["dealer"])
    line.say(*board)
    piles = {of_seat["seat"]: of_seat["piles"] for of_seat in data["piles"]}
    for hand in data["hands"]:
        of_seat = [f"{pile['top']}/{pile.get('under', HIDDEN)}" for pile in piles.get(hand["seat"], ())]
        line.cards(hand["seat"], hand, *of_seat)
    if data["talon"]["count"]:
        line.cards("talon", data["talon"])
    line.bar()


def _received(line: Line, keyword: str, data: Plain) -> None:
    """Write a card that a seat receives; those that follow it need no keyword."""
    if not line.is_repeated:
        line.say(keyword)
    line.say(f"{data.get('card', HIDDEN)}>{data['to']}")


def _ended(line: Line, *words: str) -> None:
    """Write how the hand ended."""
    line.part(*words)
    line.bar()


def _bid(data: Plain) -> str:
    return f"{data['objective']}{'.x' if data.get('exchange') else ''}.{data['team']}={data['value']}"


def _began(line: Line, phase: str) -> None:
    """Set off a phase in which other seats act; the exchange goes with the end of the bidding."""
    if phase in ("announce", "raise", "play"):
        line.bar()


_WRITERS: Writers = {
    "hand_dealt": lambda line, _, data: _dealt(line, data),
    "phase_began": lambda line, _, data: _began(line, data["phase"]),
    "bid_made": lambda line, seat, data: line.say(f"{seat}:{_bid(data)}"),
    "passed": lambda line, seat, _: line.say(f"{seat}:pass"),
    "contract_won": lambda line, _, __: line.bar(),
    "hand_passed_out": lambda line, _, __: _ended(line, "void"),
    "talon_turned": lambda line, _, data: line.say("open", *(card for group in data["groups"] for card in group)),
    "talon_group_chosen": lambda line, seat, data: line.say(f"{seat}:pick", data["group"]),
    "talon_taken": lambda line, seat, data: line.say(f"{seat}:take", *cards_of(data)),
    "cards_discarded": lambda line, seat, data: line.say(f"{seat}:lay", *cards_of(data)),
    "card_given": lambda line, seat, data: _received(line, f"{seat}:give", data),
    "talon_card_dealt": lambda line, _, data: _received(line, "dealt", data),
    "card_announced": lambda line, seat, data: line.say(f"{seat}:call", data["card"]),
    "announcement_answered": lambda line, _, data: line.append(f"={'-' if data['holder'] is None else data['holder']}"),
    "objective_raised": lambda line, seat, data: line.say(f"{seat}:raise", f"{data['objective']}={data['value']}"),
    "objective_kept": lambda line, seat, _: line.say(f"{seat}:keep"),
    "declarer_abdicated": lambda line, seat, _: line.say(f"{seat}:abdicate"),
    "card_played": lambda line, seat, data: line.play(seat, data["card"]),
    "trick_won": lambda line, _, data: line.end_trick(data),
    "pile_card_turned": lambda line, _, data: line.say(f"{data['owner']}:/{data['card']}"),
    "discard_revealed": lambda line, _, data: _ended(line, "show", *data["cards"]),
    "talon_revealed": lambda line, _, data: _ended(line, "show", *data["cards"]),
    "hand_won": lambda line, _, data: _ended(line, *(["won", *data["path"]] if data["by"] == "declarer" else ["lost"])),
    "hand_scored": lambda line, _, data: line.say("score", *data["scores"]),
    "stop_agreed": lambda line, _, __: line.say(STOP),
}
