"""What a view of French Tarot says in words: the deal, the contract, whose turn it is, the cards that lie open.

It takes the facts of the view as they stand, and judges nothing but whose turn they leave. Who the partner is stands in
the view once the called card has come to light, and not before.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias, cast

from domain.cardplay.cards import Card
from domain.french_tarot.deck import as_written, half_points, suits
from domain.pictures.scene import Caption, CardRow, SeatLine, ShownCard, Side, signed
from domain.serialization import Plain
from domain.table import Seat

View: TypeAlias = Mapping[str, Plain]

_PHASES = {
    "deal": "the next deal",
    "bid": "bidding",
    "call": "call of a card",
    "discard": "écart",
    "slam": "slam",
    "poignee": "poignées",
}
_TURNS = {
    "bid": "to bid or pass",
    "call": "to call a card",
    "discard": "to lay cards aside",
    "slam": "to announce a slam or none",
    "poignee": "to show a poignée or pass",
    "play": "to play",
}
_LEVELS = {"simple": "Simple poignée", "double": "Double poignée", "triple": "Triple poignée"}
_SLAMS = {"slam": "A slam is announced", "petit_chelem": "A petit chelem is announced"}
_MISERES = {"no_trumps": "no trumps", "no_courts": "no court cards"}


_CALLING = 5
"""So many players call a partner, who is hidden at first."""


def caption_of(view: View) -> Caption:
    """Read the caption off a view."""
    return Caption(_title(view), tuple(_lines(view)), tuple(row for row in _rows(view) if row.cards), _seats(view))


def result_of(view: View) -> View | None:
    """Give what this very deal came to, None while it goes on."""
    last = view["deal_results"][-1] if view["deal_results"] else None
    return last if last and last["deal_number"] == view["deal_number"] else None


def trick_of(view: View) -> View | None:
    """Give the trick on the table, or the last one while nothing lies there; None before the first card."""
    if view["trick"] and view["trick"]["cards"]:
        return cast("View", view["trick"])
    return view["tricks"][-1] if view["tricks"] else None


def trick_name(trick: View) -> str:
    """Name a trick, and who won it."""
    return f"Trick {trick['number']}" + (f", won by seat {trick['winner']}" if "winner" in trick else "")


# -- the heading --------------------------------------------------------------------------------------------------


def _title(view: View) -> str:
    if not view["deal_number"]:
        return "Nothing is dealt yet"
    number = min(view["deals_played"] + (result_of(view) is None), view["deals_total"])
    deal = f"Deal {number} of {view['deals_total']}"
    if view["phase"] == "over":
        return f"{deal}: the match is over"
    if result_of(view):
        return f"{deal} is over"
    return f"{deal}: trick {view['trick']['number']}" if view["trick"] else f"{deal}: {_PHASES[view['phase']]}"


def _lines(view: View) -> Iterator[str]:
    contract, result = view["contract"], result_of(view)
    if result:
        yield from _result(result)
    elif contract:
        yield f"Seat {contract['taker']} takes, {_contract(contract['contract'])} (x{contract['multiplier']})"
        yield from _announced(view)
    elif view["deal_results"]:
        first, *rest = _result(view["deal_results"][-1])
        yield f"The last deal played: {first}"
        yield from rest
    thrown_in = view["deal_number"] - view["deals_played"] - (result is None)
    if view["deal_number"] and thrown_in:
        yield f"Deals thrown in so far: {thrown_in}"
    turn = turn_of(view)
    if turn is not None:
        yield f"Seat {turn} is {_TURNS[view['phase']]}"
    if view["petit_imprenable"] is not None and not result:
        yield f"Seat {view['petit_imprenable']} plays the petit as a second Excuse"
    if view["deal_number"]:
        yield f"Dealer: seat {view['dealer']}"


def _announced(view: View) -> Iterator[str]:
    called = view["called"]
    if called:
        holder = _partner(called["partner"]) if called["revealed"] else "whoever holds it is the partner"
        yield f"{called['card']} is called: {holder}"
    if view["slam"] in _SLAMS:
        yield _SLAMS[view["slam"]]
    for misere in view["miseres"]:
        yield f"Misère of seat {misere['seat']}: {_MISERES[misere['kind']]}"


def _partner(partner: Seat | None) -> str:
    return "the taker is alone" if partner is None else f"seat {partner} is the partner"


def _contract(name: str) -> str:
    return name.replace("_", " ")


def _result(result: View) -> Iterator[str]:
    """Tell a result in two lines: the contract and the points, and what each seat won or lost."""
    contract, worked_out = result["contract"], result["calculation"]
    count, counted = worked_out["count"], worked_out["contract"]
    done = {"attack": "made", "defence": "lost", None: "just missed"}[counted["won_by"]]
    partner = "" if result["partner"] is None else f" and seat {result['partner']}"
    oudlers = " ".join(count["oudlers"]) or "no oudler"
    yield (
        f"Seat {contract['taker']}{partner} {done} a {_contract(contract['contract'])}: {count['card_points']} points "
        f"with {oudlers}, {counted['target']} needed"
    )
    yield f"It scored, by seat: {' '.join(map(signed, result['scores']))}"


# -- whose turn it is ---------------------------------------------------------------------------------------------


def turn_of(view: View) -> Seat | None:
    """Say which seat is to act, None while nobody is."""
    find = _FIND_TURN.get(view["phase"])
    return None if find is None or result_of(view) else find(view)


def _speaker(view: View) -> Seat | None:
    """Give the next to bid: everyone once, and with open bidding again those who have not passed."""
    players, bids = view["players"], view["bids"]
    if view["contract"]:
        return None
    passed = {spoken["seat"] for spoken in bids if not spoken["contract"]}
    turn = len(bids) if len(bids) < len(players) else players.index(bids[-1]["seat"]) + 1
    still_in = [seat for seat in (*players[turn:], *players[:turn]) if seat not in passed]
    highest = [spoken["seat"] for spoken in bids if spoken["contract"]][-1:]
    return still_in[0] if still_in and still_in != highest else None


def _taker(view: View) -> Seat | None:
    return cast("Seat", view["contract"]["taker"])


def _first_leader(view: View) -> Seat:
    return cast("Seat", view["contract"]["taker"] if view["slam"] == "slam" else view["players"][0])


def _asked(view: View) -> Seat | None:
    answered = {*view["poignees_declined"], *(poignee["seat"] for poignee in view["poignees"])}
    return next((seat for seat in _in_turn(view, _first_leader(view)) if seat not in answered), None)


def _player(view: View) -> Seat | None:
    trick = view["trick"]
    if trick is None or len(trick["cards"]) == len(view["players"]):
        return None
    return _in_turn(view, trick["leader"])[len(trick["cards"])]


def _in_turn(view: View, first: Seat) -> Sequence[Seat]:
    players = view["players"]
    return (*players[players.index(first) :], *players[: players.index(first)])


_FIND_TURN: Mapping[str, Callable[[View], Seat | None]] = {
    "bid": _speaker,
    "call": _taker,
    "discard": _taker,
    "slam": _taker,
    "poignee": _asked,
    "play": _player,
}


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


def _part(view: View, seat: Seat) -> str:
    """Say which part a seat plays, as far as the view tells: nobody but the taker has one while a partner is hidden."""
    contract, called = view["contract"], view["called"]
    result = result_of(view)
    if contract is None:
        return ""
    if seat not in view["players"]:
        return "sits out"
    if seat == contract["taker"]:
        return "taker"
    if result:
        return "partner" if seat == result["partner"] else "defender"
    if len(view["players"]) == _CALLING and not (called and called["revealed"]):
        return ""
    return "partner" if called and seat == called["partner"] else "defender"


def _side(view: View, seat: Seat) -> Side | None:
    sides: Mapping[str, Side] = {"taker": "first", "partner": "first", "defender": "second"}
    return sides.get(_part(view, seat))


def _note(view: View, seat: Seat) -> str:
    """Say what a seat bid; once the contract is won its part and its tricks; and at the end what the deal scored."""
    result = result_of(view)
    if view["contract"] is None:
        spoken = [spoken["contract"] for spoken in view["bids"] if spoken["seat"] == seat]
        return (_contract(spoken[-1]) if spoken[-1] else "passed") if spoken else ""
    said = [_part(view, seat), signed(result["scores"][seat]) if result else _tricks(view, seat)]
    return ", ".join(filter(None, said))


def _tricks(view: View, seat: Seat) -> str:
    """Count the tricks of a seat and the points in them; an Excuse is in nobody's trick."""
    won = [trick for trick in view["tricks"] if trick["winner"] == seat]
    suit_of = suits(imprenable=view["petit_imprenable"] is not None)
    cards = [played["card"] for trick in won for played in trick["cards"] if suit_of[played["card"]]]
    return f"{len(won)} trick{'s' * (len(won) > 1)}, {as_written(half_points(cards))}" if won else ""


