"""Matches of Liar's Dice played live, on this service and on boardgame.io: every seat receives every move.

A seat has connections of its own: here for HTTP and a stream of events, there for socket.io.

The next move of a match is sent as soon as the player to act has received the last one. Each bid is the lowest possible
one, so that a match lasts for thousands of moves.
"""

import selectors
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from socket import socket
from typing import Any, NamedTuple, Protocol

import orjson

from bench.throughput import connect_to

SEATS, DICE = 4, 6
_NAMESPACE = "/liars-dice"


class Received(NamedTuple):
    """What a player has received after a move: the number of moves, the seat to act, the last bid, all dice."""

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

    def received(self, connection: socket, data: bytes) -> Iterator[Received]:
        """Process received data; return what it tells the player."""
        ...

    def bid(self, count: int, face: int) -> None:
        """Send a bid."""
        ...

    def challenge(self) -> None:
        """Send a challenge of the last bid."""
        ...


@dataclass
class Match:
    """A match: its players, how far each has received it, and the times from each move to the next player's client."""

    seats: Sequence[Seat]
    goal: int = 0
    told: list[int] = field(default_factory=lambda: [-1] * SEATS)
    last: Received | None = None
    sent_at: float = 0.0
    took: list[float] = field(default_factory=list)

    @property
    def is_done(self) -> bool:
        """Return whether every player has received the last move."""
        return min(self.told) >= self.goal

    def tell(self, seat: int, told: Received) -> None:
        """Note what a player has received; send the next move if it is that player's."""
        if told.moves != self.told[seat] + 1 and self.told[seat] >= 0:
            raise SystemExit(f"seat {seat} was told of move {told.moves} after move {self.told[seat]}")
        self.told[seat] = told.moves
        if told.turn != seat:
            return
        if self.sent_at:
            self.took.append(time.perf_counter() - self.sent_at)
        self.last = told
        if told.moves < self.goal:
            self.send_next()

    def send_next(self) -> None:
        """Send the next move."""
        if self.last is None:
            raise SystemExit("no player has received their turn")
        self.sent_at = time.perf_counter()
        _send_lowest(self.seats[self.last.turn], self.last)


def _send_lowest(seat: Seat, told: Received) -> None:
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
            match.send_next()
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
                raise SystemExit("no player received anything for half a minute")
            for key, _ in ready:
                match, number, seat = key.data
                connection: socket = key.fileobj  # type: ignore[assignment]
                data = connection.recv(1 << 18)
                if not data:
                    raise SystemExit("a connection was closed")
                for told in seat.received(connection, data):
                    match.tell(number, told)


class PlateauSeat:
    """A player of this service: one connection for actions, and one for the stream of events as lines of JSON."""

    def __init__(self, port: int, game_id: str, token: str) -> None:
        self._path = f"/v1/games/{game_id}"
        self._head = f"Host: bench\r\nAuthorization: Bearer {token}\r\n"
        self._actions, self._events = connect_to(port), connect_to(port)
        self._answer = self._stream = b""
        self._began = False
        self._moves, self._dice = 0, SEATS * DICE
        self._events.sendall(
            f"GET {self._path}/events HTTP/1.1\r\n{self._head}Accept: application/x-ndjson\r\n\r\n".encode()
        )

    @property
    def connections(self) -> Sequence[socket]:
        """Return both connections."""
        return (self._actions, self._events)

    def received(self, connection: socket, data: bytes) -> Iterator[Received]:
        """Check the response to an action; read events."""
        if connection is self._actions:
            self._check(data)
            return
        self._stream += data
        if not self._began:
            head, found, rest = self._stream.partition(b"\r\n\r\n")
            if not found:
                return
            if not head.startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"no stream: {self._stream!r}")
            self._began, self._stream = True, rest
        for line in self._lines():
            told = self._told(orjson.loads(line))
            if told is not None:
                yield told

    def bid(self, count: int, face: int) -> None:
        """Post a bid."""
        self._post({"type": "bid", "count": count, "face": face})

    def challenge(self) -> None:
        """Post a challenge."""
        self._post({"type": "challenge"})

    def _post(self, action: dict[str, Any]) -> None:
        body = orjson.dumps(action)
        head = f"POST {self._path}/actions HTTP/1.1\r\n{self._head}Content-Type: application/json\r\n"
        self._actions.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)

    def _check(self, data: bytes) -> None:
        self._answer += data
        head, _, body = self._answer.partition(b"\r\n\r\n")
        if not body or len(body) < int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]):
            return
        if not head.startswith(b"HTTP/1.1 201"):
            raise SystemExit(f"refused: {self._answer!r}")
        self._answer = b""

    def _lines(self) -> Iterator[bytes]:
        """Return the complete lines in the chunks."""
        while True:
            size, found, rest = self._stream.partition(b"\r\n")
            length = int(size, 16) if found else 0
            if not found or len(rest) < length + 2:
                return
            self._stream = rest[length + 2 :]
            yield from filter(None, rest[:length].split(b"\n"))

    def _told(self, event: dict[str, Any]) -> Received | None:
        data = event["data"]
        match event["type"]:
            case "bid_made":
                self._moves += 1
                return Received(self._moves, (event["seat"] + 1) % SEATS, data["count"], data["face"], self._dice)
            case "bid_challenged":
                self._moves += 1
            case "dice_rolled":
                self._dice = sum(cup["count"] for cup in data["cups"])
                return Received(self._moves, data["starter"], 0, 0, self._dice)
            case _:
                pass
        return None


