"""The client address of a request, as limits count it."""

import logging
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

_LONGEST = 64
_WITH_PORT = re.compile(r"(?:\[([^\]]*)\]|([0-9.]+))(?::\d+)?\Z")
"""Some proxies add the client's port."""

_log = logging.getLogger("plateau.http")


def address_of(environ: Mapping[str, Any], proxies: int) -> str:
    """Return the address that the first of the trusted proxies saw, or the peer's if no proxy is trusted.

    Each proxy appends the address of its client to X-Forwarded-For. Earlier entries can be forged by the client.
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
    """Return an address as limits count it: an IPv4 address unchanged, an IPv6 address as its /64 network."""
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
