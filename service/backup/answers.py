"""Copy and restore the responses that are kept for repeated requests, each for what is left of its lifetime.

A response names the version of the game after its action. So those that are copied after a log are chosen by it: the
ones to actions that it has. All of them were there when the log was copied, and a key that was used again, after the
first response had expired, is that of a later version.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import redis

from service.backup import values
from service.backup.families import check_game_id
from service.backup.parts import PartWriter
from service.store.codec import recalled
from service.store.shards import Shards

_AT_ONCE = 100


class AnswerCopier:
    """Copies responses to actions of games, whose logs are copied up to the versions in ``reached``."""

    def __init__(self, client: redis.Redis, answers: PartWriter, reached: Mapping[str, int]) -> None:
        self._redis = client
        self._answers = answers
        self._reached = reached
        self._found: list[str] = []
        self.unknown: list[str] = []
        """Keys with values that are no responses of the service; they are not copied."""

    def add(self, key: str) -> None:
        """Copy the response under a key, now or with the next ones."""
        self._found.append(key)
        if len(self._found) >= _AT_ONCE:
            self.finish()

    def finish(self) -> None:
        """Copy the responses that are left, those of each shard in one atomic step with their expiry."""
        for _, names in groupby(sorted(self._found), lambda key: key.partition(":")[0]):
            self._copy([*names])
        self._found.clear()

    def _copy(self, names: Sequence[str]) -> None:
        pipe = self._redis.pipeline(transaction=True)
        for key in names:
            values.ask(pipe, key, "string")
        found = iter(pipe.execute())
        for key in names:
            kept, expires = next(found), next(found)
            _, _, game_id, _, name = key.split(":")
            line = values.line_of(f"game:{game_id}:answer:{name}", "string", kept, expires)
            if line is None:
                continue
            version = _version_after(kept)
            if version is None:
                self.unknown.append(key)
            elif version <= self._reached.get(game_id, 0):
                self._answers.write(line)


def _version_after(kept: bytes) -> int | None:
    """Return the version of the game after the action that a response is to; None if it is no response."""
    try:
        _, answer = recalled(kept)
    except ValueError:
        return None
    return None if answer.head is None else answer.head.version


def put(pipe: Any, line: Mapping[str, Any], shards: Shards) -> None:
    _, game_id, _, name = line["key"].split(":")
    check_game_id(game_id)
    game = shards.keys_of(game_id)
    values.put(pipe, game.answer(name), line)
