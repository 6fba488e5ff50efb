"""What the workers are asked about games beside their turns, and what they have answered: hints and analyses.

Questions for hints, and what is answered, are kept for a time beside the log. All of it can be lost: a waiting client
asks again. A study has no question: what is found so far says what is still to be done.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from service.store import change_feed
from service.store.event_store import EventStore
from service.store.game_index import Priority

PREFIX: Final = "ask:"
"""With this and a kind before its id, a game waits for a worker because of such work, not because of its turn."""

HINT: Final = "hint"
ANALYSIS: Final = "analysis"
LUCK: Final = "luck"

MOST_QUESTIONS: Final = 8
"""How many questions about a game can wait, half of them in one owner's turns; some more if put at the same moment."""

MOST_HINTS: Final = 64
"""How many hints of a game are kept; with one more, all are forgotten."""

QUESTIONS_KEPT_MS: Final = 60_000
HINTS_KEPT_MS: Final = 3600 * 1000
STUDY_KEPT_MS: Final = 24 * 3600 * 1000

ALL: Final = "all"
"""The field of a study with the number of its parts, the bot, and who asked; the others are their numbers.

A study of a finished game is its analysis, whose parts are decisions, or its luck, whose parts are replays of deals.
"""

FAILED: Final = b'"failed"'
"""What is found at a part at which the bot failed."""


class QuestionStore:
    def __init__(self, store: EventStore) -> None:
        self._redis, self._shards = store.client, store.all_shards

    def has_room(self, game_id: str, question: str, priority: Priority) -> bool:
        """Return whether a question can be put: not too many others are waiting, nor too many of the same owners."""
        waiting = cast("dict[bytes, bytes]", self._redis.hgetall(self._shards.keys_of(game_id).questions))
        of_owners = sum(written == str(priority).encode() for written in waiting.values())
        has_place = len(waiting) < MOST_QUESTIONS and of_owners < MOST_QUESTIONS // 2
        return has_place or question.encode() in waiting

    def put(self, game_id: str, question: str, priority: Priority) -> None:
        """Put a question for a hint, a version and a seat with a space between them, and call a worker."""
        key = self._shards.keys_of(game_id).questions
        pipe = self._redis.pipeline()
        pipe.hset(key, question, str(priority))
        pipe.pexpire(key, QUESTIONS_KEPT_MS)
        self._call(pipe, HINT, game_id, str(priority))
        pipe.execute()

    def take(self, game_id: str) -> str | None:
        """Take a question about a game, and call a worker for the next one; return None if none is waiting."""
        key = self._shards.keys_of(game_id).questions
        waiting = [*cast("dict[bytes, bytes]", self._redis.hgetall(key)).items()]
        for place, (question, _) in enumerate(waiting, 1):
            pipe = self._redis.pipeline()
            pipe.hdel(key, cast("str", question))
            for _, priority in waiting[place : place + 1]:
                self._call(pipe, HINT, game_id, priority.decode())
            if pipe.execute()[0]:  # otherwise another worker has taken it
                return question.decode()
        return None

    def go_on(self, kind: str, game_id: str, priority: Priority) -> None:
        pipe = self._redis.pipeline()
        self._call(pipe, kind, game_id, str(priority))
        pipe.execute()

    def _call(self, pipe: Any, kind: str, game_id: str, priority: str) -> None:
        work = {"g": job_of(kind, game_id), "v": "0", "w": priority}
        pipe.xadd(self._shards.keys_of(game_id).shard.changes, cast("Any", work), maxlen=100_000, approximate=True)

    def hint(self, game_id: str, question: str) -> bytes | None:
        return cast("bytes | None", self._redis.hget(self._shards.keys_of(game_id).hints, question))

    def keep_hint(self, game_id: str, question: str, answer: bytes) -> None:
        """Keep a hint, or that it was asked for, and tell those who wait for it."""
        key = self._shards.keys_of(game_id).hints
        if self._redis.hlen(key) >= MOST_HINTS and not self._redis.hexists(key, question):
            self._redis.delete(key)
        pipe = self._redis.pipeline()
        pipe.hset(key, question, cast("str", answer))
        pipe.pexpire(key, HINTS_KEPT_MS)
        change_feed.publish(pipe, topic_of(game_id), question)
        pipe.execute()

    def study(self, kind: str, game_id: str) -> Mapping[str, bytes]:
        """Return what is found so far: by the number of the part, and under ``ALL`` how many there are."""
        found = cast("dict[bytes, bytes]", self._redis.hgetall(self._key(kind, game_id)))
        return {field.decode(): each for field, each in found.items()}

    def keep_study(self, kind: str, game_id: str, found: Mapping[str, bytes]) -> None:
        pipe = self._redis.pipeline()
        pipe.hset(self._key(kind, game_id), mapping=cast("Any", found))
        pipe.pexpire(self._key(kind, game_id), STUDY_KEPT_MS)
        pipe.execute()

    def retry(self, kind: str, game_id: str, numbers: Sequence[str]) -> None:
        """Forget what was found at some parts, so that they are studied again."""
        self._redis.hdel(self._key(kind, game_id), *numbers)

    def _key(self, kind: str, game_id: str) -> str:
        keys = self._shards.keys_of(game_id)
        return keys.luck if kind == LUCK else keys.analysis


def job_of(kind: str, game_id: str) -> str:
    """Return the name under which a game waits for a worker to do work of a kind."""
    return f"{PREFIX}{kind}:{game_id}"


def topic_of(game_id: str) -> str:
    return f"hints:{game_id}"
