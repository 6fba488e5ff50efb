"""The actions of Plateau in words.

A move is spelled as its start (``~``: the top piece is turned over first), the number of pieces lifted, each stop with
the number of pieces that continue, and its end. Offers of prisoners end with ``done``.
"""

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

from domain.plateau.actions import Action, Move, Onboard, Open, Pass, Respond, Stomp, Tender
from domain.plateau.board import SQUARES
from domain.plateau.pieces import FACES
from domain.table import Seat

_MOST = 12
"""The pieces of a player; all of them can move at once."""
_HIGHEST = 23

NAMES: tuple[str, ...] = (
    *("pass", "refuse", "done"),
    *(f"{what} {square}" for what in ("open", "onboard", "stop", "to") for square in SQUARES),
    *(f"{what} {square}{flip}" for what in ("move", "stomp") for square in SQUARES for flip in ("", "~")),
    *(f"height {height}" for height in range(_HIGHEST + 1)),
    *(f"place {piece} {up}" for piece, faces in FACES.items() for up in faces),
    *(f"{what} {number}" for what in ("lift", "carry") for number in range(1, _MOST + 1)),
    *(f"{what} {piece}" for what in ("tender", "give") for piece in FACES),
)


def spell(action: Action, _seat: Seat, _seats: int) -> tuple[str, ...]:
    return _SPELLINGS[type(action)](action)


def _move(action: Move) -> tuple[str, ...]:
    stops = chain.from_iterable((f"stop {stop.square}", f"carry {stop.carry}") for stop in action.stops)
    start = f"move {action.from_}{'~' if action.flip else ''}"
    return (start, f"lift {action.lift}", *stops, f"to {action.to}")


def _response(action: Respond) -> tuple[str, ...]:
    return ("refuse",) if action.refuse else (*[f"give {piece}" for piece in action.pieces], "done")


_SPELLINGS: Mapping[type, Callable[[Any], tuple[str, ...]]] = {
    Move: _move,
    Onboard: lambda action: (
        f"onboard {action.square}",
        f"height {action.height}",
        f"place {action.piece} {action.up}",
    ),
    Stomp: lambda action: (f"stomp {action.square}{'~' if action.flip else ''}",),
    Open: lambda action: (
        f"open {action.square}",
        *[f"place {placed.piece} {placed.up}" for placed in action.pieces],
    ),
    Tender: lambda action: (*[f"tender {piece}" for piece in action.pieces], "done"),
    Respond: _response,
    Pass: lambda _: ("pass",),
}
