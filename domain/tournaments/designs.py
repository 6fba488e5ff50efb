"""Rounds in which no two players meet twice: what is known as a resolvable transversal design, found by a search.

Each player has a column at one of the tables of the first round. In another round, every column is shifted along the
tables, each by its own number of tables, so that players of one column never meet. Those of two columns meet at most
once if the difference of the shifts of these columns is another one in each round. Tables are added in the product of
cyclic groups of prime orders. There, the search finds as many rounds as there are tables for most powers of primes, and
almost as many for other numbers. After these rounds, the players of each column can meet at tables of their own.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product

_MOST_STEPS, _MOST_ROUNDS = 3000, 20

Spot = tuple[int, int]
"""A table and a column."""
Round = Sequence[Sequence[Spot]]


@cache
def rounds(tables: int, seats: int) -> Sequence[Round]:
    """Return rounds of so many tables without repeated pairs, beginning with the tables themselves."""
    shifts, at = _Search(tables, seats), range(tables)
    shifted = [
        [[(shifts.plus[table][shift], column) for column, shift in enumerate(row)] for table in at]
        for row in shifts.best
    ]
    return [*shifted, *_within_columns(tables, seats)][:_MOST_ROUNDS]


def _within_columns(tables: int, seats: int) -> Iterator[Round]:
    """Yield rounds in which each column plays by itself, if it fills tables."""
    for smaller in rounds(tables // seats, seats) if tables % seats == 0 else ():
        yield [
            [(table * seats + place, column) for table, place in spots] for column in range(seats) for spots in smaller
        ]


class _Search:
    """A search for as many rows of shifts as there are tables, by a bounded number of steps."""

    def __init__(self, tables: int, seats: int) -> None:
        orders = _prime_factors(tables)
        elements = [*product(*map(range, orders))]
        number = {element: at for at, element in enumerate(elements)}

        def total(one: Sequence[int], other: Sequence[int], sign: int) -> int:
            return number[tuple((a + sign * b) % order for a, b, order in zip(one, other, orders, strict=True))]

        self.plus = [[total(one, other, 1) for other in elements] for one in elements]
        self._minus = [[total(one, other, -1) for other in elements] for one in elements]
        self._tables, self._pairs = tables, [*combinations(range(seats), 2)]
        self._seats, self._left = seats, _MOST_STEPS
        self._differences = {pair: {0} for pair in self._pairs}
        self._rows = [(0,) * seats]
        self.best = [*self._rows]
        self._add_rows(1)

    @property
    def _is_over(self) -> bool:
        return self._left <= 0 or len(self.best) >= min(self._tables, _MOST_ROUNDS)

    def _add_rows(self, least: int) -> None:
        """Try rows whose second shift is at least so high; the first is 0."""
        for second in range(least, self._tables):
            if not self._is_over:
                self._extend((0, second))

    def _extend(self, row: tuple[int, ...]) -> None:
        self._left -= 1
        column = len(row)
        if column == self._seats:
            self._append(row)
            return
        for shift in range(self._tables):
            differs = (self._minus[shift][before] not in self._differences[at, column] for at, before in enumerate(row))
            if not self._is_over and all(differs):
                self._extend((*row, shift))

    def _append(self, row: tuple[int, ...]) -> None:
        own = {(one, other): self._minus[row[other]][row[one]] for one, other in self._pairs}
        for pair, difference in own.items():
            self._differences[pair].add(difference)
        self._rows.append(row)
        if len(self._rows) > len(self.best):
            self.best = [*self._rows]
        self._add_rows(row[1] + 1)
        self._rows.pop()
        for pair, difference in own.items():
            self._differences[pair].remove(difference)


def _prime_factors(number: int) -> list[int]:
    factors, factor = list[int](), 2
    while number > 1:
        if number % factor:
            factor += 1
        else:
            factors.append(factor)
            number //= factor
    return factors
