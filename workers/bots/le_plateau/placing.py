"""Placements of the unseen cards as the domain samples them (``domain/cardplay/placement.py``), by a kernel.

The domain counts in how many ways the remaining groups of cards fill the remaining room. ``plan_of`` writes these
counts into an array of integers, once for a position; ``place`` samples one placement after another from it. A chance
is rounded to 32 bits; nothing else differs.

The *plan* begins with the number of steps, the first node, the number of places, and the room in each. Then come the
steps: how many cards the group has, how many classes of places there are, and the class of each place. A *node* is the
room that is left at a step: for each split of the group, the upper end of its chance, the next node, and how many of
the cards each class gets.
"""

from typing import Any, Final

from domain.cardplay.placement import Layout, Rooms
from workers.bots.compiled import INT, WORDS, Words, kernel
from workers.bots.le_plateau.kernel import drawn

PLACES: Final = 16
"""The most places with room: two players have ten piles, one unseen hand, talon and discard."""

MOST: Final = 80
"""The most unseen cards."""

CARDS, WHERE, SLOTS, NEEDS, LOT = 0, MOST, 2 * MOST, 3 * MOST, 3 * MOST + PLACES
"""The *lot*, an array: the cards, the number of the place of each, the slots that are still free (by the numbers of
their places), and how many cards of a group each class needs; then its size."""

STEPS, FIRST, COUNT, ROOMS = 0, 1, 2, 3
"""Where the plan has the number of steps, the first node, the number of places, and the first room."""


def plan_of(layout: Layout[Any]) -> list[int]:
    """Return the plan of a layout."""
    plan = [len(layout.groups), 0, len(layout.places), *layout.rooms]
    class_of = [*range(len(layout.places))]
    for (size, _), step in zip(layout.groups, layout.steps, strict=True):
        joined = {part: number for number, parts in enumerate(step.classes) for part in parts}
        class_of = [joined[part] for part in class_of]
        plan += [size, len(step.classes), *class_of]
    plan[FIRST] = _add_node(plan, layout, 0, layout.rooms, {})
    return plan


def _add_node(plan: list[int], layout: Layout[Any], number: int, finer: Rooms, nodes: dict[Any, int]) -> int:
    """Add the node of a step with this room in the classes of the last step, and all later nodes; return its place."""
    if number == len(layout.groups):
        return 0
    step = layout.steps[number]
    room = tuple([sum([finer[part] for part in parts]) for parts in step.classes])
    if (number, room) not in nodes:
        splits, weights = step.splits[room]
        left = [tuple([a - b for a, b in zip(room, split, strict=True)]) for split in splits]
        following = [_add_node(plan, layout, number + 1, rooms, nodes) for rooms in left]
        nodes[number, room] = len(plan)
        for split, weight, follower in zip(splits, weights, following, strict=True):
            plan += [(weight << 32) // weights[-1], follower, *split]
    return nodes[number, room]


@kernel(INT, WORDS, INT, INT, INT)
def shuffle(row: Words, start: int, count: int, chance: int) -> int:
    """Shuffle a part of a row; return the state of the generator."""
    for left in range(count, 1, -1):
        chance = drawn(chance)
        one, other = start + left - 1, start + (chance * left >> 32)
        kept = row[one]
        row[one] = row[other]
        row[other] = kept
    return chance


@kernel(INT, WORDS, WORDS, INT)
def place(plan: Words, lot: Words, chance: int) -> int:
    """Sample a placement of the cards, which are grouped in the lot; return the state of the generator.

    The cards change their order within their groups, and each gets the number of its place. The free slots are in a
    random order, from which a group takes the first that it needs in each class. The order is drawn again for every
    group: where classes are joined, the slots that were passed over would otherwise come late.
    """
    places, slots = plan[COUNT], 0
    for number in range(places):
        for _ in range(plan[ROOMS + number]):
            lot[SLOTS + slots] = number
            slots += 1
    step, node, begin = ROOMS + places, plan[FIRST], 0
    for _ in range(plan[STEPS]):
        size, classes = plan[step], plan[step + 1]
        chance = drawn(chance)
        while chance >= plan[node]:
            node += classes + 2
        served = 0
        for number in range(classes):
            need = plan[node + 2 + number]
            lot[NEEDS + number] = need
            if need:
                served += 1
        if served > 1:
            chance = shuffle(lot, CARDS + begin, size, chance)
        chance = shuffle(lot, SLOTS, slots, chance)
        slots = _fill(lot, begin, begin + size, plan, step + 2, slots)
        begin += size
        step += places + 2
        node = plan[node + 1]
    return chance


@kernel(INT, WORDS, INT, INT, WORDS, INT, INT)
def _fill(lot: Words, begin: int, end: int, plan: Words, classes: int, slots: int) -> int:
    """Put a group into the first slots that its classes need; return how many slots are left, in their order."""
    left = 0
    for slot in range(slots):
        number = lot[SLOTS + slot]
        needed = NEEDS + plan[classes + number]
        if begin < end and lot[needed]:
            lot[needed] -= 1
            lot[WHERE + begin] = number
            begin += 1
        else:
            lot[SLOTS + left] = number
            left += 1
    return left
