"""Questions to bots as policies receive them, and their answers as actions."""

import orjson

from domain.serialization import to_plain
from service.games.projections import representations
from service.input.forms import action_of
from workers.bots.policy import Asked


def asked(game, seat, seed=1, playouts=0, **more):
    """Ask for a move in a game: the view is JSON, read back."""
    return Asked(orjson.loads(orjson.dumps(representations.view(game, seat))), seed, playouts, **more)


def asked_of(ruleset, state, seat, seed=1, playouts=0, **more):
    """Ask for a move in a state that belongs to no game; the view lists no legal actions."""
    view = {
        "state": to_plain(ruleset.project(state, seat)),
        "game": {"ruleset": ruleset.id, "options": to_plain(state.options)},
        "viewer": {"seat": seat},
        "legal_actions": {"count": 1, "actions": None},
    }
    return Asked(view, seed, playouts, **more)


def typed(ruleset, thought):
    """Return the action of a thought or of an estimate as the rules know it."""
    return action_of(ruleset, thought.action)[0]


def signs_in(signs):
    """Return signs by name, each with its cards."""
    return {(sign.name, frozenset(cards.split())) for sign, cards in signs}


def signs_read(text):
    """Read signs as tests write them: ``PIP_BELOW: 1S 2S, WINNER_KEPT: RS``."""
    parts = (each.partition(": ") for each in text.split(", ") if each)
    return {(name, frozenset(cards.split())) for name, _, cards in parts}
