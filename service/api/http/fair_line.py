"""The line of the requests that wait for their turn in this process: how many are admitted, and whose turn is next.

Addresses take turns, and within an address tokens take turns, however many requests each of them has in the line. So a
flood from one client delays others by a few requests, and not by its whole queue. A token never has more than a quarter
of the threads, nor an address more than half, so some are always free for others. The same holds for the places in the
line. The address counts, too, because tokens are not checked yet and anyone can invent them.

All methods are for one thread, the event loop.
"""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

_PART_OF_TOKEN, _PART_OF_ADDRESS = 4, 2
"""A token has at most a quarter of the threads and of the places, an address half of them."""


class Client(NamedTuple):
    """The sender of a request: an address, and a hash of the token, if there is one."""

    address: str
    token: int


class FairLine(Generic[T]):
    """Hand over items in turn, at most ``at_once`` until they ``leave``; there are at most ``most`` in all."""

    def __init__(self, at_once: int, most: int, hand_over: Callable[[T], None]) -> None:
        self._at_once = at_once
        self._most = most
        self._hand_over = hand_over
        self._waiting: OrderedDict[str, OrderedDict[int, deque[T]]] = OrderedDict()
        """By address and token; the next in turn is the first."""
        self._present: Counter[Client | str] = Counter()
        self._working: Counter[Client | str] = Counter()
        self.waiting = self.in_work = 0

    def has_room(self, client: Client) -> bool:
        return (
            self.waiting + self.in_work < self._most
            and self._present[client] < _part(self._most, _PART_OF_TOKEN)
            and self._present[client.address] < _part(self._most, _PART_OF_ADDRESS)
        )

    def put(self, client: Client, item: T) -> None:
        """Admit an item, even without room, and hand it over at its turn."""
        _add(self._present, client, 1)
        of_address = self._waiting.setdefault(client.address, OrderedDict())
        of_address.setdefault(client.token, deque()).append(item)
        self.waiting += 1
        self._go_on()

    def leave(self, client: Client) -> None:
        """Note that an item of a client is done, and hand over the next one."""
        _add(self._present, client, -1)
        _add(self._working, client, -1)
        self.in_work -= 1
        self._go_on()

    def _go_on(self) -> None:
        while self.waiting and self.in_work < self._at_once and (client := self._next()) is not None:
            _add(self._working, client, 1)
            self.in_work += 1
            self.waiting -= 1
            self._hand_over(self._taken(client))

    def _next(self) -> Client | None:
        """Return the client whose turn is next; clients that have their share are skipped."""
        for address, by_token in self._waiting.items():
            if self._working[address] < _part(self._at_once, _PART_OF_ADDRESS):
                for token in by_token:
                    client = Client(address, token)
                    if self._working[client] < _part(self._at_once, _PART_OF_TOKEN):
                        return client
        return None

    def _taken(self, client: Client) -> T:
        """Take the first item of a client; its next turn comes after those of all others."""
        by_token = self._waiting[client.address]
        line = by_token[client.token]
        item = line.popleft()
        if line:
            by_token.move_to_end(client.token)
        else:
            del by_token[client.token]
        if by_token:
            self._waiting.move_to_end(client.address)
        else:
            del self._waiting[client.address]
        return item


def _part(number: int, of: int) -> int:
    return max(1, number // of)


def _add(counts: "Counter[Client | str]", client: Client, number: int) -> None:
    """Count for a client and its address; remove those with a count of 0."""
    for each in (client, client.address):
        counts[each] += number
        if not counts[each]:
            del counts[each]
