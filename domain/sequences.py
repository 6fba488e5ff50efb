"""Lazy sequences: their length is known, and each item is made only when it is needed.

A hand of 30 cards has 593,775 sets of six. They are counted without being made, and any one of them is found by its
index at a cost that does not grow with their number. Iterate over such a sequence only if you need all of it; ``in``
and ``index`` iterate too. Two sequences are equal if they are made in the same way from equal parts.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice, product
from math import comb
from typing import Generic, TypeVar, overload

S = TypeVar("S")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Unmade(Sequence[T_co]):
    """A sequence whose items are made on demand; a slice of it is a tuple of its items."""

    @overload
    def __getitem__(self, index: int) -> T_co: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T_co, ...]: ...
    def __getitem__(self, index: int | slice) -> T_co | tuple[T_co, ...]:
        """Make the item at an index, or those of a slice."""
        if isinstance(index, slice):
            return tuple(map(self._made, range(len(self))[index]))
        return self._made(range(len(self))[index])

    @abstractmethod
    def _made(self, index: int) -> T_co:
        """Make the item at an index from 0 to the length, exclusive."""

    @abstractmethod
    def spanning(self) -> Iterator[T_co]:
        """Return a few of the items, in order, including the first; together they have every value of all items.

        Each value at some place of some item is at the same place of one of these, and values first occur among these
        in the same order as among all items.
        """


def spanning(items: Sequence[T]) -> Iterator[T]:
    """Return a few items of a sequence that together have every value of all items (``Unmade.spanning``)."""
    return items.spanning() if isinstance(items, Unmade) else iter(items)


@dataclass(frozen=True)
class Subsets(Unmade[tuple[T, ...]]):
    """All subsets of a size, as ``itertools.combinations`` orders them."""

    items: tuple[T, ...]
    size: int

    def __len__(self) -> int:
        """Count the subsets."""
        return comb(len(self.items), self.size)

    def __iter__(self) -> Iterator[tuple[T, ...]]:
        """Make one subset after the other."""
        return combinations(self.items, self.size)

    def spanning(self) -> Iterator[tuple[T, ...]]:
        """Return the subsets that differ from the first one at most in their last item."""
        return iter(self[: len(self.items) - self.size + 1] if self else ())

    def _made(self, index: int) -> tuple[T, ...]:
        """Choose item by item: count the subsets that begin with an earlier item, and skip them."""
        chosen: list[T] = []
        place = 0
        for size_left in range(self.size - 1, -1, -1):
            while (with_this := comb(len(self.items) - place - 1, size_left)) <= index:
                index -= with_this
                place += 1
            chosen.append(self.items[place])
            place += 1
        return tuple(chosen)


@dataclass(frozen=True)
class Pairs(Unmade[tuple[S, T]]):
    """Every item of one sequence with every item of another, as ``itertools.product`` orders them."""

    first: Sequence[S]
    second: Sequence[T]

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.first) * len(self.second)

    def __iter__(self) -> Iterator[tuple[S, T]]:
        """Make one pair after the other."""
        return product(self.first, self.second)

    def spanning(self) -> Iterator[tuple[S, T]]:
        """Return pairs of the first item with the second ones, then of the first ones with the second item."""
        if self.first and self.second:
            yield from ((self.first[0], other) for other in spanning(self.second))
            yield from ((one, self.second[0]) for one in islice(spanning(self.first), 1, None))

    def _made(self, index: int) -> tuple[S, T]:
        one, other = divmod(index, len(self.second))
        return self.first[one], self.second[other]


@dataclass(frozen=True)
class Mapped(Unmade[T], Generic[S, T]):
    """The results of a class, a plain function or a callable dataclass for each item; it must keep all of the item."""

    make: Callable[[S], T]
    items: Sequence[S]

    def __len__(self) -> int:
        """Count the items."""
        return len(self.items)

    def __iter__(self) -> Iterator[T]:
        """Make one item after the other."""
        return map(self.make, self.items)

    def spanning(self) -> Iterator[T]:
        """Return the results for a few items."""
        return map(self.make, spanning(self.items))

    def _made(self, index: int) -> T:
        return self.make(self.items[index])


@dataclass(frozen=True)
class Joined(Unmade[T]):
    """Sequences one after the other."""

    parts: tuple[Sequence[T], ...]

    def __len__(self) -> int:
        """Count the items of all parts."""
        return sum(map(len, self.parts))

    def __iter__(self) -> Iterator[T]:
        """Make the items of one part after the other."""
        return chain.from_iterable(self.parts)

    def spanning(self) -> Iterator[T]:
        """Return a few items of each part."""
        return chain.from_iterable(map(spanning, self.parts))

    def _made(self, index: int) -> T:
        for part in self.parts:
            if index < len(part):
                return part[index]
            index -= len(part)
        raise IndexError(index)


def joined(*parts: Sequence[T]) -> Sequence[T]:
    """Put sequences one after the other, without those that are empty."""
    some = tuple(part for part in parts if part)
    return some[0] if len(some) == 1 else Joined(some) if some else ()
