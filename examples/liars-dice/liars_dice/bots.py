"""A bot: it bids what its own dice and the average of the others bear out, and challenges what they do not."""

from typing import Any

from workers.bots import uniform
from workers.bots.policy import Asked, Thought

_FACES = 6


def think(asked: Asked) -> Thought:
    """Make the lowest bid that is expected to hold; if none is, challenge, or make the highest."""
    view: Any = asked.view
    state, legal = view["state"], view["legal_actions"]["actions"]
    if legal is None:  # too many to be listed, at the start of a round with many dice
        return uniform.think(asked)
    wild = 1 if view["game"]["options"]["wild_ones"] else None
    mine = next(cup["dice"] for cup in state["cups"] if cup["seat"] == view["viewer"]["seat"])
    unseen = sum(cup["count"] for cup in state["cups"]) - len(mine)
    shares = 2 if wild else 1
    for action in legal:
        if action["type"] == "bid":
            own = sum(die in (action["face"], wild) for die in mine)
            if (action["count"] - own) * _FACES <= unseen * shares:
                return Thought(action)
    return Thought(legal[-1])  # the challenge, if there is a bid to challenge
