"""Planning: who can make a plan for which seat, how plans are stored, and when they are dropped."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal, cast

from domain.game import proposals, timeouts
from domain.game.aggregate import Game
from domain.game.durations import moment
from domain.game.timeouts import Patience
from domain.table import Seat
from service.accounts.players import Caller
from service.games.access import looking_seat, playing_seat
from service.games.commit import priority_of, seats_to_act
from service.games.plans.plan import (
    Chosen,
    Plan,
    PlanStep,
    are_outdated,
    by_force,
    by_steps,
    is_of_holder,
    read,
    written,
)
from service.games.repository import GameRepository
from service.inbox.notices import Notice, turn_data
from service.inbox.notices import written as written_notices
from service.store.event_store import EventStore
from service.store.game_index import NO_PRIORITY, Priority
from service.store.scripts import script

# -- the plans of players, beside the logs of their games ---------------------------------------------------------
#
# A hash of a game holds them by seat, as bytes. A plan is written at a version of the game, together with the work that
# it causes, in one atomic step (``plan.lua``). The script that appends to the log looks for plans of the seats to act,
# so either of the two can come first.


KEPT_MS = 180 * 24 * 3600 * 1000
"""For how long after the last change Redis keeps the plans of a game that does not end."""

Written = Literal["written", "moved", "changed"]


@dataclass(frozen=True, slots=True)
class PlanWrite:
    """A plan to write for a seat, in place of the ``known`` one, at a version of the game; b"" is none.

    ``due`` is "work" if a worker has something to do now, and again after ``lease`` ms if the job is lost; a time in
    ms, or "none", is the deadline of the game without plans; "" changes nothing. ``notices`` are notices to the player
    about the version ``noticed``.
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
        seats_to_read = list(seats)
        if not seats_to_read:
            return {}
        plans = cast(
            "list[bytes | None]", self._redis.hmget(self._shards.keys_of(game_id).plans, list(map(str, seats_to_read)))
        )
        return {seat: plan for seat, plan in zip(seats_to_read, plans, strict=True) if plan is not None}

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
        ids = list(game_ids)
        pipe = self._redis.pipeline(transaction=False)
        for game_id in ids:
            pipe.hgetall(self._shards.keys_of(game_id).plans)
        plans_of_games = cast("list[dict[bytes, bytes]]", pipe.execute())
        return [
            (game_id, int(seat), plan)
            for game_id, plans in zip(ids, plans_of_games, strict=True)
            for seat, plan in plans.items()
        ]

    def remove(self, places: Iterable[tuple[str, int]]) -> None:
        pipe = self._redis.pipeline(transaction=False)
        for game_id, seat in places:
            pipe.hdel(self._shards.keys_of(game_id).plans, str(seat))
        pipe.execute()


# -- planning -----------------------------------------------------------------------------------------------------

Check = Callable[[Game, Seat, Plan], None]
"""Raises a refusal if the current plan must not be replaced."""

_NONE_KNOWN: Mapping[Seat, bytes] = MappingProxyType({})


