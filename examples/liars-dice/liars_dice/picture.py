"""A view as a picture and as text, for people."""

from collections.abc import Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element

from domain.pictures.blocks import heading
from domain.pictures.lines import described, written
from domain.pictures.scene import Row, Scene, SeatLine, Thing
from domain.pictures.shown import Shown
from domain.pictures.stage import art
from domain.pictures.svg import EDGE, WIDTH, Block, element, group, page, words
from domain.pictures.wording import PRINTED, wording
from domain.table import Seat
from liars_dice.nouns import BidMade, CupsLifted
from liars_dice.view import SeenCup, View

_LINE, _DIE, _PITCH = 40, 26, 32
_LOW, _MIDDLE, _HIGH = 6.5, 13, 19.5
_PIPS = {
    1: ((_MIDDLE, _MIDDLE),),
    2: ((_LOW, _LOW), (_HIGH, _HIGH)),
    3: ((_LOW, _LOW), (_MIDDLE, _MIDDLE), (_HIGH, _HIGH)),
    4: ((_LOW, _LOW), (_LOW, _HIGH), (_HIGH, _LOW), (_HIGH, _HIGH)),
    5: ((_LOW, _LOW), (_LOW, _HIGH), (_MIDDLE, _MIDDLE), (_HIGH, _LOW), (_HIGH, _HIGH)),
    6: ((_LOW, _LOW), (_LOW, _MIDDLE), (_LOW, _HIGH), (_HIGH, _LOW), (_HIGH, _MIDDLE), (_HIGH, _HIGH)),
}


def scene(view: View, shown: Shown) -> Scene:
    """Return a view as data, for a client: a row of dice and a line for each seat."""
    own = [cup.seat for cup in view.cups if cup.dice is not None]
    eyes = own[0] if len(own) == 1 else shown.viewer
    rows = tuple(Row(f"cup:{cup.seat}", f"Dice of seat {cup.seat + 1}", _things(cup), cup.seat) for cup in view.cups)
    return replace(_scene(view), rows=rows, seats=tuple(_seat(view, cup, shown, eyes) for cup in view.cups))


def _things(cup: SeenCup) -> tuple[Thing, ...]:
    dice = cup.dice or (None,) * cup.count
    return tuple(
        Thing(str(die) if die else None, str(die or "hidden"), art=art(_drawn_die(die), _DIE, _DIE)) for die in dice
    )


def _seat(view: View, cup: SeenCup, shown: Shown, eyes: Seat | None) -> SeatLine:
    return SeatLine(
        seat=cup.seat,
        side=None,
        note="" if cup.count else "out",
        cards=cup.count,
        score=None,
        is_viewer=cup.seat == eyes,
        is_to_act=cup.seat == view.turn,
        name=shown.names.get(cup.seat, ""),
    )


def svg(view: View, shown: Shown) -> str:
    """Draw a view as an SVG document."""
    around = _scene(view)
    blocks = [heading(around), *(_drawn_cup(view, cup, shown) for cup in view.cups)]
    aloud = replace(around, lines=(*around.lines, *_cup_lines(view)))
    return page(around.title, described(aloud, wording("liars_dice", PRINTED, shown)), blocks)


def text(view: View) -> str:
    """Write a view as lines for a terminal."""
    return written(_scene(view), wording("liars_dice"), _cup_lines(view))


def _scene(view: View) -> Scene:
    return Scene("Liar's Dice", tuple(_sentences(view)), (), ())


def _sentences(view: View) -> Iterator[str]:
    if view.last:
        yield _told(view.last)
    if view.turn is not None:
        last = f"; seat {view.bids[-1].seat + 1} bid {_named(view.bids[-1])}" if view.bids else ""
        yield f"Round {view.round}: seat {view.turn + 1} is to act{last}"
    elif view.round:
        winner = next(cup.seat for cup in view.cups if cup.count)
        yield f"Seat {winner + 1} wins"


def _told(end: CupsLifted) -> str:
    bid = f"Seat {end.bid.seat + 1} bid {_named(end.bid)}, seat {end.challenger + 1} challenged"
    return f"{bid}: there were {end.matching}, seat {end.loser + 1} lost a die"


def _named(bid: BidMade) -> str:
    return f"{bid.count} x {bid.face}"


def _cup_lines(view: View) -> Iterator[str]:
    for cup in view.cups:
        dice = " ".join(map(str, cup.dice)) if cup.dice else " ".join("?" * cup.count)
        yield f"{'>' if cup.seat == view.turn else ' '} Seat {cup.seat + 1}: {dice or 'out'}"


def _drawn_cup(view: View, cup: SeenCup, shown: Shown) -> Block:
    drawn = [element("rect", x=EDGE, width=WIDTH - 2 * EDGE, height=_LINE - 4, rx=5, class_="turn")]
    drawn = drawn if cup.seat == view.turn else []
    drawn.append(
        words(shown.names.get(cup.seat, f"Seat {cup.seat + 1}"), 20, 23, "ink strong" if cup.count else "muted")
    )
    dice = cup.dice or (None,) * cup.count
    drawn += [group(_drawn_die(die), x=100 + _PITCH * place, y=5) for place, die in enumerate(dice)]
    return Block(_LINE, group(*drawn))


def _drawn_die(die: int | None) -> Element:
    edge = element("rect", width=_DIE, height=_DIE, rx=5, class_=f"rule {'card' if die else 'back'}")
    pips = _PIPS[die] if die else ()
    return group(edge, *(element("circle", cx=x, cy=y, r=2.6, class_="ink") for x, y in pips))
