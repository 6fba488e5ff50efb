"""Placing the cards that a viewer does not see, for games that draw worlds consistent with a view.

The draw is exact: every way to lay the cards is equally likely. Cards that can lie in the same places are a group.
Places that are open to the same groups are a class, within which every split is as good as another. So it is enough to
count, group by group, in how many ways the groups that follow fill the room that is left in each class.
"""

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from math import comb, prod
from typing import Generic, TypeAlias, TypeVar

from domain.cardplay.cards import Card
from domain.chance import Rng, below

Place = TypeVar("Place", bound=Hashable)

Group: TypeAlias = tuple[int, tuple[int, ...]]
"""How many cards, and the numbers of the places that they can lie in."""
Rooms: TypeAlias = tuple[int, ...]
"""How many cards have room in each place, or in each class of places."""


@dataclass(frozen=True, slots=True)
class Step:
    """How a group is laid out.

    ``classes`` lists, for each class of places, which classes of the step before (at first: places) it is made of, and
    ``is_open`` whether the group can lie there. ``splits`` lists, for the room in each class, all ways to split the
    group, and the running sum of their weights: of the ways to lay this group and all that follow.
    """

    classes: tuple[tuple[int, ...], ...]
    is_open: tuple[bool, ...]
    splits: dict[Rooms, tuple[Sequence[Rooms], Sequence[int]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Layout(Generic[Place]):
    """Cards in groups, and the places with room for them: all that is needed to draw one lie of them after another."""

    places: tuple[Place, ...]
    rooms: Rooms
    groups: tuple[Group, ...]
    members: tuple[tuple[Card, ...], ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return how each group in turn is laid out, with the ways counted."""
        return _steps(self.groups, self.rooms)

    def drawn(self, rng: Rng) -> dict[Place, list[Card]]:
        """Draw one of all ways to fill the room of every place, each equally likely."""
        lying = _drawn(self.groups, self.rooms, [[*cards] for cards in self.members], rng)
        return dict(zip(self.places, lying, strict=True))


def layout(cards: Iterable[Card], room: Mapping[Place, int], allowed: Callable[[Card, Place], bool]) -> Layout[Place]:
    """Group the cards to lay by the places where they are allowed."""
    places = tuple([place for place in room if room[place]])
    members: dict[tuple[int, ...], list[Card]] = {}
    for card in cards:
        members.setdefault(tuple([i for i, place in enumerate(places) if allowed(card, place)]), []).append(card)
    order = sorted(members, key=lambda numbers: (len(numbers), numbers))
    groups = tuple([(len(members[numbers]), numbers) for numbers in order])
    return Layout(places, tuple([room[place] for place in places]), groups, tuple([(*members[n],) for n in order]))


def distributed(
    cards: Sequence[Card], room: Mapping[Place, int], allowed: Callable[[Card, Place], bool], rng: Rng
) -> dict[Place, list[Card]]:
    """Draw one of all ways to fill the room of every place with cards that are allowed there, each equally likely."""
    return {place: [] for place in room} | layout(cards, room, allowed).drawn(rng)


def unplaced(
    pack: Iterable[Card],
    room: Mapping[Place, int],
    known: Mapping[Place, tuple[Card, ...]],
    played: Iterable[Card],
    allowed: Callable[[Card, Place], bool],
) -> Layout[Place]:
    """Return the layout of the cards of a pack that are neither known to lie in a place nor played.

    ``room`` is how many cards each place has, those known to lie there included; ``played`` lie in no such place.
    """
    seen = {*played}.union(*known.values())
    left = {place: count - len(known.get(place, ())) for place, count in room.items()}
    return layout([card for card in pack if card not in seen], left, allowed)


def completed(
    pack: Iterable[Card],
    room: Mapping[Place, int],
    known: Mapping[Place, tuple[Card, ...]],
    played: Iterable[Card],
    allowed: Callable[[Card, Place], bool],
    rng: Rng,
) -> dict[Place, tuple[Card, ...]]:
    """Return the cards of each place: those known to lie there, and others of the pack, drawn (``unplaced``)."""
    drawn = unplaced(pack, room, known, played, allowed).drawn(rng)
    return {place: (*known.get(place, ()), *drawn.get(place, ())) for place in room}


def _drawn(groups: tuple[Group, ...], rooms: Rooms, members: Sequence[list[Card]], rng: Rng) -> list[list[Card]]:
    """Draw how each group is split, then which of its cards go where."""
    chosen: list[tuple[Step, Rooms, Rooms]] = []
    for step in _steps(groups, rooms):
        finer, rooms = rooms, _joined(rooms, step.classes)
        splits, weights = step.splits[rooms]
        split = splits[bisect_right(weights, below(weights[-1], rng))]
        chosen.append((step, finer, split))
        rooms = _less(rooms, split)
    lying: list[list[Card]] = [[] for _ in rooms]
    for (step, finer, split), cards in zip(reversed(chosen), reversed(members), strict=True):
        for pile, part in zip(lying, _parts(cards, split, rng), strict=True):
            pile.extend(part)
        apart: list[list[Card]] = [[] for _ in finer]
        for pile, numbers in zip(lying, step.classes, strict=True):
            for number, part in zip(numbers, _parts(pile, [finer[n] for n in numbers], rng), strict=True):
                apart[number] = part
        lying = apart
    return lying


def _parts(cards: list[Card], sizes: Sequence[int], rng: Rng) -> Iterator[list[Card]]:
    """Deal cards into parts of these sizes."""
    if len(cards) not in sizes:
        rng.shuffle(cards)
    taken = 0
    for size in sizes:
        yield cards[taken : taken + size]
        taken += size


@lru_cache(maxsize=64)
def _steps(groups: tuple[Group, ...], rooms: Rooms) -> tuple[Step, ...]:
    """Count the ways to lay all groups; they are kept, because a search draws many worlds from the same view."""
    steps = tuple(_layout(groups, len(rooms)))
    if not _count(groups, steps, 0, rooms):
        raise AssertionError(f"no place for all cards in this view: {groups} in {rooms}")
    return steps


def _layout(groups: Sequence[Group], places: int) -> Iterator[Step]:
    """Join, at each step, the places that are open to the same groups from there on."""
    columns = [tuple(place in numbers for _, numbers in groups) for place in range(places)]
    for _ in groups:
        kinds = tuple(dict.fromkeys(columns))
        classes = tuple(tuple(i for i, column in enumerate(columns) if column == kind) for kind in kinds)
        yield Step(classes, tuple(kind[0] for kind in kinds))
        columns = [kind[1:] for kind in kinds]


def _count(groups: Sequence[Group], steps: Sequence[Step], number: int, finer: Rooms) -> int:
    """Count the ways to lay the groups from a step on, into this room in the classes of the step before."""
    if number == len(steps):
        return not any(finer)
    step = steps[number]
    room = _joined(finer, step.classes)
    if room not in step.splits:
        limits = [left if is_open else 0 for left, is_open in zip(room, step.is_open, strict=True)]
        weighed = [
            (split, weight)
            for split in _splits(groups[number][0], limits)
            if (weight := _ways_to_part(split) * _count(groups, steps, number + 1, _less(room, split)))
        ]
        step.splits[room] = [split for split, _ in weighed], list(accumulate(weight for _, weight in weighed))
    weights = step.splits[room][1]
    return weights[-1] * prod(_ways_to_part([finer[n] for n in numbers]) for numbers in step.classes) if weights else 0


def _splits(size: int, limits: Sequence[int]) -> Iterator[Rooms]:
    """List the ways to write a size as a sum of numbers within these limits."""
    if not limits:
        yield from () if size else ((),)
        return
    *others, last = limits
    for part in range(max(0, size - sum(others)), min(size, last) + 1):
        for split in _splits(size - part, others):
            yield (*split, part)


def _ways_to_part(sizes: Sequence[int]) -> int:
    """Count the ways to deal different cards into parts of these sizes."""
    return prod(map(comb, accumulate(sizes), sizes))


def _joined(rooms: Rooms, classes: Iterable[Sequence[int]]) -> Rooms:
    return tuple([sum([rooms[number] for number in numbers]) for numbers in classes])


def _less(rooms: Rooms, split: Rooms) -> Rooms:
    return tuple([left - part for left, part in zip(rooms, split, strict=True)])
