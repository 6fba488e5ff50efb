"""The adviser: answers what is asked about a game beside its turns, hints and analyses.

The turns of games go first: each job answers one question, or continues an analysis for a while. A question that
fails is not answered, and the client asks again.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import orjson

from domain.game.aggregate import Game
from service.bots import adviser_of
from service.common.errors import NotFound
from service.games.advice.question_store import ALL, ANALYSIS, FAILED, PREFIX, QuestionStore
from service.games.advice.resources import bot_in_advice
from service.games.repository import GameRepository
from service.store.event_store import NotServed
from service.store.game_index import Priority, Rank
from workers.advising import advised, hint_of
from workers.analysing import Decision, decisions, studied
from workers.policy_process import PolicyFailed, PolicyProcess

_log = logging.getLogger("plateau.worker")

_MOST_SECONDS = 0.5
"""How long an analysis runs before others have their turn; it continues later."""
_MOST_KNOWN = 8
"""In how many games a worker remembers the decisions; with more, it forgets the game whose turn was longest ago."""


class _Known(NamedTuple):
    """The decisions of a game: those found, and those still to be looked for in its log."""

    found: list[Decision]
    rest: Iterator[Decision]


@dataclass(eq=False)
class Adviser:
    _repository: GameRepository
    _store: QuestionStore
    _process: PolicyProcess
    _is_urgent: Callable[[], bool] = bool
    _known: dict[str, _Known] = field(default_factory=dict, init=False)

    def answer(self, job: str) -> bool:
        """Answer a question about a game, or continue its analysis; return whether more may be left to do."""
        kind, _, game_id = job.removeprefix(PREFIX).partition(":")
        try:
            return self._analyse(game_id) if kind == ANALYSIS else self._answer_next(game_id)
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

    # -- analyses --------------------------------------------------------------------------------------------------

    def _analyse(self, game_id: str) -> bool:
        """Study the next decisions of a finished game, for a while; then let the queue decide when to continue."""
        game, done = self._repository.fresh(game_id), self._store.analysis(game_id)
        name = adviser_of(game.ruleset.id)
        if name is None or not game.is_over or ALL not in done:
            return False
        begun = orjson.loads(done[ALL])
        known = self._known.pop(game_id, None)
        if known is None:
            known = _Known([], decisions(self._repository.records(game, limit=game.version)))
        if self._has_found_all(known):
            begun |= {"all": len(known.found), "bot": bot_in_advice(name)}
            self._store.keep_analysis(game_id, {ALL: orjson.dumps(begun)})
            if self._has_studied_all(known, name, done):
                return False
        self._remember(game_id, known)
        self._store.go_on(game_id, Priority(Rank.ALONE, (begun["by"],)))
        return True

    def _has_found_all(self, known: _Known) -> bool:
        """Look for the decisions, until there are no more, or until a player waits."""
        for decision in known.rest:
            known.found.append(decision)
            if self._is_urgent():
                return False
        return True

    def _has_studied_all(self, known: _Known, name: str, done: Mapping[str, bytes]) -> bool:
        """Study what is not done, for a while, or until a player waits."""
        until = time.monotonic() + _MOST_SECONDS
        to_study = [number for number in range(len(known.found)) if str(number) not in done]
        for number in to_study:
            decision = known.found[number]
            self._store.keep_analysis(decision.game.id, {str(number): self._studied(decision, name)})
            if time.monotonic() > until or self._is_urgent():
                return number == to_study[-1]
        return True

    def _remember(self, game_id: str, known: _Known) -> None:
        self._known[game_id] = known
        while len(self._known) > _MOST_KNOWN:
            del self._known[next(iter(self._known))]

    def _studied(self, decision: Decision, name: str) -> bytes:
        try:
            return orjson.dumps(studied(decision, name, self._process))
        except PolicyFailed as failure:
            fields = {"game": decision.game.id, "version": decision.game.version, "reason": failure.reason}
            _log.warning("a decision was not studied", extra={"fields": fields})
            return FAILED
