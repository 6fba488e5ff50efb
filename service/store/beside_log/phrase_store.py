"""The phrases that players have said, beside the logs of their games: a list of a game holds the latest, as bytes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from service.store import keys
from service.store.event_store import EventStore
from service.store.scripts import script

MOST_KEPT = 50
"""How many phrases of a game are kept."""
KEPT_MS = 30 * 24 * 3600 * 1000
"""For how long after the last phrase Redis keeps the phrases of a game."""


@dataclass(frozen=True, slots=True)
class PhraseWrite:
    """A phrase to keep, judged at a version of the game and after the ``last`` phrase, which is b"" if there is none.

    ``id`` is the cursor that those who follow the phrases hear of.
    """

    game_id: str
    version: int
    last: bytes
    id: str
    said: bytes


class PhraseStore:
    def __init__(self, store: EventStore) -> None:
        self._redis, self._shards = store.client, store.all_shards
        self._script = script(store.client, __name__, "add_phrase")

    def read(self, game_id: str) -> Sequence[bytes]:
        """Return the phrases of a game, the oldest first."""
        return cast("list[bytes]", self._redis.lrange(self._keys(game_id).phrases, 0, -1))

    def write(self, write: PhraseWrite) -> Literal["written", "moved"]:
        """Keep a phrase, unless the game or its phrases have gone on since it was judged."""
        game, channel = self._keys(write.game_id), keys.topic(topic_of(write.game_id))
        args: list[str | bytes | int] = [write.version, write.last, write.said, MOST_KEPT, KEPT_MS, channel, write.id]
        reply = self._script(keys=[game.events, game.phrases, game.shard.archived], args=[*args, write.game_id])
        return cast("Literal['written', 'moved']", reply.decode())

    def read_all(self, game_ids: Iterable[str]) -> Mapping[str, Sequence[bytes]]:
        """Return the phrases of some games, the oldest first."""
        wanted = list(game_ids)
        pipe = self._redis.pipeline(transaction=False)
        for game_id in wanted:
            pipe.lrange(self._keys(game_id).phrases, 0, -1)
        return dict(zip(wanted, pipe.execute(), strict=True))

    def remove(self, said: Iterable[tuple[str, bytes]]) -> None:
        """Remove phrases, each given by its game and as it is kept."""
        pipe = self._redis.pipeline(transaction=False)
        for game_id, each in said:
            pipe.lrem(self._keys(game_id).phrases, 0, cast("str", each))
        pipe.execute()

    def _keys(self, game_id: str) -> keys.GameKeys:
        return keys.keys_of(game_id, self._shards)


def topic_of(game_id: str) -> str:
    """Return the topic of what is said in a game; its cursors are the ids of phrases."""
    return f"phrases:{game_id}"
