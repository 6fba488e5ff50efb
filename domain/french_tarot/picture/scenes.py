"""The scene of a view of French Tarot: the deal, the contract, whose turn it is, the cards that lie open.

It states the facts of the view as they stand. The view has the partner once the called card has come to light, and not
before.
"""

from collections.abc import Iterator, Mapping

from domain.french_tarot.actions import Misere
from domain.french_tarot.announcements import first_leader, next_to_show
from domain.french_tarot.bidding import next_to_speak
from domain.french_tarot.calculation import Level
from domain.french_tarot.deck import OUDLERS, as_written, half_points, suits
from domain.french_tarot.events import PhaseName, TrickWon
from domain.french_tarot.partners import CALLING
from domain.french_tarot.play import next_to_play
from domain.french_tarot.scoring import TARGETS
from domain.french_tarot.state import DealResult
from domain.french_tarot.view import HandView, TrickView, View
from domain.pictures.scene import Row, Scene, SeatLine, Side, faces, hand_row, trick_row, trick_title, viewer_of
from domain.pictures.wording import WRITTEN, Wording, sentence
from domain.table import Seat

_PHASES: Mapping[PhaseName, str] = {
    "deal": "the next deal",
    "bid": "bidding",
    "call": "call of a card",
    "discard": "écart",
    "slam": "slam",
    "poignee": "poignées",
}
_TURNS: Mapping[PhaseName, str] = {
    "bid": "to bid or pass",
    "call": "to call a card",
    "discard": "to lay cards aside",
    "slam": "to announce a slam or none",
    "poignee": "to show a poignée or pass",
    "play": "to play",
}
_LEVELS: Mapping[Level, str] = {"simple": "Simple poignée", "double": "Double poignée", "triple": "Triple poignée"}
_MISERES: Mapping[Misere, str] = {"no_trumps": "no trumps", "no_courts": "no court cards"}
_SIDES: Mapping[str, Side] = {"taker": "first", "partner": "first", "defender": "second"}


def scene_of(view: View, wording: Wording = WRITTEN) -> Scene:
    """Read the scene off a view."""
    lines = tuple(map(sentence, _lines(view, wording)))
    return Scene(_title(view), lines, tuple(row for row in _rows(view, wording) if row.things), _seats(view, wording))


def turn_of(view: View) -> Seat | None:
    """Return the seat to act, as the rules have it; None if there is none."""
    contract = view.contract
    if view.phase == "bid" and not contract:
        return next_to_speak(view.players, view.bids)
    if contract is None or view.result:
        return None
    match view.phase:
        case "call" | "discard" | "slam":
            return contract.taker
        case "poignee":
            first = first_leader(view.players, contract, view.slam)
            return next_to_show(view.players, first, view.poignees, view.poignees_declined)
        case "play" if view.trick:
            return next_to_play(view.players, view.trick.leader, view.trick.cards)
        case _:
            return None


def trick_of(view: View) -> TrickView | TrickWon | None:
    """Return the trick on the table, or the last one while no card lies there; None before the first card."""
    if view.trick and view.trick.cards:
        return view.trick
    return view.tricks[-1] if view.tricks else None


def trick_row_of(trick: TrickView | TrickWon, wording: Wording = WRITTEN) -> Row:
    """Return the row of a trick."""
    return trick_row(trick.number, trick.cards, trick.winner if isinstance(trick, TrickWon) else None, wording)


# -- the heading --------------------------------------------------------------------------------------------------


def _title(view: View) -> str:
    if not view.deal_number:
        return "Nothing is dealt yet"
    number = min(view.deals_played + (view.result is None), view.deals_total)
    deal = f"Deal {number} of {view.deals_total}"
    if view.phase == "over":
        return f"{deal}: the match is over"
    if view.result:
        return f"{deal} is over"
    return f"{deal}: {trick_title(view.trick.number, view.trick.cards) if view.trick else _PHASES[view.phase]}"


def _lines(view: View, wording: Wording) -> Iterator[str]:
    contract, result = view.contract, view.result
    if result:
        yield from _result(result, wording)
    elif contract:
        yield f"{wording.seat(contract.taker)} takes, {_contract(contract.contract)} (x{contract.multiplier})"
        yield from _announced(view, wording)
        yield from _needed(view, contract.taker, wording)
    elif view.deal_results:
        first, *rest = _result(view.deal_results[-1], wording)
        yield f"The last deal played: {first}"
        yield from rest
    thrown_in = view.deal_number - view.deals_played - (result is None)
    if view.deal_number and thrown_in:
        yield f"Deals thrown in so far: {thrown_in}"
    turn = turn_of(view)
    if turn is not None:
        yield f"{wording.seat(turn)} is {_TURNS[view.phase]}"
    if view.petit_imprenable is not None and not result:
        yield f"{wording.seat(view.petit_imprenable)} plays the petit as a second Excuse"
    if view.deal_number:
        yield f"Dealer: {wording.seat(view.dealer)}"


def _announced(view: View, wording: Wording) -> Iterator[str]:
    called = view.called
    if called:
        holder = _partner(called.partner, wording) if called.revealed else "whoever holds it is the partner"
        yield f"{wording.card(called.card)} is called: {holder}"
    if view.slam and view.slam != "none":
        yield f"A {view.slam.replace('_', ' ')} is announced"
    for misere in view.miseres:
        yield f"Misère of {wording.seat(misere.seat)}: {_MISERES[misere.kind]}"


