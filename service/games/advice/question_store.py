"""The questions to the workers about games, apart from turns, and the answers: hints, analyses and luck.

Questions for hints and all answers are stored beside the log for a time. They can be lost: a waiting client asks again.
A study has no question: its stored results show what is still to do.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from service.store import change_feed
from service.store.event_store import EventStore
from service.store.game_index import Priority

PREFIX: Final = "ask:"
"""The prefix of a job that is not a turn: a kind and the id of the game follow. The job of a turn is only the id."""

HINT: Final = "hint"
ANALYSIS: Final = "analysis"
LUCK: Final = "luck"

MOST_QUESTIONS: Final = 8
"""The most questions about a game that wait, half of them of one owner; some more if added at the same moment."""

MOST_HINTS: Final = 64
"""The most hints of a game that are stored; one more removes all the others."""

QUESTIONS_KEPT_MS: Final = 60_000
HINTS_KEPT_MS: Final = 3600 * 1000
STUDY_KEPT_MS: Final = 24 * 3600 * 1000

ALL: Final = "all"
"""The field of a study with the number of its parts, the bot, and the owner; the other fields are the numbers of parts.

A study of a finished game is its analysis, whose parts are decisions, or its luck, whose parts are replays of deals.
"""

FAILED: Final = b'"failed"'
"""The result of a part at which the bot failed."""


class QuestionStore:
    def __init__(self, store: EventStore) -> None:
        self._redis, self._shards = store.client, store.all_shards

    def has_room(self, game_id: str, question: str, priority: Priority) -> bool:
        """Return whether a question can be added: not too many are waiting, in total and of the same owner."""
        waiting = cast("dict[bytes, bytes]", self._redis.hgetall(self._shards.keys_of(game_id).questions))
        of_owners = sum(written == str(priority).encode() for written in waiting.values())
        has_place = len(waiting) < MOST_QUESTIONS and of_owners < MOST_QUESTIONS // 2
        return has_place or question.encode() in waiting

    def put(self, game_id: str, question: str, priority: Priority) -> None:
        """Add a question for a hint, ``<version> <seat>``, and queue a job for it."""
        key = self._shards.keys_of(game_id).questions
        pipe = self._redis.pipeline()
        pipe.hset(key, question, str(priority))
        pipe.pexpire(key, QUESTIONS_KEPT_MS)
        self._add_job(pipe, HINT, game_id, str(priority))
        pipe.execute()

    def take(self, game_id: str) -> str | None:
        """Take a question about a game, and queue a job for the next one; return None if none is waiting."""
        key = self._shards.keys_of(game_id).questions
        waiting = [*cast("dict[bytes, bytes]", self._redis.hgetall(key)).items()]
        for place, (question, _) in enumerate(waiting, 1):
            pipe = self._redis.pipeline()
            pipe.hdel(key, cast("str", question))
            for _, priority in waiting[place : place + 1]:
                self._add_job(pipe, HINT, game_id, priority.decode())
            if pipe.execute()[0]:  # otherwise another worker has taken it
                return question.decode()
        return None

    def queue(self, kind: str, game_id: str, priority: Priority) -> None:
        pipe = self._redis.pipeline()
        self._add_job(pipe, kind, game_id, str(priority))
        pipe.execute()

    def _add_job(self, pipe: Any, kind: str, game_id: str, priority: str) -> None:
        work = {"g": job_of(kind, game_id), "v": "0", "w": priority}
        pipe.xadd(self._shards.keys_of(game_id).shard.changes, cast("Any", work), maxlen=100_000, approximate=True)

    def hint(self, game_id: str, question: str) -> bytes | None:
        return cast("bytes | None", self._redis.hget(self._shards.keys_of(game_id).hints, question))

    def keep_hint(self, game_id: str, question: str, answer: bytes) -> None:
        """Store a hint, or the mark that it is requested, and wake those who wait for it."""
        key = self._shards.keys_of(game_id).hints
        if self._redis.hlen(key) >= MOST_HINTS and not self._redis.hexists(key, question):
            self._redis.delete(key)
        pipe = self._redis.pipeline()
        pipe.hset(key, question, cast("str", answer))
        pipe.pexpire(key, HINTS_KEPT_MS)
        change_feed.publish(pipe, topic_of(game_id), question)
        pipe.execute()

    def study(self, kind: str, game_id: str) -> Mapping[str, bytes]:
        """Return the results so far by the number of the part, and under ``ALL`` the number of parts."""
        results = cast("dict[bytes, bytes]", self._redis.hgetall(self._key(kind, game_id)))
        return {field.decode(): result for field, result in results.items()}

    def keep_study(self, kind: str, game_id: str, results: Mapping[str, bytes]) -> None:
        pipe = self._redis.pipeline()
        pipe.hset(self._key(kind, game_id), mapping=cast("Any", results))
        pipe.pexpire(self._key(kind, game_id), STUDY_KEPT_MS)
        pipe.execute()

    def retry(self, kind: str, game_id: str, numbers: Sequence[str]) -> None:
        """Remove the results of some parts, so that they are studied again."""
        self._redis.hdel(self._key(kind, game_id), *numbers)

    def _key(self, kind: str, game_id: str) -> str:
        keys = self._shards.keys_of(game_id)
        return keys.luck if kind == LUCK else keys.analysis


def job_of(kind: str, game_id: str) -> str:
    """Return the name of the job of a game of a kind."""
    return f"{PREFIX}{kind}:{game_id}"


def topic_of(game_id: str) -> str:
    return f"hints:{game_id}"
