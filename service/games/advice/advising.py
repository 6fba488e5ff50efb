"""Hints, analyses and luck: who may ask for them, and what becomes of a question. The workers answer it.

A hint is given in sandboxes and against bots alone, to the player who holds the seat, and in games that are over, to
anyone who may see them.
It changes nothing: it is kept beside the game for a time, and anyone who asks the same again gets the same.
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
from service.games.reading import Reader
from service.games.repository import count_read
from service.store.game_index import Priority, Rank

AGAIN_MS = 15_000
"""After so long without an answer, a question is put again: the worker that took it may be gone."""
_EVENTS_OF_AN_ANALYSIS = 1000
"""The analysis of a longer game counts once more for each so many events."""
_NAMES_OF_TURNS = 4096
_DECISIONS_OF_AN_EVENT = 4
"""How many decisions of an analysis are read as fast as an event of a log."""
_ASKED = b"?"
"""How a hint begins that was asked for, but not given yet; the time of the question follows, in ms."""


def _is_among_bots(game: Game, caller: Caller) -> bool:
    """Return whether a hint to the caller is none against anybody: all other seats are held by bots, or by themself.

    In a deal set, it would be against all who play the same deal.
    """
    if game.deal is not None:
        return False
    return game.sandbox or all(each and (each.bot or each.player == caller.player) for each in game.sitters)


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
            said = wrong_moment("no-decision", WORDS, seat=seat_number(viewer), version=Number(then.version))
            raise AtVersion(said, game) from said
        return then, viewer

    def hint(self, then: Game, seat: Seat, caller: Caller, address: str = "") -> Mapping[str, Any] | None:
        """Return a hint, None if the workers have not given it yet; they are asked for it once.

        It counts for the caller and for their ``address`` ("" where no limit counts it), and takes the turns of that.
        """
        question = question_of(then, seat)
        kept, now = self._store.hint(then.id, question), self._now()
        if kept is not None and not kept.startswith(_ASKED):
            given: Mapping[str, Any] = _read(kept)
            return given
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
        """Have a finished game analysed, unless that is done; one that has stopped continues. Return the game.

        The longer the game, the more it counts; ``address`` as for a hint.
        """
        game = self._reader.show(game_id, caller)
        if not game.is_over:
            raise Forbidden("game-not-over", refusal("game-not-over.analysis", status=status_of(game)))
        name = bot_for(game)
        found = self._store.study(ANALYSIS, game.id)
        if ALL not in found:
            self._charge("analyses", game, caller, address, 1 + game.version // _EVENTS_OF_AN_ANALYSIS)
            begun = {"all": None, "bot": bot_in_advice(name), "by": turns_of(address, caller)}
            self._store.keep_study(ANALYSIS, game.id, {ALL: orjson.dumps(begun)})
        elif len(found) - 1 == _read(found[ALL])["all"]:
            failed = [field for field, each in found.items() if each == FAILED]
            if not failed:
                return game
            self._charge("analyses", game, caller, address)
            self._store.retry(ANALYSIS, game.id, failed)
        self._store.go_on(ANALYSIS, game.id, Priority(Rank.ALONE, (turns_of(address, caller),)))
        return game

    def _charge(self, bucket: str, game: Game, caller: Caller, address: str, cost: int = 1) -> None:
        by_address = [(f"{bucket}-from-address", address)] if address else []
        self._limiter.charge(Toll([(bucket, caller.player), *by_address], cost=cost), caller.player, game.id)

    def analysis(self, game: Game) -> Mapping[str, Any]:
        """Return what an analysis has found so far; reject a game without one."""
        found = self._store.study(ANALYSIS, game.id)
        if ALL not in found:
            raise NotFound("no-analysis", refusal("no-analysis"))
        count_read(len(found) // _DECISIONS_OF_AN_EVENT)
        done = [_read(each) for field, each in found.items() if field != ALL and each != FAILED]
        return {
            **_read(found[ALL]),
            "done": len(done),
            "failed": len(found) - 1 - len(done),
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
        found, now = self._store.study(LUCK, game.id), self._now()
        begun = _read(found.get(ALL, b"null"))
        if begun is None:
            self._charge("analyses", game, caller, address, 1 + game.version // _EVENTS_OF_AN_ANALYSIS)
            begun = {"all": None, "bot": bot_in_advice(name), "by": turns_of(address, caller), "at": 0, "deals": []}
        luck = Luck(begun, {int(field): _read(each) for field, each in found.items() if field != ALL})
        if not luck.is_done and begun["at"] + AGAIN_MS < now:
            self._store.keep_study(LUCK, game.id, {ALL: orjson.dumps(begun | {"at": now})})
            self._store.go_on(LUCK, game.id, Priority(Rank.ALONE, (begun["by"],)))
        return game, luck


def turns_of(address: str, caller: Caller) -> str:
    """Return in whose turn the workers advise a caller: that of their address, since guests cost nothing.

    It is one of a few thousand names, so that the queue and the change feed do not tell the address.
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
