"""Notices on their way: an entry of a feed holds those of one atomic step, until they are in the logs of players."""

from collections.abc import Sequence
from typing import Any

import orjson

from service.inbox.notice import Notice
from service.store import keys
from service.store.change_feed import Change

_MOST_WAITING = 100_000
"""About how many entries a feed keeps if nobody reads it, as in ``append.lua``."""


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
