"""What a bot would do in a seat, and why, from the view of that seat alone.

Unlike the seed of a bot's own move, the seed of a hint does not depend on the secret of the game, so a hint discloses
nothing of it.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, cast, get_args

from domain.errors import Rejected
from domain.game import aggregate
from domain.game.aggregate import Game
from domain.log import chain
from domain.serialization import Plain
from domain.table import Seat
from service.bots import BOTS
from service.games.advice.resources import bot_in_advice
from service.games.projections import representations
from workers.bots.policy import Estimate, Measure, Reason, Thought
from workers.choosing import IllegalAnswer, read_answer
from workers.policy_process import PolicyFailed, PolicyProcess

MOST_WEIGHED = 20
"""Maximum number of actions in a hint, best first."""

_NUMBERS = ("score", "error", "behind", "behind_error")
_GREATEST_SCORE = 1e9


def advised(
    game: Game,
    seat: Seat,
    name: str,
    process: PolicyProcess,
    also: Mapping[str, Plain] | None = None,
    playouts: int | None = None,
) -> Thought:
    """Ask a bot what it would do in a seat; an only legal action needs no question.

    ``playouts`` replaces the bot's own number. Raise ``PolicyFailed`` if the bot does not answer, or not with legal
    actions and numbers.
    """
    view, bot = representations.view(game, seat), BOTS[name]
    listed = view["legal_actions"]["actions"]
    if listed is not None and len(listed) == 1:
        return Thought(listed[0], reason=Reason("reason.only"))
    thought = process.explain(bot.policy, view, _seed(game, seat, name), playouts or bot.playouts, also)
    _check(game, seat, thought)
    return thought


def _check(game: Game, seat: Seat, thought: Thought) -> None:
    """Reject a thought that cannot be shown: the bot of another package can return anything."""
    if thought.measure not in get_args(Measure):
        raise PolicyFailed("raised", "its measure is none")
    for action in (thought.action, *(each.action for each in thought.estimates)):
        try:
            aggregate.decide(game, seat, read_answer(game, action))
        except (IllegalAnswer, Rejected) as refused:
            raise PolicyFailed("raised", "it weighs an action that is not legal") from refused
    if not all(_is_score(getattr(each, name)) for each in thought.estimates for name in _NUMBERS):
        raise PolicyFailed("raised", "its estimates are not numbers")


def _is_score(number: object) -> bool:
    return type(number) in {int, float} and abs(cast("float", number)) <= _GREATEST_SCORE


def _seed(game: Game, seat: Seat, name: str) -> int:
    question = chain.canonical(["hint", game.id, game.version, seat, name, BOTS[name].version])
    return int.from_bytes(sha256(question).digest()[:4], "big")


def hint_of(name: str, thought: Thought) -> dict[str, Any]:
    estimates = thought.estimates or (Estimate(thought.action, 0.0, 0.0),)
    return {
        "bot": bot_in_advice(name),
        "playouts": thought.playouts,
        "measure": thought.measure if thought.estimates else None,
        "weighed": [_weighed(estimate) for estimate in estimates[:MOST_WEIGHED]],
        "reason": reason_of(thought),
    }


def reason_of(thought: Thought) -> dict[str, Any]:
    reason = thought.reason or Reason("reason.judgement")
    return {"id": reason.id, "parameters": {**reason.parameters}}


def _weighed(estimate: Estimate) -> dict[str, Any]:
    return {"action": estimate.action} | {name: thousandths(getattr(estimate, name)) for name in _NUMBERS}


def thousandths(score: float) -> int:
    return round(1000 * score)