# -- the cards that lie open --------------------------------------------------------------------------------------


def _rows(view: View) -> Iterator[CardRow]:
    yield _trick(view)
    for hand in view["hands"]:
        yield CardRow(f"Hand of seat {hand['seat']}", _faces(hand["cards"]))
    chien = view["chien"]
    if chien["cards"] or result_of(view) is None:
        yield CardRow("Chien", _faces(chien["cards"] or [None] * chien["count"]))
    ecart = view["ecart"]
    yield CardRow("Écart", _faces(ecart["cards"]))
    yield CardRow("Trumps laid aside in sight", _faces(() if ecart["cards"] else ecart["trumps"]))
    for poignee in view["poignees"]:
        yield CardRow(f"{_LEVELS[poignee['level']]} of seat {poignee['seat']}", _faces(poignee["cards"]))
    yield from _revealed(view)


def _revealed(view: View) -> Iterator[CardRow]:
    """Show what the end of the deal has made public, where the view does not show it already."""
    result = result_of(view)
    if result is None:
        return
    if not view["chien"]["cards"]:
        yield CardRow("Chien, shown at the end", _faces(result["chien"]))
    if not view["ecart"]["cards"]:
        yield CardRow("Écart, shown at the end", _faces(result["ecart"]))


def _trick(view: View) -> CardRow:
    trick = trick_of(view)
    if trick is None:
        return CardRow("", ())
    return CardRow(trick_name(trick), tuple(ShownCard(each["card"], f"seat {each['seat']}") for each in trick["cards"]))


def _faces(cards: Sequence[Card | None] | None) -> tuple[ShownCard, ...]:
    return tuple(map(ShownCard, cards or ()))
