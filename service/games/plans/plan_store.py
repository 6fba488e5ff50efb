"""The plans of players, beside the logs of their games: a hash of a game holds them by seat, as bytes.

A plan is written at a version of the game, together with the work that it makes, in one atomic step (``plan.lua``). The
script that appends to the log looks for plans of the seats that are then to act, so it does not matter which of the two
comes first.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

from service.store.event_store import EventStore
from service.store.priority import NO_PRIORITY, Priority
from service.store.scripts import script

KEPT_MS = 180 * 24 * 3600 * 1000
"""For how long after the last change Redis keeps the plans of a game that does not end."""

Written = Literal["written", "moved", "changed"]


@dataclass(frozen=True, slots=True)
class PlanWrite:
    """A plan to write for a seat, in place of the ``known`` one, at a version of the game; b"" is none.

    ``due`` is "work" if a worker has something to do now, and again after ``lease`` ms if that is lost; a time in ms,
    or "none", if nothing else is due in the game; "" leaves what is due as it is. ``notices`` is what the player should
    hear of, which happened at the version ``noticed``.
    """

    game_id: str
    version: int
    seat: int
    known: bytes = field(repr=False)
    plan: bytes = field(repr=False)
    due: int | Literal["", "work", "none"] = ""
    priority: Priority = NO_PRIORITY
    lease: int = 0
    notices: bytes = b""
    noticed: int = 0


class PlanStore:
    def __init__(self, store: EventStore) -> None:
        self._redis, self._shards = store.client, store.all_shards
        self._script = script(store.client, __name__, "plan")

    def read(self, game_id: str, seats: Iterable[int]) -> Mapping[int, bytes]:
        """Return the plans of some seats; those without a plan are left out."""
        wanted = list(seats)
        if not wanted:
            return {}
        found = cast(
            "list[bytes | None]", self._redis.hmget(self._shards.keys_of(game_id).plans, list(map(str, wanted)))
        )
        return {seat: plan for seat, plan in zip(wanted, found, strict=True) if plan is not None}

    def write(self, write: PlanWrite) -> Written:
        """Write a plan, or return what has changed since it was decided on."""
        game = self._shards.keys_of(write.game_id)
        shard = game.shard
        args = [
            *(write.version, write.seat, write.known, write.plan, KEPT_MS, write.game_id),
            *(write.due, str(write.priority), write.lease, write.notices, write.noticed),
        ]
        of_shard = [shard.changes, shard.deadlines, shard.priorities, shard.notices]
        reply = self._script(keys=[game.events, game.plans, *of_shard], args=args)
        return cast("Written", reply.decode())

    def read_all(self, game_ids: Iterable[str]) -> list[tuple[str, int, bytes]]:
        wanted = list(game_ids)
        pipe = self._redis.pipeline(transaction=False)
        for game_id in wanted:
            pipe.hgetall(self._shards.keys_of(game_id).plans)
        found = cast("list[dict[bytes, bytes]]", pipe.execute())
        return [
            (game_id, int(seat), plan)
            for game_id, plans in zip(wanted, found, strict=True)
            for seat, plan in plans.items()
        ]

    def remove(self, places: Iterable[tuple[str, int]]) -> None:
        pipe = self._redis.pipeline(transaction=False)
        for game_id, seat in places:
            pipe.hdel(self._shards.keys_of(game_id).plans, str(seat))
        pipe.execute()
