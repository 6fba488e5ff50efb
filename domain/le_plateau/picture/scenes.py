"""What stands beside the board in a picture of Le Plateau: hand, contract, turn, seats, and the cards that lie open."""

from collections.abc import Iterator, Set

from domain.cardplay.cards import Card
from domain.cardplay.turns import next_to_play
from domain.le_plateau.actions import TeamSize
from domain.le_plateau.board import Objective
from domain.le_plateau.events import TrickWon
from domain.le_plateau.state import Contract, HandResult
from domain.le_plateau.turns import bidder, next_raiser
from domain.le_plateau.view import HandView, PileView, TrickView, View, result_of
from domain.pictures.scene import (
    Row,
    Scene,
    SeatLine,
    Side,
    Thing,
    card_thing,
    faces,
    hand_row,
    pick,
    trick_row,
    trick_title,
    viewer_of,
)
from domain.pictures.wording import WRITTEN, Wording, sentence
from domain.table import Seat

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


def scene_of(view: View, wording: Wording = WRITTEN) -> Scene:
    """Write the scene of a view."""
    lines = tuple(map(sentence, _lines(view, wording)))
    return Scene(_title(view), lines, tuple(row for row in _rows(view, wording) if row.things), _seats(view, wording))


def turn_of(view: View) -> Seat | None:
    """Return the seat to act, if any."""
    contract, seats = view.contract, len(view.scores)
    if result_of(view):
        return None
    if view.phase == "bid":
        return bidder(view.bids, view.dealer, seats)
    if view.phase == "play":
        return next_to_play(seats, view.trick.leader, view.trick.cards) if view.trick else None
    if contract is None or view.phase not in _TURNS:
        return None
    return next_raiser(contract, view.raises, seats) if view.phase == "raise" else contract.declarer


def fresh_of(view: View) -> frozenset[str]:
    """Return the spaces that the last trick claimed, as far as they are on the board."""
    if not view.tricks:
        return frozenset()
    last = view.tricks[-1]
    return frozenset((f"#{last.number}", *(played.card for played in last.cards)))


def trick_of(view: View) -> TrickView | TrickWon | None:
    """Return the trick on the table, or the last one while no card lies there; None before the first card."""
    if view.trick and view.trick.cards:
        return view.trick
    return view.tricks[-1] if view.tricks else None


# -- the heading --------------------------------------------------------------------------------------------------


def _title(view: View) -> str:
    hand = f"Hand {view.hand_number} of {view.hands_total}"
    if not view.deal_number:
        return "Nothing is dealt yet"
    if view.phase == "over":
        return f"{hand}: the game is over"
    if result_of(view):
        return f"{hand} is over"
    return f"{hand}: {trick_title(view.trick.number, view.trick.cards) if view.trick else _PHASES[view.phase]}"


def _lines(view: View, wording: Wording) -> Iterator[str]:
    contract, result = view.contract, result_of(view)
    if result:
        yield _result(result, wording)
    elif contract:
        yield f"{wording.seat(contract.declarer)} plays {_contract(contract)}"
    elif view.hand_results:
        last = view.hand_results[-1]
        yield f"Hand {last.hand_number}: {_result(last, wording)}"
        yield f"It scored, by seat: {wording.between.join(map(wording.score, last.scores))}"
    turn = turn_of(view)
    if turn is not None:
        yield f"{wording.seat(turn)} is {_TURNS[view.phase]}"
    if view.stops_after_hand and view.phase != "over":
        yield "All agreed to stop after this hand"
    if view.deal_number:
        yield f"Dealer: {wording.seat(view.dealer)}"


def _result(result: HandResult, wording: Wording) -> str:
    contract = result.contract
    if contract is None:
        return "all passed"
    done = "made" if result.by == "declarer" else "missed"
    return f"{wording.seat(contract.declarer)} {done} {_contract(contract)}"


def _contract(contract: Contract) -> str:
    return _bid(contract.objective, contract.team, contract.exchange, contract.value)


