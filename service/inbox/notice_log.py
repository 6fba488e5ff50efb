"""The log of a player's notices: the latest ones, each once, in the order in which they arrived.

A notice is recognized by its name, so notices can be added again after a crash. Nothing is added for a
player who does not exist, so that no data of a deleted player comes back.
"""

from collections.abc import Collection, Iterable
from typing import Any, cast

import orjson
import redis

from service.inbox.notices import Kind, Notice
from service.store import keys
from service.store.scripts import script

MOST_KEPT = 1000
"""The most notices that are kept of a player; the newest displace the oldest."""

KEPT_MS = 90 * 24 * 3600 * 1000
"""For how long after the last notice Redis keeps those of a player."""

START = "0-0"
"""The cursor before the first notice."""


class NoticeLog:
    def __init__(self, client: redis.Redis) -> None:
        self._redis = client
        self._note = script(client, __name__, "add_notice")

    def add(self, notices: Iterable[Notice]) -> None:
        """Add notices to the logs of their players, unless they are there already, and wake who follows these logs."""
        by_player: dict[str, list[bytes | str]] = {}
        for each in notices:
            by_player.setdefault(each.player, []).extend((each.name, _written(each)))
        if not by_player:
            return
        pipe = self._redis.pipeline(transaction=False)
        for player, named in by_player.items():
            kept = [keys.player(player), keys.notices(player), keys.notices_known(player)]
            self._note(keys=kept, args=[keys.topic(player), MOST_KEPT, KEPT_MS, *named], client=pipe)
        pipe.execute()

    def read(self, player: str, after: str, limit: int, kinds: Collection[Kind] | None = None) -> list[Notice]:
        """Read the notices of a player after a cursor, the oldest first, or only those of some kinds."""
        most = limit if kinds is None else MOST_KEPT
        found = cast("list[Any]", self._redis.xrange(keys.notices(player), f"({after}", "+", most))
        notices = [_notice(player, cursor, fields) for cursor, fields in found]
        return notices if kinds is None else [each for each in notices if each.kind in kinds][:limit]

    def latest(self, player: str) -> str:
        found = cast("list[Any]", self._redis.xrevrange(keys.notices(player), count=1))
        return found[0][0].decode() if found else START


def place(cursor: str) -> tuple[int, int]:
    ms, number = cursor.split("-")
    return int(ms), int(number)


def _written(notice: Notice) -> bytes:
    return orjson.dumps([notice.kind, notice.game_id, notice.version, notice.at, notice.data])


def _notice(player: str, cursor: bytes, fields: dict[bytes, bytes]) -> Notice:
    kind, game_id, version, at, data = orjson.loads(fields[b"n"])
    return Notice(kind, player, game_id, version, at, data, cursor.decode())
