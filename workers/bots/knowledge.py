"""What a seat knows of the play of cards in games of tricks, in numbers."""

from dataclasses import dataclass

from domain.table import Seat


@dataclass(frozen=True, slots=True)
class CardsKnown:
    """The cards as one seat sees them. Lists are by seat; sets of cards are bits, in the order of each game.

    ``may`` are the unseen cards that a seat can hold, ``miss`` the chance that it does not hold a given one of them.
    ``after`` are the seats that still play to the trick, ``others`` all but this one, both in order.
    """

    seat: Seat
    hand: int
    unseen: int
    may: list[int]
    miss: list[int]
    trick: tuple[tuple[Seat, int], ...]
    after: tuple[Seat, ...]
    others: tuple[Seat, ...]

    @property
    def left(self) -> int:
        """Return how many cards the seat still holds."""
        return self.hand.bit_count()
