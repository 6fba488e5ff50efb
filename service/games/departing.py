"""Deleting an account: each seat of the player is left, resigned, or handed over to a bot.

The player's plans, phrases and invitations, to them or from them, are removed as well. A rematch that waits for the
player ends.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import orjson

from domain.errors import IllegalAction, WrongMoment
from domain.game import aggregate, opening, seating, timeouts
from domain.game.aggregate import Decided, Game
from domain.table import Seat
from service.accounts.players import Caller
from service.bots import RANDOM
from service.common.errors import AtVersion, Refusal
from service.games.commands import Decline, Leave
from service.games.desk import Desk
from service.games.invitations.invitation_store import MOST_LISTED, Invitation, Invitations, Known, id_for_rematch
from service.games.plans.planning import Planning
from service.games.reading import Reader
from service.games.talking import Talking
from service.store.event_store import NotServed
from service.store.game_index import IndexedGame, game_of

_UNFINISHED = {"open", "active", "paused"}


@dataclass(frozen=True, kw_only=True)
class Depart(Leave):
    """Give up a seat. Before the start, it is open again; after it, the game continues without the player.

    While seeds are opened, no seat can become open, so a bot takes it.

    In play, the same happens as at a timeout: the seat resigns if that ends the game, otherwise a bot takes it, that of
    the clock if there is one.
    """

    def decide(self, game: Game, seat: Seat) -> Decided:
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
    """Return the resignation of a seat, if a timeout would resign it and this ends the game now; otherwise None."""
    if not timeouts.loses(game):
        return None
    try:
        resigned = aggregate.resign(game, seat)
    except (IllegalAction, WrongMoment):
        return None
    return resigned if resigned[1].is_over else None


@dataclass(eq=False)
class Departing:
    _desk: Desk
    _reader: Reader
    _invitations: Invitations
    _planning: Planning
    _talking: Talking

    def depart(self, caller: Caller) -> None:
        """Give up all seats of a player in games that are not over, and remove what they left beside their games."""
        self._decline_all(caller)
        for games in self._reader.pages_of(caller):
            self._give_up(games, caller)
            ids = [game_of(each.member) for each in games]
            self._planning.forget(caller.player, ids)
            self._talking.forget(caller.player, ids)

    def _decline_all(self, caller: Caller) -> None:
        found = self._invitations.of_player(caller.player, None, MOST_LISTED)
        for member, invitation in found:
            if invitation is not None and invitation.id == id_for_rematch(invitation.game, caller.player):
                self._end_rematch(invitation, caller)
            self._uninvite(game_of(member), caller.player)
        self._invitations.forget(caller.player, [member for member, _ in found])

    def _end_rematch(self, invitation: Invitation, caller: Caller) -> None:
        with suppress(NotServed, AtVersion, Refusal):  # the rematch has begun or ended already
            self._desk.do(self._reader.current(invitation.game), Decline(caller=caller))

    def _give_up(self, games: Sequence[IndexedGame], caller: Caller) -> None:
        for each in games:
            game_id, status = game_of(each.member), orjson.loads(each.summary)["status"]
            if status == "open":
                self._uninvite(game_id, caller.player)
            if status in _UNFINISHED:
                with suppress(NotServed):  # once the operator has repaired the game, its clock ends the player's turns
                    self._give_up_seats(self._reader.current(game_id), caller)

    def _give_up_seats(self, game: Game, caller: Caller) -> None:
        for seat in () if game.is_over else game.seats_of(caller.player):
            command = Depart(caller=caller, seat=seat)
            with suppress(AtVersion, Refusal):  # the game has ended, or the seat is given up already
                self._desk.do(self._desk.enter(game.id, command.admit), command)

    def _uninvite(self, game_id: str, player: str) -> None:
        def decide(known: Known) -> list[str]:
            return [each.id for each in known.values() if player in (each.player, each.by)]

        self._invitations.change(game_id, decide)
