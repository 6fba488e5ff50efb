"""Which addresses a webhook can have: public ones, over https, so that no request reaches what only this machine can.

The form of the address is checked when a webhook is made. What its name leads to is looked up and checked before each
connection, which then goes to the very address that was checked: a name that leads elsewhere later gains nothing.
"""

import socket
import threading
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from queue import Empty, SimpleQueue

from urllib3.exceptions import LocationParseError
from urllib3.util import Url, parse_url

Address = IPv4Address | IPv6Address

LONGEST_URL = 2000
RESOLVE_SECONDS = 3.0
_MOST_LOOKUPS = 64
_MOST_ADDRESSES = 4
_HTTPS = 443
_LOWEST_FREE_PORT = 1024

_CLOSED_V4 = [
    ip_network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT
        "127.0.0.0/8",
        "168.63.129.16/32",  # the host of a virtual machine, in one cloud
        "169.254.0.0/16",  # link-local, with the metadata of clouds
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
]
_OPEN_V6 = ip_network("2000::/3")
"""The only IPv6 addresses that are public: not loopback, mapped, translated, local, link-local or multicast ones."""

_CLOSED_V6 = [
    ip_network(network)
    for network in (
        "2001::/23",  # assigned to protocols, such as Teredo, which embeds an IPv4 address
        "2001:db8::/32",
        "2002::/16",  # 6to4, which embeds an IPv4 address
        "3fff::/20",
    )
]

_LAX = "For tests, a service of your own allows it with PLATEAU_ALLOW_UNSAFE_WEBHOOKS=1."


class BadUrl(ValueError):
    """An address cannot be that of a webhook; the message states why."""


class NoAddress(Exception):
    """A name leads to no address that a webhook can have; what it leads to stays unsaid."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Which addresses webhooks can have; ``anywhere`` also permits http, all ports and private addresses."""

    anywhere: bool = False

    def check_url(self, text: str) -> Url:
        if len(text) > LONGEST_URL or not text.isascii() or not text.isprintable() or " " in text:
            raise BadUrl(f"Must have at most {LONGEST_URL} printable ASCII characters; write other names as xn--….")
        try:
            url = parse_url(text)
        except LocationParseError as error:
            raise BadUrl("Not a URL.") from error
        if url.scheme not in ("https", "http") or not url.host:
            raise BadUrl("Must begin with https:// and a host.")
        if url.auth is not None:
            raise BadUrl("Must not have a user or a password; the signature shows who sends.")
        if url.fragment is not None:
            raise BadUrl("Must not have a fragment.")
        if not self.anywhere:
            _check_strictly(url, url.host)
        return url

    def allows(self, address: Address) -> bool:
        return self.anywhere or is_public(address)

    def resolve(self, host: str, port: int) -> list[str]:
        """Look up a host; raise ``NoAddress`` if it has no address, or one that a webhook cannot have."""
        literal = _literal(host)
        found = [literal] if literal is not None else _look_up(host, port)
        if not found or not all(self.allows(address) for address in found):
            raise NoAddress
        return [str(address) for address in found[:_MOST_ADDRESSES]]


def _check_strictly(url: Url, host: str) -> None:
    if url.scheme != "https":
        raise BadUrl(f"Must begin with https://. {_LAX}")
    if not (url.port in (None, _HTTPS) or (url.port or 0) >= _LOWEST_FREE_PORT):
        raise BadUrl(f"The port must be 443, or from 1024 to 65535. {_LAX}")
    literal = _literal(host)
    if literal is not None and not is_public(literal):
        raise BadUrl(f"Must be a public address. {_LAX}")


def is_public(address: Address) -> bool:
    """Return whether anyone on the internet can reach an address, as far as its number shows."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _CLOSED_V4)
    return address.scope_id is None and address in _OPEN_V6 and not any(address in each for each in _CLOSED_V6)


def _literal(host: str) -> Address | None:
    try:
        return ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None


_lookups = threading.BoundedSemaphore(_MOST_LOOKUPS)


def _look_up(host: str, port: int) -> list[Address]:
    """Look up a name as this machine does; raise ``NoAddress`` if there is no answer in time.

    The system's own look-up cannot be cut short, so it has a thread of its own.
    """
    answer: SimpleQueue[list[Address]] = SimpleQueue()

    def look_up() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answer.put(list(dict.fromkeys(ip_address(str(place[0])) for *_, place in found)))
        except (OSError, ValueError):
            answer.put([])
        finally:
            _lookups.release()

    if not _lookups.acquire(timeout=RESOLVE_SECONDS):
        raise NoAddress
    threading.Thread(target=look_up, name="webhook look-up", daemon=True).start()
    try:
        return answer.get(timeout=RESOLVE_SECONDS)
    except Empty:
        raise NoAddress from None
