"""What stands beside the board in a picture of Le Plateau: hand, contract, turn, seats, and the cards that lie open."""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

from domain.cardplay.cards import Card
from domain.cardplay.tricks import next_to_play
from domain.le_plateau.bidding import STEP, TEAM_STEP, TEAMS
from domain.le_plateau.board import OBJECTIVES, sides_of, sides_reached
from domain.le_plateau.events import TrickWon
from domain.le_plateau.picture.hexagon import sides_drawn
from domain.le_plateau.picture.sheet import bid_message, contract_message, result_message, sheet_of, space
from domain.le_plateau.turns import bidder, next_raiser
from domain.le_plateau.view import HandView, PileView, TrickView, View, result_of
from domain.pictures.scene import (
    Goal,
    Offer,
    Row,
    Scene,
    SeatLine,
    Side,
    Thing,
    beside_the_seats,
    card_thing,
    faces,
    hand_row,
    last_trick_row,
    pick,
    trick_row,
    trick_title,
    viewer_of,
)
from domain.pictures.shown import ALONE, Shown
from domain.pictures.wording import PRINTED, WRITTEN, Style, Wording, wording
from domain.sentences.message import AtSeat, Items, Message, Number, Score, message
from domain.table import Seat

_PACKAGE = "domain.le_plateau"
_TO_ACT = ("bid", "exchange", "give", "choose_talon", "announce", "raise", "play")
"""The phases in which a seat is to act."""


def words_of(style: Style, shown: Shown = ALONE) -> Wording:
    """Return the words of this game."""
    return wording(_PACKAGE, style, shown)


def scene_of(view: View, style: Style = WRITTEN, shown: Shown = ALONE) -> Scene:
    """Write the scene of a view, without its stage."""
    said = words_of(style, shown)
    rows = tuple(row for row in _rows(view, said) if row.things)
    return Scene(said.sentence(_title(view)), tuple(map(said.sentence, _lines(view))), rows, _seats(view, said))


def page_of(view: View, shown: Shown) -> Scene:
    """Return the scene of a page, which has room for more: the last trick, and the score sheet."""
    scene, said = scene_of(view, PRINTED, shown), words_of(PRINTED, shown)
    is_led = view.trick is not None and len(view.trick.cards) > 0
    last = [last_trick_row(said, won.cards, won.winner) for won in view.tricks[-1:] if is_led]
    return replace(
        scene,
        lines=tuple(map(said.sentence, beside_the_seats(_lines(view)))),
        rows=(*scene.rows, *last),
        sheet=tuple(sheet_of(view, said)),
        totals=tuple(map(said.score, view.scores)),
        goals=tuple(_goals(view, said)),
        offers=tuple(_offers(view)),
    )


def _goals(view: View, said: Wording) -> Iterator[Goal]:
    """Return how many sides the declarer's team has joined of those that the contract needs."""
    contract, tokens = view.contract, view.board.tokens
    if contract is None or not tokens:
        return
    owned = [space for space, owner in view.board.owners.items() if owner == "declarer"]
    reached, result = sides_reached(tokens, owned, contract.objective), result_of(view)
    done, target = reached.bit_count(), sides_of(contract.objective)[0].bit_count()
    is_made = result.by == "declarer" if result else done == target
    says = said.say("scene.goal", done=Number(done), target=Number(target))
    yield Goal("first", done, target, target, says, is_made, sides_drawn(reached))


def _offers(view: View) -> Iterator[Offer]:
    """Return the objectives with their pictures, and what each choice adds to the value of a bid."""
    if view.phase == "bid":
        for place, objective in enumerate(OBJECTIVES):
            art = sides_drawn(sides_of(objective)[-1])
            yield Offer("bid.objective", objective, f"+{STEP * place}" if place else "", art)
        for place, team in enumerate(TEAMS[len(view.scores)]):
            yield Offer("bid.team", team, f"+{TEAM_STEP * place}" if place else "")
    if view.phase == "raise" and view.contract:
        for place, objective in enumerate(OBJECTIVES[OBJECTIVES.index(view.contract.objective) :]):
            art = sides_drawn(sides_of(objective)[-1])
            yield Offer("raise.objective", objective, f"+{STEP * place}" if place else "", art)


def turn_of(view: View) -> Seat | None:
    """Return the seat to act, if any."""
    contract, seats = view.contract, len(view.scores)
    if result_of(view):
        return None
    if view.phase == "bid":
        return bidder(view.bids, view.dealer, seats)
    if view.phase == "play":
        return next_to_play(range(seats), view.trick.leader, view.trick.cards) if view.trick else None
    if contract is None or view.phase not in _TO_ACT:
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


def _title(view: View) -> Message:
    if not view.deal_number:
        return Message("scene.title.nothing")
    hand = {"hand": Number(view.hand_number), "hands": Number(view.hands_total)}
    if view.phase == "over":
        return Message("scene.title.over", hand)
    if result_of(view):
        return Message("scene.title.hand_over", hand)
    part = trick_title(view.trick.number, view.trick.cards) if view.trick else Message(f"scene.phase.{view.phase}")
    return Message("scene.title.part", {**hand, "part": part})


