"""The scene of a view of French Tarot: the deal, the contract, whose turn it is, the cards that lie open.

It states the facts of the view as they stand. The view has the partner once the called card has come to light, and not
before.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from domain.cardplay.cards import TRUMP, Card
from domain.cardplay.tricks import next_to_play, winning_so_far
from domain.french_tarot.announcements import first_leader, next_to_show
from domain.french_tarot.bidding import CONTRACTS, MULTIPLIER, next_to_speak
from domain.french_tarot.chien import refusal_of
from domain.french_tarot.deck import STRENGTH, as_written, half_points, suits
from domain.french_tarot.events import TrickWon
from domain.french_tarot.partners import CALLING
from domain.french_tarot.picture.sheet import result_message, scored_message, sheet_of
from domain.french_tarot.scoring import TARGETS
from domain.french_tarot.standing import standing
from domain.french_tarot.view import HandView, TrickView, View
from domain.pictures.scene import (
    Goal,
    Offer,
    Row,
    Scene,
    SeatLine,
    Side,
    Thing,
    beside_the_seats,
    faces,
    hand_row,
    last_trick_row,
    trick_row,
    trick_title,
    viewer_of,
)
from domain.pictures.shown import ALONE, Shown
from domain.pictures.wording import PRINTED, WRITTEN, Style, Wording, wording
from domain.sentences.message import AtSeat, Decimal, Items, Message, Number, Parameter, Text, message
from domain.sentences.message import Card as CardNamed
from domain.table import Seat

_PACKAGE = "domain.french_tarot"
_SIDES: Mapping[str, Side] = {"taker": "first", "partner": "first", "defender": "second"}


def words_of(style: Style, shown: Shown = ALONE) -> Wording:
    """Return the words of this game."""
    return wording(_PACKAGE, style, shown)


def scene_of(view: View, style: Style = WRITTEN, shown: Shown = ALONE) -> Scene:
    """Read the scene off a view."""
    said = words_of(style, shown)
    rows = tuple(row for row in _rows(view, said) if row.things)
    return Scene(said.sentence(_title(view)), tuple(map(said.sentence, _lines(view))), rows, _seats(view, said))


def page_of(view: View, shown: Shown) -> Scene:
    """Return the scene of a page, which has room for more: the last trick, the chien's cards, the score sheet."""
    scene, said = scene_of(view, PRINTED, shown), words_of(PRINTED, shown)
    is_led = view.trick is not None and len(view.trick.cards) > 0
    last = [last_trick_row(said, won.cards, won.winner) for won in view.tricks[-1:] if is_led]
    rows = (*(_for_the_ecart(row, view, said) for row in scene.rows), *last)
    return replace(
        scene,
        lines=tuple(map(said.sentence, beside_the_seats(_lines(view)))),
        rows=rows,
        sheet=tuple(sheet_of(view, said)),
        totals=tuple(map(said.score, view.scores)),
        goals=tuple(_goals(view, said)),
        offers=tuple(_offers(view)),
        is_counterclockwise=True,
    )


_ALL_POINTS = 91
_GRAVE = ("announce_slam", "announce_petit_chelem")


def _goals(view: View, said: Wording) -> Iterator[Goal]:
    """Return the half points of the attack, and how many it needs."""
    has, result = standing(view), view.result
    if result:
        half, target = result.calculation.count.half_points, result.calculation.contract.target
        is_won = result.calculation.contract.won_by == "attack"
    elif has:
        half, target = has.half_points, TARGETS[len(has.oudlers)]
        is_won = half >= 2 * target
    else:
        return
    says = said.say("scene.goal", done=Decimal(as_written(half)), target=Number(target))
    yield Goal("first", half, 2 * target, 2 * _ALL_POINTS, says, is_won)


def _offers(view: View) -> Iterator[Offer]:
    """Return the contracts with their factors, and what must not be sent by accident."""
    if view.phase == "bid":
        yield Offer("type", "pass")
        for contract in CONTRACTS:
            is_grave = contract == CONTRACTS[-1]
            yield Offer("bid.contract", contract, f"\N{MULTIPLICATION SIGN}{MULTIPLIER[contract]}", is_grave=is_grave)
    if view.phase == "slam":
        yield from (Offer("type", action, is_grave=True) for action in _GRAVE)


