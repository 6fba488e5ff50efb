"""Plute, a Pitch game for two teams of three: bid for the seven points of a hand, or take all nine tricks.

The phases of a hand each have a module; this one sends every question to the module of the current phase.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.chance import Chance
from domain.plute import bidding, hands, notation, play, scoring, stopping
from domain.plute import events as ev
from domain.plute.actions import ACTIONS, Action, Claim, Play
from domain.plute.agreements import PROPOSALS, agree, proposals, resign
from domain.plute.deck import PLAYERS
from domain.plute.events import EVENTS
from domain.plute.option_rules import choices, complete
from domain.plute.options import Options
from domain.plute.picture.drawing import svg, text
from domain.plute.sampling import sample
from domain.plute.state import State, evolve, initial
from domain.plute.view import View, project
from domain.ruleset import IllegalAction, Notation, Outcome, Seat
from domain.serialization import Plain
from domain.wellformed import check_action, check_options

ID = "plute"
NAME = "Plute"
SUMMARY = "Pitch for two teams of three: bid for seven points, name trump by your lead, or take every trick."
RULES_VERSION = 1
SEATS = range(PLAYERS, PLAYERS + 1)
OPTIONS = Options
VIEW = View
NOTATION: Notation | None = notation

setup = initial


def options(given: Mapping[str, Plain], seats: int) -> Options:
    """Complete and check options for a number of seats."""
    check_options(Options, given, SEATS, seats)
    return complete(given, seats)


def to_act(state: State) -> frozenset[Seat]:
    """Say which seats may act now: the one in turn, and all of them while a claim would stop the hand."""
    if state.phase == "bid":
        return bidding.actors(state)
    if state.phase != "play" or state.table.claimed or play.is_over(state):
        return frozenset()
    if stopping.may_claim(state):
        return frozenset(range(PLAYERS))
    turn = play.turn(state)
    return frozenset() if turn is None else frozenset({turn})


def awaited(state: State) -> frozenset[Seat]:
    """Say for whom the game waits: the seat in turn; nobody has to claim."""
    return to_act(state) & {play.turn(state)} if state.phase == "play" else to_act(state)


def legal_actions(state: State, seat: Seat) -> Sequence[Action]:
    """List every legal action of a seat."""
    if seat not in to_act(state):
        return ()
    if state.phase == "bid":
        return bidding.legal_actions(state, seat)
    plays = play.legal_actions(state, seat) if seat == play.turn(state) else ()
    return (*plays, Claim()) if stopping.may_claim(state) else plays


def decide(state: State, seat: Seat, action: Action) -> list[Any]:
    """Turn an action into the events that say what the player did."""
    rule = bidding.RULE if state.phase == "bid" else play.RULE
    check_action(ACTIONS, seat, action, rule)
    if seat not in to_act(state):
        raise IllegalAction("not-your-turn", f"seat {seat} is not to act", rule)
    if state.phase == "bid":
        return bidding.decide(state, seat, action)
    match action:
        case Claim():
            return stopping.claim(state, seat)
        case Play():
            return play.decide(state, seat, action)
        case _:
            raise IllegalAction("wrong-phase", "the bidding is over: cards are played now", play.RULE)


def settle(state: State, chance: Chance) -> list[Any]:
    """Give the events that the rules force now."""
    match state.phase:
        case "deal":
            return hands.deal(state, chance)
        case "bid":
            won = bidding.result(state)
            return [won, ev.PhaseBegan("play")] if won else []
        case "play" if play.is_over(state):
            return hands.finish(state)
        case "play":
            return play.settle(state) or stopping.settle(state)
        case _:
            return []


def outcome(state: State) -> Outcome | None:
    """Say how the game ended."""
    return scoring.outcome(state) if state.phase == "over" else None


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
