"""Plateau in text, one line an action (rules.md, notation): written from events as a viewer sees them, and read back.

What the viewer may not know is ``?``. A piece is written as its upper and its lower face; two faces tell which it is.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol, cast

from domain.plateau.actions import Action, Move, Onboard, Open, Pass, Placed, Respond, Stomp, Stop, Tender
from domain.plateau.board import INDEX, Square
from domain.plateau.pieces import KIND_OF, SIDES, UNDER, Face, Kind
from domain.plateau.stacks import Board, top_unit
from domain.serialization import Plain
from domain.table import Seat

PLAYERS = "BW"
"""The letters of the players by seat: Black, White."""

HIDDEN = "?"
RESIGNATION = "#"


class Position(Protocol):
    """The part of a state that a line is read by."""

    @property
    def board(self) -> Board:
        """Give the stacks of all squares."""


def line(seat: Seat, text: str) -> str:
    """Say who acted, and how."""
    return f"{PLAYERS[seat]}: {text}"


def parted(text: str) -> tuple[Seat, str]:
    """Part a line into who acted, and how; raises ``ValueError``."""
    player, separator, action = text.partition(": ")
    if not separator or player not in ("B", "W"):
        raise ValueError(f"{text!r} does not begin with 'B: ' or 'W: '")
    return PLAYERS.index(player), action


def write(event_type: str, data: Mapping[str, Plain]) -> str | None:
    """Write what an event says that a player did, from its data as a viewer sees it; None for other events."""
    writer = _WRITERS.get(event_type)
    return writer(data) if writer else None


def read(text: str, position: Position) -> Action:
    """Read the text of one action, in the position in which it is done; raises ``ValueError``."""
    for pattern, reader in _READERS:
        found = pattern.fullmatch(text)
        if found:
            return reader(found, position)
    raise ValueError(f"{text!r} is no action" + (": what is hidden cannot be read" if HIDDEN in text else ""))


def code_of(kind: Kind, up: Face) -> str:
    """Write a piece as it lies: its upper and its lower face."""
    return up + UNDER[kind, up]


def piece_of(code: str) -> Placed:
    """Read a piece as it lies; raises ``ValueError``."""
    up, under = cast("tuple[Face, Face]", tuple(code))
    if (up, under) not in KIND_OF:
        raise ValueError(f"no piece has the faces {code!r}")
    return Placed(KIND_OF[up, under], up)


def _shown(kind: Kind | None, up: Face) -> str:
    return code_of(kind, up) if kind else up + HIDDEN


def _opened(data: Mapping[str, Plain]) -> str:
    lower = data.get("lower")
    low = code_of(lower["piece"], lower["up"]) if lower else HIDDEN * 2
    return f"* {data['square']} {low}.{_shown(data.get('upper'), data['top'])}"


def _onboarded(data: Mapping[str, Plain]) -> str:
    return f"+{data['square']}/{data['height']} {_shown(data.get('piece'), data['top'])}"


def _moved(data: Mapping[str, Plain]) -> str:
    flip = "~" if data["flipped"] else ""
    lift = "" if data["lift"] == data["unit"] else f"*{data['lift']}"
    stops = "".join(f">{stop['square']}:{stop['carry']}" for stop in data["stops"])
    return f"{data['from']}{flip}{lift}{stops}>{data['to']}"


def _stomped(data: Mapping[str, Plain]) -> str:
    return f"{data['square']}{'~' if data['flipped'] else ''}!"


_WRITERS: Mapping[str, Callable[[Mapping[str, Plain]], str]] = {
    "unit_opened": _opened,
    "piece_onboarded": _onboarded,
    "unit_moved": _moved,
    "unit_stomped": _stomped,
    "prisoners_tendered": lambda data: f"$ {'+'.join(data['pieces'])}",
    "prisoners_exchanged": lambda data: f"% {'+'.join(data['given'])}",
    "tender_refused": lambda _: "% -",
    "turn_forfeited": lambda _: "--",
    "resigned": lambda _: RESIGNATION,
}


def _read_open(found: re.Match[str], _position: Position) -> Action:
    return Open(cast("Square", found["square"]), (piece_of(found["lower"]), piece_of(found["upper"])))


def _read_onboard(found: re.Match[str], _position: Position) -> Action:
    piece = piece_of(found["piece"])
    return Onboard(cast("Square", found["square"]), int(found["height"]), piece.piece, piece.up)


def _read_move(found: re.Match[str], position: Position) -> Action:
    start = cast("Square", found["square"])
    whole = top_unit(position.board[INDEX[start]])
    if found["lift"] == str(whole):
        raise ValueError(f"{found.string!r}: '*{whole}' is left out when the whole top unit is lifted")
    stops = (stop.split(":") for stop in found["stops"].split(">")[1:])
    return Move(
        from_=start,
        flip=bool(found["flip"]),
        lift=int(found["lift"] or whole),
        stops=tuple(Stop(cast("Square", square), int(carry)) for square, carry in stops),
        to=cast("Square", found["to"]),
    )


def _read_stomp(found: re.Match[str], _position: Position) -> Action:
    return Stomp(square=cast("Square", found["square"]), flip=bool(found["flip"]))


def _kinds(text: str) -> tuple[Kind, ...]:
    return cast("tuple[Kind, ...]", tuple(text.split("+")))


_SQUARE = "[a-d][1-4]"
_NUMBER = "[1-9][0-9]?"
_CODE = "[rbox]{2}"
_KINDS = "(?P<kinds>K(?:[+]K)*)".replace("K", f"(?:{'|'.join(SIDES)})")

_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Position], Action]], ...] = (
    (re.compile(f"[*] (?P<square>{_SQUARE}) (?P<lower>{_CODE})[.](?P<upper>{_CODE})"), _read_open),
    (re.compile(f"[+](?P<square>{_SQUARE})/(?P<height>0|{_NUMBER}) (?P<piece>{_CODE})"), _read_onboard),
    (
        re.compile(
            f"(?P<square>{_SQUARE})(?P<flip>~?)(?:[*](?P<lift>{_NUMBER}))?"
            f"(?P<stops>(?:>{_SQUARE}:{_NUMBER})*)>(?P<to>{_SQUARE})"
        ),
        _read_move,
    ),
    (re.compile(f"(?P<square>{_SQUARE})(?P<flip>~?)!"), _read_stomp),
    (re.compile(f"[$] {_KINDS}"), lambda found, _: Tender(_kinds(found["kinds"]))),
    (re.compile("% -"), lambda _, __: Respond(refuse=True)),
    (re.compile(f"% {_KINDS}"), lambda found, _: Respond(pieces=_kinds(found["kinds"]))),
    (re.compile("--"), lambda _, __: Pass()),
)


def types(text: str) -> tuple[Kind, ...]:
    """List the pieces that the text of a tender or an answer names."""
    named: Any = re.fullmatch(f"[$%] {_KINDS}", text)
    return _kinds(named["kinds"]) if named else ()
