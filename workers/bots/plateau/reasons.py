"""Why an action of Plateau is good: captures, and units of six. Hidden pieces are guessed once, by the seed."""

import random
from typing import Any

from domain.plateau import RULESET
from domain.plateau.actions import ACTIONS
from domain.serialization import from_plain
from workers.bots.plateau.evaluation import completes, looked_at
from workers.bots.plateau.guessing import guessed
from workers.bots.plateau.kernel import after
from workers.bots.plateau.position import PLAY, Position, copied
from workers.bots.plateau.translation import kernel_action
from workers.bots.policy import Asked, Reason


def why(asked: Asked, action: Any) -> Reason | None:
    """Return the reason for a turn; None for other actions."""
    options = from_plain(RULESET.options.shape, asked.view["game"]["options"])
    view = from_plain(RULESET.view, asked.view["state"])
    if view.phase != "play":
        return None
    seat = asked.view["viewer"]["seat"]
    position = guessed(options, view, seat, random.Random(asked.seed))  # noqa: S311 - chooses words
    fields = {name: value for name, value in action.items() if name != "type"}
    made: Any = from_plain(ACTIONS[action["type"]], fields)
    following = after(position, kernel_action(made))
    taken = sum(following.prisoners[seat]) - sum(position.prisoners[seat])
    if following.winner == seat:
        return Reason("reason.wins")
    if _can_complete(position, 1 - seat) and not _can_complete(following, 1 - seat):
        return Reason("reason.six.stops")
    if taken > 0:
        return Reason("reason.captures", {"count": taken})
    if _can_complete(following, seat) and not _can_complete(following, 1 - seat):
        return Reason("reason.six.threatens")
    return None


def _can_complete(position: Position, seat: int) -> bool:
    """Return whether a seat could complete six, if it were its turn."""
    if position.phase != PLAY:
        return False
    there = copied(position)
    there.mover = seat
    return completes(there, looked_at(there))
