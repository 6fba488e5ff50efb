"""Games played on at given times: what the tests of clocks, pauses and downtimes begin with."""

from dataclasses import replace

import pytest

from domain.errors import WrongMoment
from domain.events import (
    Clock,
)
from domain.game import aggregate as games
from domain.game import history, seating, timeouts
from domain.game.durations import instant, moment
from domain.game.proposals import propose, vote
from domain.game.seating import NewGame
from domain.game.time_control import LEAST_MOVE
from domain.game.timeouts import ENDLESS
from domain.le_plateau import RULESET as le_plateau
from domain.le_plateau.actions import Pass

START = instant("2026-01-01T12:00:00.000Z")
NO_TIME = Clock(None, None, None, "bot", "random")


def clock(**given):
    return replace(NO_TIME, **given)


class Played:
    """A game, and its log, played on at given times; at every step the log folds to the game."""

    def __init__(self, rule, *sitters, ruleset=le_plateau, bots=(), sandbox=False, least_move=LEAST_MOVE, **options):
        sitters = sitters or ("pl_a", "pl_b", "pl_c")
        chosen = ruleset.options.complete(
            options or {"first_dealer": 2} if ruleset is le_plateau else options, len(sitters)
        )
        new = NewGame(
            "gm_1", ruleset, chosen, "public", sandbox=sandbox, creator="pl_a", sitters=sitters, bots=bots, clock=rule
        )
        self.game, self.log = None, []
        self.then(0, seating.create(new, bytes(32), least_move))

    def then(self, after, step):
        """Record a step at a number of ms after the start; return its events."""
        before = self.game
        records, self.game = history.record(before, step, moment(START + after), f"rq_{after}_{len(self.log)}")
        self.log += records
        assert history.fold(self.log) == self.game
        assert before is None or history.fold(records, before) == self.game
        return step[0]

    def passes(self, after):
        """Have the seat to act pass."""
        (seat,) = self.game.pending
        return self.then(after, games.act(self.game, seat, Pass()))

    def left(self, after):
        """Return the time that each seat to act has left at a number of ms after the start."""
        return {seat: at - START - after for seat, at in self.game.deadlines.items()}

    def due(self):
        """Return when the service must act in the game, in ms after the start."""
        at = timeouts.due(self.game, ENDLESS)
        return None if at is None else at - START


def refusal(call, *arguments):
    with pytest.raises(WrongMoment) as refused:
        call(*arguments)
    assert str(refused.value) == refused.value.message != ""
    return refused.value.code


SECRET = bytes(range(32))


def new(*sitters, sandbox=False, ruleset=le_plateau, **options):
    """Return what a creator asks for; None for an open seat."""
    chosen = ruleset.options.complete(options, len(sitters))
    return NewGame("gm_1", ruleset, chosen, "public", sandbox, "pl_a", sitters)


def created(*sitters, **asked):
    return seating.create(new(*sitters, **asked), SECRET)[1]


def back(played, seat=0, to_version=None, after=0):
    """Propose a take-back, and let all other players accept it; return the last events."""
    played.then(after, propose(played.game, seat, "take_back", to_version=to_version))
    events = []
    while made := next((each for each in played.game.proposals if each.kind == "take_back"), None):
        voter = next(each for each in range(len(played.game.sitters)) if each not in made.accepted)
        events = played.then(after, vote(played.game, voter, made.id, accept=True))
    return events
