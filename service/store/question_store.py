"""What the workers are asked about games beside their turns, and what they have answered: hints and analyses.

A question is put once, answered once, and kept for a time, all beside the log. Questions and answers can be lost:
whoever waits for an answer asks again.
"""

from collections.abc import Mapping
from typing import Any, Final, cast

from service.store import keys, topics
from service.store.event_store import EventStore, unavailable
from service.store.priority import Priority

PREFIX: Final = "ask:"
"""With this before its id, a game waits for a worker because of questions, not because of its turn."""

MOST_QUESTIONS: Final = 8
"""How many questions about a game can wait."""

MOST_HINTS: Final = 64
"""How many hints of a game are kept; with one more, all are forgotten."""

QUESTIONS_KEPT_MS: Final = 60_000
HINTS_KEPT_MS: Final = 3600 * 1000
ANALYSIS_KEPT_MS: Final = 24 * 3600 * 1000

ANALYSIS: Final = "analysis"
"""The question for an analysis; any other is for a hint: a version and a seat, between them a space."""

ALL: Final = "all"
"""The field of an analysis with the number of its decisions; the others are their numbers."""


class QuestionStore:
    """The questions in one store."""

    def __init__(self, store: EventStore) -> None:
        self._redis, self._shards = store.client, store.all_shards

    def put(self, game_id: str, question: str, priority: Priority) -> bool:
        """Put a question and call a worker; return False if too many are waiting."""
        game = self._keys(game_id)
        with unavailable():
            waiting = cast("list[bytes]", self._redis.hkeys(game.questions))
            if len(waiting) >= MOST_QUESTIONS and question.encode() not in waiting:
                return False
            pipe = self._redis.pipeline()
            pipe.hset(game.questions, question, "")
            pipe.pexpire(game.questions, QUESTIONS_KEPT_MS)
            work = {"g": PREFIX + game_id, "v": "0", "w": str(priority)}
            pipe.xadd(game.shard.changes, cast("Any", work), maxlen=100_000, approximate=True)
            pipe.execute()
        return True

    def take(self, game_id: str) -> list[str]:
        """Take all questions about a game."""
        key = self._keys(game_id).questions
        with unavailable():
            pipe = self._redis.pipeline()
            pipe.hkeys(key)
            pipe.delete(key)
            taken = cast("list[bytes]", pipe.execute()[0])
        return [question.decode() for question in taken]

    def hint(self, game_id: str, question: str) -> bytes | None:
        """Return what is kept of a hint; None for nothing."""
        with unavailable():
            return cast("bytes | None", self._redis.hget(self._keys(game_id).hints, question))

    def keep_hint(self, game_id: str, question: str, answer: bytes) -> None:
        """Keep a hint, or that it was asked for, and tell those who wait for it."""
        key = self._keys(game_id).hints
        with unavailable():
            if self._redis.hlen(key) >= MOST_HINTS:
                self._redis.delete(key)
            pipe = self._redis.pipeline()
            pipe.hset(key, question, cast("str", answer))
            pipe.pexpire(key, HINTS_KEPT_MS)
            topics.publish(pipe, topic_of(game_id), question)
            pipe.execute()

    def analysis(self, game_id: str) -> Mapping[str, bytes]:
        """Return what is found so far: by the number of the decision, and under ``ALL`` how many there are."""
        with unavailable():
            found = cast("dict[bytes, bytes]", self._redis.hgetall(self._keys(game_id).analysis))
        return {field.decode(): each for field, each in found.items()}

    def keep_analysis(self, game_id: str, found: Mapping[str, bytes]) -> None:
        """Add to what is found."""
        key = self._keys(game_id).analysis
        with unavailable():
            pipe = self._redis.pipeline()
            pipe.hset(key, mapping=cast("Any", found))
            pipe.pexpire(key, ANALYSIS_KEPT_MS)
            pipe.execute()

    def _keys(self, game_id: str) -> keys.GameKeys:
        return keys.keys_of(game_id, self._shards)


def topic_of(game_id: str) -> str:
    """Return the topic of the hints of a game."""
    return f"hints:{game_id}"
