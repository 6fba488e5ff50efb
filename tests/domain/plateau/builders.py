"""Positions of Plateau, built by hand: ``builders.state(...)`` and what an action makes of it.

Stacks are written as in the case file: a square and its pieces from the bottom, each an owner and two faces
("a1 Wxx Wrr"). Black (B) is seat 0, White (W) is seat 1. Only the top face of each stack is public unless ``public``
differs.
"""

from dataclasses import replace

from domain.chance import Chance
from domain.errors import IllegalAction
from domain.plateau import RULESET as plateau
from domain.plateau import events as ev
from domain.plateau.actions import Move, Onboard, Open, Pass, Placed, Respond, Stomp, Stop, Tender
from domain.plateau.board import SQUARES
from domain.plateau.endings import position
from domain.plateau.pieces import KIND_OF, SET, in_order, without, worth
from domain.plateau.stacks import Piece
from domain.plateau.state import State
from tests.domain.moves import SECRET, Moves

CHANCE = Chance(SECRET, "gm_given", (None, None))
SEATS = {"B": 0, "W": 1}
PHASES = ("opening", "play", "response")


def code(text):
    """Read a piece by its upper and lower face."""
    return Placed(KIND_OF[text[0], text[1]], text[0])


def stacks(text):
    """Read "a1 Wxx Wrr, b2 Bxx" as a mapping of squares to their pieces."""
    return {words[0]: words[1:] for words in map(str.split, text.split(",")) if words}


def state(
    board="", *, to_move="W", phase="play", prisoners=None, public=None, options=None, tender=(), min_tender=None
):
    """Return a state; ``prisoners`` and ``min_tender`` are by the letter of the player who holds, or tendered, them."""
    board = stacks(board) if isinstance(board, str) else board
    public = stacks(public) if isinstance(public, str) else public or {}
    held = {player: list((prisoners or {}).get(player, ())) for player in SEATS}
    placed = {player: [kind_of(p) for pieces in board.values() for p in pieces if p[0] == player] for player in SEATS}
    lying, number = [], 0
    for square in SQUARES:
        pieces, shown = board.get(square, []), public.get(square, [])
        lying.append(tuple(piece(p, f"p{number + h + 1}", face_up(pieces, shown, h)) for h, p in enumerate(pieces)))
        number += len(pieces)
    made = State(
        options=plateau.options.complete(options or {}, 2),
        phase=phase,
        to_move=SEATS[to_move],
        board=tuple(lying),
        reserves=tuple(without(SET, (*placed[mine], *held[other])) for mine, other in ("BW", "WB")),
        prisoners=tuple(in_order(held[player]) for player in SEATS),
        tender=ev.PrisonersTendered(1 - SEATS[to_move], SEATS[to_move], in_order(tender), worth(tender))
        if tender
        else None,
        min_tender=tuple((min_tender or {}).get(player, 0) for player in SEATS),
        placements=number,
        plies=2 if phase != "opening" else min(number, 1),
    )
    if phase != "play":
        return made
    return plateau.evolve(
        made, ev.TurnBegan(made.to_move, "play", 2, 0, 0, made.min_tender, position(made, made.to_move), 1)
    )


def kind_of(piece):
    return KIND_OF[piece[1], piece[2]]


def face_up(pieces, shown, height):
    """Return which faces of a piece are public, as the case file writes it; the top one at least."""
    return shown[height] if shown else ("?!?" if height == len(pieces) - 1 else "???")


def piece(text, token, public):
    return Piece(SEATS[text[0]], token, kind_of(text), text[1], text[2], public[1] != "?", public[2] != "?")


def opening(square, lower, upper):
    return Open(square, (code(lower), code(upper)))


def onboard(square, height, piece):
    return Onboard(square, height, code(piece).piece, code(piece).up)


def move(start, to, *stops, lift=1, flip=False):
    """Move; stops are written "b1:3"."""
    parted = (stop.split(":") for stop in stops)
    return Move(from_=start, flip=flip, lift=lift, stops=tuple(Stop(s, int(c)) for s, c in parted), to=to)


def stomp(square, *, flip=False):
    return Stomp(square=square, flip=flip)


def tender(*pieces):
    return Tender(pieces)


def respond(*pieces):
    return Respond(pieces=pieces)


REFUSE = Respond(refuse=True)
PASS = Pass()

SHUT_IN = (
    "* a1 xx.rr", "* d4 xx.rr", "+a1/2 rb", "+b1/0 rr", "+a1/3 bb", "+c1/0 rx", "+a1/4 bb", "b1>a1",
    "+d1/0 rr", "+a3/0 xx", "+d1/1 xr", "+b3/0 xx", "+d1/2 xb", "+b4/0 xx", "+d1/3 xo", "+c2/0 rb",
    "+d1/4 xx", "c1>d1", "+c3/0 xx", "c2>c3", "+a4/0 xx", "+d3/0 bb",
)  # fmt: skip
"""Actions in turn until Black has none left: the reserve is empty, two stacks are pinned, and a Mute on a4 stands
between White's blanks."""


played = Moves(plateau, CHANCE).played


def act(state, action, seat=None):
    """Decide an action of the player to move and all that it forces; return the events and the state."""
    events = plateau.decide(state, state.to_move if seat is None else seat, action)
    state = played(state, *events)
    while forced := plateau.settle(state, CHANCE):
        events = [*events, *forced]
        state = played(state, *forced)
    return events, state


def acts(state, *actions):
    """Carry out actions of the players in turn."""
    for action in actions:
        _, state = act(state, action)
    return state


def refusal(state, action, seat=None):
    """Return the code of the refusal of an action, None if it is accepted."""
    try:
        plateau.decide(state, state.to_move if seat is None else seat, action)
    except IllegalAction as refused:
        return refused.code
    return None


def legal(state):
    """List the legal actions of the player to move."""
    return list(plateau.legal_actions(state, state.to_move))


def board(state):
    """Write the board as the case file does: by square, the pieces from the bottom."""
    return written(state, lambda p: p.top + p.bottom)


def public(state):
    """Write what is public of the board."""
    return written(state, lambda p: (p.top if p.top_known else "?") + (p.bottom if p.bottom_known else "?"))


def written(state, faces):
    return {
        square: ["BW"[p.owner] + faces(p) for p in stack]
        for square, stack in zip(SQUARES, state.board, strict=True)
        if stack
    }


def only(events, kind):
    """Return the one event of a kind, None if there is none."""
    (found,) = [event for event in events if isinstance(event, kind)] or [None]
    return found


__all__ = ["SET", "SQUARES", "Placed", "ev", "replace"]
