"""The parts of a tensor, and the sheet on which a game writes them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Protocol

SEATS = -1
"""The number of seats, in the shape of a block."""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a tensor: its name, its shape, and its meaning."""

    name: str
    shape: tuple[int, ...]
    text: str

    def size(self, seats: int) -> int:
        return prod(seats if length == SEATS else length for length in self.shape)

    @property
    def written_shape(self) -> str:
        return " × ".join("seats" if length == SEATS else str(length) for length in self.shape)


@dataclass(slots=True)
class Sheet:
    """The values of an observation: the places that hold 1, and those that hold another number."""

    begin: Mapping[str, int]
    """Where each block begins."""
    ones: list[int] = field(default_factory=list)
    numbers: list[tuple[int, float]] = field(default_factory=list)

    def mark(self, block: str, place: int) -> None:
        self.ones.append(self.begin[block] + place)

    def mark_all(self, block: str, places: Iterable[int]) -> None:
        begin = self.begin[block]
        self.ones += [begin + place for place in places]

    def put(self, block: str, place: int, number: float) -> None:
        if number:
            self.numbers.append((self.begin[block] + place, number))


class Played(Protocol):
    @property
    def seat(self) -> int: ...

    @property
    def card(self) -> str: ...


class Won(Protocol):
    @property
    def winner(self) -> int: ...

    @property
    def cards(self) -> Sequence[Played]: ...


class Trick(Protocol):
    @property
    def leader(self) -> int: ...

    @property
    def cards(self) -> Sequence[Played]: ...


class Held(Protocol):
    @property
    def seat(self) -> int: ...

    @property
    def count(self) -> int: ...

    @property
    def cards(self) -> Sequence[str] | None:
        """Return the cards, if the viewer knows them."""


def card_blocks(cards: int) -> Iterator[Block]:
    """List the blocks that all card games have, with a pack of so many cards."""
    yield Block("hand", (cards,), "the cards that you hold")
    yield Block("counts", (SEATS,), "how many cards each seat holds, in tenths")
    yield Block("trick", (SEATS, cards), "the card that each seat has played to the trick on the table")
    yield Block("leader", (SEATS,), "who leads the trick on the table")
    yield Block("played", (SEATS, cards), "the cards that each seat has played to earlier tricks")
    yield Block("when", (cards,), "the number of the earlier trick in which a card was played, in tenths")
    yield Block("won", (SEATS,), "how many tricks each seat has won, in tenths")


def write_cards(
    sheet: Sheet,
    pack: Mapping[str, int],
    hands: Sequence[Held],
    trick: Trick | None,
    tricks: Sequence[Won],
    seat: int,
) -> None:
    """Write the blocks of ``card_blocks``; ``pack`` has the place of each card."""
    seats, size = len(hands), len(pack)
    for hand in hands:
        sheet.put("counts", (hand.seat - seat) % seats, hand.count / 10)
    sheet.mark_all("hand", [pack[card] for card in hands[seat].cards or ()])
    if trick is not None:
        sheet.mark("leader", (trick.leader - seat) % seats)
        sheet.mark_all("trick", [(played.seat - seat) % seats * size + pack[played.card] for played in trick.cards])
    won, when = [0] * seats, sheet.begin["when"]
    rows = [sheet.begin["played"] + (other - seat) % seats * size for other in range(seats)]
    for number, earlier in enumerate(tricks, 1):
        won[(earlier.winner - seat) % seats] += 1
        places = [pack[played.card] for played in earlier.cards]
        sheet.ones += [rows[played.seat] + place for played, place in zip(earlier.cards, places, strict=True)]
        sheet.numbers += [(when + place, number / 10) for place in places]
    for step, number in enumerate(won):
        sheet.put("won", step, number / 10)
