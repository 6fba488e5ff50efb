"""Turns at a card table: which player comes after which, who bids next, and who plays to a trick next."""

from collections.abc import Sequence, Sized

from domain.table import Seat


def only(seat: Seat | None) -> frozenset[Seat]:
    """Return one seat as a set; the empty set for None."""
    return frozenset() if seat is None else frozenset({seat})


def in_turn(players: Sequence[Seat], first: Seat) -> tuple[Seat, ...]:
    """Return the players in turn, beginning with ``first``."""
    start = players.index(first)
    return (*players[start:], *players[:start])


def next_bidder(players: Sequence[Seat], spoken: Sequence[tuple[Seat, bool]]) -> Seat | None:
    """Return the next player who has not passed; None once only the highest bidder, or no player, is left.

    ``players`` begin with the one who speaks first. ``spoken`` holds the turns so far: the seat, and whether it bid.
    """
    passed = {seat for seat, has_bid in spoken if not has_bid}
    highest = next((seat for seat, has_bid in reversed(spoken) if has_bid), None)
    last = spoken[-1][0] if spoken else players[-1]
    after_last = (*in_turn(players, last)[1:], last)
    still_in = [seat for seat in after_last if seat not in passed]
    return still_in[0] if still_in and still_in != [highest] else None


def next_to_play(players: Sequence[Seat], leader: Seat, trick: Sized) -> Seat | None:
    """Return the player who plays to a trick next; None once the trick is full."""
    if len(trick) == len(players):
        return None
    return players[(players.index(leader) + len(trick)) % len(players)]