def _for_the_ecart(row: Row, view: View, said: Wording) -> Row:
    """Mark the cards in the taker's hand: those that can be in no écart with the reason, others from the chien."""
    if view.phase != "discard" or not view.contract or row.id != f"hand:{view.contract.taker}":
        return row
    hand, chien = tuple(thing.face for thing in row.things if thing.face), view.chien.turned_up
    return replace(row, things=tuple(_marked(thing, hand, chien, said) for thing in row.things))


def _marked(thing: Thing, hand: Sequence[Card], chien: Sequence[Card], said: Wording) -> Thing:
    refusal = refusal_of(hand, thing.face, len(chien)) if thing.face else None
    if refusal is None:
        return replace(thing, note=said.say("scene.note.chien") if thing.face in chien else "")
    why = refusal.said if isinstance(refusal.said, str) else said.sentence(refusal.said)
    return replace(thing, note=said.say(f"scene.note.{refusal.code}"), refused=why)


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


# -- the heading --------------------------------------------------------------------------------------------------


def _title(view: View) -> Message:
    if not view.deal_number:
        return Message("scene.title.nothing")
    number = min(view.deals_played + (view.result is None), view.deals_total)
    deal = {"deal": Number(number), "deals": Number(view.deals_total)}
    if view.phase == "over":
        return Message("scene.title.over", deal)
    if view.result:
        return Message("scene.title.deal_over", deal)
    part = trick_title(view.trick.number, view.trick.cards) if view.trick else Message(f"scene.phase.{view.phase}")
    return Message("scene.title.part", {**deal, "part": part})


def _lines(view: View) -> Iterator[Message]:
    contract, result = view.contract, view.result
    if result:
        yield from (result_message(result), scored_message(result))
    elif contract:
        yield message(
            "scene.takes",
            taker=AtSeat(contract.taker),
            contract=Message(f"contract.{contract.contract}"),
            multiplier=Number(contract.multiplier),
        )
        yield from _announced(view)
        yield from _needed(view)
    elif view.deal_results:
        last = view.deal_results[-1]
        yield from (message("scene.last_deal", result=result_message(last)), scored_message(last))
    thrown_in = view.deal_number - view.deals_played - (result is None)
    if view.deal_number and thrown_in:
        yield message("scene.thrown_in", count=Number(thrown_in))
    turn = turn_of(view)
    if turn is not None:
        yield message(f"scene.turn.{view.phase}", seat=AtSeat(turn))
    if view.petit_imprenable is not None and not result:
        yield message("scene.imprenable", seat=AtSeat(view.petit_imprenable))
    if view.deal_number:
        yield message("scene.dealer", seat=AtSeat(view.dealer))


def _announced(view: View) -> Iterator[Message]:
    called = view.called
    if called:
        card = CardNamed(called.card)
        if not called.revealed:
            yield message("scene.called.hidden", card=card)
        elif called.partner is None:
            yield message("scene.called.alone", card=card)
        else:
            yield message("scene.called.partner", card=card, partner=AtSeat(called.partner))
    if view.slam and view.slam != "none":
        yield Message(f"scene.announced.{view.slam}")
    for misere in view.miseres:
        yield message(f"scene.misere.{misere.kind}", seat=AtSeat(misere.seat))


def _needed(view: View) -> Iterator[Message]:
    """Write what the attack has, or has at least, by what the view shows, and what it needs with those oudlers."""
    has = standing(view)
    if has is None:
        return
    counted = has.laid_aside if has.is_aside_counted else "tricks" if has.is_exact or has.of == "taker" else "least"
    where = f"least.{has.laid_aside}" if counted == "least" else f"{has.of}.{counted or 'tricks'}"
    yield message(f"scene.has.{where}", points=Decimal(as_written(has.half_points)))
    target = TARGETS[len(has.oudlers)]
    missing = 2 * target - has.half_points
    needed: dict[str, Parameter] = {"oudlers": _oudlers(has.oudlers), "target": Number(target)}
    if missing <= 0:
        yield Message("scene.needs.has", needed)
    elif has.is_exact and missing == 1:
        yield Message("scene.needs.half", needed)
    else:
        more = Decimal(as_written(missing))
        yield Message("scene.needs.more" if has.is_exact else "scene.needs.at_most", {**needed, "more": more})


def _oudlers(found: Sequence[Card]) -> Message:
    places = zip(("first", "second", "third"), found, strict=False)
    return Message(f"scene.oudlers.{len(found)}", {place: CardNamed(card) for place, card in places})


# -- the seats ----------------------------------------------------------------------------------------------------


