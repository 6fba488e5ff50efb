"""The law of fair draws: ``sample`` draws all worlds that look the same to a viewer, each equally often.

Draw a world, exchange some of the cards that the viewer does not see, and play the hand again. Keep the exchange if all
was legal and the viewer sees the same. Back and forth are equally likely, so if all worlds are drawn equally often, a
card comes into each place as often as it leaves it. A place is a hidden part of an event: what a seat was dealt, passed
or laid aside. Where things of the pack are alike, or there is no pack, the contents of two places are exchanged: so
each way to take the things blindly counts as equally likely.

What the law sees is one card in one place. It does not see which cards lie together, nor worlds that no exchange leads
to. It looks at few moments, those after something hidden happened and one other, and finds coarse faults: to be sure,
compare ``sample`` with all worlds of small positions.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from json import loads
from math import log, sqrt
from typing import NamedTuple, TypeAlias, TypeVar

from domain.errors import IllegalAction, NoWorldFound, WrongMoment
from domain.laws.facts import Facts, strings_in
from domain.laws.law import of_games, some
from domain.laws.moments import of_every_kind, running
from domain.laws.non_interference import last_deal, played_again
from domain.laws.play import Step, Table, played
from domain.log.chain import canonical
from domain.log.redaction import merged, split
from domain.serialization import Plain, from_plain
from domain.table import Seat

T = TypeVar("T")

FEW, MANY = 80, 300
"""How many worlds are drawn at a moment, and how many others where these seem unfair."""
SUSPECT = 4.0
"""How many standard deviations seem unfair: by chance once in some thousand comparisons."""
CERTAIN = sqrt(2 * log(2 / 1e-7))
"""How many are unfair: by chance at most once in ten million comparisons, by Hoeffding's inequality."""
TIMES = 2
EXCHANGED = (1, 3, 9, 27)
"""How many pairs are exchanged at once: many while little is known of the cards, few where they are bound."""


class Place(NamedTuple):
    """A hidden part of an event: the number of the event, its type, the seat that acted, and a pointer."""

    number: int
    event: str
    seat: Seat | None
    pointer: str

    def __str__(self) -> str:
        of_seat = "" if self.seat is None else f" of seat {self.seat}"
        return f"{self.pointer} of {self.event}{of_seat}"


Lie: TypeAlias = Mapping[Place, Sequence[str]]
"""What lies in every place that a viewer does not see, each thing as canonical JSON."""
Cell: TypeAlias = tuple[Place, str]


@of_games(1)
def no_card_lies_too_often_in_one_place_in_drawn_worlds(table: Table, seed: int) -> None:
    """At moments after something hidden happened, and at another one."""
    rng = random.Random(f"fair {table} {seed}")
    for at in _moments(table, seed, rng):
        suspect = _most_uneven(_changes(at, rng, FEW))
        if suspect is None or suspect[1] < SUSPECT:
            continue
        (place, thing), _ = suspect
        came, left = (counted[place, thing] for counted in _changes(at, rng, MANY))
        assert abs(came - left) <= CERTAIN * sqrt(came + left), (
            f"worlds drawn for {'a spectator' if at.viewer is None else f'seat {at.viewer}'} are unfair: {thing} lies"
            f" too {'seldom' if came > left else 'often'} in {place}: it came there {came}"
            f" times and left {left} times when cards were exchanged that are alike to the viewer"
        )


def _moments(table: Table, seed: int, rng: random.Random) -> Iterator["_Moment"]:
    """Choose two moments after an exchange, or after a deal where nothing else is hidden, and another one."""
    facts, steps = table.facts, played(table, seed)
    hiding = {
        place: {facts.is_deal(event) for event in steps[place].events if split(event)[1]} for place in running(steps)
    }
    exchanges = [place for place, deals in hiding.items() if False in deals]
    telling = exchanges or [place for place, deals in hiding.items() if deals]
    for place in (*some(rng, of_every_kind(rng, steps, telling, fewest=0), 2), rng.choice(running(steps))):
        viewer = rng.choice((*range(table.seats), None))
        state = steps[place].game.state
        if state is not None and facts.has_many_worlds(state, viewer):
            since = steps[last_deal(facts, steps[: place + 1]) : place + 1]
            yield _Moment(facts, since, viewer, _shown(facts, since, viewer))


def _shown(facts: Facts, steps: Sequence[Step], viewer: Seat | None) -> Set[str]:
    """Return what a viewer has been shown since the deal: all else can lie anywhere, as far as nobody is bound."""
    seen = (
        merged(data, {pointer: part.value for pointer, part in hidden.items() if viewer in part.to})
        for _, event in _since_deal(facts, [event for step in steps for event in step.events])
        for data, hidden in [split(event)]
    )
    return {canonical(text).decode() for data in seen for text in strings_in(data)}


def _since_deal(facts: Facts, events: Sequence[object]) -> Sequence[tuple[int, object]]:
    deal = max(number for number, event in enumerate(events) if facts.is_deal(event))
    return [*enumerate(events)][deal:]


