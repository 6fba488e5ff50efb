"""What tests of the bots of Le Plateau share: questions as the turn worker asks them."""

import orjson

from domain.le_plateau.actions import ACTIONS
from domain.serialization import from_plain
from service.games.projections import representations
from workers.bots.policy import Asked


def asked_of(game, seat, seed=1, playouts=0):
    """Return the question that a bot in a seat is asked: its view is JSON, read back."""
    return Asked(orjson.loads(orjson.dumps(representations.view(game, seat))), seed, playouts)


def action_of(thought):
    """Return the action of a thought."""
    data = dict(thought.action)
    return from_plain(ACTIONS[data.pop("type")], data)
