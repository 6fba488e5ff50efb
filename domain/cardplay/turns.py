"""Turns at a card table: who bids next, and who plays to a trick next."""

from collections.abc import Collection, Sequence, Sized

from domain.table import Seat


def only(seat: Seat | None) -> frozenset[Seat]:
    """Return one seat as a set; the empty set for None."""
    return frozenset() if seat is None else frozenset({seat})


def next_bidder(players: Sequence[Seat], spoken: Sequence[Seat], passed: Collection[Seat]) -> Seat | None:
    """Return the next player who has not passed; None once no player, or only the highest bidder, is left.

    ``players`` begin with the one who speaks first; ``spoken`` are the seats that have spoken so far, in order.
    """
    after_last = players.index(spoken[-1]) + 1 if spoken else 0
    still_in = [seat for seat in (*players[after_last:], *players[:after_last]) if seat not in passed]
    if not still_in or (len(still_in) == 1 and still_in[0] in spoken):
        return None
    return still_in[0]


def next_to_play(players: Sequence[Seat], leader: Seat, trick: Sized) -> Seat | None:
    """Return the next of the players, who are in turn, to a trick with such a leader; None once the trick is full."""
    return None if len(trick) == len(players) else players[(players.index(leader) + len(trick)) % len(players)]