class Planning:
    def __init__(self, repository: GameRepository, patience: Patience) -> None:
        self._repository = repository
        self._store = PlanStore(repository.store)
        self._patience = patience

    # -- for players -----------------------------------------------------------------------------------------------

    def show(self, game_id: str, caller: Caller, wanted: Seat | None) -> tuple[Game, Seat, Plan]:
        """Return the plan of a seat of the caller's, as it would be carried out."""
        game = self._repository.fresh(game_id)
        seat = looking_seat(game, caller, wanted)
        return game, seat, self._current(game, seat, caller, self.stored(game, [seat]).get(seat, b""))

    def put(
        self, game: Game, caller: Caller, wanted: Seat | None, steps: Sequence[PlanStep], forced: bool, check: Check
    ) -> tuple[Game, Seat, Plan]:
        """Replace the plan of a seat of the caller's; if it is their turn, a worker carries it out at once."""
        while True:
            game = self._repository.fresh(game.id)
            seat = playing_seat(game, caller, wanted)
            proposals.check_running(game)
            stored = self.stored(game, [seat]).get(seat, b"")
            check(game, seat, self._current(game, seat, caller, stored))
            plan = Plan(caller.player, game.version, steps, forced)
            new = written(plan)
            has_work = bool(new) and seat in seats_to_act(game)
            write = PlanWrite(game.id, game.version, seat, stored, new, "work" if has_work else "")
            if has_work:
                write = replace(write, priority=priority_of(game), lease=self._patience.bot)
            if self._store.write(write) == "written":
                return game, seat, plan

    def remove(self, game: Game, caller: Caller, wanted: Seat | None, check: Check) -> None:
        """Remove the plan of a seat of the caller's, if there is one; in a game that is over there is none."""
        while True:
            game = self._repository.fresh(game.id)
            seat = playing_seat(game, caller, wanted)
            stored = self.stored(game, [seat]).get(seat, b"")
            check(game, seat, self._current(game, seat, caller, stored))
            if not stored or self._store.write(PlanWrite(game.id, game.version, seat, stored, b"")) == "written":
                return

    def takes_turn(self, game: Game, viewer: Seat | None, known: Mapping[Seat, bytes] = _NONE_KNOWN) -> bool:
        """Return whether the plan of the viewer's seat plays its turn, so that its player need not.

        During a game, only the holder of a seat has its view, and can read its plan. ``known`` are the stored plans
        that were read together with the game.
        """
        if viewer is None or viewer not in seats_to_act(game):
            return False
        stored = known[viewer] if viewer in known else self.stored(game, [viewer]).get(viewer, b"")
        if not stored:
            return False
        plan = read(stored)
        without_steps = replace(plan, steps=())  # the plan that remains if no step fits
        return any(self.chosen(each, game, viewer) for each in (plan, without_steps))

    def of_player(self, player: str, games: Iterable[str]) -> list[tuple[str, Seat, Plan]]:
        stored_plans = self._store.read_all(games)
        plans = [(game_id, seat, read(stored)) for game_id, seat, stored in stored_plans]
        return [plan for plan in plans if plan[2].player == player]

    def forget(self, player: str, games: Iterable[str]) -> None:
        self._store.remove((game_id, seat) for game_id, seat, _ in self.of_player(player, games))

    def _current(self, game: Game, seat: Seat, caller: Caller, stored: bytes) -> Plan:
        nothing = Plan(caller.player, game.version)
        plan = read(stored) if stored else nothing
        if not is_of_holder(plan, game, seat):
            return nothing
        return replace(plan, steps=()) if plan.steps and self.are_outdated(plan, game, seat) else plan

    # -- for workers -----------------------------------------------------------------------------------------------

    def stored(self, game: Game, seats: Sequence[Seat]) -> dict[Seat, bytes]:
        return dict(self._store.read(game.id, seats))

    def chosen(self, plan: Plan, game: Game, seat: Seat) -> Chosen | None:
        """Return the action of a plan now: by its steps if it has any, otherwise the only legal one if it plays it."""
        if not is_of_holder(plan, game, seat):
            return None
        if not plan.steps:
            return by_force(plan, game, seat)
        return None if self.are_outdated(plan, game, seat) else by_steps(plan, game, seat)

    def are_outdated(self, plan: Plan, game: Game, seat: Seat) -> bool:
        return are_outdated(seat, game, self._repository.records(game, after=plan.since))

    def drop_steps(self, game: Game, seat: Seat, stored: bytes) -> Written:
        """Drop the steps of a plan that does not fit, or another player's plan, unless something has changed."""
        plan = read(stored)
        is_own = is_of_holder(plan, game, seat)
        rest = written(replace(plan, steps=())) if is_own else b""
        write = PlanWrite(game.id, game.version, seat, stored, rest, noticed=game.pending[seat])
        if is_own and plan.steps:
            turn = [] if plan.forced else _of_own_turn(game, seat, plan.player)
            write = replace(write, notices=written_notices([*of_dropped_plan(game, seat, plan.player), *turn]))
        return self._store.write(write)

    def leave(self, game: Game, seat: Seat, stored: bytes, *, is_last: bool) -> Written:
        """Leave a turn to its player, unless something has changed.

        With ``is_last``, no other plan is due, so the deadline becomes that of the game without plans. If several seats
        can act, all of them got a notice before: a notice now would reveal that another seat has a plan.
        """
        due = timeouts.due(game, self._patience)
        write = PlanWrite(game.id, game.version, seat, stored, stored, noticed=game.pending[seat])
        sitter = game.sitters[seat]
        if sitter is not None and sitter.player is not None and seats_to_act(game) == [seat]:
            write = replace(write, notices=written_notices(_of_own_turn(game, seat, sitter.player)))
        if is_last:
            write = replace(write, due="none" if due is None else due, priority=priority_of(game))
        return self._store.write(write)


def of_dropped_plan(game: Game, seat: Seat, player: str) -> list[Notice]:
    """Return the notice that the steps of a player's plan are dropped, at the version of the pending decision."""
    return [replace(notice, kind="plan_dropped") for notice in _of_own_turn(game, seat, player)]


def _of_own_turn(game: Game, seat: Seat, player: str) -> list[Notice]:
    """Return the notice of a pending decision as the commit that caused it would have: at its version.

    With a clock, its time is when the decision began, so that later events do not delay the reminder.
    """
    since, data = game.times.since.get(seat), turn_data(game, seat)
    at = game.at if since is None else moment(since)
    return [] if game.sandbox else [Notice("your_turn", player, game.id, game.pending[seat], at, data)]
