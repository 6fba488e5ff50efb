"""What a view of Le Plateau says beside the board: the hand, the contract, whose turn it is, the cards that lie open.

It takes the facts of the view as they stand, and judges nothing but whose turn they leave.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, cast

from domain.pictures.scene import Caption, CardRow, SeatLine, ShownCard, Side, signed
from domain.serialization import Plain
from domain.table import Seat

View: TypeAlias = Mapping[str, Plain]

_OBJECTIVES = {
    "bridge": "a bridge",
    "y": "a Y",
    "fork": "a fork",
    "five_sides": "five sides",
    "six_sides": "six sides",
}
_PHASES = {
    "deal": "the next deal",
    "bid": "bidding",
    "exchange": "exchange",
    "give": "gifts",
    "choose_talon": "choice of the talon",
    "announce": "search for a partner",
    "raise": "last word on the objective",
    "play": "play",
}
_TURNS = {
    "bid": "to bid or pass",
    "exchange": "to lay cards aside",
    "give": "to give two cards",
    "choose_talon": "to choose from the talon",
    "announce": "to announce a card",
    "raise": "to raise the objective or keep it",
    "play": "to play",
}


def caption_of(view: View) -> Caption:
    """Read the caption off a view."""
    return Caption(_title(view), tuple(_lines(view)), tuple(row for row in _rows(view) if row.cards), _seats(view))


def result_of(view: View) -> View | None:
    """Give what the hand on the board came to, None while it goes on."""
    last = view["hand_results"][-1] if view["hand_results"] else None
    return last if last and last["deal_number"] == view["deal_number"] else None


# -- the heading --------------------------------------------------------------------------------------------------


def _title(view: View) -> str:
    hand = f"Hand {view['hand_number']} of {view['hands_total']}"
    if not view["deal_number"]:
        return "Nothing is dealt yet"
    if view["phase"] == "over":
        return f"{hand}: the game is over"
    if result_of(view):
        return f"{hand} is over"
    return f"{hand}: trick {view['trick']['number']}" if view["trick"] else f"{hand}: {_PHASES[view['phase']]}"


def _lines(view: View) -> Iterator[str]:
    contract, result = view["contract"], result_of(view)
    if result:
        yield _sentence(_result(result))
    elif contract:
        yield f"Seat {contract['declarer']} plays {_bid(contract, contract['value'])}"
    elif view["hand_results"]:
        last = view["hand_results"][-1]
        yield f"Hand {last['hand_number']}: {_result(last)}"
        yield f"It scored, by seat: {' '.join(map(signed, last['scores']))}"
    turn = turn_of(view)
    if turn is not None:
        yield f"Seat {turn} is {_TURNS[view['phase']]}"
    if view["stops_after_hand"] and view["phase"] != "over":
        yield "All agreed to stop after this hand"
    if view["deal_number"]:
        yield f"Dealer: seat {view['dealer']}"


def _result(result: View) -> str:
    contract = result["contract"]
    if contract is None:
        return "all passed"
    done = "made" if result["by"] == "declarer" else "missed"
    return f"seat {contract['declarer']} {done} {_bid(contract, contract['value'])}"


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _bid(bid: View, value: int) -> str:
    exchange = ", exchange" if bid.get("exchange") else ""
    return f"{_OBJECTIVES[bid['objective']]}, {bid['team']}{exchange} ({value})"


# -- whose turn it is ---------------------------------------------------------------------------------------------


def turn_of(view: View) -> Seat | None:
    """Say which seat is to act, None while nobody is."""
    find = _FIND_TURN.get(view["phase"])
    return None if find is None or result_of(view) else find(view)


def _speaker(view: View) -> Seat | None:
    seats = len(view["scores"])
    bids = view["bids"]
    out = {spoken["seat"] for spoken in bids if spoken["bid"] is None}
    last = bids[-1]["seat"] if bids else view["dealer"]
    still_in = [seat for seat in _clockwise(last + 1, seats) if seat not in out]
    highest = [spoken["seat"] for spoken in bids if spoken["bid"]][-1:]
    return still_in[0] if still_in and still_in != highest else None


def _declarer(view: View) -> Seat | None:
    return cast("Seat", view["contract"]["declarer"])


def _raiser(view: View) -> Seat | None:
    contract, seats = view["contract"], len(view["scores"])
    spoken = {raised["seat"] for raised in view["raises"]}
    side = [*contract["partners"], contract["declarer"]]
    in_turn = [seat for seat in _clockwise(contract["declarer"] + 1, seats) if seat in side]
    return next((seat for seat in in_turn if seat not in spoken), None)


def _player(view: View) -> Seat | None:
    trick, seats = view["trick"], len(view["scores"])
    if trick is None or len(trick["cards"]) == seats:
        return None
    return _clockwise(trick["leader"], seats)[len(trick["cards"])]


_FIND_TURN: Mapping[str, Callable[[View], Seat | None]] = {
    "bid": _speaker,
    "exchange": _declarer,
    "give": _declarer,
    "choose_talon": _declarer,
    "announce": _declarer,
    "raise": _raiser,
    "play": _player,
}


def _clockwise(first: Seat, seats: int) -> list[Seat]:
    return [(first + i) % seats for i in range(seats)]


# -- the seats ----------------------------------------------------------------------------------------------------


def _seats(view: View) -> tuple[SeatLine, ...]:
    turn = turn_of(view)
    hands = view["hands"] or [{"count": None, "cards": None} for _ in view["scores"]]
    return tuple(
        SeatLine(
            seat=seat,
            side=_side(view, seat),
            note=_note(view, seat),
            cards=hand["count"] if view["contract"] else None,
            score=view["scores"][seat],
            is_viewer=hand["cards"] is not None,
            is_to_act=seat == turn,
        )
        for seat, hand in enumerate(hands)
    )


def _side(view: View, seat: Seat) -> Side | None:
    contract = view["contract"]
    if contract is None:
        return None
    return "first" if seat == contract["declarer"] or seat in contract["partners"] else "second"


def _note(view: View, seat: Seat) -> str:
    """Say what a seat bid last; once the contract is won which part it plays, and at the end what that scored."""
    contract, result = view["contract"], result_of(view)
    if contract is None:
        spoken = next((spoken for spoken in reversed(view["bids"]) if spoken["seat"] == seat), None)
        if spoken is None:
            return ""
        return _bid(spoken["bid"], spoken["value"]) if spoken["bid"] else "passed"
    part = "declarer" if seat == contract["declarer"] else "partner" if seat in contract["partners"] else "opposing"
    return f"{part}, {signed(result['scores'][seat])}" if result else part


# -- the cards that lie open --------------------------------------------------------------------------------------


def _rows(view: View) -> Iterator[CardRow]:
    yield _trick(view)
    for hand in view["hands"]:
        yield CardRow(f"Hand of seat {hand['seat']}", _faces(hand["cards"]))
    for hand in view["hands"]:
        piles = [pile for pile in hand["piles"] if pile["top"] or pile["under"]]
        shown = tuple(ShownCard(pile["top"], covers=bool(pile["top"]) and pile["under"]) for pile in piles)
        yield CardRow(f"Piles of seat {hand['seat']}", shown)
    announced = (ShownCard(card, _answer(view, card)) for card in view["announced"])
    yield CardRow("Announced", tuple(announced))
    yield from _talon(view)


def _trick(view: View) -> CardRow:
    """Show the trick on the table, or the last one while nothing lies there."""
    if view["trick"] and view["trick"]["cards"]:
        return CardRow(f"Trick {view['trick']['number']}", _by_seat(view["trick"]["cards"]))
    if not view["tricks"]:
        return CardRow("", ())
    last = view["tricks"][-1]
    return CardRow(f"Trick {last['number']}, won by seat {last['winner']}", _by_seat(last["cards"]))


def _answer(view: View, card: str) -> str:
    if card not in view["holders"]:
        return "asked"
    holder = view["holders"][card]
    return "none" if holder is None else f"seat {holder}"


def _talon(view: View) -> Iterator[CardRow]:
    talon = view["talon"]
    yield CardRow("Talon", _faces(talon["cards"]))
    for index, cards in enumerate(talon["groups"] or ()):
        yield CardRow(f"Talon, group {index}{', taken' if index == talon['chosen'] else ''}", _faces(cards))
    yield CardRow("Taken from the talon", _faces(None if talon["groups"] else talon["taken"]))
    yield CardRow("Laid aside", _faces(view["discard"]["cards"]))
    gifts = (ShownCard(gift["card"], f"{gift['from']} to {gift['to']}") for gift in view["gifts"])
    yield CardRow("Gifts", tuple(gifts))


def _by_seat(played: Iterable[View]) -> tuple[ShownCard, ...]:
    return tuple(ShownCard(each["card"], f"seat {each['seat']}") for each in played)


def _faces(cards: Sequence[str | None] | None) -> tuple[ShownCard, ...]:
    return tuple(map(ShownCard, cards or ()))
