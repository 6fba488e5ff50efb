"""The commands of operators, which end a game or replace a player in it, for a reason that becomes part of the log."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypedDict

from domain.events import OperatorAct
from domain.game import operating
from domain.game.aggregate import Decided, Game, Status
from domain.log.record import Record
from domain.table import Seat
from service.accounts.limits import FREE, Toll
from service.accounts.players import Caller, Key
from service.games.access import check_bot_plays, check_operates


class ActDone(TypedDict):
    """What an operator has done, and the game after it: its version and its status."""

    game_id: str
    act: OperatorAct
    version: int
    status: Status


@dataclass(frozen=True, kw_only=True)
class EndGame:
    STATUS: ClassVar = 201
    ACT: ClassVar[OperatorAct] = "abort"
    caller: Caller
    reason: str
    key: Key | None = None

    def admit(self, game: Game) -> None:
        check_operates(game, self.caller)

    def decide(self, game: Game, _seat: None) -> Decided:
        return operating.abort(game, self.reason)

    def toll(self, _game: Game) -> Toll:
        return FREE

    def shown(self, game: Game, _records: Sequence[Record], seat: None) -> ActDone:  # noqa: ARG002 - no seat's
        return {"game_id": game.id, "act": self.ACT, "version": game.version, "status": game.status}


@dataclass(frozen=True, kw_only=True)
class Replace(EndGame):
    ACT: ClassVar[OperatorAct] = "replace"
    seat: Seat
    bot: str

    def decide(self, game: Game, _seat: None) -> Decided:
        decided = operating.replace(game, self.seat, self.bot, self.reason)
        check_bot_plays(self.bot, game.ruleset)
        return decided