def _needed(view: View, taker: Seat, wording: Wording) -> Iterator[str]:
    """Write what the attack has for certain by what the view shows, and what it still needs with those oudlers.

    The Excuse stays out, because its points can change sides.
    """
    if view.trick is None:
        return
    attack = {taker, view.called.partner} if view.called and view.called.revealed else {taker}
    suit_of = suits(imprenable=view.petit_imprenable is not None)
    in_tricks = [played.card for trick in view.tricks if trick.winner in attack for played in trick.cards]
    cards = [card for card in (*in_tricks, *(view.ecart.cards or ())) if suit_of[card]]
    found = [card for card in OUDLERS if card in cards]
    target, halves = TARGETS[len(found)], half_points(cards)
    where = "in tricks and écart" if view.ecart.cards else "in tricks"
    yield f"The attack has {as_written(halves)} points {where}, not counting any Excuse"
    oudlers = f"With {' and '.join(map(wording.card, found))}" if found else "Without oudlers"
    more = f": {as_written(2 * target - halves)} more" if halves < 2 * target else ", and has them"
    yield f"{oudlers} it needs {target} points{more}"


def _partner(partner: Seat | None, wording: Wording) -> str:
    return "the taker is alone" if partner is None else f"{wording.seat(partner)} is the partner"


def _contract(name: str) -> str:
    return name.replace("_", " ")


def _result(result: DealResult, wording: Wording) -> Iterator[str]:
    """Write a result in two lines: the contract and the points, then what each seat won or lost."""
    count, contract = result.calculation.count, result.calculation.contract
    done = {"attack": "made", "defence": "lost", None: "just missed"}[contract.won_by]
    partner = "" if result.partner is None else f" and {wording.seat(result.partner)}"
    oudlers = wording.cards(count.oudlers) or "no oudler"
    yield (
        f"{wording.seat(result.contract.taker)}{partner} {done} a {_contract(result.contract.contract)}: "
        f"{count.card_points} points with {oudlers}, {contract.target} needed"
    )
    yield f"It scored, by seat: {wording.between.join(map(wording.score, result.scores))}"


# -- the seats ----------------------------------------------------------------------------------------------------


def _seats(view: View, wording: Wording) -> tuple[SeatLine, ...]:
    turn, eyes = turn_of(view), viewer_of(view.hands, wording)
    hands = view.hands or tuple(HandView(seat, 0, None) for seat in range(len(view.scores)))
    return tuple(
        SeatLine(
            seat=hand.seat,
            side=_SIDES.get(_part(view, hand.seat)),
            note=_note(view, hand.seat, wording),
            cards=hand.count if view.contract else None,
            score=view.scores[hand.seat],
            is_viewer=hand.seat == eyes,
            is_to_act=hand.seat == turn,
            name=wording.name(hand.seat),
        )
        for hand in hands
    )


def _part(view: View, seat: Seat) -> str:
    """Return the part that a seat plays, if the view shows it: while a partner is hidden, only the taker's is known."""
    contract, called, result = view.contract, view.called, view.result
    if contract is None:
        return ""
    if seat not in view.players:
        return "sits out"
    if seat == contract.taker:
        return "taker"
    if result:
        return "partner" if seat == result.partner else "defender"
    if len(view.players) == CALLING and not (called and called.revealed):
        return ""
    return "partner" if called and seat == called.partner else "defender"


def _note(view: View, seat: Seat, wording: Wording) -> str:
    """Return what a seat bid; once the contract is won, its part and its tricks; at the end, what the deal scored."""
    result = view.result
    if view.contract is None:
        spoken = [spoken.contract for spoken in view.bids if spoken.seat == seat]
        return _contract(spoken[-1] or "passed") if spoken else ""
    said = [_part(view, seat), wording.score(result.scores[seat]) if result else _tricks(view, seat)]
    return ", ".join(filter(None, said))


def _tricks(view: View, seat: Seat) -> str:
    """Count the tricks of a seat and the points in them, without any Excuse."""
    won = [trick for trick in view.tricks if trick.winner == seat]
    suit_of = suits(imprenable=view.petit_imprenable is not None)
    cards = [played.card for trick in won for played in trick.cards if suit_of[played.card]]
    return f"{len(won)} trick{'s' * (len(won) > 1)}, {as_written(half_points(cards))}" if won else ""


# -- the cards that lie open --------------------------------------------------------------------------------------


def _rows(view: View, wording: Wording) -> Iterator[Row]:
    trick, chien, ecart, result = trick_of(view), view.chien, view.ecart, view.result
    if trick:
        yield trick_row_of(trick, wording)
    for hand in view.hands:
        yield hand_row(hand.seat, hand.cards, wording)
    if chien.cards or result is None:
        yield Row("chien", "Chien", faces(chien.cards or [None] * chien.count))
    yield Row("ecart", "Écart", faces(ecart.cards))
    yield Row("shown-trumps", "Trumps laid aside in sight", faces(() if ecart.cards else ecart.trumps))
    for poignee in view.poignees:
        name = f"{_LEVELS[poignee.level]} of {wording.seat(poignee.seat)}"
        yield Row(f"poignee:{poignee.seat}", name, faces(poignee.cards), poignee.seat)
    if result and not chien.cards:
        yield Row("chien", "Chien, shown at the end", faces(result.chien))
    if result and not ecart.cards:
        yield Row("ecart", "Écart, shown at the end", faces(result.ecart))
