"""The tournaments of one store: their logs and lists, and the ids of their sets and games, which follow from theirs."""

from collections.abc import Sequence
from typing import Any, cast

from domain.tournaments import tournament
from domain.tournaments.events import RoundPaired
from domain.tournaments.tournament import Tournament
from service.deal_sets.store import LogStore
from service.store.event_store import Append, EventStore, TournamentPlace
from service.store.game_index import game_of, member_of


class TournamentStore(LogStore[Tournament]):
    def __init__(self, store: EventStore) -> None:
        super().__init__(store, tournament.fold, lambda one: one.ended is not None)

    def append_for(
        self, before: Tournament | None, step: tuple[Sequence[object], Tournament], at: str, **more: Any
    ) -> Append:
        """Return what appends what was decided, and lists it."""
        return super().append_for(before, step, at, **more, tournament=_place(step[1]))

    def page(self, after: str | None, limit: int) -> tuple[list[Tournament], str | None]:
        """Return tournaments after a member of the list, the last to start first, and where to continue."""
        pipe = self._store.client.pipeline(transaction=False)
        for shard in self._store.all_shards:
            pipe.zrevrangebylex(shard.tournaments, f"({after}" if after else "+", "-", 0, limit + 1)
        lists = cast("list[list[bytes]]", pipe.execute())
        members = sorted((member.decode() for each in lists for member in each), reverse=True)
        tournaments = [self.find(game_of(member)) for member in members[:limit]]
        return [one for one in tournaments if one is not None], members[limit - 1] if len(members) > limit else None

    def running(self) -> list[str]:
        """Return the ids of those that have not ended."""
        pipe = self._store.client.pipeline(transaction=False)
        for shard in self._store.all_shards:
            pipe.zrange(shard.running_tournaments, 0, -1)
        return [game_of(member.decode()) for each in cast("list[list[bytes]]", pipe.execute()) for member in each]

    def list_again(self, one: Tournament) -> None:
        """List a tournament whose log has been restored."""
        shard, place = self._store.shard(one.id), _place(one)
        lists = (shard.tournaments,) if place.is_over else (shard.tournaments, shard.running_tournaments)
        for each in lists:
            self._store.client.zadd(each, {place.member: 0})

    def set_id(self, one: Tournament, number: int) -> str:
        """Return the id of the deal set of a round."""
        return self._store.derived_id("set_", f"round {one.id} {number}")

    def game_ids(self, one: Tournament, played: RoundPaired, table: int) -> list[str]:
        """Return the ids of the games of a table, by its number: one for each deal, or one if there are none."""
        deals = range(max(one.created.deals, 1))
        return [self._store.derived_id("gm_", f"table {one.id} {played.round} {table} {deal}") for deal in deals]


def _place(one: Tournament) -> TournamentPlace:
    return TournamentPlace(member_of(one.created.starts, one.id), one.ended is not None)
