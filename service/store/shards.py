"""The shards of a store, whose number can grow while games are running.

A game stays in the shard in which it began. So a store remembers every number of shards that it has had, and a game is
in the shard to which its id leads by one of these numbers; if these differ, readers of the game look for it once. New
games are divided by the latest number. Before that number is announced, every shard is marked with it, and rejects an
append that would begin a game by an earlier number. So no id can begin in two shards.
"""

import logging
import threading
import time
from collections.abc import Iterable, Iterator
from typing import cast
from weakref import WeakKeyDictionary

import redis

from service.store import keys
from service.store.redis.availability import StoreUnavailable

MOST = 1024
"""The most shards that a store can have."""

_log = logging.getLogger(__name__)
_MOST_REMEMBERED = 200_000
_LOOK_SECONDS = 5.0


class Shards:
    """The shards of one store, as far as this process knows; a store without a number begins with one."""

    def __init__(self, client: redis.Redis, begins_with: int) -> None:
        self.client = client
        self._begins_with = begins_with
        self._numbers: tuple[int, ...] = ()
        self._all: tuple[keys.Shard, ...] = ()
        self._found: dict[str, keys.Shard] = {}
        self._looked_at = 0.0

    @property
    def numbers(self) -> tuple[int, ...]:
        """Every number of shards that the store has had, the latest one last."""
        if not self._numbers:
            self.look()
        return self._numbers

    def __iter__(self) -> Iterator[keys.Shard]:
        self._known()
        return iter(self._all)

    def __len__(self) -> int:
        self._known()
        return len(self._all)

    def __getitem__(self, number: int) -> keys.Shard:
        self._known()
        return self._all[number]

    def of(self, game_id: str) -> keys.Shard:
        if len(self.numbers) == 1:
            return self._all[keys.shard_of(game_id, self._numbers[0])]
        if game_id not in self._found:
            self.look_for([game_id])
        return self._found.get(game_id) or self._all[keys.shard_of(game_id, self._numbers[-1])]

    def keys_of(self, game_id: str) -> keys.GameKeys:
        return keys.GameKeys(game_id, self.of(game_id))

    def look_for(self, games: Iterable[str]) -> None:
        """Find the shards of games in one round trip, so that ``of`` knows them."""
        numbers = self.numbers
        if len(numbers) == 1:
            return
        candidates = [
            (game, self._all[number])
            for game in games
            if game not in self._found
            for number in {keys.shard_of(game, each) for each in numbers}
        ]
        pipe = self.client.pipeline(transaction=False)
        for game, shard in candidates:
            pipe.exists(keys.GameKeys(game, shard).events)
            pipe.hexists(shard.archived, game)
        replies = pipe.execute()
        is_here = [is_in_store or is_out for is_in_store, is_out in zip(replies[::2], replies[1::2], strict=True)]
        if len(self._found) + len(candidates) > _MOST_REMEMBERED:
            self._found = {}
        self._found |= {game: shard for (game, shard), is_there in zip(candidates, is_here, strict=True) if is_there}

    def look(self, older_than: float = 0.0) -> bool:
        """Read whether the number has grown, unless that was read less than so many seconds ago."""
        if self._numbers and time.monotonic() - self._looked_at < older_than:
            return False
        stored = cast("bytes | None", self.client.get(keys.SHARDS))
        numbers = tuple(map(int, stored.split())) if stored else (self._begins_with,)
        self._looked_at = time.monotonic()
        if numbers == self._numbers:
            return False
        self._all = tuple(keys.Shard(number) for number in range(numbers[-1]))
        self._numbers = numbers  # after the shards, because other threads look them up by these numbers
        return True

    def look_for_ever(self) -> None:
        threading.Thread(target=self._look_for_ever, name="shards", daemon=True).start()

    def begin(self) -> None:
        self.client.set(keys.SHARDS, self._begins_with, nx=True)
        self.look()

    def grow(self, number: int) -> None:
        """Divide new games among more shards; raise ``ValueError`` if the number is not larger.

        If this is interrupted, new games are rejected until it is done again.
        """
        self.look()
        if not self._numbers[-1] < number <= MOST:
            raise ValueError(f"there are {self._numbers[-1]} shards; there can be more, up to {MOST}, but not fewer")
        for shard in self._all:
            self.client.set(shard.division, number)
        self.client.set(keys.SHARDS, " ".join(map(str, (*self._numbers, number))))
        self.look()

    def _known(self) -> None:
        if not self._numbers:
            self.look()

    def _look_for_ever(self) -> None:
        while True:
            time.sleep(_LOOK_SECONDS)
            known = bool(self._numbers)
            try:
                if self.look() and known:
                    _log.info("the store has %d shards now", len(self))
            except StoreUnavailable as error:
                _log.debug("the number of shards was not read: %s", error)


_of_clients: WeakKeyDictionary[redis.Redis, dict[int, Shards]] = WeakKeyDictionary()
_turn = threading.Lock()


def shards_of(client: redis.Redis, begins_with: int) -> Shards:
    """Return the shards of a store, one object for each client."""
    with _turn:
        of_client = _of_clients.setdefault(client, {})
        return of_client.setdefault(begins_with, Shards(client, begins_with))
