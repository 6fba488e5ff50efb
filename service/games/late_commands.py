"""What the service does by itself when it is time: a turn is taken from a seat, a pause ends. Each at most once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from domain.game import timeouts
from domain.game.aggregate import Game, Step, WrongMoment, check_active
from domain.log.record import Record
from domain.table import Seat
from service.accounts.limits import FREE, Toll
from service.accounts.players import GUEST_SCOPES, Caller
from service.games import representations
from service.games.commands import check_decision

SERVICE = Caller("", frozenset())
"""Who writes when the service does."""


def caller_for(seat: Seat) -> Caller:
    """Give the caller that plays a seat on the service's behalf."""
    return Caller("", frozenset(GUEST_SCOPES), seat=seat)


@dataclass(frozen=True, slots=True)
class TakeTurn:
    """Take a decision from a seat whose time is up: ``bot`` has decided an action, or (None) the seat resigns."""

    STATUS: ClassVar = 201
    seat: Seat
    decision: str
    now: int
    bot: str | None = None
    action: Any = None
    caller: Caller = SERVICE
    key: None = None

    def prepare(self, _game: Game) -> "TakeTurn":
        """Need nothing more."""
        return self

    def decide(self, game: Game, _self: "TakeTurn") -> Step:
        """Decide by the game."""
        check_active(game)
        check_decision(game, self.seat, self.decision)
        if timeouts.late_seat(game, self.now) != self.seat:
            raise WrongMoment("not-timed-out", f"the time of seat {self.seat} is not up")
        if self.bot is None:
            return timeouts.resign_late(game, self.seat)
        return timeouts.act_late(game, self.seat, self.bot, self.action)

    def toll(self, _game: Game, _self: "TakeTurn") -> Toll:
        """Cost nothing: the service keeps no limits for itself."""
        return FREE

    def answer(self, game: Game, _self: "TakeTurn", records: Sequence[Record]) -> representations.ActionAnswer:
        """Show the events to nobody in particular."""
        return representations.action_answer(game, self.seat, records, viewer=None)


@dataclass(frozen=True, slots=True)
class EndPause:
    """Go on with a game whose pause is over."""

    STATUS: ClassVar = 201
    now: int
    caller: Caller = SERVICE
    key: None = None

    def prepare(self, _game: Game) -> "EndPause":
        """Need nothing more."""
        return self

    def decide(self, game: Game, _self: "EndPause") -> Step:
        """Decide by the game."""
        return timeouts.resume(game, self.now)

    def toll(self, _game: Game, _self: "EndPause") -> Toll:
        """Cost nothing: the service keeps no limits for itself."""
        return FREE

    def answer(self, game: Game, _self: "EndPause", _records: Sequence[Record]) -> representations.GameAtVersion:
        """Show the game."""
        return representations.game_at_version(game)
