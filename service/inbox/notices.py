"""Notices: what happened in a game, for one player, without anything hidden; occasions, and reminders.

Until they are in the logs of players, the notices of one atomic step are an entry of a feed.

All players at the table are notified when a game starts and ends. A turn, a proposal or a missing seed asks a player
to act. The player whose own request caused it is not notified, but may get a reminder if the turn is long. Bots and
players of a sandbox get no notices.

A shard has one reminder for a seat of a game at most: that of its latest decision. It only says when to look at the
game; what is pending there decides. Removing a reminder and leaving a notice is one atomic step.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

import orjson
import redis

from domain.game.aggregate import Game
from domain.game.durations import DAY, HOUR, instant, moment
from domain.serialization import Plain
from domain.table import Seat
from service.store import keys
from service.store.change_feed import Change
from service.store.scripts import script
from service.store.shards import shards_of

Kind = Literal[
    "invited",
    "seeds_awaited",
    "game_started",
    "your_turn",
    "deadline_near",
    "proposal_made",
    "game_ended",
    "plan_dropped",
]

_MOST_WAITING = 100_000
"""About how many entries a feed keeps if nobody reads it, as in ``append.lua``."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice to a ``player``: what happened in a game that had reached a ``version``, and when (``at``).

    ``data`` holds public facts of that moment, and what belongs to the player. ``cursor`` is the place in the player's
    log; it is empty until the notice is there. If ``is_news`` is false, the notice is not delivered; it only schedules
    a reminder. ``entry`` is the entry of the feed that brought the notice.
    """

    kind: Kind
    player: str
    game_id: str
    version: int
    at: str
    data: Mapping[str, Plain] = field(default_factory=dict)
    cursor: str = ""
    is_news: bool = True
    entry: str = ""

    @property
    def name(self) -> str:
        """Return what distinguishes the notice from all others to the player.

        A player can be invited to a game repeatedly, and can plan repeatedly for the same decision. Each plan is
        dropped by a step of its own, which adds one entry to the feed; the entry is the same whenever it is read.
        """
        which = self.entry if self.kind == "plan_dropped" else self.data.get("invitation", "")
        return f"{self.kind} {self.game_id} {self.version} {which}".rstrip()


def written(notices: Sequence[Notice]) -> bytes:
    """Write the notices of one step, for an entry that names the game and its version; nothing if there are none."""
    if not notices:
        return b""
    return orjson.dumps([notices[0].at, [[each.kind, each.player, each.data, each.is_news] for each in notices]])


def enter(pipe: Any, shard: keys.Shard, notices: Sequence[Notice]) -> None:
    """Add the notices of one step in a game to the feed of its shard, in the transaction of a pipeline."""
    if notices:
        first = notices[0]
        entry = {"g": first.game_id, "v": first.version, "n": written(notices)}
        pipe.xadd(shard.notices, entry, maxlen=_MOST_WAITING, approximate=True)


def read(entry: Change) -> list[Notice]:
    at, notices = orjson.loads(entry.notices)
    name = entry.entry.decode()
    return [
        Notice(kind, player, entry.game_id, entry.version, at, data, is_news=is_news, entry=name)
        for kind, player, data, is_news in notices
    ]


# -- reminders ----------------------------------------------------------------------------------------------------


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

        Return False, and change nothing, if another process has settled it, or there is a new one for the seat.
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


# -- occasions ----------------------------------------------------------------------------------------------------


def occasions(before: Game | None, after: Game, by: str) -> list[Notice]:
    """Return the notices of a commit; ``by`` is the player who requested it, '' if no player did."""
    if after.sandbox or (after.deal is not None and not after.had_players):
        return []
    found: list[Notice] = []
    if after.status != (before.status if before else "open"):
        found += _of_status(before, after)
    if after.awaited is not None and (before is None or before.awaited is None):
        found += _of_seeds(after, by)
    if after.proposals and (before is None or after.proposals != before.proposals):
        found += _of_proposals(before, after, by)
    if after.pending:
        found += _of_turns(before, after, by)
    return found


def _of_status(before: Game | None, after: Game) -> Iterator[Notice]:
    if (before is None or before.status == "open") and after.status != "aborted":
        yield from (_notice("game_started", after, player, {"seat": seat}) for seat, player in _players(after))
    if after.is_over:
        # A tournament creates its games, and reads no notices.
        creators = [after.creator] if after.creator.startswith("pl_") else []
        players = dict.fromkeys([*(player for _, player in _players(after)), *creators])
        reason = after.outcome.reason if after.outcome else after.aborted_because
        how: dict[str, Plain] = {"status": after.status, "reason": reason}
        yield from (_notice("game_ended", after, player, how) for player in players)


def _of_seeds(after: Game, by: str) -> Iterator[Notice]:
    until = None if after.awaited is None else moment(after.awaited.until)
    for seat, player in _players(after):
        if seat in after.unopened and player != by:
            yield _notice("seeds_awaited", after, player, {"seat": seat, "until": until})


def _of_proposals(before: Game | None, after: Game, by: str) -> Iterator[Notice]:
    known = {made.id for made in before.proposals} if before else set()
    for made in after.proposals:
        if made.id not in known:
            players = dict(_players(after))
            whose = {"seat": made.seat, "by": players.get(made.seat)}
            what = {"duration": made.duration, "to_version": made.to_version}
            for seat, player in players.items():
                if seat not in made.accepted and player != by:
                    yield _notice(
                        "proposal_made", after, player, {"proposal": made.id, "kind": made.kind, **whose, **what}
                    )


def _of_turns(before: Game | None, after: Game, by: str) -> Iterator[Notice]:
    """Return notices of the decisions that the game waits for from now on."""
    for seat in () if after.bidder else after.waiting_for:
        sitter = after.sitters[seat]
        if sitter is None or sitter.player is None or _was_waited_for(before, after, seat):
            continue
        turn = _notice("your_turn", after, sitter.player, turn_data(after, seat))
        if sitter.player != by:
            yield turn
        elif reminder_of(turn) is not None:
            yield replace(turn, is_news=False)


def _was_waited_for(before: Game | None, after: Game, seat: Seat) -> bool:
    return before is not None and seat in before.waiting_for and before.pending[seat] == after.pending[seat]


def turn_data(game: Game, seat: Seat) -> dict[str, Plain]:
    until = game.times.until.get(seat)
    deadline = None if until is None else moment(until)
    return {"seat": seat, "decision_id": game.decision_id(seat), "deadline": deadline}


def _players(game: Game) -> Iterable[tuple[Seat, str]]:
    return [(seat, sitter.player) for seat, sitter in enumerate(game.sitters) if sitter and sitter.player]


def _notice(kind: Kind, game: Game, player: str, data: dict[str, Plain]) -> Notice:
    return Notice(kind, player, game.id, game.version, game.at, data)
