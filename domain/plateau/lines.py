"""Plateau in text, one line an action (rules.md, notation): written from events as a viewer sees them, and read back.

``?`` stands for what the viewer cannot know. A piece is written as its upper and its lower face, which identify it.
"""

import re
from collections.abc import Callable, Mapping

from domain.plateau.actions import Action, Move, Onboard, Open, Pass, Placed, Respond, Stomp, Stop, Tender
from domain.plateau.board import INDEX, SQUARES, Square
from domain.plateau.pieces import KIND_OF, SIDES, UNDER, Face, Kind
from domain.plateau.stacks import Board, top_unit
from domain.serialization import Plain
from domain.table import Seat

PLAYERS = "BW"
"""The letters of the players by seat: Black, White."""

HIDDEN = "?"
RESIGNATION = "#"
LOST_ON_TIME = "#time"


def line(seat: Seat, text: str) -> str:
    """Write which seat acted, and how."""
    return f"{PLAYERS[seat]}: {text}"


def parted(text: str) -> tuple[Seat, str]:
    """Split a line into the seat that acted, and how; raise ``ValueError``."""
    player, separator, action = text.partition(": ")
    if not separator or player not in ("B", "W"):
        raise ValueError(f"{text!r} does not begin with 'B: ' or 'W: '")
    return PLAYERS.index(player), action


# -- pieces ---------------------------------------------------------------------------------------------------------


def _code_of(kind: Kind, up: Face) -> str:
    """Write a piece as it lies: its upper and its lower face."""
    return up + UNDER[kind, up]


def piece_of(code: str) -> Placed:
    """Read a piece as it lies; raise ``ValueError``."""
    if code not in _PLACED:
        raise ValueError(f"no piece has the faces {code!r}")
    return _PLACED[code]


_PLACED: Mapping[str, Placed] = {up + under: Placed(kind, up) for (up, under), kind in KIND_OF.items()}


def _shown(kind: Kind | None, up: Face) -> str:
    return _code_of(kind, up) if kind else up + HIDDEN


# -- writing --------------------------------------------------------------------------------------------------------


def write(event_type: str, data: Mapping[str, Plain]) -> str | None:
    """Write what a player did, from the data of an event as a viewer sees it; None for other events."""
    writer = _WRITERS.get(event_type)
    return writer(data) if writer else None


def _opened(data: Mapping[str, Plain]) -> str:
    lower = data.get("lower")
    low = _code_of(lower["piece"], lower["up"]) if lower else HIDDEN * 2
    return f"* {data['square']} {low}.{_shown(data.get('upper'), data['top'])}"


def _onboarded(data: Mapping[str, Plain]) -> str:
    return f"+{data['square']}/{data['height']} {_shown(data.get('piece'), data['top'])}"


def _moved(data: Mapping[str, Plain]) -> str:
    flip = "~" if data["flipped"] else ""
    lift = "" if data["lift"] == data["unit"] else f"*{data['lift']}"
    stops = "".join(f">{stop['square']}:{stop['carry']}" for stop in data["stops"])
    return f"{data['from']}{flip}{lift}{stops}>{data['to']}"


_WRITERS: Mapping[str, Callable[[Mapping[str, Plain]], str]] = {
    "unit_opened": _opened,
    "piece_onboarded": _onboarded,
    "unit_moved": _moved,
    "unit_stomped": lambda data: f"{data['square']}{'~' if data['flipped'] else ''}!",
    "prisoners_tendered": lambda data: f"$ {'+'.join(data['pieces'])}",
    "prisoners_exchanged": lambda data: f"% {'+'.join(data['given'])}",
    "tender_refused": lambda _: "% -",
    "turn_forfeited": lambda _: "--",
    "resigned": lambda _: RESIGNATION,
    "time_lost": lambda _: LOST_ON_TIME,
}


# -- reading --------------------------------------------------------------------------------------------------------


def read(text: str, board: Board) -> Action:
    """Read the text of one action, with the board on which it is done; raise ``ValueError``."""
    for pattern, reader in _READERS:
        found = pattern.fullmatch(text)
        if found:
            return reader(found, board)
    raise ValueError(f"{text!r} is not an action" + ("; hidden pieces (?) cannot be read" if HIDDEN in text else ""))


def kinds_in(text: str) -> tuple[Kind, ...]:
    """List the pieces that the text of a tender or a response names."""
    found = re.fullmatch(f"[$%] {_NAMES}", text)
    return _kinds(found) if found else ()


def _read_onboard(found: re.Match[str], _board: Board) -> Action:
    piece = piece_of(found["piece"])
    return Onboard(_SQUARES[found["square"]], int(found["height"]), piece.piece, piece.up)


def _read_move(found: re.Match[str], board: Board) -> Action:
    start = _SQUARES[found["square"]]
    whole = top_unit(board[INDEX[start]])
    if found["lift"] == str(whole):
        raise ValueError(f"{found.string!r}: '*{whole}' is left out when the whole top unit is lifted")
    stops = (stop.split(":") for stop in found["stops"].split(">")[1:])
    return Move(
        from_=start,
        flip=bool(found["flip"]),
        lift=int(found["lift"] or whole),
        stops=tuple(Stop(_SQUARES[square], int(carry)) for square, carry in stops),
        to=_SQUARES[found["to"]],
    )


def _kinds(found: re.Match[str]) -> tuple[Kind, ...]:
    return tuple(_KINDS[name] for name in found["kinds"].split("+"))


_SQUARES: Mapping[str, Square] = {square: square for square in SQUARES}
_KINDS: Mapping[str, Kind] = {kind: kind for kind in SIDES}

_SQUARE = "[a-d][1-4]"
_NUMBER = "[1-9][0-9]?"
_CODE = "[rbox]{2}"
_NAMES = "(?P<kinds>K(?:[+]K)*)".replace("K", f"(?:{'|'.join(SIDES)})")

_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Board], Action]], ...] = (
    (
        re.compile(f"[*] (?P<square>{_SQUARE}) (?P<lower>{_CODE})[.](?P<upper>{_CODE})"),
        lambda found, _: Open(_SQUARES[found["square"]], (piece_of(found["lower"]), piece_of(found["upper"]))),
    ),
    (re.compile(f"[+](?P<square>{_SQUARE})/(?P<height>0|{_NUMBER}) (?P<piece>{_CODE})"), _read_onboard),
    (
        re.compile(
            f"(?P<square>{_SQUARE})(?P<flip>~?)(?:[*](?P<lift>{_NUMBER}))?"
            f"(?P<stops>(?:>{_SQUARE}:{_NUMBER})*)>(?P<to>{_SQUARE})"
        ),
        _read_move,
    ),
    (
        re.compile(f"(?P<square>{_SQUARE})(?P<flip>~?)!"),
        lambda found, _: Stomp(square=_SQUARES[found["square"]], flip=bool(found["flip"])),
    ),
    (re.compile(f"[$] {_NAMES}"), lambda found, _: Tender(_kinds(found))),
    (re.compile("% -"), lambda _, __: Respond(refuse=True)),
    (re.compile(f"% {_NAMES}"), lambda found, _: Respond(pieces=_kinds(found))),
    (re.compile("--"), lambda _, __: Pass()),
)
