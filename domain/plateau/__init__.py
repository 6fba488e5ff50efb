"""Plateau, a game by Jim Albea: stacks of two-sided pieces on a board of 16 squares, for 2 players.

Each kind of action has a module; ``turns`` sends every question to the one that it is for.
"""

from collections.abc import Mapping
from typing import Any

from domain.chance import Chance
from domain.plateau import turns
from domain.plateau.actions import ACTIONS
from domain.plateau.agreements import PROPOSALS, agree, proposals, resign
from domain.plateau.endings import outcome
from domain.plateau.events import EVENTS
from domain.plateau.notation import game_text
from domain.plateau.option_rules import choices, complete
from domain.plateau.options import Options
from domain.plateau.picture.drawing import svg, text
from domain.plateau.sampling import sample
from domain.plateau.state import State, evolve, initial
from domain.plateau.turns import decide, legal_actions, to_act
from domain.plateau.view import View, project
from domain.ruleset import Notation
from domain.serialization import Plain
from domain.wellformed import check_options

ID = "plateau"
NAME = "Plateau"
SUMMARY = "Stacks of two-sided pieces on sixteen squares: build a unit of six, or take six prisoners."
RULES_VERSION = 1
SEATS = range(2, 3)
OPTIONS = Options
VIEW = View
NOTATION: Notation | None = game_text

setup = initial
awaited = to_act


def options(given: Mapping[str, Plain], seats: int) -> Options:
    """Complete and check options for a number of seats."""
    check_options(Options, given, SEATS, seats)
    return complete(given, seats)


def settle(state: State, _chance: Chance) -> list[Any]:
    """Give the events that the rules force now; nothing in this game is drawn by lot."""
    return [] if state.phase == "over" else turns.settle(state)


__all__ = [
    "ACTIONS",
    "EVENTS",
    "ID",
    "NAME",
    "NOTATION",
    "OPTIONS",
    "PROPOSALS",
    "RULES_VERSION",
    "SEATS",
    "SUMMARY",
    "VIEW",
    "agree",
    "awaited",
    "choices",
    "decide",
    "evolve",
    "legal_actions",
    "options",
    "outcome",
    "project",
    "proposals",
    "resign",
    "sample",
    "settle",
    "setup",
    "svg",
    "text",
    "to_act",
]
