"""Random games of the laboratory, at tables with every value of every option."""

import random
from functools import cache

from tests.domain.laws.facts import short, table_of
from workers.research.actions import numbering
from workers.research.tables import table


def table_with(ruleset_id, seats, variant=""):
    """Return the table of a single deal with the options of a variant."""
    options = {**short(ruleset_id), **table_of(ruleset_id, seats, variant).options}
    return table(ruleset_id, seats, options, whole_game=False)


def entered(numbers, choices, rng):
    """Enter an action: at each number a kind first, then one of it, so that rare kinds occur often enough."""
    while choices.action is None:
        kinds = {}
        for number in choices.numbers:
            kinds.setdefault(numbers.names[number].split()[0], []).append(number)
        choices = choices.after(rng.choice(kinds[rng.choice([*kinds])]))
    return choices


@cache
def walk(ruleset_id, seats, variant, seed):
    """Return the positions of a random game, the last one included."""
    rng, numbers = random.Random(f"{ruleset_id} {seats} {variant} {seed}"), numbering(ruleset_id)
    position = table_with(ruleset_id, seats, variant).start(seed)
    positions = [position]
    while not position.is_over:
        position = position.after(entered(numbers, numbers.choices(position), rng).action)
        positions.append(position)
    return positions
