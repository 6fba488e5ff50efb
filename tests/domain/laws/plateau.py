"""Facts of Plateau for the laws: where the pieces are, and who knows which faces, from how they are handled."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from domain.events import GameStarted
from domain.game.aggregate import Game
from domain.log.record import Shown
from domain.plateau import events as ev
from domain.plateau.actions import Onboard, Open, Placed
from domain.plateau.pieces import KIND_OF
from domain.plateau.state import State
from domain.plateau.view import View
from tests.domain.plateau.knowledge_ledger import Ledger, Reader, Watcher

LONGEST = {"repetition": 100, "no_progress_plies": 1000, "max_plies": 2000}

ORDERED = {("Open", "pieces"), ("Move", "stops")}
IN_EVERY_LOG = {"unit_opened", "piece_onboarded", "turn_began", "everything_revealed"}


def variants(_seats: int) -> list[str]:
    """Return options such that both values of every switch, and small limits, occur."""
    return [
        "onboard_under_enemy=false pin=weapons merged_strength=true refused_tender_keeps_turn=false",
        "merged_strength=true repetition=2 no_progress_plies=4 max_plies=60",
    ]


def with_details(options: dict[str, str], _seats: int) -> dict[str, Any]:
    """Read the values."""
    return {name: value if name == "pin" else json.loads(value) for name, value in options.items()}


def has_its_subject(_state: State, _event: Any) -> bool:
    """Return that any event can be recorded at any time."""
    return True


def pack(game: Game) -> list[str]:
    """Return the twelve pieces of each player."""
    assert len(game.sitters) == 2
    twelve = ["A", "TW", "RM", "BM", *["R"] * 2, *["B"] * 2, *["M"] * 4]
    return [f"{seat} {kind}" for seat in (0, 1) for kind in twelve]


def places_of_cards(state: State) -> Iterator[str]:
    """List the pieces on the board, in the reserves, and among the prisoners."""
    for stack in state.board:
        yield from (f"{piece.owner} {piece.kind}" for piece in stack)
    for seat in (0, 1):
        yield from (f"{seat} {kind}" for kind in state.reserves[seat])
        yield from (f"{1 - seat} {kind}" for kind in state.prisoners[seat])


def nothing_known() -> Watcher:
    """Begin to watch."""
    return Watcher()


def known_after(known: Watcher, event: Any, viewer: int | None) -> Watcher:
    """Note what a viewer knows after one more event."""
    known.watch(event, viewer)
    return known


def nothing_named() -> Reader:
    """Begin to read."""
    return Reader()


def named_after(named: Reader, event: Shown, _viewer: int | None, _game: Game) -> Reader:
    """Note what a reader has been shown after one more event, from its data as they see it alone."""
    named.read(event["type"], event["data"])
    return named


def codes(known: Ledger) -> frozenset[str]:
    """Return what is known, piece by piece as it was placed."""
    return frozenset(known.codes)


def shown_by_view(view: View, _game: Game) -> frozenset[str]:
    """Return what a view shows: on the board, of captured pieces, and in the history."""
    ledger = Ledger()
    captured = [piece for line in view.history for piece in line.captured]
    for piece in (*(piece for stack in view.board.values() for piece in stack), *captured):
        ledger.turned |= {piece.token} if piece.turned else set()
        for side, face in (("top", piece.top), ("bottom", piece.bottom)):
            if face:
                ledger.learn(piece.token, side, face)
        if piece.piece:
            ledger.codes.add(f"{piece.token} is {piece.piece}")
    written = [code for line in view.history for code in codes_in(line.line)]
    for number, code in enumerate(written, 1):
        shown = zip(("up", "under"), code, strict=True)
        ledger.codes |= {f"p{number} {side} {face}" for side, face in shown if face != "?"}
    return codes(ledger)


def codes_in(line: str) -> list[str]:
    """List the pieces that a line of the history places."""
    return re.findall(r"(?<=[ .])[rbox?]{2}(?=[.]|$)", line) if line[3] in "*+" else []


MANY = 10


def has_many_worlds(state: State, viewer: int | None) -> bool:
    """Return whether many other pieces could lie on the board, by the known faces and the numbers of pieces.

    Once pieces have come home in an exchange, what is known of reserves can leave fewer; this is not worked out.
    """
    if any(line.public.line[3] == "%" and line.public.line[3:] != "% -" for line in state.history):
        return False
    ways = 1
    for owner in {0, 1} - {viewer}:
        unknown, left = [], list(state.reserves[owner])
        for piece in (piece for stack in state.board for piece in stack if piece.owner == owner):
            seen = (piece.top if piece.top_known else None, piece.bottom if piece.bottom_known else None)
            unknown.append([kind for faces, kind in KIND_OF.items() if agree(seen, faces)])
            left.append(piece.kind)
        ways *= ways_to_assign(sorted(unknown, key=len), left, MANY)
    return ways >= MANY


def agree(seen: tuple[str | None, ...], faces: tuple[str, ...]) -> bool:
    """Return whether faces agree with what is known of them."""
    return all(known in (face, None) for known, face in zip(seen, faces, strict=True))


def ways_to_assign(allowed: Sequence[Sequence[str]], left: list[str], most: int) -> int:
    """Count, up to some number, the ways to give each piece one of its kinds, each as often as it is left."""
    if not allowed:
        return 1
    ways = 0
    for kind in allowed[0]:
        if kind in left and ways < most:
            rest = left.copy()
            rest.remove(kind)
            ways += ways_to_assign(allowed[1:], rest, most)
    return ways


def is_deal(event: Any) -> bool:
    """Return whether the game begins with an event: nothing is dealt, so a whole game is one deal."""
    return isinstance(event, GameStarted)


def redealt(events: Sequence[Any], state: State) -> list[Any]:
    """Return the events with the pieces that were placed in the world of ``state``."""
    placed = {}
    for piece in (piece for stack in state.board for piece in stack):
        placed[piece.token] = Placed(piece.kind, piece.bottom if piece.turned else piece.top)
    changed: list[Any] = []
    for event in events:
        match event:
            case ev.UnitOpened():
                lower = placed.get(event.lower_token, event.lower)
                upper = placed.get(event.upper_token, Placed(event.upper, event.top))
                changed.append(replace(event, lower=lower, upper=upper.piece))
            case ev.PieceOnboarded():
                piece = placed.get(event.token, Placed(event.piece, event.top))
                changed.append(replace(event, piece=piece.piece))
            case _:
                changed.append(event)
    return changed


def acted_again(action: Any, events: Sequence[Any]) -> Any:
    """Return the action that led to these events: which piece was placed is hidden, and differs between worlds."""
    match action, events[0]:
        case Open(), ev.UnitOpened() as opened:
            return Open(action.square, (opened.lower, Placed(opened.upper, opened.top)))
        case Onboard(), ev.PieceOnboarded() as onboarded:
            return replace(action, piece=onboarded.piece)
        case _:
            return action
