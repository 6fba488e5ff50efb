"""The deal sets of one store: their logs, written by the append of games, and the tables at which they are played."""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, cast

from domain.deal_sets import deal_set
from domain.deal_sets.deal_set import DealSet
from domain.deal_sets.results import Table
from domain.log import aggregates, chain
from domain.log.aggregates import AggregateT
from domain.log.record import Record, verify, visible
from service.games.repository import secrets_in
from service.store.codec import canonical
from service.store.event_store import Append, Appended, EventStore, LogDamaged

_NO_SCORE = "-"


@dataclass(frozen=True, slots=True)
class Opened:
    """A deal that a player has opened: its table, whether it is over, and whether it counts for a rank."""

    table: Table
    is_over: bool
    is_ranked: bool


class LogStore(Generic[AggregateT]):
    """The logs of a kind of aggregate; a process keeps those that it has read last."""

    _MOST_KEPT = 64

    def __init__(
        self,
        store: EventStore,
        fold: Callable[[Sequence[Record]], AggregateT],
        is_over: Callable[[AggregateT], bool],
    ) -> None:
        self._store = store
        self._fold = fold
        self._is_over = is_over
        self._kept = OrderedDict[str, AggregateT]()

    def find(self, log_id: str) -> AggregateT | None:
        """Return an aggregate as it is now, None if there is none; one that is over never changes."""
        kept = self._kept.get(log_id)
        if kept is not None and (self._is_over(kept) or self._is_current(kept)):
            return kept
        records = self.records(log_id)
        if not records:
            return None
        found = self._kept[log_id] = self._fold(records)
        self._kept.move_to_end(log_id)
        while len(self._kept) > self._MOST_KEPT:
            self._kept.popitem(last=False)
        return found

    def _is_current(self, kept: AggregateT) -> bool:
        newer = self._store.read(kept.id, kept.version - 1)
        return len(newer) == 1 and newer[0].hash == kept.head

    def records(self, log_id: str) -> Sequence[Record]:
        """Return a whole log, verified."""
        records = self._store.read(log_id)
        if records:
            try:
                verify(records, chain.GENESIS, secrets_in(records[0]), canonical)
            except chain.BrokenChain as broken:
                raise LogDamaged(log_id, broken.version, str(broken)) from broken
        return records

    def events(self, one: AggregateT, after: int, limit: int, *, everything: bool) -> tuple[list[Any], int | None]:
        """Return a page of a log as anyone sees it, or with all its secrets, and the version to continue after."""
        records = self._store.read(one.id, after, limit + 1)
        page = [visible(each, one.secrets, None, everything=everything) for each in records[:limit]]
        return page, records[limit - 1].version if len(records) > limit else None

    def write(self, before: AggregateT | None, step: tuple[Sequence[object], AggregateT], at: str) -> bool:
        """Append what was decided; return False, and change nothing, if another process was faster."""
        return isinstance(self._store.append(self.append_for(before, step, at)), Appended)

    def append_for(
        self, before: AggregateT | None, step: tuple[Sequence[object], AggregateT], at: str, **more: Any
    ) -> Append:
        """Return what appends what was decided, with ``more`` fields."""
        at = max(at, before.at if before else "")  # a clock can go back
        records, after = aggregates.record(before, step, at, secrets.token_hex(8), canonical)
        version, head = (before.version, before.head) if before else (0, "")
        return Append(after.id, version, records, head, **more)


class SetStore(LogStore[DealSet]):
    def __init__(self, store: EventStore) -> None:
        super().__init__(store, deal_set.fold, lambda one: one.closed is not None)

    def opened(self, set_id: str, games: Mapping[int, str], player: str) -> Mapping[int, Opened]:
        """Return the deals that a player has opened, by number; ``games`` are the ids that their games would have."""
        self._store.all_shards.look_for(games.values())
        pipe = self._store.client.pipeline(transaction=False)
        for number, game_id in games.items():
            pipe.hget(self._store.shard(game_id).tables_of(set_id), _place(player, number))
        states = cast("list[bytes | None]", pipe.execute())
        return {n: _read(player, n, state) for n, state in zip(games, states, strict=True) if state is not None}

    def tables(self, set_id: str) -> list[Opened]:
        """Return the tables at which deals of a set were opened, including the bots' own."""
        pipe = self._store.client.pipeline(transaction=False)
        for shard in self._store.all_shards:
            pipe.hgetall(shard.tables_of(set_id))
        fields = (each for of_shard in cast("list[dict[bytes, bytes]]", pipe.execute()) for each in of_shard.items())
        places = ((place.decode().split(" "), state) for place, state in fields)
        return [_read(player, int(number), state) for (player, number), state in places]


def _place(player: str, number: int) -> str:
    return f"{player} {number}"


def _read(player: str, number: int, state: bytes) -> Opened:
    game_id, ranked, *score = state.decode().split(" ")
    reached = int(score[0]) if score and score[0] != _NO_SCORE else None
    return Opened(Table(player, number, game_id, reached), bool(score), ranked == "1")
