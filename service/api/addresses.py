"""Where a request comes from, as limits count addresses."""

import logging
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

_LONGEST = 64
_WITH_PORT = re.compile(r"(?:\[([^\]]*)\]|([0-9.]+))(?::\d+)?\Z")
"""Some proxies add the port that a client asked from."""

_log = logging.getLogger("plateau.http")


def address_of(environ: Mapping[str, Any], proxies: int) -> str:
    """Return the address that asked the first of so many trusted proxies, or the peer's, if there is none.

    Each proxy adds the address it was asked from to the end of X-Forwarded-For; what stands before is the client's own
    invention.
    """
    forwarded = environ.get("HTTP_X_FORWARDED_FOR")
    peer = environ.get("REMOTE_ADDR", "")
    if forwarded and proxies:
        hops = forwarded.rsplit(",", proxies)
        client = hops[-proxies].strip() if len(hops) >= proxies else peer
        return _network(client, peer) if len(client) <= _LONGEST else _network(peer, peer)
    if forwarded:
        _warn_once()
    return _network(peer, peer)


@lru_cache(4096)
def _network(text: str, otherwise: str) -> str:
    """Write an address as limits count it: one of IPv4 as it is, of IPv6 the /64 that one customer has."""
    try:
        found = ip_address(_WITH_PORT.sub(r"\1\2", text))
    except ValueError:
        return otherwise
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or ip_network((int(found), 64), strict=False))
    return str(found)


@cache
def _warn_once() -> None:
    _log.warning(
        "requests come through a proxy, and PLATEAU_TRUSTED_PROXIES is 0: "
        "the limits for each address count all clients as one"
    )
