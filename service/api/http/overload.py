"""Which requests a busy process admits, and how it rejects the others cheaply.

The process has read neither the body nor the token of a rejected request, so the request had no effect, and can be sent
again.
"""

import logging
import random
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar

import orjson

from domain.errors import worded
from domain.sentences.catalogue import ORIGINAL
from domain.sentences.message import Message
from service.api.http.errors import KINDS
from service.api.http.middleware import ANY_ORIGIN, Origins, origin_headers
from service.api.http.parameters import LANGUAGES
from service.api.http.request import address_of
from service.common.errors import WORDS
from service.common.observability import METRICS

# -- the line of the requests that wait for their turn in this process --------------------------------------------
#
# How many are admitted, and whose turn is next.
#
# Addresses take turns, and within an address tokens take turns, however many requests each of them has in the line. So
# a flood from one client delays others by a few requests, and not by its whole queue. A token never has more than a
# quarter of the threads, nor an address more than half, so some are always free for others. The same holds for the
# places in the line. The address counts, too, because tokens are not checked yet and anyone can invent them.
#
# All methods are for one thread, the event loop.


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


# -- which requests are let in while a process has much to do, and how the others are refused ---------------------

_log = logging.getLogger("plateau.http")

CODE = "overloaded"
HELD_SECONDS = 0.5
"""The delay of a rejection, on the event loop: a client that retries at once would cost more than the wait."""
_RETRY_SECONDS = 1
_SILENT_SECONDS = 10.0
_MOST_LANGUAGES = 8

Environ = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Admission:
    """The number of requests that are admitted, ``most`` in work or waiting; and how to identify clients and pages."""

    most: int = 512
    trusted_proxies: int = 0
    origins: Origins = ANY_ORIGIN

    def client(self, environ: Environ) -> Client:
        """Return the client that sends a request, as far as this is known without the store."""
        return Client(address_of(environ, self.trusted_proxies), hash(environ.get("HTTP_AUTHORIZATION")))


class Refusing:
    """Rejects requests, counts them, and logs this from time to time."""

    def __init__(self, admission: Admission) -> None:
        self._origins = admission.origins
        self._silent_until = 0.0

    def refusal(self, environ: Environ) -> tuple[int, list[tuple[str, str]], bytes]:
        METRICS.count("refusals", CODE)
        METRICS.count("responses", "5xx")
        if time.monotonic() >= self._silent_until:
            _log.warning("requests are refused, because too many are in work or wait; see /metrics for how many")
            self._silent_until = time.monotonic() + _SILENT_SECONDS
        language, request_id = _language(environ.get("HTTP_ACCEPT_LANGUAGE", "")), f"req_{random.getrandbits(64):016x}"
        headers = {
            "Content-Type": "application/problem+json",
            "Content-Language": language,
            "Retry-After": str(_RETRY_SECONDS),
            "X-Request-Id": request_id,
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-store",
            **origin_headers(self._origins, environ.get("HTTP_ORIGIN")),
        }
        return KINDS[CODE].status, [*headers.items()], orjson.dumps({**_body(language), "instance": request_id})


@cache
def _body(language: str) -> Mapping[str, Any]:
    return {
        "type": f"/v1/problems/{CODE}",
        "title": KINDS[CODE].title(language),
        "status": KINDS[CODE].status,
        "detail": worded(Message(f"detail.{CODE}"), WORDS, language),
        "code": CODE,
    }


def _language(accepted: str) -> str:
    tags = (each.strip()[:2].lower() for each in accepted.split(",", _MOST_LANGUAGES))
    return next((tag for tag in tags if tag in LANGUAGES), ORIGINAL)
