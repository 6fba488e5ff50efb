"""Whose turn it is, by what everyone can see: the rules ask this of a state, the picture of a view."""

from collections.abc import Sequence

from domain.cardplay.tricks import TrickCard
from domain.le_plateau.state import Contract, Raised, Spoken
from domain.table import Seat


def clockwise(first: Seat, seats: int) -> list[Seat]:
    """List all seats, from the first one on."""
    return [(first + turn) % seats for turn in range(seats)]


def next_bidder(bids: Sequence[Spoken], dealer: Seat, seats: int) -> Seat | None:
    """Return the next seat that has not passed; None once only the highest bidder, or no seat, is left."""
    passed = {spoken.seat for spoken in bids if spoken.bid is None}
    last = bids[-1].seat if bids else dealer
    still_in = [seat for seat in clockwise(last + 1, seats) if seat not in passed]
    highest = next((spoken.seat for spoken in reversed(bids) if spoken.bid is not None), None)
    return still_in[0] if still_in and still_in != [highest] else None


def next_raiser(contract: Contract, raises: Sequence[Raised], seats: int) -> Seat | None:
    """Return the next seat of the declarer's side that has not spoken: partners from the declarer's left come first."""
    side = (*contract.partners, contract.declarer)
    spoken = {raised.seat for raised in raises}
    in_turn = clockwise(contract.declarer + 1, seats)
    return next((seat for seat in in_turn if seat in side and seat not in spoken), None)


def next_player(leader: Seat, cards: Sequence[TrickCard], seats: int) -> Seat | None:
    """Return the next seat to play to a trick; None once the trick is full."""
    return None if len(cards) == seats else (leader + len(cards)) % seats
