"""Reminders of decisions that are about to time out: each game that a reminder names is read before it is sent.

A reminder can be outdated: the player has acted, the game is paused or over, or its clock was credited some time. If
this process is killed before a reminder is settled, another one reads the game again.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from domain.game.aggregate import Game
from domain.game.durations import instant
from service.common.errors import NotFound
from service.games.repository import GameRepository
from service.inbox.notices import Notice, Reminder, Reminders, remind_at, turn_data
from service.store.event_store import EventStore, NotServed, StoreUnavailable
from service.store.heartbeat import ODD_SILENCE, Heartbeat

_log = logging.getLogger("plateau.worker")

_MOST_OF_A_SHARD = 20


@dataclass(eq=False)
class Reminding:
    _reminders: Reminders
    _store: EventStore
    _heartbeat: Heartbeat
    _now: Callable[[], str]

    def remind(self) -> int:
        """Settle the due reminders; return how many: none while no web process serves."""
        if self._heartbeat.silence() > ODD_SILENCE:
            return 0
        due = self._reminders.due(instant(self._now()), _MOST_OF_A_SHARD)
        for each in due:
            self._settle(each)
        return len(due)

    def _settle(self, reminder: Reminder) -> None:
        now, game = self._now(), self._read(reminder.game_id)
        at = None if game is None else _time_of(game, reminder.seat, instant(now))
        if game is None or at is None or at > instant(now):
            self._reminders.settle(reminder, at)
        else:
            self._reminders.settle(reminder, None, _notices(game, reminder.seat, now))

    def _read(self, game_id: str) -> Game | None:
        """Read a game; one that cannot be read must not block the reminders of others."""
        try:
            return GameRepository(self._store).fresh(game_id)  # a repository without cached games
        except (NotFound, NotServed) as error:
            _log.warning("no player is reminded of %s: %s", game_id, error)
        except StoreUnavailable:
            raise
        except Exception:  # noqa: BLE001 - any error is logged
            _log.exception("no player is reminded of %s, which cannot be read", game_id)
        return None


def _time_of(game: Game, seat: int, now: int) -> int | None:
    """Return when to remind the player of a seat; None if there is no decision, or no time."""
    since, until = game.times.since.get(seat), game.deadlines.get(seat)
    if since is None or until is None or until <= now:
        return None
    return remind_at(since, until)


def _notices(game: Game, seat: int, now: str) -> list[Notice]:
    sitter = game.sitters[seat]
    player = sitter.player if sitter else None
    if player is None:
        return []
    return [Notice("deadline_near", player, game.id, game.pending[seat], now, turn_data(game, seat))]
