"""The adviser: answers questions about a game apart from its turns: hints, the analysis, the luck.

Turns come first: each job answers one question, or continues a study for a while. A question that fails is not
answered, and the client asks again.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson

from domain.game.aggregate import Game
from domain.log.record import Record
from service.bots import adviser_of, replayer_of
from service.common.errors import NotFound
from service.games.advice.question_store import ALL, ANALYSIS, FAILED, LUCK, PREFIX, QuestionStore, job_of
from service.games.advice.resources import bot_in_advice
from service.games.repository import GameRepository
from service.store.event_store import NotServed
from service.store.game_index import Priority, Rank
from workers.advising import advised, hint_of
from workers.analysing import decisions, studied
from workers.luck import deals_of, replayed, replays
from workers.policy_process import PolicyFailed, PolicyProcess

_log = logging.getLogger("plateau.worker")

_MOST_SECONDS = 0.5
"""How long a study runs before other games have their turn; it continues later."""
_MOST_KNOWN = 8
"""The most studies whose parts a worker caches; one more drops the least recently continued one."""


class Study(NamedTuple):
    """A kind of study: the bot that it asks, the parts of a log, the result for a part, and that for all of them."""

    bot: Callable[[str], str | None]
    parts: Callable[[Sequence[Record]], Iterator[Any]]
    find: Callable[[Any, str, PolicyProcess], Any]
    summary: Callable[[Sequence[Any]], Mapping[str, Any]]


STUDIES: Mapping[str, Study] = {
    ANALYSIS: Study(adviser_of, decisions, studied, lambda _: {}),
    LUCK: Study(replayer_of, replays, replayed, deals_of),
}


class _Parts(NamedTuple):
    """The parts of a study that were found in its log, and an iterator over the rest."""

    found: list[Any]
    rest: Iterator[Any]


@dataclass(eq=False)
class Adviser:
    _repository: GameRepository
    _store: QuestionStore
    _process: PolicyProcess
    _is_urgent: Callable[[], bool] = bool
    _known: dict[str, _Parts] = field(default_factory=dict, init=False)

    def answer(self, job: str) -> bool:
        """Answer a question about a game, or continue a study of it; return whether there may be more to do."""
        kind, _, game_id = job.removeprefix(PREFIX).partition(":")
        try:
            return self._continue(kind, game_id) if kind in STUDIES else self._answer_next(game_id)
        except (NotFound, NotServed, PolicyFailed) as failure:
            _log.warning("a question was not answered", extra={"fields": {"game": game_id, "reason": str(failure)}})
            return False

    # -- hints -----------------------------------------------------------------------------------------------------

    def _answer_next(self, game_id: str) -> bool:
        question = self._store.take(game_id)
        if question is None:
            return False
        game = self._repository.fresh(game_id)
        name = adviser_of(game.ruleset.id)
        if name is not None:
            self._hint(game, name, question)
        return True

    def _hint(self, game: Game, name: str, question: str) -> None:
        version, seat = map(int, question.split())
        then = self._repository.at(game, version)
        if seat in then.pending:
            hint = hint_of(name, advised(then, seat, name, self._process))
            self._store.keep_hint(game.id, question, orjson.dumps(hint))

    # -- studies ---------------------------------------------------------------------------------------------------

    def _continue(self, kind: str, game_id: str) -> bool:
        """Study the next parts of a finished game, for a while; then add a job to continue."""
        game, done, study = self._repository.fresh(game_id), self._store.study(kind, game_id), STUDIES[kind]
        name = study.bot(game.ruleset.id)
        if name is None or not game.is_over or ALL not in done:
            return False
        begun = orjson.loads(done[ALL])
        job = job_of(kind, game_id)
        parts = self._known.pop(job, None)
        if parts is None:
            parts = _Parts([], study.parts(self._repository.records(game, limit=game.version)))
        if self._has_found_all(parts):
            begun |= {"all": len(parts.found), "bot": bot_in_advice(name), **study.summary(parts.found)}
            self._store.keep_study(kind, game_id, {ALL: orjson.dumps(begun)})
            if self._has_studied_all(kind, game_id, parts, name, done):
                return False
        self._remember(job, parts)
        self._store.queue(kind, game_id, Priority(Rank.ALONE, (begun["by"],)))
        return True

    def _has_found_all(self, parts: _Parts) -> bool:
        """Find the parts, until there are no more, or until a player waits; return whether there are no more."""
        for part in parts.rest:
            parts.found.append(part)
            if self._is_urgent():
                return False
        return True

    def _has_studied_all(self, kind: str, game_id: str, parts: _Parts, name: str, done: Mapping[str, bytes]) -> bool:
        """Study the parts without a result, for a while, or until a player waits; return whether all have one."""
        until = time.monotonic() + _MOST_SECONDS
        to_study = [number for number in range(len(parts.found)) if str(number) not in done]
        for number in to_study:
            self._store.keep_study(kind, game_id, {str(number): self._found(kind, game_id, parts.found[number], name)})
            if time.monotonic() > until or self._is_urgent():
                return number == to_study[-1]
        return True

    def _remember(self, job: str, parts: _Parts) -> None:
        self._known[job] = parts
        while len(self._known) > _MOST_KNOWN:
            del self._known[next(iter(self._known))]

    def _found(self, kind: str, game_id: str, part: Any, name: str) -> bytes:
        try:
            return orjson.dumps(STUDIES[kind].find(part, name, self._process))
        except PolicyFailed as failure:
            fields = {"game": game_id, "study": kind, "reason": failure.reason}
            _log.warning("a part of a game was not studied", extra={"fields": fields})
            return FAILED
