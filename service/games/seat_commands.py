"""What can be asked of a game's seats: take one, leave it, put a bot on it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

from domain.game import seating
from domain.game.aggregate import Game, Step
from domain.log.record import Record
from domain.table import Seat
from service.accounts.limits import FREE, Toll
from service.accounts.players import Caller
from service.errors import Fault, Malformed, NotFound
from service.games import representations
from service.games.access import check_may_play, held_seat
from service.games.commands import Key, shown


@dataclass(frozen=True, slots=True)
class SeatWish:
    """A seat asked for (None: the first open one), and a seed for the draws."""

    seat: Seat | None
    client_seed: str | None
    key: Key | None


@dataclass(frozen=True, slots=True)
class Join:
    """Take a seat."""

    STATUS: ClassVar = 201
    caller: Caller
    read: Callable[[], SeatWish]
    address: str = ""
    """Where the request came from; '' for nowhere."""

    def prepare(self, game: Game) -> SeatWish:
        """Check that the caller may, then read what they ask."""
        check_may_play(game, self.caller)
        wish = self.read()
        if wish.seat is not None and wish.seat >= len(game.sitters):
            raise Malformed([Fault("/seat", "no-such-seat", f"seat: there is no seat {wish.seat} in this game")])
        return wish

    def decide(self, game: Game, wish: SeatWish) -> Step:
        """Decide by the game."""
        return seating.join(game, self.caller.player, wish.seat, wish.client_seed)

    def toll(self, game: Game, _wish: SeatWish) -> Toll:
        """Count joins by player and address: a player can join and leave over and over, and a log forgets nothing."""
        by_address = [("joins-from-address", f"{self.address} {game.id}")] if self.address else []
        return Toll(rates=[("joins", f"{self.caller.player} {game.id}"), *by_address])

    def answer(self, game: Game, _wish: SeatWish, records: Sequence[Record]) -> representations.ActionAnswer:
        """Show the events to the seat concerned."""
        return shown(game, cast("int", records[0].seat), records)


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave a seat."""

    STATUS: ClassVar = 201
    caller: Caller
    wish: SeatWish
    check_form: Callable[[], object]

    def prepare(self, game: Game) -> SeatWish:
        """Check that the caller may, then the form of what they ask."""
        check_may_play(game, self.caller)
        held_seat(game, self.caller, self.wish.seat)
        self.check_form()
        return self.wish

    def decide(self, game: Game, wish: SeatWish) -> Step:
        """Decide by the game."""
        return seating.leave(game, self.caller.player, cast("Seat", wish.seat))

    def toll(self, _game: Game, _wish: SeatWish) -> Toll:
        """Cost nothing: joining did."""
        return FREE

    def answer(self, game: Game, wish: SeatWish, records: Sequence[Record]) -> representations.ActionAnswer:
        """Show the events to the seat concerned."""
        return shown(game, cast("Seat", wish.seat), records)


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot to be put on a seat."""

    name: str
    key: None = None


@dataclass(frozen=True, slots=True)
class HandOver:
    """Put a bot on a seat: on an open one by the creator, on their own by whoever holds it."""

    STATUS: ClassVar = 200
    caller: Caller
    seat: Seat
    read: Callable[[], str]

    def prepare(self, game: Game) -> Bot:
        """Check that the caller may, then read what they ask."""
        check_may_play(game, self.caller)
        if self.seat >= len(game.sitters):
            raise NotFound("no-such-seat", f"there is no seat {self.seat} in this game")
        if game.sitters[self.seat] is not None or self.caller.player != game.creator:
            held_seat(game, self.caller, self.seat)
        return Bot(self.read())

    def decide(self, game: Game, bot: Bot) -> Step:
        """Decide by the game."""
        return seating.put_bot(game, self.caller.player, self.seat, bot.name)

    def toll(self, _game: Game, _bot: Bot) -> Toll:
        """Count the game among those that run by themselves on this player's behalf."""
        return Toll(places=["running-games"])

    def answer(self, game: Game, _bot: Bot, records: Sequence[Record]) -> representations.ActionAnswer:
        """Show the events as a spectator may see them: whoever handed the seat over has left it."""
        return representations.action_answer(game, self.seat, records, viewer=None)
