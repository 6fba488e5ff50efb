"""Random matches of French Tarot with any options, and a second opinion on their deals."""

import random
from functools import cache
from itertools import islice

from domain.chance import Chance
from domain.french_tarot import RULESET as french_tarot
from tests.domain.french_tarot import builders
from tests.domain.french_tarot.reference_rules import judge
from tests.domain.laws import french_tarot as facts


def options_of(players, written):
    return facts.with_details(dict(part.split("=") for part in written.split()), players) | (
        {"deals": 5} if "dead_dealer" in written else {"deals": 2}
    )


@cache
def deals_of(players, written, seed):
    """Play a match at random; return the events of each deal that was scored."""
    return [*playing(players, options_of(players, written), random.Random(f"{players} {written} {seed}"))]


def playing(players, options, rng):
    chance = Chance(rng.randbytes(32), "gm_whole", (None,) * players)
    state = french_tarot.setup(french_tarot.options.complete(options, players), players)
    events = []
    while state.phase != "over":
        more = french_tarot.settle(state, chance)
        if not more:
            (seat,) = french_tarot.to_act(state)
            more = french_tarot.decide(state, seat, choose(french_tarot.legal_actions(state, seat), rng))
        state = builders.played(state, *more)
        for event in more:
            events = [event] if isinstance(event, builders.ev.CardsDealt) else [*events, event]
            if isinstance(event, builders.ev.DealScored):
                yield events


def choose(actions, rng):
    """Choose a kind of action, then one of that kind, rather an early one: so the Excuse is often kept to the end."""
    kinds = {}
    for action in islice(actions, 300):
        kinds.setdefault(type(action), []).append(action)
    of_kind = kinds[rng.choice([*kinds])]
    return of_kind[int(len(of_kind) * rng.random() ** 3)]


def judge_match(players, written, seed):
    """Find every deal of a match as it was settled."""
    options = french_tarot.options.complete(options_of(players, written), players)
    for events in deals_of(players, written, seed):
        judge(options, events)
