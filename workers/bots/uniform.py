"""The bot ``random``: any legal action, each as likely as the others."""

import random
from typing import Any

from domain.registry import RULESETS
from domain.serialization import from_plain, to_plain
from workers.bots.policy import Asked, Thought


def think(asked: Asked) -> Thought:
    """Choose an action by the seed."""
    return Thought(_choice(asked, random.Random(asked.seed)))  # noqa: S311 - the game's own draws are made elsewhere


def _choice(asked: Asked, rng: random.Random) -> Any:
    """Choose an action.

    If the view has too many legal actions to list them, list them in any world that is consistent with the view: which
    actions are legal never depends on what a seat does not know.
    """
    view: Any = asked.view
    legal = view["legal_actions"]
    if legal["actions"] is not None:
        return rng.choice(legal["actions"])
    ruleset = RULESETS[view["game"]["ruleset"]]
    seat, options = view["viewer"]["seat"], view["game"]["options"]
    state = from_plain(ruleset.view, view["state"])
    world = ruleset.sample(from_plain(ruleset.options.shape, options), seat, state, rng)
    action = rng.choice(ruleset.legal_actions(world, seat))
    name = next(name for name, cls in ruleset.actions.items() if cls is type(action))
    return {"type": name, **to_plain(action)}
