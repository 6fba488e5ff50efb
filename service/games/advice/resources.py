"""Hints, analyses and luck as clients receive them: in words, with what each action does.

The workers store them without words, so that each reader gets their own language and the current names.
"""

import re
from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import mean, stdev
from typing import Any, NamedTuple, TypedDict, cast

from domain.game.aggregate import Game
from domain.game.luck import REPLAYS
from domain.sentences.catalogue import catalogue
from domain.sentences.message import Decimal, Message, Number, Parameter, Text, message, plain, seat_number
from domain.serialization import Plain
from domain.table import Seat
from service.bots import BOTS
from service.common.errors import WORDS
from service.games.projections.naming import Nameplates
from service.games.projections.narrating import say_action
from service.games.projections.resources import ReasonResource


class AdvisingBot(TypedDict):
    """The bot that was asked: its name, its version, and its maximum number of playouts; 0 if it does not search."""

    name: str
    version: int
    playouts: int


class AdvisedAction(TypedDict):
    """An action in words, its estimated score, and how far that is below the score of the best action.

    All numbers are in thousandths. ``behind`` is measured in the worlds in which both were tried. ``error`` and
    ``behind_error`` are standard errors, 0 where nothing was searched.
    """

    action: dict[str, Any]
    says: str
    score: int
    error: int
    behind: int
    behind_error: int


class HintResource(TypedDict):
    """What a bot would do in a seat at a version, and why: the actions that it ``weighed``, best first.

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
    weighed: list[AdvisedAction]
    reason: ReasonResource


class CostlyMove(TypedDict):
    """A decision of a finished game: the move, the bot's choice and its reason, and the cost of the move.

    ``version`` is that of the event with which the move begins; ``cost`` is in thousandths of ``measure``, and
    ``error`` its standard error. ``says`` tells all of it: what it cost, what was played, what is better and why.
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
    says: list[str]


class AnalysisResource(TypedDict):
    """An analysis: how many decisions of ``all`` are done, and the moves that cost most, in descending order.

    ``all`` is null until the workers have found all decisions. ``searched`` is how many of those done the bot could
    search, and ``failed`` at how many others it failed.
    """

    ruleset: str
    game_id: str
    bot: AdvisingBot
    done: int
    failed: int
    all: int | None
    searched: int
    moves: list[CostlyMove]


class DealLuck(TypedDict):
    """A deal: the points that each seat scored, and in thousandths of a point its mean in the replays and the error."""

    number: int
    baseline: list[int]
    error: list[int]
    score: list[int]


class LuckResource(TypedDict):
    """What the deals of a finished game were worth to each seat: ``bot`` replayed each so many times in every seat.

    A deal is left out until its replays are done, and if the bot failed.
    """

    ruleset: str
    game_id: str
    bot: str
    version: int
    replays: int
    deals: list[DealLuck]


class Luck(NamedTuple):
    """The stored luck of a game: that of the whole, and the scores of each replay, by its number."""

    whole: Mapping[str, Any]
    scores: Mapping[int, Any]

    @property
    def is_done(self) -> bool:
        """Return whether every replay was made, or failed."""
        return bool(len(self.scores) == self.whole["all"])

    def scores_of(self, place: int) -> Sequence[Any]:
        """Return what the replays of a deal scored, by its place in the list; None for one that is not done."""
        return [self.scores.get(replay) for replay in range(place * REPLAYS, (place + 1) * REPLAYS)]


def luck_resource(game: Game, luck: Luck) -> LuckResource:
    bot = luck.whole["bot"]
    deals = [
        _deal_luck(number, score, luck.scores_of(place)) for place, (number, score) in enumerate(luck.whole["deals"])
    ]
    return {
        "ruleset": game.ruleset.id,
        "game_id": game.id,
        "bot": bot["name"],
        "version": bot["version"],
        "replays": REPLAYS,
        "deals": [deal for deal in deals if deal],
    }


def _deal_luck(number: int, score: list[int], replayed: Sequence[Any]) -> DealLuck | None:
    if not all(isinstance(scores, list) for scores in replayed):
        return None
    by_seat = [*zip(*replayed, strict=True)]
    return {
        "number": number,
        "baseline": [round(1000 * mean(each)) for each in by_seat],
        "error": [round(1000 * stdev(each) / sqrt(REPLAYS)) for each in by_seat],
        "score": score,
    }


def bot_in_advice(name: str) -> AdvisingBot:
    bot = BOTS[name]
    return {"name": name, "version": bot.version, "playouts": bot.playouts}


def hint_resource(then: Game, seat: Seat, hint: Mapping[str, Any], plates: Nameplates, lang: str) -> HintResource:
    return {
        "ruleset": then.ruleset.id,
        "game_id": then.id,
        "version": then.version,
        "seat": seat,
        "bot": hint["bot"],
        "playouts": hint["playouts"],
        "measure": hint["measure"],
        "weighed": [_advised(one, say_action(one["action"], then, plates, lang)) for one in hint["weighed"]],
        "reason": reason_resource(hint["reason"], lang),
    }


def _advised(weighed: Mapping[str, Any], says: str) -> AdvisedAction:
    return {
        "action": weighed["action"],
        "says": says,
        "score": weighed["score"],
        "error": weighed["error"],
        "behind": weighed["behind"],
        "behind_error": weighed["behind_error"],
    }


def analysis_resource(
    game: Game, found: Mapping[str, Any], plates: Nameplates, lang: str, seat: Seat | None, most: int
) -> AnalysisResource:
    costly = [move for move in found["moves"] if move["cost"] > 0 and seat in (None, move["seat"])]
    costly.sort(key=lambda move: (-move["cost"], move["version"]))
    return {
        "ruleset": game.ruleset.id,
        "game_id": game.id,
        "bot": found["bot"],
        "done": found["done"],
        "failed": found["failed"],
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
        "says": move_in_words(move, game, plates, lang),
    }


def move_in_words(move: Mapping[str, Any], game: Game, plates: Nameplates, lang: str) -> list[str]:
    """Say what a move cost, what was played, what would have been better and why, each in a line."""
    words = catalogue(WORDS, lang)
    unit = _UNITS[move["measure"]]
    cost = {"cost": Decimal(f"{move['cost'] / unit:.1f}")}
    said = "cost" if move["error"] else "estimate"
    if move["error"]:
        cost["error"] = Decimal(f"{move['error'] / unit:.1f}")
    seat, version = seat_number(move["seat"]), Number(move["version"])
    played, best = (Text(say_action(move[name], game, plates, lang)) for name in ("played", "best"))
    reason = Text(reason_resource(move["reason"], lang)["text"])
    return [
        words.sentence(message(f"analysis.{said}.{move['measure']}", version=version, seat=seat, **cost)),
        words.sentence(message("analysis.played", says=played)),
        words.sentence(message("analysis.better", says=best, reason=reason)),
    ]


_UNITS = {"points": 1000, "bid": 20, "win": 20}
"""How many thousandths are a point, or a per cent of a probability; a bid and a win range from -1 to 1."""


def reason_resource(reason: Mapping[str, Any], lang: str) -> ReasonResource:
    params = {name: _parameter(value) for name, value in reason["parameters"].items()}
    said = Message(reason["id"], params)
    return {
        "id": said.id,
        "params": cast("Any", {name: plain(each) for name, each in params.items()}),
        "text": catalogue(WORDS, lang).sentence(said),
    }


def _parameter(value: Plain) -> Parameter:
    if isinstance(value, int):
        return Number(value)
    text = str(value)
    return Decimal(text) if re.fullmatch(r"-?[0-9]+\.[0-9]+", text) else Text(text)