def _seats(view: View, said: Wording) -> tuple[SeatLine, ...]:
    turn, eyes = turn_of(view), viewer_of(view.hands, said)
    hands = view.hands or tuple(HandView(seat, 0, None) for seat in range(len(view.scores)))
    return tuple(
        SeatLine(
            seat=hand.seat,
            side=_SIDES.get(_part(view, hand.seat)),
            note=_note(view, hand.seat, said),
            cards=hand.count if view.contract else None,
            score=view.scores[hand.seat],
            is_viewer=hand.seat == eyes,
            is_to_act=hand.seat == turn,
            name=said.name(hand.seat),
            is_dealer=bool(view.deal_number) and hand.seat == view.dealer,
        )
        for hand in hands
    )


def _part(view: View, seat: Seat) -> str:
    """Return the part that a seat plays, if the view shows it: while a partner is hidden, only the taker's is known."""
    contract, called, result = view.contract, view.called, view.result
    if contract is None:
        return ""
    if seat not in view.players:
        return "sits_out"
    if seat == contract.taker:
        return "taker"
    if result:
        return "partner" if seat == result.partner else "defender"
    if len(view.players) == CALLING and not (called and called.revealed):
        return ""
    return "partner" if called and seat == called.partner else "defender"


def _note(view: View, seat: Seat, said: Wording) -> str:
    """Return what a seat bid; once the contract is won, its part and its tricks; at the end, what the deal scored."""
    if view.contract is None:
        spoken = [spoken.contract for spoken in view.bids if spoken.seat == seat]
        bid = Message(f"contract.{spoken[-1]}" if spoken and spoken[-1] else "scene.note.passed")
        return said.phrase(bid) if spoken else ""
    part, won = _part(view, seat), _won(view, seat, said)
    if not part:
        return won
    note = Message(f"scene.part.{part}")
    return said.phrase(message("scene.note.score", note=note, score=Text(won)) if won else note)


def _won(view: View, seat: Seat, said: Wording) -> str:
    """Return the tricks of a seat; at the end of the deal its score, unless that is the whole score shown beside."""
    result = view.result
    if result is None:
        return _tricks(view, seat, said)
    return "" if result.scores == view.scores else said.score(result.scores[seat])


def _tricks(view: View, seat: Seat, said: Wording) -> str:
    """Count the tricks of a seat and the points in them, without any Excuse."""
    won = [trick for trick in view.tricks if trick.winner == seat]
    suit_of = suits(imprenable=view.petit_imprenable is not None)
    cards = [played.card for trick in won for played in trick.cards]
    excuses = [card for card in cards if not suit_of[card]]
    points = Decimal(as_written(half_points(card for card in cards if suit_of[card])))
    note: dict[str, Parameter] = {"count": Number(len(won)), "points": points}
    if excuses:
        return said.phrase(message("scene.note.tricks.without", **note, cards=Items(tuple(map(CardNamed, excuses)))))
    return said.phrase(Message("scene.note.tricks", note)) if won else ""


# -- the cards that lie open --------------------------------------------------------------------------------------


def _rows(view: View, said: Wording) -> Iterator[Row]:
    trick, chien, ecart, result = trick_of(view), view.chien, view.ecart, view.result
    eyes = viewer_of(view.hands, said)
    if trick:
        suit_of = suits(imprenable=view.petit_imprenable is not None)
        winning = winning_so_far(trick.cards, suit_of, STRENGTH, TRUMP)
        winner = trick.winner if isinstance(trick, TrickWon) else None
        yield trick_row(said, trick.number, trick.cards, winner, winning)
    for hand in view.hands:
        yield hand_row(said, hand.seat, hand.cards, eyes)
    if chien.cards or result is None:
        yield _row(said, "chien", "scene.row.chien", chien.cards or [None] * chien.count)
    yield _row(said, "ecart", "scene.row.ecart", ecart.cards)
    yield _row(said, "shown-trumps", "scene.row.trumps", () if ecart.cards else ecart.trumps)
    for poignee in view.poignees:
        name = said.sentence(message(f"scene.row.poignee.{poignee.level}", seat=AtSeat(poignee.seat)))
        yield Row(f"poignee:{poignee.seat}", name, faces(said, poignee.cards), poignee.seat)
    if result and not chien.cards:
        yield _row(said, "chien", "scene.row.chien.end", result.chien)
    if result and not ecart.cards:
        yield _row(said, "ecart", "scene.row.ecart.end", result.ecart)


def _row(said: Wording, row_id: str, name: str, cards: Iterable[Card | None] | None) -> Row:
    return Row(row_id, said.sentence(Message(name)), faces(said, cards))
