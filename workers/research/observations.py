"""What a seat observes, as a tensor: a vector of 32-bit floats, of equal length for every position of a table.

It is made from the view of the seat alone, so it cannot contain what the seat may not know. The plain view, which has
everything that the seat may know, is ``Position.plain_view``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from domain.table import Seat
from workers.bots.of_games import of_games
from workers.research.actions import Word, numbering
from workers.research.features.sheet import SEATS, Block, Sheet
from workers.research.tables import NoSuchTable, Position, Table

Tensor: TypeAlias = NDArray[np.float32]
Write: TypeAlias = Callable[[Sheet, Any, Seat, int], None]

BOUND = 10_000.0
"""The largest absolute value of a number in a tensor."""

FEATURES = of_games("workers.research.features.{}")
"""For each ruleset, ``BLOCKS`` and ``write``."""


@dataclass(frozen=True, slots=True, eq=False)
class Observer:
    """The observation of a table: the blocks of the tensor in order, the place of each, and the total length."""

    seats: int
    blocks: tuple[Block, ...]
    begin: Mapping[str, int]
    size: int
    write: Write

    def tensor(self, position: Position, seat: Seat, entered: Word = ()) -> Tensor:
        """Observe a position from a seat that has entered these numbers of an action."""
        return self.seen(position.view(seat), seat, position.seat, entered)

    def seen(self, view: Any, seat: Seat, turn: Seat | None, entered: Word = ()) -> Tensor:
        """Observe a view of a seat, as the ruleset's own record; ``turn`` is the seat to act, if there is one.

        A policy of a bot reads its view with ``from_plain(ruleset.view, asked.view["state"])``.
        """
        sheet = Sheet(self.begin)
        if turn is not None:
            sheet.mark("turn", (turn - seat) % self.seats)
        for place, number in enumerate(entered, 1):
            sheet.put("entered", number, place)
        self.write(sheet, view, seat, self.seats)
        tensor: Tensor = np.zeros(self.size, np.float32)
        tensor[sheet.ones] = 1
        if sheet.numbers:
            places, values = zip(*sheet.numbers, strict=True)
            tensor[list(places)] = values
        return tensor

    def part(self, tensor: Tensor, name: str) -> Tensor:
        """Return one block of a tensor, in its shape."""
        block = next(block for block in self.blocks if block.name == name)
        begin = self.begin[name]
        shape = [self.seats if length == SEATS else length for length in block.shape]
        return tensor[begin : begin + block.size(self.seats)].reshape(shape)


def observer(table: Table) -> Observer:
    return _observer(table.ruleset.id, table.seats)


def blocks(ruleset_id: str) -> tuple[Block, ...]:
    if ruleset_id not in FEATURES:
        raise NoSuchTable(f"{ruleset_id!r} has no tensors; these rulesets have: {', '.join(FEATURES)}")
    return (
        Block("turn", (SEATS,), "whose turn it is"),
        *FEATURES[ruleset_id].BLOCKS,
        Block(
            "entered",
            (numbering(ruleset_id).size,),
            "as which number of an unfinished action you have entered each number: 1 for the first; 0 if you have not",
        ),
    )


@cache
def _observer(ruleset_id: str, seats: int) -> Observer:
    listed, begin, size = blocks(ruleset_id), {}, 0
    for block in listed:
        begin[block.name] = size
        size += block.size(seats)
    return Observer(seats, listed, begin, size, FEATURES[ruleset_id].write)
