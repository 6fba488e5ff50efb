"""Questions to the bots of Plateau, as a policy receives them."""

from domain.plateau import RULESET
from domain.serialization import from_plain, to_plain
from tests.domain.laws.facts import variants
from workers.bots.policy import Asked

VARIANTS = ("", *variants("plateau", 2))


def asked(state, seed=1, **more):
    """Return a question to the seat to move, as a policy receives it."""
    seat = state.to_move
    view = {
        "state": to_plain(RULESET.project(state, seat)),
        "game": {"ruleset": "plateau", "options": to_plain(state.options)},
        "viewer": {"seat": seat},
        "legal_actions": {"count": 1, "actions": None},
    }
    return Asked(view, seed, **more)


def typed(action):
    """Read an action as the rules know it."""
    data = dict(action)
    return from_plain(RULESET.actions[data.pop("type")], data)
