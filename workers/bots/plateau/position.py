"""A position of Plateau in plain integers, and the form of actions.

It leaves out what only people need (events, texts, who has seen which face), so it is one world.

Actions are tuples that begin with their kind: ``(OPEN, square, lower, upper)``, ``(ONBOARD, square, height, code)``,
``(MOVE, from, flip, lift, ((square, carry), …), to)``, ``(STOMP, square, flip)``, ``(TENDER, counts)``, ``(RESPOND,
counts)`` or ``(RESPOND, None)`` to refuse, ``(PASS,)``.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

from workers.bots.plateau.pieces import FULL, NONE, Counts, Stack

OPEN, ONBOARD, MOVE, STOMP, TENDER, RESPOND, PASS = range(7)
OPENING, PLAY, RESPONSE, OVER = range(4)
DRAWN = 2
"""The winner of a drawn game; -1 while the game is running."""

Action: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """The options of the game."""

    onboard_under_enemy: bool
    only_weapons_pin: bool
    merged_strength: bool
    refused_tender_keeps_turn: bool
    repetition: int
    no_progress_plies: int
    max_plies: int


class Position:
    """A position at the start of a decision. ``prisoners`` are by the seat that holds them.

    Repetitions are counted elsewhere (``repetitions``), because a search needs them only at its root.
    """

    __slots__ = (
        "forfeits",
        "limits",
        "min_tender",
        "mover",
        "phase",
        "placements",
        "plies",
        "prisoners",
        "quiet",
        "reason",
        "reserves",
        "stacks",
        "tender",
        "winner",
    )

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.phase = OPENING
        self.mover = 0
        self.stacks: list[Stack] = [()] * 16
        self.reserves: tuple[Counts, Counts] = (FULL, FULL)
        self.prisoners: tuple[Counts, Counts] = (NONE, NONE)
        self.tender: Counts | None = None
        self.min_tender = (0, 0)
        self.placements = 0
        self.plies = 0
        self.quiet = 0
        self.forfeits = 0
        self.winner = -1
        self.reason = ""


def copied(position: Position) -> Position:
    """Return a copy of a position."""
    copy = object.__new__(Position)
    copy.limits = position.limits
    copy.phase = position.phase
    copy.mover = position.mover
    copy.stacks = position.stacks[:]
    copy.reserves = position.reserves
    copy.prisoners = position.prisoners
    copy.tender = position.tender
    copy.min_tender = position.min_tender
    copy.placements = position.placements
    copy.plies = position.plies
    copy.quiet = position.quiet
    copy.forfeits = position.forfeits
    copy.winner = position.winner
    copy.reason = position.reason
    return copy
