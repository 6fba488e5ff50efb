"""Hints and analyses: who may ask for them, and in which words they are shown. The workers find them.

A hint is given in sandboxes, to who holds the seat, and in games that are over, to anyone who may see them. It changes
nothing: it is kept beside the game for a time, and whoever asks the same again gets the same.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, TypedDict

import orjson

from domain.errors import wrong_moment
from domain.game.aggregate import Game, status_of
from domain.sentences.catalogue import catalogue
from domain.sentences.message import Decimal, Message, Number, Parameter, Text, message, plain, seat_number
from domain.serialization import Plain
from domain.table import Seat
from service.accounts.limits import Unlimited
from service.accounts.players import Caller
from service.bots import BOTS, adviser_of
from service.errors import WORDS, AtVersion, Forbidden, NotFound, Unanswered, Unprocessable, refusal
from service.games.naming import Nameplates
from service.games.narrating import say_action
from service.games.reading import Reader
from service.store.codec import dump
from service.store.priority import Priority, Rank
from service.store.question_store import ALL, ANALYSIS, QuestionStore

_AGAIN_MS = 15_000
"""After so long without an answer, a question is put again: whoever took it may be gone."""
_ASKED = b"?"
"""How a hint begins that was asked for, but not given yet; the time of the question follows, in ms."""


class ReasonResource(TypedDict):
    """Why an action is good: the id of a message, its parameters, and the message in words."""

    id: str
    params: dict[str, Any]
    text: str


class AdvisingBot(TypedDict):
    """The bot that was asked: its name, its version, and how many playouts it does at most; 0 if it does not search."""

    name: str
    version: int
    playouts: int


class AdvisedAction(TypedDict):
    """An action, what it does in words, its estimated score, and how much less that is than the score of the best.

    All numbers are in thousandths. ``behind`` is found in the worlds in which both were tried. ``error`` and
    ``behind_error`` are standard errors, 0 where nothing was searched.
    """

    action: dict[str, Any]
    says: str
    score: int
    error: int
    behind: int
    behind_error: int


class HintResource(TypedDict):
    """What a bot would do in a seat at a version, and why: the actions that it weighed, best first.

    ``measure`` is what the scores are: ``points`` of the hand, 1 for a ``bid`` made and -1 for one that is not, 1 for
    a ``win`` of the game and -1 for a loss, or a ``worth`` by rules of thumb; null if nothing was weighed. ``playouts``
    are those done.
    """

    ruleset: str
    game_id: str
    version: int
    seat: int
    bot: AdvisingBot
    playouts: int
    measure: str | None
    actions: list[AdvisedAction]
    reason: ReasonResource


class CostlyMove(TypedDict):
    """A decision of a finished game: what was played, what the bot would have done and why, and what that cost.

    ``version`` is that of the event with which the move begins; ``cost`` is in thousandths of ``measure``, and
    ``error`` its standard error.
    """

    version: int
    seat: int
    played: dict[str, Any]
    played_says: str
    best: dict[str, Any]
    best_says: str
    cost: int
    error: int
    measure: str
    playouts: int
    reason: ReasonResource


class AnalysisResource(TypedDict):
    """An analysis: how many decisions of ``all`` are done, and the moves that cost most, the dearest first.

    ``all`` is null until the workers have begun. ``searched`` is how many of those done the bot could search.
    """

    ruleset: str
    game_id: str
    bot: AdvisingBot
    done: int
    all: int | None
    searched: int
    moves: list[CostlyMove]


class Advising:
    """Handle questions about the games of one store; ``now`` returns the time in ms since 1970."""

    def __init__(
        self, reader: Reader, store: QuestionStore, now: Callable[[], int], limiter: Unlimited | None = None
    ) -> None:
        self._reader = reader
        self._store = store
        self._now = now
        self._limiter = limiter or Unlimited()

    # -- hints -----------------------------------------------------------------------------------------------------

    def decision(self, game: Game, caller: Caller, seat: Seat | None, at: int | None) -> tuple[Game, Seat]:
        """Return the game at a version, and the seat to advise; reject a caller who may not ask, or no decision."""
        if not game.is_over and not game.sandbox:
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

    def hint(self, then: Game, seat: Seat, caller: Caller) -> Mapping[str, Any] | None:
        """Return a hint, None if the workers have not given it yet; they are asked for it once."""
        question = question_of(then, seat)
        kept, now = self._store.hint(then.id, question), self._now()
        if kept is not None and not kept.startswith(_ASKED):
            given: Mapping[str, Any] = _read(kept)
            return given
        if kept is None or int(kept[len(_ASKED) :]) + _AGAIN_MS < now:
            self._limiter.count("hints", caller.player)
            self._store.keep_hint(then.id, question, _ASKED + b"%d" % now)
            self._put(then.id, question, Priority(Rank.SPARE, (caller.player,)))
        return None

    def given(self, game_id: str, question: str) -> bool:
        """Return whether a hint is there."""
        kept = self._store.hint(game_id, question)
        return kept is not None and not kept.startswith(_ASKED)

    # -- analyses --------------------------------------------------------------------------------------------------

    def analyse(self, game: Game, caller: Caller) -> None:
        """Have a finished game analysed, unless that is done; one that has stopped goes on."""
        if not game.is_over:
            raise Forbidden("game-not-over", refusal("game-not-over.analysis", status=status_of(game)))
        name = bot_for(game)
        found = self._store.analysis(game.id)
        if ALL not in found:
            self._limiter.count("analyses", caller.player)
            self._store.keep_analysis(game.id, {ALL: dump({"all": None, "bot": bot_in_advice(name)})})
        elif len(found) - 1 == _read(found[ALL])["all"]:
            return
        self._put(game.id, ANALYSIS, Priority(Rank.ALONE, (caller.player,)))

    def analysis(self, game: Game) -> Mapping[str, Any]:
        """Return what an analysis has found so far; reject a game without one."""
        found = self._store.analysis(game.id)
        if ALL not in found:
            raise NotFound("no-analysis", refusal("no-analysis"))
        moves = [_read(each) for field, each in found.items() if field != ALL]
        return {**_read(found[ALL]), "done": len(moves), "moves": [move for move in moves if move is not None]}

    def _put(self, game_id: str, question: str, priority: Priority) -> None:
        if not self._store.put(game_id, question, priority):
            raise unanswered()


def unanswered() -> Unanswered:
    """Report that the workers have not answered in time."""
    return Unanswered("unanswered", refusal("unanswered"))


def question_of(then: Game, seat: Seat) -> str:
    """Return the name of the question for a hint."""
    return f"{then.version} {seat}"


def bot_for(game: Game) -> str:
    """Return the bot that gives advice on a game; reject one that no bot can give advice on."""
    name = adviser_of(game.ruleset.id)
    if name is None:
        raise Unprocessable("unsupported", refusal("unsupported.hints", game=Text(game.ruleset.name)))
    return name


def bot_in_advice(name: str) -> AdvisingBot:
    """Show a bot that advises."""
    bot = BOTS[name]
    return {"name": name, "version": bot.version, "playouts": bot.playouts}


# -- as they are shown -------------------------------------------------------------------------------------------------


def hint_resource(then: Game, seat: Seat, hint: Mapping[str, Any], plates: Nameplates, lang: str) -> HintResource:
    """Show a hint in a language."""
    return {
        "ruleset": then.ruleset.id,
        "game_id": then.id,
        "version": then.version,
        "seat": seat,
        "bot": hint["bot"],
        "playouts": hint["playouts"],
        "measure": hint["measure"],
        "actions": [_advised(each, say_action(each["action"], then, plates, lang)) for each in hint["actions"]],
        "reason": reason_resource(hint["reason"], lang),
    }


def _advised(each: Mapping[str, Any], says: str) -> AdvisedAction:
    return {
        "action": each["action"],
        "says": says,
        "score": each["score"],
        "error": each["error"],
        "behind": each["behind"],
        "behind_error": each["behind_error"],
    }


def analysis_resource(
    game: Game, found: Mapping[str, Any], plates: Nameplates, lang: str, seat: Seat | None, most: int
) -> AnalysisResource:
    """Show what an analysis has found: the moves that cost most, of one seat or (None) of all."""
    costly = [move for move in found["moves"] if move["cost"] > 0 and seat in (None, move["seat"])]
    costly.sort(key=lambda move: (-move["cost"], move["version"]))
    return {
        "ruleset": game.ruleset.id,
        "game_id": game.id,
        "bot": found["bot"],
        "done": found["done"],
        "all": found["all"],
        "searched": len(found["moves"]),
        "moves": [_costly(move, game, plates, lang) for move in costly[:most]],
    }


def _costly(move: Mapping[str, Any], game: Game, plates: Nameplates, lang: str) -> CostlyMove:
    return {
        "version": move["version"],
        "seat": move["seat"],
        "played": move["played"],
        "played_says": say_action(move["played"], game, plates, lang),
        "best": move["best"],
        "best_says": say_action(move["best"], game, plates, lang),
        "cost": move["cost"],
        "error": move["error"],
        "measure": move["measure"],
        "playouts": move["playouts"],
        "reason": reason_resource(move["reason"], lang),
    }


def move_in_words(move: Mapping[str, Any], game: Game, plates: Nameplates, lang: str) -> list[str]:
    """Say what a move cost, what was played, and what would have been better and why, each in a line."""
    words = catalogue(WORDS, lang)
    unit = _UNITS[move["measure"]]
    cost, error = (Decimal(f"{move[name] / unit:.1f}") for name in ("cost", "error"))
    seat, version = seat_number(move["seat"]), Number(move["version"])
    played, best = (Text(say_action(move[name], game, plates, lang)) for name in ("played", "best"))
    reason = Text(reason_resource(move["reason"], lang)["text"])
    return [
        words.sentence(message(f"analysis.cost.{move['measure']}", version=version, seat=seat, cost=cost, error=error)),
        words.sentence(message("analysis.played", says=played)),
        words.sentence(message("analysis.better", says=best, reason=reason)),
    ]


_UNITS = {"points": 1000, "bid": 20, "win": 20}
"""How many thousandths are a point, or a per cent of a chance; a bid and a win go from -1 to 1."""


def reason_resource(reason: Mapping[str, Any], lang: str) -> ReasonResource:
    """Show why an action is good, in a language."""
    params = {name: _parameter(value) for name, value in reason["parameters"].items()}
    said = Message(reason["id"], params)
    return {
        "id": said.id,
        "params": {name: plain(each) for name, each in params.items()},
        "text": catalogue(WORDS, lang).sentence(said),
    }


def _parameter(value: Plain) -> Parameter:
    if isinstance(value, int):
        return Number(value)
    text = str(value)
    return Decimal(text) if re.fullmatch(r"-?[0-9]+\.[0-9]+", text) else Text(text)


def _read(kept: bytes) -> Any:
    return orjson.loads(kept)