def _lines(view: View) -> Iterator[Message]:
    contract, result = view.contract, result_of(view)
    if result:
        yield result_message(result)
    elif contract:
        yield message("scene.plays", declarer=AtSeat(contract.declarer), contract=contract_message(contract))
    elif view.hand_results:
        last = view.hand_results[-1]
        yield message("scene.last_hand", hand=Number(last.hand_number), result=result_message(last))
        yield message("scene.scored", scores=Items(tuple(map(Score, last.scores))))
    turn = turn_of(view)
    if turn is not None:
        yield message(f"scene.turn.{view.phase}", seat=AtSeat(turn))
    if view.stops_after_hand and view.phase != "over":
        yield Message("scene.stops")
    if view.deal_number:
        yield message("scene.dealer", seat=AtSeat(view.dealer))


# -- the seats ----------------------------------------------------------------------------------------------------


def _seats(view: View, said: Wording) -> tuple[SeatLine, ...]:
    turn, eyes = turn_of(view), viewer_of(view.hands, said)
    hands = view.hands or tuple(HandView(seat, 0, None, ()) for seat in range(len(view.scores)))
    return tuple(
        SeatLine(
            seat=hand.seat,
            side=_side(view, hand.seat),
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


def _side(view: View, seat: Seat) -> Side | None:
    part = _part(view, seat)
    return None if part is None else "second" if part == "opposing" else "first"


def _part(view: View, seat: Seat) -> str | None:
    contract = view.contract
    if contract is None:
        return None
    return "declarer" if seat == contract.declarer else "partner" if seat in contract.partners else "opposing"


def _note(view: View, seat: Seat, said: Wording) -> str:
    """Write what a seat bid last; once the contract is won its part, and at the end what that added to its score."""
    part, result = _part(view, seat), result_of(view)
    if part:
        note = Message(f"scene.part.{part}")
        if result and result.scores != view.scores:
            note = message("scene.note.score", note=note, score=Score(result.scores[seat]))
        return said.phrase(note)
    spoken = next((spoken for spoken in reversed(view.bids) if spoken.seat == seat), None)
    if spoken is None:
        return ""
    bid = spoken.bid
    if not bid:
        return said.say("scene.note.passed")
    return said.phrase(bid_message(bid["objective"], bid["team"], bid.get("exchange"), spoken.value or 0))


# -- the cards that lie open --------------------------------------------------------------------------------------


def _rows(view: View, said: Wording) -> Iterator[Row]:
    trick, eyes, playable = trick_of(view), viewer_of(view.hands, said), said.shown.playable
    if trick:
        yield trick_row(said, trick.number, trick.cards, trick.winner if isinstance(trick, TrickWon) else None)
    for hand in view.hands:
        yield hand_row(said, hand.seat, hand.cards, eyes)
    for hand in view.hands:
        shown = tuple(_pile(said, pile, playable) for pile in hand.piles if pile["top"] or pile["under"])
        yield _row(said, f"piles:{hand.seat}", message("scene.row.piles", seat=AtSeat(hand.seat)), shown, hand.seat)
        under = faces(said, (pile["under_card"] for pile in hand.piles if "under_card" in pile))
        name = message("scene.row.under", seat=AtSeat(hand.seat))
        yield _row(said, f"under-piles:{hand.seat}", name, under, hand.seat)
    announced = tuple(card_thing(said, card, _answer(view, card, said)) for card in view.announced)
    yield _row(said, "announced", Message("scene.row.announced"), announced)
    yield from _talon(view, said)


def _row(said: Wording, row_id: str, name: Message, things: tuple[Thing, ...], seat: Seat | None = None) -> Row:
    return Row(row_id, said.sentence(name), things, seat)


def _pile(said: Wording, pile: PileView, playable: Set[str]) -> Thing:
    top = pile["top"]
    return card_thing(said, top, covers=top is not None and pile["under"], is_legal=top in playable)


def _answer(view: View, card: Card, said: Wording) -> str:
    if card not in view.holders:
        return said.say("scene.announced.asked")
    holder = view.holders[card]
    return said.say("scene.announced.none") if holder is None else said.seat(holder)


def _talon(view: View, said: Wording) -> Iterator[Row]:
    talon = view.talon
    yield _row(said, "talon", Message("scene.row.talon"), faces(said, talon.cards))
    for index, cards in enumerate(talon.groups or ()):
        name = message(f"scene.row.group{'.taken' * (index == talon.chosen)}", group=Number(index + 1))
        yield Row(f"talon:{index}", said.sentence(name), faces(said, cards), pick=pick("group", index))
    taken = faces(said, None if talon.groups else talon.taken)
    yield _row(said, "taken", Message("scene.row.taken"), taken)
    yield _row(said, "discard", Message("scene.row.discard"), faces(said, view.discard.cards))
    for gift in view.gifts:
        name = message("scene.row.gift", giver=AtSeat(gift["from"]), receiver=AtSeat(gift["to"]))
        yield _row(said, f"gift:{gift['from']}:{gift['to']}", name, faces(said, [gift["card"]]))


# -- the board ----------------------------------------------------------------------------------------------------


def board_sentences(spaces: Iterable[tuple[str, Side | None, bool]], fresh: Set[str]) -> Iterator[Message]:
    """Say which side has which spaces, which of them the last trick claimed, and which are on the winning path."""
    known = list(spaces)
    for side in ("first", "second"):
        yield from _spaces(f"scene.board.{side}", [code for code, owner, _ in known if owner == side])
    yield from _spaces("scene.board.fresh", [code for code, owner, _ in known if owner and code in fresh])
    yield from _spaces("scene.board.path", [code for code, _, is_on_path in known if is_on_path])


def _spaces(message_id: str, codes: Sequence[str]) -> Iterator[Message]:
    if codes:
        yield message(message_id, spaces=Items(tuple(map(space, codes))))
