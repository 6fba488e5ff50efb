"""The adviser: answers what is asked about a game beside its turns, hints and analyses.

The turns of games go first. A question that fails is not answered, and whoever waits asks again.
"""

import logging
import time
from collections.abc import Callable, Sequence

import orjson

from domain.game import history
from domain.game.aggregate import Game
from service.bots import adviser_of
from service.errors import NotFound
from service.games.advice_shown import bot_in_advice
from service.games.reading import Reader
from service.store.event_store import NotServed
from service.store.priority import Priority, Rank
from service.store.question_store import ALL, ANALYSIS, PREFIX, QuestionStore
from workers.advising import Explainer, advised, hint_of
from workers.analysing import Decision, decisions, studied
from workers.policy_process import PolicyFailed

_log = logging.getLogger("plateau.worker")

_MOST_SECONDS = 0.5
"""How long an analysis goes on before others have their turn; it goes on later."""


class Adviser:
    """Answers the questions about the games of one store."""

    def __init__(
        self, reader: Reader, store: QuestionStore, explainer: Explainer, is_urgent: Callable[[], bool] = bool
    ) -> None:
        self._reader = reader
        self._store = store
        self._explainer = explainer
        self._is_urgent = is_urgent
        self._known: tuple[str, Sequence[Decision]] = ("", ())

    def answer(self, job: str) -> int:
        """Answer what is asked about a game; return how many questions there were."""
        game_id = job.removeprefix(PREFIX)
        taken = self._store.take(game_id)
        for question in taken:
            try:
                game = self._reader.current(game_id)
                name = adviser_of(game.ruleset.id)
                if name is not None and question == ANALYSIS:
                    self._analyse(game, name)
                elif name is not None:
                    self._hint(game, name, question)
            except (NotFound, NotServed, PolicyFailed) as failure:
                _log.warning("a question was not answered", extra={"fields": {"game": game_id, "reason": str(failure)}})
        return len(taken)

    def _hint(self, game: Game, name: str, question: str) -> None:
        version, seat = map(int, question.split())
        then = self._at(game, version)
        if seat in then.pending:
            hint = hint_of(name, advised(then, seat, name, self._explainer))
            self._store.keep_hint(game.id, question, orjson.dumps(hint))

    def _at(self, game: Game, version: int) -> Game:
        if version == game.version:
            return game
        return history.fold_to(self._reader.records(game, 0, version + 1), version)

    def _analyse(self, game: Game, name: str) -> None:
        """Study the next decisions of a finished game, for a while; then let the queue decide when to go on."""
        if not game.is_over:
            return
        done = self._store.analysis(game.id)
        to_study = self._decisions(game)
        begun = {"all": len(to_study), "bot": bot_in_advice(name)}
        self._store.keep_analysis(game.id, {ALL: orjson.dumps(begun)})
        until = time.monotonic() + _MOST_SECONDS
        for number, decision in enumerate(to_study):
            if str(number) in done:
                continue
            found = self._studied(decision, name)
            self._store.keep_analysis(game.id, {str(number): orjson.dumps(found)})
            if time.monotonic() > until or self._is_urgent():
                self._store.put(game.id, ANALYSIS, Priority(Rank.ALONE, (game.creator,)))
                return

    def _decisions(self, game: Game) -> Sequence[Decision]:
        """Return the decisions of a game, which are kept from one turn of its analysis to the next."""
        if self._known[0] != game.id:
            self._known = game.id, [*decisions(self._reader.records(game, 0, game.version))]
        return self._known[1]

    def _studied(self, decision: Decision, name: str) -> object:
        try:
            return studied(decision, name, self._explainer)
        except PolicyFailed as failure:
            fields = {"game": decision.game.id, "version": decision.game.version, "reason": failure.reason}
            _log.warning("a decision was not studied", extra={"fields": fields})
            return None