def _bid(objective: Objective, team: TeamSize, exchange: bool | None, value: int | None) -> str:
    return f"{_OBJECTIVES[objective]}, {team}{', exchange' if exchange else ''} ({value})"


# -- the seats ----------------------------------------------------------------------------------------------------


def _seats(view: View, wording: Wording) -> tuple[SeatLine, ...]:
    turn, eyes = turn_of(view), viewer_of(view.hands, wording)
    hands = view.hands or tuple(HandView(seat, 0, None, ()) for seat in range(len(view.scores)))
    return tuple(
        SeatLine(
            seat=hand.seat,
            side=_side(view, hand.seat),
            note=_note(view, hand.seat, wording),
            cards=hand.count if view.contract else None,
            score=view.scores[hand.seat],
            is_viewer=hand.seat == eyes,
            is_to_act=hand.seat == turn,
            name=wording.name(hand.seat),
        )
        for hand in hands
    )


def _side(view: View, seat: Seat) -> Side | None:
    part = _part(view, seat)
    return None if part is None else "second" if part == "opposing" else "first"


def _part(view: View, seat: Seat) -> str | None:
    contract = view.contract
    if contract is None:
        return None
    return "declarer" if seat == contract.declarer else "partner" if seat in contract.partners else "opposing"


def _note(view: View, seat: Seat, wording: Wording) -> str:
    """Write what a seat bid last; once the contract is won its part, and at the end what that scored."""
    part, result = _part(view, seat), result_of(view)
    if part:
        return f"{part}, {wording.score(result.scores[seat])}" if result else part
    spoken = next((spoken for spoken in reversed(view.bids) if spoken.seat == seat), None)
    if spoken is None:
        return ""
    bid = spoken.bid
    return _bid(bid["objective"], bid["team"], bid.get("exchange"), spoken.value) if bid else "passed"


# -- the cards that lie open --------------------------------------------------------------------------------------


def _rows(view: View, wording: Wording) -> Iterator[Row]:
    trick = trick_of(view)
    if trick:
        yield trick_row(trick.number, trick.cards, trick.winner if isinstance(trick, TrickWon) else None, wording)
    for hand in view.hands:
        yield hand_row(hand.seat, hand.cards, wording)
    playable = wording.shown.playable
    for hand in view.hands:
        shown = tuple(_pile(pile, playable) for pile in hand.piles if pile["top"] or pile["under"])
        yield Row(f"piles:{hand.seat}", f"Piles of {wording.seat(hand.seat)}", shown, hand.seat)
        under = faces(pile["under_card"] for pile in hand.piles if "under_card" in pile)
        yield Row(f"under-piles:{hand.seat}", f"Under the piles of {wording.seat(hand.seat)}", under, hand.seat)
    yield Row(
        "announced", "Announced", tuple(card_thing(card, _answer(view, card, wording)) for card in view.announced)
    )
    yield from _talon(view, wording)


def _pile(pile: PileView, playable: Set[str]) -> Thing:
    top = pile["top"]
    return card_thing(top, covers=top is not None and pile["under"], is_legal=top in playable)


def _answer(view: View, card: Card, wording: Wording) -> str:
    if card not in view.holders:
        return "asked"
    holder = view.holders[card]
    return "none" if holder is None else wording.seat(holder)


def _talon(view: View, wording: Wording) -> Iterator[Row]:
    talon = view.talon
    yield Row("talon", "Talon", faces(talon.cards))
    for index, cards in enumerate(talon.groups or ()):
        name = f"Talon, group {index}{', taken' if index == talon.chosen else ''}"
        yield Row(f"talon:{index}", name, faces(cards), pick=pick("group", index))
    yield Row("taken", "Taken from the talon", faces(None if talon.groups else talon.taken))
    yield Row("discard", "Laid aside", faces(view.discard.cards))
    for gift in view.gifts:
        giver, receiver = wording.seat(gift["from"]), wording.seat(gift["to"])
        yield Row(f"gift:{gift['from']}:{gift['to']}", f"Gift of {giver} to {receiver}", faces([gift["card"]]))
