"""Commands of the service itself, each due at a time; only workers submit them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from domain.errors import wrong_moment
from domain.game import aggregate, opening, timeouts
from domain.game.aggregate import Decided, Game
from domain.game.timeouts import Patience
from domain.log.bot_moves import BotMove
from domain.log.record import Record
from domain.sentences.message import seat_number
from domain.table import Seat
from service.accounts.limits import FREE, Toll
from service.accounts.players import Caller
from service.common.errors import WORDS
from service.games.commands import check_decision

SERVICE = Caller("", frozenset())
"""The caller of the service's own commands."""


@dataclass(frozen=True, kw_only=True)
class OfService:
    """A command of the service itself, due at a time (``now``, in ms since 1970)."""

    STATUS: ClassVar = 201
    now: int
    caller: Caller = SERVICE
    key: None = None

    def toll(self, _game: Game) -> Toll:
        return FREE

    def admit(self, _game: Game) -> Seat | None:
        """Allow it: a command of the service is for no seat, unless it overrides this."""
        return None

    def shown(self, _game: Game, _records: Sequence[Record], seat: Seat | None) -> None:
        """Return nothing: no client sent the command."""


@dataclass(frozen=True, kw_only=True)
class TakeTurn(OfService):
    """Take a late seat's decision: a ``bot`` has chosen an action, or (None) the seat loses the game."""

    seat: Seat
    decision: str
    bot: str | None = None
    action: Any = None
    by_bot: BotMove | None = None

    def admit(self, _game: Game) -> Seat:
        return self.seat

    def decide(self, game: Game, seat: Seat) -> Decided:
        aggregate.check_active(game)
        check_decision(game, seat, self.decision)
        if timeouts.late_seat(game, self.now) != seat:
            raise wrong_moment("not-timed-out", WORDS, seat=seat_number(seat))
        if self.bot is None:
            return timeouts.lose_late(game, seat)
        return timeouts.act_late(game, seat, self.bot, self.action)


@dataclass(frozen=True, kw_only=True)
class EndPause(OfService):
    def decide(self, game: Game, _seat: Seat | None) -> Decided:
        return timeouts.resume(game, self.now)


@dataclass(frozen=True, kw_only=True)
class CloseSeeds(OfService):
    """Continue without the seeds that were not opened in time."""

    def decide(self, game: Game, _seat: Seat | None) -> Decided:
        return opening.close(game, self.now)


@dataclass(frozen=True, kw_only=True)
class Expire(OfService):
    """End a game whose time is over by the ``patience`` of the service: an open, empty or idle one."""

    patience: Patience

    def decide(self, game: Game, _seat: Seat | None) -> Decided:
        return timeouts.expire(game, self.now, self.patience)