def _changes(at: "_Moment", rng: random.Random, worlds: int) -> tuple[Counter[Cell], Counter[Cell]]:
    """Draw worlds and exchange cards in each: count how often a thing came into a place, and how often it left."""
    came, left = Counter[Cell](), Counter[Cell]()
    for _ in range(worlds):
        try:
            events = at.drawn(rng)
        except NoWorldFound:
            continue
        drawn = lie = at.lie(events)
        for _ in range(TIMES):
            exchanged = at.exchanged(lie, rng)
            if exchanged != lie and at.is_possible(events, exchanged):
                lie = exchanged
        for place, things in lie.items():
            now, before = Counter(things), Counter(drawn[place])
            came.update((place, thing) for thing in now - before)
            left.update((place, thing) for thing in before - now)
    return came, left


def _most_uneven(changes: tuple[Counter[Cell], Counter[Cell]]) -> tuple[Cell, float] | None:
    """Return where a thing rather comes than leaves, or the reverse, and by how many standard deviations."""
    came, left = changes
    uneven = {cell: abs(came[cell] - left[cell]) / sqrt(came[cell] + left[cell]) for cell in sorted({*came, *left})}
    return max(uneven.items(), key=lambda each: each[1], default=None)


@dataclass(frozen=True, slots=True)
class _Moment:
    """A moment as a viewer knows it: the steps from the last deal to it, and what the viewer has been shown in them."""

    facts: Facts
    steps: Sequence[Step]
    viewer: Seat | None
    shown: Set[str]

    def drawn(self, rng: random.Random) -> Sequence[object]:
        """Return the events of these steps as they were in a world that looks the same."""
        game = self.steps[-1].game
        world = game.ruleset.sample(game.options, self.viewer, game.ruleset.project(game.state, self.viewer), rng)
        return self.facts.redealt([event for step in self.steps for event in step.events], world)

    def lie(self, events: Sequence[object]) -> Lie:
        """Return what lies, since the deal, where the viewer does not see it."""
        return {
            _place(number, event, pointer): [canonical(thing).decode() for thing in _things(part.value)]
            for number, event in _since_deal(self.facts, events)
            for pointer, part in split(event)[1].items()
            if self.viewer not in part.to
        }

    def exchanged(self, lie: Lie, rng: random.Random) -> Lie:
        """Exchange some pairs of things, chosen without regard to where they lie."""
        pairs = rng.choice(EXCHANGED)
        pack = [canonical(card).decode() for card in self.facts.pack(self.steps[-1].game)]
        if not pack or len({*pack}) < len(pack):
            return _with_places_exchanged(lie, pairs, rng)
        hidden = {thing for things in lie.values() for thing in things}.intersection(pack)
        among = sorted(hidden - self.shown if pairs > 1 else hidden)
        ones, others = _halves(rng.sample(among, 2 * min(pairs, len(among) // 2)))
        other = dict(zip((*ones, *others), (*others, *ones), strict=True))
        return {place: [other.get(thing, thing) for thing in things] for place, things in lie.items()}

    def is_possible(self, events: Sequence[object], lie: Lie) -> bool:
        """Return whether these events can have happened with another lie of the cards, before the viewer's eyes."""
        ruleset, true = self.steps[-1].game.ruleset, self.steps[-1].game
        told = [_told(event, number, lie) for number, event in enumerate(events)]
        taken, state = 0, None
        try:
            for decided, game in played_again(self.facts, self.steps, told):
                state = game.state
                expected = told[taken : taken + len(decided)]
                if [*map(_unordered, decided)] != [*map(_unordered, expected)]:
                    return False
                taken += len(decided)
        except (IllegalAction, WrongMoment):
            return False
        return taken == len(told) and bool(
            ruleset.project(state, self.viewer) == ruleset.project(true.state, self.viewer)
        )


def _with_places_exchanged(lie: Lie, pairs: int, rng: random.Random) -> Lie:
    """Exchange what lies in pairs of places that have the same name."""
    changed = {place: [*things] for place, things in lie.items()}
    spots = [(place, index) for place, things in lie.items() for index in range(len(things))]
    ones, others = _halves(rng.sample(spots, 2 * min(pairs, len(spots) // 2)))
    for (one, i), (other, j) in zip(ones, others, strict=True):
        if one.pointer.rsplit("/", 1)[1] == other.pointer.rsplit("/", 1)[1]:
            changed[one][i], changed[other][j] = changed[other][j], changed[one][i]
    return changed


def _halves(items: Sequence[T]) -> tuple[Sequence[T], Sequence[T]]:
    return items[: len(items) // 2], items[len(items) // 2 :]


def _place(number: int, event: object, pointer: str) -> Place:
    return Place(number, type(event).__name__, getattr(event, "seat", None), pointer)


def _things(part: Plain) -> Sequence[Plain]:
    return part if isinstance(part, list) else [part]


def _told(event: object, number: int, lie: Lie) -> object:
    """Return an event with the things of a lie in its hidden parts."""
    data, hidden = split(event)
    parts = {pointer: part.value for pointer, part in hidden.items()}
    for pointer, value in parts.items():
        things = lie.get(_place(number, event, pointer))
        if things is not None:
            parts[pointer] = [*map(loads, things)] if isinstance(value, list) else loads(things[0])
    if not parts:
        return event
    seat = {"seat": event.seat} if hasattr(event, "seat") else {}
    told: object = from_plain(type(event), merged(data, parts) | seat)
    return told


def _unordered(event: object) -> object:
    """Return what an event says, without the order of what is hidden in it, which is the ruleset's."""
    data, hidden = split(event)
    parts = {pointer: sorted(map(canonical, _things(part.value))) for pointer, part in hidden.items()}
    return type(event), getattr(event, "seat", None), data, parts