class BoardgameSeat:
    """A player of boardgame.io: one WebSocket, with the messages of its own client."""

    def __init__(self, port: int, match_id: str, seat: int, credentials: str) -> None:
        self._match, self._player, self._credentials = match_id, str(seat), credentials
        self._connection = connect_to(port)
        self._received = b""
        self._began = False
        self._state = 0
        self._connection.sendall(
            b"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\n"
            b"Connection: Upgrade\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )

    @property
    def connections(self) -> Sequence[socket]:
        """Return the connection."""
        return (self._connection,)

    def received(self, _connection: socket, data: bytes) -> Iterator[Received]:
        """Read messages, and reply to those of the protocol."""
        self._received += data
        if not self._began:
            head, found, rest = self._received.partition(b"\r\n\r\n")
            if not found:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                raise SystemExit(f"no WebSocket: {self._received!r}")
            self._began, self._received = True, rest
        for message in self._messages():
            told = self._told(message)
            if told is not None:
                yield told

    def bid(self, count: int, face: int) -> None:
        """Send a bid."""
        self._move("bid", [count, face])

    def challenge(self) -> None:
        """Send a challenge."""
        self._move("challenge", [])

    def _move(self, name: str, args: list[int]) -> None:
        payload = {"type": name, "args": args, "playerID": self._player, "credentials": self._credentials}
        action = {"type": "MAKE_MOVE", "payload": payload}
        self._emit(["update", action, self._state, self._match, self._player])

    def _emit(self, message: list[Any]) -> None:
        self._send(f"42{_NAMESPACE},".encode() + orjson.dumps(message))

    def _send(self, payload: bytes) -> None:
        """Send a text; a mask of zeros leaves it as it is."""
        length = len(payload)
        size = bytes([0x80 | length]) if length < 126 else b"\xfe" + length.to_bytes(2, "big")
        self._connection.sendall(b"\x81" + size + b"\0\0\0\0" + payload)

    def _messages(self) -> Iterator[bytes]:
        """Return the payloads of complete frames."""
        while len(self._received) >= 2:
            length, start = self._received[1], 2
            if length in (126, 127):
                start = 4 if length == 126 else 10
                length = int.from_bytes(self._received[2:start], "big")
            if len(self._received) < start + length or len(self._received) < start:
                return
            payload, self._received = self._received[start : start + length], self._received[start + length :]
            yield payload

    def _told(self, message: bytes) -> Received | None:
        if message.startswith(b"0"):
            self._send(f"40{_NAMESPACE},".encode())
        elif message == b"2":
            self._send(b"3")
        elif message.startswith(b"40"):
            self._emit(["sync", self._match, self._player, self._credentials, SEATS])
        elif message.startswith(b"42"):
            name, *args = orjson.loads(message[message.index(b",") + 1 :])
            if name in ("sync", "update"):
                return self._read(args[1]["state"] if name == "sync" else args[1])
        return None

    def _read(self, state: dict[str, Any]) -> Received:
        """Read the state of the match, as this player sees it."""
        self._state = state["_stateID"]
        game, bid = state["G"], state["G"]["bid"] or {"count": 0, "face": 0}
        return Received(game["moves"], int(state["ctx"]["currentPlayer"]), bid["count"], bid["face"], sum(game["left"]))
