"""Reminders: when the time of a decision runs out, its player hears of it once more.

A shard has one reminder for a seat of a game at most: that of its latest decision. It only says when to look at the
game; what is pending there decides. Removing a reminder and leaving a notice is one atomic step.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

import redis

from domain.game.durations import DAY, HOUR, instant
from domain.table import Seat
from service.inbox.notice import Notice, written
from service.store.scripts import script
from service.store.shards import shards_of

_LEAST_TIME, _MOST_LEFT = HOUR, DAY


def remind_at(since: int, until: int) -> int | None:
    """Return when to remind the player of a decision, by when its time began and ends, in ms; None for never.

    That is when a quarter of the time is left, or a day if that is less. A time of less than an hour is too short.
    """
    time = until - since
    return None if time < _LEAST_TIME else until - min(time // 4, _MOST_LEFT)


@dataclass(frozen=True, slots=True)
class Reminder:
    """A seat of a game to look at, at a time in ms."""

    game_id: str
    seat: Seat
    at: int


class Reminders:
    def __init__(self, client: redis.Redis, shards: int) -> None:
        self._redis = client
        self._shards = shards_of(client, shards)
        self._script = script(client, __name__, "remind")

    def schedule(self, notices: Iterable[Notice]) -> None:
        """Schedule reminders of the turns among these notices, in place of those of earlier turns."""
        wanted = [found for each in notices if (found := reminder_of(each)) is not None]
        if wanted:
            pipe = self._redis.pipeline(transaction=False)
            for each in wanted:
                pipe.zadd(self._shards.of(each.game_id).reminders, {_member(each): each.at})
            pipe.execute()

    def due(self, now: int, most: int) -> list[Reminder]:
        """List reminders whose time has come, at most ``most`` from each shard, in one round trip."""
        pipe = self._redis.pipeline(transaction=False)
        for shard in self._shards:
            pipe.zrangebyscore(shard.reminders, "-inf", now, 0, most, withscores=True)
        found = cast("list[list[tuple[bytes, float]]]", pipe.execute())
        return [_read(member, at) for of_shard in found for member, at in of_shard]

    def settle(self, reminder: Reminder, again: int | None, notices: Sequence[Notice] = ()) -> bool:
        """Move a reminder to a time in ms, or (None) remove it and leave a notice.

        Return False, and change nothing, if somebody else has settled it, or there is a new one for the seat.
        """
        shard = self._shards.of(reminder.game_id)
        version = notices[0].version if notices else 0
        args: list[str | int | bytes] = [_member(reminder), reminder.at, "" if again is None else again]
        args += [reminder.game_id, version, written(notices)]
        return bool(self._script(keys=[shard.reminders, shard.notices], args=args))


def reminder_of(notice: Notice) -> Reminder | None:
    deadline, seat = notice.data.get("deadline"), notice.data.get("seat")
    if notice.kind != "your_turn" or not isinstance(deadline, str) or not isinstance(seat, int):
        return None
    at = remind_at(instant(notice.at), instant(deadline))
    return None if at is None else Reminder(notice.game_id, seat, at)


def _member(reminder: Reminder) -> str:
    return f"{reminder.game_id} {reminder.seat}"


def _read(member: bytes, at: float) -> Reminder:
    game_id, seat = member.decode().split(" ")
    return Reminder(game_id, int(seat), int(at))
