"""Who meets whom in a round, and in which seats: a search that begins with lots, so that anyone can repeat it.

Places are numbers, in the order of entry; ``BOT`` is a seat that is left over. A pair at one table costs 100 for each
time that it has met before, and two bots cost 1000, so that they are spread. In a Swiss round, a pair also costs the
square of the difference of their points, where a bot, or a bye, has the fewest, and to meet again costs more than any
difference. In all others, the first tables to be tried are those of a round of a design, in which the players of the
first round can meet without a repeated pair: of those that cost least, one drawn by lot. Then from each of a few orders
drawn by lot, tables are filled one after another with those who cost least. In each case, two players are exchanged as
long as that costs less, a bounded number of tries. The cheapest tables are taken. At each table, the order of the seats
is the first of those in which the players have been least often where they sit.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, permutations, product

from domain.chance import Chance
from domain.tournaments import designs

BOT = -1
_ORDERS, _TRIES = 32, 60_000
"""How many orders are drawn, and exchanges tried in all, at most."""
_MET, _BOTS = 100, 1000

Place = int
Table = tuple[Place, ...]
Cost = Callable[[Place, Place], int]


@dataclass(frozen=True, slots=True)
class Met:
    """How often two places have met, by both, and a place has had a seat."""

    pairs: Mapping[tuple[Place, Place], int]
    seats: Mapping[tuple[Place, int], int]


def met(tables: Sequence[Table]) -> Met:
    """Count who met in earlier rounds, and where they sat."""
    pairs = Counter(pair for table in tables for one, other in combinations(table, 2) for pair in _both(one, other))
    return Met(pairs, Counter((place, seat) for table in tables for seat, place in enumerate(table)))


def _both(one: Place, other: Place) -> set[tuple[Place, Place]]:
    return {(one, other), (other, one)}


def by_lots(
    places: Sequence[Place],
    seats: int,
    past: Sequence[Sequence[Table]],
    chance: Chance,
    points: Mapping[Place, int] | None = None,
) -> list[Table]:
    """Return the tables of a round after ``past`` ones, with bots on seats left over; with ``points``, a Swiss one."""
    before, everyone = met([*chain.from_iterable(past)]), [*places, *[BOT] * (-len(places) % seats)]
    cost = _cost(before, points or {})
    first = past[0] if past and not points else ()
    is_planned = len(first) * seats == len(everyone) and {*chain.from_iterable(first)}.issuperset(places)
    planned = _planned(past, places, chance) if is_planned else []
    best, least, left = list[Table](), -1, _TRIES
    cheapest = sorted(planned, key=lambda tables: _total(tables, cost))[:1]
    for tables in chain(cheapest, _drawn(everyone, seats, chance, points or {}, cost)):
        left = _exchange(tables, cost, left)
        total = _total(tables, cost)
        if least < 0 or total < least:
            best, least = [tuple(table) for table in tables], total
        if least == 0 or left <= 0:
            break
    return [seated(table, before) for table in best]


def _cost(before: Met, points: Mapping[Place, int]) -> Cost:
    fewest, most = min(points.values(), default=0), max(points.values(), default=0)
    again = _MET * (1 + (most - fewest) ** 2)

    def cost(one: Place, other: Place) -> int:
        if one == other == BOT:
            return _BOTS
        return again * before.pairs.get((one, other), 0) + (points.get(one, fewest) - points.get(other, fewest)) ** 2

    return cost


def _drawn(
    everyone: Sequence[Place], seats: int, chance: Chance, points: Mapping[Place, int], cost: Cost
) -> Iterator[list[list[Place]]]:
    """Yield tables from orders drawn by lot; in a Swiss round, those with the most points come first."""
    fewest = min(points.values(), default=0)
    for number in range(_ORDERS):
        order = chance.permutation("lots", number, everyone)
        yield _filled(sorted(order, key=lambda place: -points.get(place, fewest)), seats, cost)


def _planned(past: Sequence[Sequence[Table]], places: Sequence[Place], chance: Chance) -> list[list[list[Place]]]:
    """Return the rounds of a design in an order drawn by lot, with bots for those who have left.

    The columns are the seats of the first round. They are turned by one seat from round to round.
    """
    first, seats = past[0], len(past[0][0])
    turn = [(seat - len(past)) % seats for seat in range(seats)]
    there = [[place if place in places else BOT for place in table] for table in first]
    rounds = designs.rounds(len(first), seats)
    order = chance.permutation("plan", 0, range(len(rounds)))
    return [
        [[there[at][column] for at, column in (spots[seat] for seat in turn)] for spots in rounds[number]]
        for number in order
    ]


def _filled(order: Sequence[Place], seats: int, cost: Cost) -> list[list[Place]]:
    """Fill tables one after another, each with the first who costs least there."""
    left, tables = list(order), list[list[Place]]()
    while left:
        table = [left.pop(0)]
        while len(table) < seats:
            cheapest = min(range(len(left)), key=lambda at: (sum(cost(left[at], other) for other in table), at))
            table.append(left.pop(cheapest))
        tables.append(sorted(table, key=BOT.__eq__))  # the columns of a design begin with bots in the last ones
    return tables


def _exchange(tables: list[list[Place]], cost: Cost, left: int) -> int:
    """Exchange two players of two tables as long as that costs less; return how many tries are left."""
    is_better = True
    while is_better and left > 0:
        is_better = False
        for one, other in permutations(tables, 2):
            if left <= 0 or _cost_of(one, cost) == 0:
                continue
            left -= len(one) * len(other)
            for at, to in product(range(len(one)), range(len(other))):
                if _saved(one, at, other, to, cost) > 0:
                    one[at], other[to] = other[to], one[at]
                    is_better = True
    return left


def _saved(one: Sequence[Place], at: int, other: Sequence[Place], to: int, cost: Cost) -> int:
    """Return what it saves to exchange two players."""
    mine, theirs = one[at], other[to]
    around = [place for index, place in enumerate(one) if index != at]
    there = [place for index, place in enumerate(other) if index != to]
    return sum(cost(mine, place) - cost(theirs, place) for place in around) + sum(
        cost(theirs, place) - cost(mine, place) for place in there
    )


def _total(tables: Sequence[Sequence[Place]], cost: Cost) -> int:
    return sum(_cost_of(table, cost) for table in tables)


def _cost_of(table: Sequence[Place], cost: Cost) -> int:
    return sum(cost(*pair) for pair in combinations(table, 2))


def seated(table: Table, before: Met) -> Table:
    """Return the first order of the seats of a table in which its players have been least often where they sit."""

    def cost(order: Table) -> int:
        times = (before.seats.get((place, seat), 0) for seat, place in enumerate(order) if place != BOT)
        return sum(each**2 + each for each in times)

    return min(permutations(table), key=cost)


def round_robin(places: Sequence[Place], number: int) -> list[Table]:
    """Return the tables of a round, from 1 on, of those in which everyone meets everyone; a BOT evens the number.

    All turn round the last one, by one place each round, and sit first in every other round, so no lots are needed.
    """
    circle = [*places, BOT] if len(places) % 2 else [*places]
    turning, last = len(circle) - 1, circle[-1]
    steps = range(1, len(circle) // 2)
    pairs = [(circle[(number - 1 + step) % turning], circle[(number - 1 - step) % turning]) for step in steps]
    pairs.insert(0, (circle[(number - 1) % turning], last))
    return [pair if (number if step == 0 else step) % 2 else pair[::-1] for step, pair in enumerate(pairs)]
