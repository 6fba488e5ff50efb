"""A view as a scene, as a picture and as text, for people: the trick, the own hand, what was passed, and the scores."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from domain.cardplay.cards import TRUMP
from domain.cardplay.tricks import next_to_play, winning_so_far
from domain.pictures import blocks, lines
from domain.pictures.cards import SYMBOLS
from domain.pictures.round_table import roles, round_table, trick_number
from domain.pictures.scene import (
    Row,
    Scene,
    SeatLine,
    SheetLine,
    faces,
    hand_row,
    last_trick_row,
    sheet_line,
    trick_row,
    trick_title,
    viewer_of,
)
from domain.pictures.shown import ALONE, Shown
from domain.pictures.svg import page
from domain.pictures.wording import DRAWN, PRINTED, WRITTEN, Style, Wording, wording
from domain.sentences.message import AtSeat, Items, Message, Number, message
from domain.sentences.message import Card as CardNamed
from domain.table import Seat
from hearts.deck import PASSED, PLAYERS, STRENGTH, SUIT_OF
from hearts.nouns import HandScored, TrickCard
from hearts.view import PassView, View


def scene(view: View, shown: Shown = ALONE) -> Scene:
    """Return a view as data, for a client, with the last trick and the score sheet."""
    said = _words(PRINTED, shown)
    is_led = view.trick is not None and len(view.trick.cards) > 0
    last = [last_trick_row(said, won.cards, won.winner) for won in view.tricks[-1:] if is_led]
    around = _scene(view, PRINTED, shown)
    passed = [row for row in around.rows if row.id.startswith("passed:")]
    rows = [*(row for row in around.rows if row not in passed), *last, *passed]
    return replace(around, rows=rows, sheet=tuple(_sheet(view, said)), totals=tuple(map(str, view.totals)))


def svg(view: View, shown: Shown = ALONE) -> str:
    """Draw a view as an SVG document."""
    around = _scene(view, DRAWN, shown)
    trick, winner = _shown_trick(view)
    number = [trick_number(_number(view, winner))] if view.trick or view.tricks else []
    rows = blocks.card_rows(row for row in around.rows if row.id != "trick")
    table = round_table(around.seats, trick, roles(trick, winner), number, is_clockwise=True)
    aloud = lines.described(_scene(view, PRINTED, shown), _words(PRINTED, shown))
    drawn = [table, rows, blocks.seat_table(around.seats)] if view.hands else []
    return page(around.title, aloud, [blocks.heading(around), *drawn], SYMBOLS)


def text(view: View) -> str:
    """Write a view as lines for a terminal."""
    return lines.written(_scene(view), _words(WRITTEN))


def _words(style: Style, shown: Shown = ALONE) -> Wording:
    return wording(__package__, style, shown)


def _scene(view: View, style: Style = WRITTEN, shown: Shown = ALONE) -> Scene:
    said, (trick, winner) = _words(style, shown), _shown_trick(view)
    eyes = viewer_of(view.hands, said)
    winning = winning_so_far(trick, SUIT_OF, STRENGTH, TRUMP) if trick else None
    rows = [
        trick_row(said, _number(view, winner), trick, winner, winning),
        *(hand_row(said, hand.seat, hand.cards, eyes) for hand in view.hands),
        *(_passed_row(said, each) for each in view.passes),
    ]
    titled, told = said.sentence(_title(view)), tuple(map(said.sentence, _lines(view)))
    return Scene(titled, told, tuple(row for row in rows if row.things), tuple(_seats(view, eyes, said)))


def _passed_row(said: Wording, passed: PassView) -> Row:
    """Return the row of passed cards that the viewer knows; they stand for nothing, since some lie in a hand too."""
    name = message("scene.passed", giver=AtSeat(passed.giver), receiver=AtSeat(passed.receiver))
    things = (replace(thing, pick=None) for thing in faces(said, passed.cards))
    return Row(f"passed:{passed.giver}", said.sentence(name), tuple(things))


def _shown_trick(view: View) -> tuple[Sequence[TrickCard], Seat | None]:
    """Return the cards on the table; while there are none, those of the last trick and the seat that took it."""
    if view.trick and view.trick.cards:
        return view.trick.cards, None
    return (view.tricks[-1].cards, view.tricks[-1].winner) if view.tricks else ((), None)


def _number(view: View, winner: Seat | None) -> int:
    return len(view.tricks) + (winner is None)


def _seats(view: View, eyes: Seat | None, said: Wording) -> Iterator[SeatLine]:
    acting = _to_act(view)
    for hand in view.hands:
        yield SeatLine(
            seat=hand.seat,
            side=None,
            note=said.phrase(_note(view, hand.seat)),
            cards=hand.count,
            score=view.totals[hand.seat],
            is_viewer=hand.seat == eyes,
            is_to_act=hand.seat in acting,
            name=said.name(hand.seat),
        )


def _to_act(view: View) -> frozenset[Seat]:
    if view.phase == "pass":
        return frozenset(each.giver for each in view.passes if not each.is_chosen)
    turn = next_to_play(range(PLAYERS), view.trick.leader, view.trick.cards) if view.trick else None
    return frozenset() if turn is None else frozenset({turn})


def _note(view: View, seat: Seat) -> Message:
    if view.phase == "pass":
        chosen = any(each.is_chosen for each in view.passes if each.giver == seat)
        return Message("scene.note.chosen" if chosen else "scene.note.choosing")
    return message("scene.note.taken", points=Number(view.taken[seat]))


def _title(view: View) -> Message:
    if not view.hand_number:
        return Message("scene.title.nothing")
    hand = Number(view.hand_number)
    if view.phase == "over":
        return message("scene.title.over", hand=hand)
    if view.phase == "pass":
        return message("scene.title.hand", hand=hand, part=Message("scene.title.passing"))
    if view.trick:
        return message("scene.title.hand", hand=hand, part=trick_title(view.trick.number, view.trick.cards))
    return message("scene.title.hand_over", hand=hand)


def _lines(view: View) -> Iterator[Message]:
    if view.hand_results and (view.phase == "over" or not view.tricks):
        yield _result(view.hand_results[-1])
    if view.phase == "over":
        winners = [seat for seat, score in enumerate(view.totals) if score == min(view.totals)]
        names = Items(tuple(map(AtSeat, winners)))
        yield message("scene.wins", winners=names, count=Number(len(winners)), score=Number(min(view.totals)))
        return
    if view.phase == "pass":
        yield message(f"scene.pass.{view.direction}", count=Number(PASSED))
    elif view.trick:
        (turn,) = _to_act(view)
        if view.must_lead:
            yield message("scene.turn.first", seat=AtSeat(turn), card=CardNamed(view.must_lead))
        else:
            yield message("scene.turn.play" if view.trick.cards else "scene.turn.lead", seat=AtSeat(turn))
            yield Message("scene.hearts.broken" if view.hearts_broken else "scene.hearts.unbroken")
    if view.hand_number:
        yield message("scene.dealer", seat=AtSeat(view.dealer))


def _result(result: HandScored) -> Message:
    taken = Items(tuple(
        message("scene.took", seat=AtSeat(seat), points=Number(points)) for seat, points in enumerate(result.taken)
    ))  # fmt: skip
    return message("scene.result", hand=Number(result.hand_number), taken=taken)


def _sheet(view: View, said: Wording) -> Iterator[SheetLine]:
    for result in view.hand_results:
        steps = [_result(result)]
        if result.shooter is not None:
            steps.append(message("scene.moon", shooter=AtSeat(result.shooter)))
        yield sheet_line(said, message("scene.sheet", hand=Number(result.hand_number)), result.scores, steps)
