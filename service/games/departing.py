"""What becomes of the seats of a player who deletes the account: each is left, resigned, or handed over to a bot."""

from contextlib import suppress
from dataclasses import dataclass

from domain.errors import IllegalAction, WrongMoment
from domain.game import aggregate, opening, seating, timeouts
from domain.game.aggregate import Decided, Game, Status
from domain.table import Seat
from service.accounts.players import Caller
from service.bots import RANDOM
from service.errors import AtVersion, Refusal
from service.games.commands import Leave
from service.games.desk import Desk
from service.games.finding import Filter
from service.games.reading import Reader
from service.store.event_store import NotServed
from service.store.game_index import game_of

_UNFINISHED: tuple[Status, ...] = ("open", "active", "paused")


@dataclass(frozen=True, kw_only=True)
class Depart(Leave):
    """Give up a seat for good: before the start it is open again; after it, the game goes on without its player.

    While seeds are opened, no seat can become open: a bot takes it.

    What happens in play is what the clock provides for a player who does not move: the seat resigns, if that ends the
    game, or else a bot takes over, that of the clock if there is one.
    """

    def decide(self, game: Game, seat: Seat) -> Decided:
        """Decide by the clock and the rules."""
        bot = game.clock.bot if game.clock else RANDOM
        if game.awaited is not None:
            return opening.give_up(game, seat, bot)
        if game.status == "open":
            return super().decide(game, seat)
        resigned = _resigned(game, seat)
        if resigned is not None:
            return resigned
        return seating.put_bot(game, self.caller.player, seat, bot)


def _resigned(game: Game, seat: Seat) -> Decided | None:
    """Return the resignation of a seat, if the clock would resign it, and the rules let that end the game now."""
    if not timeouts.resigns(game):
        return None
    try:
        resigned = aggregate.resign(game, seat)
    except (IllegalAction, WrongMoment):
        return None
    return resigned if resigned[1].is_over else None


def depart(desk: Desk, reader: Reader, caller: Caller) -> None:
    """Give up all seats of a player in the games that are not over."""
    unfinished = [each for status in _UNFINISHED for each in reader.all_games_of(caller, Filter(status=status))]
    for each in unfinished:
        with suppress(NotServed):  # such a game goes on once the operator has mended it, by its clock
            _depart_from(desk, reader.current(game_of(each.member)), caller)


def _depart_from(desk: Desk, game: Game, caller: Caller) -> None:
    for seat in () if game.is_over else game.seats_of(caller.player):
        command = Depart(caller=caller, seat=seat)
        with suppress(AtVersion, Refusal):  # the game has ended meanwhile, or the seat is given up already
            desk.do(desk.enter(game.id, command.admit), command)
