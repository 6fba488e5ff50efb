"""What chance decided in a game, as data: with the secret, anyone can make each draw again, without knowing the rules.

A ruleset states the draws behind an event from what is public in it, so they show nothing hidden.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from domain.chance import Chance
from domain.log.chain import canonical
from domain.log.record import Shown
from domain.serialization import Plain, place_of


@dataclass(frozen=True, slots=True)
class DrawnNumbers:
    """Numbers from 0 to ``below`` - 1, with ``plus`` added, which the event shows at the JSON pointer ``to``.

    There are ``count`` of them, each a draw of its own: ``number``, ``number`` + 1, and so on.
    """

    label: str
    number: int
    below: int
    to: str
    plus: int = 0
    count: int = 1
    sorted: bool = False


@dataclass(frozen=True, slots=True)
class Packet:
    """The next ``count`` things of a shuffled pack, which go to a JSON pointer of the event.

    The packets of one pointer follow each other there. ``sorted`` says that the event lists them in an order of its
    own, so that only what they are can be compared.
    """

    to: str
    count: int
    sorted: bool = True


@dataclass(frozen=True, slots=True)
class Apart:
    """Single things taken out of a shuffled pack before the packets: a draw of its own chooses their places.

    ``of`` are the possible places, counted from 0; the first ``count`` in the order drawn are taken.
    """

    label: str
    number: int
    of: tuple[int, ...]
    count: int
    to: str


@dataclass(frozen=True, slots=True)
class DrawnOrder:
    """A permutation of ``of``, dealt to the last thing in packets, after what was taken apart."""

    label: str
    number: int
    of: tuple[str, ...]
    packets: tuple[Packet, ...]
    apart: Apart | None = None


Draw: TypeAlias = DrawnNumbers | DrawnOrder


def no_draws(_options: object, _seats: int, _event: Shown) -> Iterable[Draw]:
    """State the draws of a game without chance."""
    return ()


class WrongDraw(ValueError):
    """An event does not show what was drawn."""


def check(chance: Chance, draw: Draw, data: Plain) -> None:
    """Make a draw again, and raise ``WrongDraw`` if the data of its event, opened, does not show it."""
    if isinstance(draw, DrawnNumbers):
        numbers = range(draw.number, draw.number + draw.count)
        drawn = [draw.plus + chance.below(draw.label, number, draw.below) for number in numbers]
        _compare(draw.to, drawn, data, is_sorted=draw.sorted)
        return
    left = [*chance.permutation(draw.label, draw.number, draw.of)]
    if draw.apart is not None:
        places = {*chance.permutation(draw.apart.label, draw.apart.number, draw.apart.of)[: draw.apart.count]}
        _compare(draw.apart.to, [left[place] for place in places], data, is_sorted=True)
        left = [thing for place, thing in enumerate(left) if place not in places]
    dealt: dict[str, list[Plain]] = {}
    for packet in draw.packets:
        dealt.setdefault(packet.to, []).extend(left[: packet.count])
        left = left[packet.count :]
    for packet in draw.packets:
        _compare(packet.to, dealt[packet.to], data, is_sorted=packet.sorted)
    if left:
        raise WrongDraw(f"{draw.label} {draw.number}: {len(left)} things are dealt to nobody")


def _compare(pointer: str, drawn: Sequence[Plain], data: Plain, *, is_sorted: bool) -> None:
    place, key = place_of(data, pointer)
    shown = place[key] if isinstance(place[key], list) else [place[key]]
    if sorted(map(canonical, shown)) != sorted(map(canonical, drawn)) or not (is_sorted or [*shown] == [*drawn]):
        raise WrongDraw(f"{pointer}: not what was drawn")
