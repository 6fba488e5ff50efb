"""Hints, analyses and luck: who may ask for them, and how the workers are asked.

During a game, only the player who holds a seat gets a hint, and only in a sandbox or against bots alone. Once the game
is over, anyone who may see it does. A hint changes nothing. It is stored beside the game for a time, and the same
question gets the same hint.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import orjson

from domain.errors import wrong_moment
from domain.game.aggregate import Game, status_of
from domain.sentences.message import Number, Text, seat_number
from domain.table import Seat
from service.accounts.limits import Toll, Unlimited
from service.accounts.players import Caller
from service.bots import adviser_of, replayer_of
from service.common.errors import WORDS, AtVersion, Forbidden, NotFound, Unanswered, Unprocessable, refusal
from service.games.advice.question_store import ALL, ANALYSIS, FAILED, LUCK, QuestionStore
from service.games.advice.resources import Luck, bot_in_advice
from service.games.commit import TOURNAMENT
from service.games.reading import Reader
from service.games.repository import count_read
from service.store.game_index import Priority, Rank

AGAIN_MS = 15_000
"""After so long without an answer, a question is queued again, because its worker may be gone."""
_EVENTS_OF_AN_ANALYSIS = 1000
"""An analysis counts once against the limit, and once more for every so many events of the game."""
_NAMES_OF_TURNS = 4096
_DECISIONS_OF_AN_EVENT = 4
"""Reading so many decisions of an analysis takes as long as reading one event of a log."""
_ASKED = b"?"
"""The prefix of a hint that is requested but not given yet; the time of the question follows, in ms."""


def _is_among_bots(game: Game, caller: Caller) -> bool:
    """Return whether a hint harms no other player: all other seats are held by bots, or by the caller.

    In a deal set, it would harm all who play the same deal, and in a tournament all who play there.
    """
    if game.deal is not None or game.creator.startswith(TOURNAMENT):
        return False
    return game.sandbox or all(sitter and (sitter.bot or sitter.player == caller.player) for sitter in game.sitters)


@dataclass(eq=False)
class Advising:
    """Handle questions about the games of one store; ``now`` returns the time in ms since 1970."""

    _reader: Reader
    _store: QuestionStore
    _now: Callable[[], int]
    _limiter: Unlimited = field(default_factory=Unlimited)

    # -- hints -----------------------------------------------------------------------------------------------------

    def decision(self, game_id: str, caller: Caller, seat: Seat | None, at: int | None) -> tuple[Game, Seat]:
        """Return the game at a version, and the seat to advise; reject a caller who may not ask, or no decision."""
        game = self._reader.show(game_id, caller)
        if not game.is_over and not _is_among_bots(game, caller):
            raise Forbidden("game-not-over", refusal("game-not-over.hints", status=status_of(game)))
        bot_for(game)
        then, viewer = self._reader.look(game.id, caller, seat, at)
        if seat is None and game.is_over:
            viewer = min(then.pending, default=viewer)
        if viewer is None:
            raise Forbidden("not-seated", refusal("not-seated.hints"))
        if viewer not in then.pending:
            refused = wrong_moment("no-decision", WORDS, seat=seat_number(viewer), version=Number(then.version))
            raise AtVersion(refused, game) from refused
        return then, viewer

    def hint(self, then: Game, seat: Seat, caller: Caller, address: str = "") -> Mapping[str, Any] | None:
        """Return a hint; if there is none yet, ask the workers for it, once, and return None.

        It counts against limits of the caller and of their ``address`` ("" if no limit counts it).
        """
        question = question_of(then, seat)
        kept, now = self._store.hint(then.id, question), self._now()
        if kept is not None and not kept.startswith(_ASKED):
            hint: Mapping[str, Any] = _read(kept)
            return hint
        if kept is None or int(kept[len(_ASKED) :]) + AGAIN_MS < now:
            turns = Priority(Rank.SPARE, (turns_of(address, caller),))
            if not self._store.has_room(then.id, question, turns):
                raise unanswered()
            self._charge("hints", then, caller, address)
            self._store.keep_hint(then.id, question, _ASKED + b"%d" % now)
            self._store.put(then.id, question, turns)
        return None

    def given(self, game_id: str, question: str) -> bool:
        kept = self._store.hint(game_id, question)
        return kept is not None and not kept.startswith(_ASKED)

    # -- analyses --------------------------------------------------------------------------------------------------

    def analyse(self, game_id: str, caller: Caller, address: str = "") -> Game:
        """Start the analysis of a finished game, or continue one that has stopped; return the game.

        The longer the game, the more it counts against the limits. ``address`` is that of ``hint``.
        """
        game = self._reader.show(game_id, caller)
        if not game.is_over:
            raise Forbidden("game-not-over", refusal("game-not-over.analysis", status=status_of(game)))
        name = bot_for(game)
        study = self._store.study(ANALYSIS, game.id)
        if ALL not in study:
            self._charge("analyses", game, caller, address, 1 + game.version // _EVENTS_OF_AN_ANALYSIS)
            begun = {"all": None, "bot": bot_in_advice(name), "by": turns_of(address, caller)}
            self._store.keep_study(ANALYSIS, game.id, {ALL: orjson.dumps(begun)})
        elif len(study) - 1 == _read(study[ALL])["all"]:
            failed = [field for field, result in study.items() if result == FAILED]
            if not failed:
                return game
            self._charge("analyses", game, caller, address)
            self._store.retry(ANALYSIS, game.id, failed)
        self._store.queue(ANALYSIS, game.id, Priority(Rank.ALONE, (turns_of(address, caller),)))
        return game

    def _charge(self, bucket: str, game: Game, caller: Caller, address: str, cost: int = 1) -> None:
        by_address = [(f"{bucket}-from-address", address)] if address else []
        self._limiter.charge(Toll([(bucket, caller.player), *by_address], cost=cost), caller.player, game.id)

    def analysis(self, game: Game) -> Mapping[str, Any]:
        """Return the results of an analysis so far; reject a game without one."""
        study = self._store.study(ANALYSIS, game.id)
        if ALL not in study:
            raise NotFound("no-analysis", refusal("no-analysis"))
        count_read(len(study) // _DECISIONS_OF_AN_EVENT)
        done = [_read(result) for field, result in study.items() if field != ALL and result != FAILED]
        return {
            **_read(study[ALL]),
            "done": len(done),
            "failed": len(study) - 1 - len(done),
            "moves": [move for move in done if move is not None],
        }

    # -- luck ------------------------------------------------------------------------------------------------------

    def luck(self, game_id: str, caller: Caller, address: str = "") -> tuple[Game, Luck]:
        """Return the luck of a finished game as far as it is worked out; the workers are asked for the rest."""
        game = self._reader.show(game_id, caller)
        if not game.is_over:
            raise Forbidden("game-not-over", refusal("game-not-over.luck", status=status_of(game)))
        name = replayer_of(game.ruleset.id)
        if name is None or game.ruleset.deal_scores is None:
            raise Unprocessable("unsupported", refusal("unsupported.luck", game=Text(game.ruleset.name)))
        study, now = self._store.study(LUCK, game.id), self._now()
        begun = _read(study.get(ALL, b"null"))
        if begun is None:
            self._charge("analyses", game, caller, address, 1 + game.version // _EVENTS_OF_AN_ANALYSIS)
            begun = {"all": None, "bot": bot_in_advice(name), "by": turns_of(address, caller), "at": 0, "deals": []}
        luck = Luck(begun, {int(field): _read(result) for field, result in study.items() if field != ALL})
        if not luck.is_done and begun["at"] + AGAIN_MS < now:
            self._store.keep_study(LUCK, game.id, {ALL: orjson.dumps(begun | {"at": now})})
            self._store.queue(LUCK, game.id, Priority(Rank.ALONE, (begun["by"],)))
        return game, luck


def turns_of(address: str, caller: Caller) -> str:
    """Return the owner under which a caller's questions queue: their address, because guest accounts cost nothing.

    An address is mapped to one of a few thousand names, so neither the queue nor the change feed discloses it.
    """
    if not address:
        return caller.player
    return f"from-{int.from_bytes(sha256(address.encode()).digest()[:8], 'big') % _NAMES_OF_TURNS}"


def unanswered() -> Unanswered:
    return Unanswered("unanswered", refusal("unanswered"))


def question_of(then: Game, seat: Seat) -> str:
    return f"{then.version} {seat}"


def bot_for(game: Game) -> str:
    name = adviser_of(game.ruleset.id)
    if name is None:
        raise Unprocessable("unsupported", refusal("unsupported.hints", game=Text(game.ruleset.name)))
    return name


def _read(kept: bytes) -> Any:
    return orjson.loads(kept)
