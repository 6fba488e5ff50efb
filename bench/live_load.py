"""Matches of Liar's Dice played live: every seat has connections of its own and is told of every move.

The next move of a match is sent as soon as the player whose turn it is has been told of the one before. Each bid is the
lowest possible one, so that a match lasts for thousands of moves.
"""

import selectors
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from socket import socket
from typing import NamedTuple, Protocol

SEATS, DICE = 4, 6


class Told(NamedTuple):
    """What a player knows after a move: how many there were, whose turn it is, the last bid, the number of all dice."""

    moves: int
    turn: int
    number: int
    face: int
    dice: int


class Seat(Protocol):
    """A player's client."""

    @property
    def connections(self) -> Sequence[socket]:
        """Return its connections."""
        ...

    def received(self, connection: socket, data: bytes) -> Iterator[Told]:
        """Take what a connection received; return what the player is told."""
        ...

    def bid(self, count: int, face: int) -> None:
        """Send a bid."""
        ...

    def challenge(self) -> None:
        """Send a challenge of the last bid."""
        ...


@dataclass
class Match:
    """A match: its players, how far each has been told, and the times from each move to the next player's client."""

    seats: Sequence[Seat]
    goal: int = 0
    told: list[int] = field(default_factory=lambda: [-1] * SEATS)
    last: Told | None = None
    sent_at: float = 0.0
    took: list[float] = field(default_factory=list)

    @property
    def is_done(self) -> bool:
        """Return whether every player has been told of the last move."""
        return min(self.told) >= self.goal

    def tell(self, seat: int, told: Told) -> None:
        """Note what a player was told; send the next move if it is that player's."""
        if told.moves != self.told[seat] + 1 and self.told[seat] >= 0:
            raise SystemExit(f"seat {seat} was told of move {told.moves} after move {self.told[seat]}")
        self.told[seat] = told.moves
        if told.turn != seat:
            return
        if self.sent_at:
            self.took.append(time.perf_counter() - self.sent_at)
        self.last = told
        if told.moves < self.goal:
            self.go_on()

    def go_on(self) -> None:
        """Send the next move."""
        if self.last is None:
            raise SystemExit("no player has been told that it is their turn")
        self.sent_at = time.perf_counter()
        _send_lowest(self.seats[self.last.turn], self.last)


def _send_lowest(seat: Seat, told: Told) -> None:
    if not told.number:
        seat.bid(1, 2)
    elif told.face < 6:
        seat.bid(told.number, told.face + 1)
    elif told.number < told.dice:
        seat.bid(told.number + 1, 2)
    else:
        seat.challenge()


class Load:
    """All matches, on one thread."""

    def __init__(self, matches: Sequence[Match]) -> None:
        self._matches = matches
        self._selector = selectors.DefaultSelector()
        for match in matches:
            for number, seat in enumerate(match.seats):
                for connection in seat.connections:
                    self._selector.register(connection, selectors.EVENT_READ, (match, number, seat))

    def play(self, moves: int) -> tuple[float, list[float]]:
        """Play so many moves of each match; return moves a second, and the delays in ms."""
        self._until_told()
        for match in self._matches:
            match.goal += moves
            match.took = []
        began = time.perf_counter()
        for match in self._matches:
            match.go_on()
        self._until_told()
        took = time.perf_counter() - began
        delays = sorted(1000 * each for match in self._matches for each in match.took)
        return moves * len(self._matches) / took, delays

    def close(self) -> None:
        """Close all connections."""
        for key in [*self._selector.get_map().values()]:
            key.fileobj.close()  # type: ignore[union-attr]
        self._selector.close()

    def _until_told(self) -> None:
        while not all(match.is_done for match in self._matches):
            ready = self._selector.select(timeout=30)
            if not ready:
                raise SystemExit("nobody was told of anything for half a minute")
            for key, _ in ready:
                match, number, seat = key.data
                connection: socket = key.fileobj  # type: ignore[assignment]
                data = connection.recv(1 << 18)
                if not data:
                    raise SystemExit("a connection was closed")
                for told in seat.received(connection, data):
                    match.tell(number, told)
