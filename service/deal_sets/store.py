"""The deal sets of one store: their logs, written by the append of games, and the tables at which they are played."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from domain.deal_sets import deal_set
from domain.deal_sets.deal_set import DealSet
from domain.deal_sets.results import Table
from domain.log import chain
from domain.log.record import Record, verify
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


class SetStore:
    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._closed: dict[str, DealSet] = {}

    def find(self, set_id: str) -> DealSet | None:
        """Return a set as it is now; None if there is none. A closed set is cached, because it never changes."""
        closed = self._closed.get(set_id)
        if closed is not None:
            return closed
        records = self.records(set_id)
        found = deal_set.fold(records) if records else None
        if found is not None and found.closed is not None:
            self._closed[set_id] = found
        return found

    def records(self, set_id: str) -> Sequence[Record]:
        """Return the whole log of a set, of a few events, verified."""
        records = self._store.read(set_id)
        if records:
            try:
                verify(records, chain.GENESIS, secrets_in(records[0]), canonical)
            except chain.BrokenChain as broken:
                raise LogDamaged(set_id, broken.version, str(broken)) from broken
        return records

    def write(self, before: DealSet | None, step: tuple[Sequence[object], DealSet], at: str) -> bool:
        """Append what was decided; return False, and change nothing, if another process was faster."""
        records, after = deal_set.record(before, step, at, secrets.token_hex(8), canonical)
        version, head = (before.version, before.head) if before else (0, "")
        return isinstance(self._store.append(Append(after.id, version, records, head)), Appended)

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
