"""Addresses of clusters: ``redis+cluster://user:password@host:port,host:port``, and ``rediss+cluster://`` with TLS.

Any node leads to the others; an address names several, because one of them must be up. All have the same users.
"""

import re
from typing import NamedTuple

_FORM = re.compile(
    r"(?P<scheme>rediss?)\+cluster://(?P<user>[^@/?#]*@)?(?P<nodes>[^@/?#]+)(?P<path>/[^?#]*)?(?P<query>\?[^#]*)?"
)
_NODE = re.compile(r"(?P<host>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{1,5}))?")
_PORT = 6379


class ClusterAddress(NamedTuple):
    """The nodes that an address names, and the address of the first one alone, with the other parts."""

    nodes: tuple[tuple[str, int], ...]
    first: str


def is_of_cluster(url: str) -> bool:
    """Return whether an address has the form of a cluster's."""
    return url.partition("://")[0] in {"redis+cluster", "rediss+cluster"}


def read(url: str) -> ClusterAddress:
    """Read the address of a cluster; raise ``ValueError`` with the reason."""
    found = _FORM.fullmatch(url)
    if found is None:
        raise ValueError("the address of a cluster names its nodes as host:port, with commas between them")
    if found["path"] not in (None, "/", "/0"):
        raise ValueError("a cluster has no database but 0")
    nodes = [_NODE.fullmatch(node) for node in found["nodes"].split(",")]
    places = [(node["host"].strip("[]"), int(node["port"] or _PORT)) for node in nodes if node is not None]
    if len(places) < len(nodes) or not all(0 < port < 2**16 for _, port in places):
        raise ValueError("each node of a cluster is host:port, with commas between the nodes")
    first = f"{found['scheme']}://{found['user'] or ''}{found['nodes'].split(',')[0]}{found['query'] or ''}"
    return ClusterAddress(tuple(places), first)
