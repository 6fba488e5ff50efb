"""The commands that end a game before it starts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from domain.game import seating
from domain.game.aggregate import Decided, Game
from domain.game.timeouts import ENDLESS
from domain.log.record import Record
from service.accounts.limits import FREE, Toll
from service.accounts.players import Caller
from service.games.access import check_created
from service.games.projections import representations
from service.games.projections.resources import GameAtVersion


@dataclass(frozen=True, kw_only=True)
class Cancel:
    """Cancel an open game, as its creator."""

    STATUS: ClassVar = 200
    caller: Caller
    key: None = None

    def admit(self, game: Game) -> None:
        check_created(game, self.caller)

    def decide(self, game: Game, _seat: None) -> Decided:
        return seating.abort(game, "cancelled")

    def toll(self, _game: Game) -> Toll:
        """Apply no rate limit: a game is cancelled only once."""
        return FREE

    def shown(self, game: Game, _records: Sequence[Record], seat: None) -> GameAtVersion:  # noqa: ARG002 - no seat's
        return representations.game_at_version(game, ENDLESS)


@dataclass(frozen=True, kw_only=True)
class Decline(Cancel):
    """End a rematch because one of its players, whose open invitation has been checked, declines it."""

    def admit(self, game: Game) -> None:
        """Admit the invited player."""

    def decide(self, game: Game, _seat: None) -> Decided:
        return seating.abort(game, "declined")
