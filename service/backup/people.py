"""Restore what is about players, and what follows from it: the index of names, and which destinations are due."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import orjson
import redis

from service.accounts.names.namesakes import Namesakes
from service.backup import values
from service.backup.families import GAME_KINDS, Role, check_game_id, check_key
from service.backup.game_copying import Known
from service.notifications.delivery.destinations import Destination, Kind
from service.notifications.delivery.due_destinations import DueDestinations
from service.store import keys
from service.store.shards import Shards


class People:
    """Writes the lines of the kind ``people`` into a store whose logs go as far as is ``known``."""

    def __init__(self, client: redis.Redis, shards: Shards, known: Mapping[str, Known]) -> None:
        self._shards = shards
        self._known = known
        self._namesakes, self._outbox = Namesakes(client), DueDestinations(client)

    def put(self, pipe: Any, line: Mapping[str, Any]) -> None:
        match line["key"].split(":"):
            case ["game", game_id, part] if part in GAME_KINDS:
                check_game_id(game_id)
                values.put(pipe, getattr(self._shards.keys_of(game_id), part), line)
            case ["notices" | "reminders" | "gone" as feed]:
                self._put_feed(pipe, feed, line["value"])
            case [_, "notices", *_]:
                check_key(line["key"], Role.PLAYER)
                heard = [each for each in line["value"] if self._has_happened(*_subject(line["type"], each))]
                if heard:
                    values.put(pipe, line["key"], {**line, "value": heard})
            case _:
                check_key(line["key"], Role.PLAYER)
                values.put(pipe, line["key"], line)
                self._put_what_follows(pipe, line)

    def _put_feed(self, pipe: Any, feed: str, entries: Sequence[Any]) -> None:
        if feed == "reminders":
            for member, at in entries:
                pipe.zadd(self._shard(member.split(" ")[0]).reminders, {member: at})
            return
        if feed == "gone":
            for game_id, at in entries:
                if game_id not in self._known:  # else it was removed after it was copied
                    pipe.zadd(self._shard(game_id).gone, {game_id: at})
            return
        for _, written in entries:
            fields = values.fields_of(written)
            game_id = fields[b"g"].decode()
            if self._has_happened(game_id, int(fields[b"v"])):
                pipe.xadd(self._shard(game_id).notices, fields)

    def _shard(self, game_id: str) -> keys.Shard:
        return self._shards.of(game_id)

    def _has_happened(self, game_id: str, version: int) -> bool:
        """Return whether a notice is of what the log of its game has; a later one comes again when it happens again.

        Players are copied after games, so they can have heard of more.
        """
        known = self._known.get(game_id)
        return known is None or version <= known.version

    def _put_what_follows(self, pipe: Any, line: Mapping[str, Any]) -> None:
        key = line["key"]
        player_id = key[1 : key.index("}")]
        if key == keys.player(player_id):
            about = values.fields_of(line["value"])
            self._namesakes.add(pipe, player_id, about[b"name"].decode(), about[b"created_at"].decode())
        elif key == keys.destinations(player_id):
            for name in values.fields_of(line["value"]):
                kind, _, outlet_id = name.decode().partition(" ")
                self._outbox.make_due([Destination(player_id, cast("Kind", kind), outlet_id)])


def _subject(kind: values.Kind, written: Any) -> tuple[str, int]:
    """Return which version of which game a notice, or (in a sorted set) the name of one, is about."""
    if kind == "zset":
        _, game_id, version, *_ = written[0].split(" ")
    else:
        _, game_id, version, *_ = orjson.loads(written[1][0][1])
    return game_id, int(version)
