"""Whose turn it is, by public facts alone: the rules ask it of a state, the picture of a view."""

from collections.abc import Sequence

from domain.cardplay.tricks import next_bidder
from domain.le_plateau.state import Contract, Raised, Spoken
from domain.table import Seat


def clockwise(first: Seat, seats: int) -> list[Seat]:
    """List all seats, from the first one on."""
    return [(first + turn) % seats for turn in range(seats)]


def bidder(bids: Sequence[Spoken], dealer: Seat, seats: int) -> Seat | None:
    """Return the next seat that has not passed; None once only the highest bidder, or no seat, is left."""
    passed = {spoken.seat for spoken in bids if spoken.bid is None}
    return next_bidder(clockwise(dealer + 1, seats), [spoken.seat for spoken in bids], passed)


def next_raiser(contract: Contract, raises: Sequence[Raised], seats: int) -> Seat | None:
    """Return the next seat of the declarer's side that has not spoken: partners from the declarer's left come first."""
    side = (*contract.partners, contract.declarer)
    spoken = {raised.seat for raised in raises}
    in_turn = clockwise(contract.declarer + 1, seats)
    return next((seat for seat in in_turn if seat in side and seat not in spoken), None)
