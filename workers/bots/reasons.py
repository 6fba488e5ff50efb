"""Why a policy's action is good, from the view of its seat: the largest term that can be expressed, as a message.

A reason is made from the view and the action alone. It explains a choice, and has no influence on it.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from workers.bots.of_games import of_games
from workers.bots.policy import Asked, Estimate, Reason, Thought

Why: TypeAlias = Callable[[Asked, Any], Reason | None]

GAMES: Mapping[str, Why] = {name: game.why for name, game in of_games("workers.bots.{}.reasons").items()}
"""The reason for an action in each game."""

CLEAR_ERRORS = 2
"""The lead, in standard errors, that is clear."""

FULL_SCALE = 2.0
"""The difference between the scores of a bid or a game certainly won and lost."""


def reason_of(asked: Asked, thought: Thought) -> Reason:
    """Return why a thought has its action."""
    game: Any = asked.view["game"]
    why = GAMES.get(game["ruleset"])
    said = why(asked, thought.action) if why else None
    return said or _by_scores(thought)


def _by_scores(thought: Thought) -> Reason:
    """Return how far the action is ahead of the next best, if the error of that is known."""
    others = [each for each in thought.estimates if each.action != thought.action]
    if thought.measure == "worth" or not others:
        return Reason("reason.judgement")
    second = min(others, key=lambda each: each.behind)
    if second.behind <= CLEAR_ERRORS * second.behind_error:
        return Reason("reason.close")
    if not second.behind_error:
        return Reason("reason.best")
    return _ahead(thought, second)


def _ahead(thought: Thought, second: Estimate) -> Reason:
    if thought.measure == "points":
        return Reason("reason.ahead.points", {"points": f"{second.behind:.1f}"})
    return Reason("reason.ahead", {"percent": max(1, round(100 * second.behind / FULL_SCALE))})
