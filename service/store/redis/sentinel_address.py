"""The address of a primary behind Sentinels: ``redis+sentinel://host:26379,host:26379/name/0``."""

import re
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import parse_qsl, urlencode

SCHEMES = {"redis+sentinel": "redis", "rediss+sentinel": "rediss"}
"""The schemes of such addresses, each with that of the servers."""

OWN_PARAMETERS = {"sentinel_username": ".+", "sentinel_password": ".+"}
"""The parameters after the '?' that are for the Sentinels alone, with their form."""

_PORT = 26379
_PLACE = re.compile(r"(?:\[(?P<ipv6>[0-9A-Fa-f:]+)\]|(?P<host>[^\[\]:,/@\s]+))(?::(?P<port>[1-9][0-9]{0,4}))?")
_PATH = re.compile(r"(?P<name>[A-Za-z0-9._-]+)(?:/(?P<db>[0-9]+))?/?")


@dataclass(frozen=True, slots=True)
class SentinelAddress:
    """The Sentinels, by host and port, the name under which they watch the primary, and their credentials.

    ``server`` is the address of any server that they watch, without its host; its user and password are for the
    servers. ``username`` and ``password`` are for the Sentinels.
    """

    sentinels: tuple[tuple[str, int], ...]
    name: str
    server: str = field(repr=False)
    username: str | None = None
    password: str | None = field(default=None, repr=False)

    @classmethod
    def read(cls, text: str) -> Self:
        """Read an address; raise ``ValueError`` with the reason."""
        scheme, _, rest = text.partition("://")
        whole, _, query = rest.partition("?")
        places, _, path = whole.partition("/")
        user, at, hosts = places.rpartition("@")
        found = [_PLACE.fullmatch(host) for host in hosts.split(",")]
        watched = _PATH.fullmatch(path)
        if scheme not in SCHEMES or not all(found):
            raise ValueError("the Sentinels must be host:port, separated by commas")
        if watched is None:
            raise ValueError("after the Sentinels must come /name/0: the name of the primary, and the database")
        given = dict(parse_qsl(query, keep_blank_values=True))
        own = {name: given.pop(name) for name in OWN_PARAMETERS if name in given}
        return cls(
            tuple((each["ipv6"] or each["host"], int(each["port"] or _PORT)) for each in found if each),
            watched["name"],
            f"{SCHEMES[scheme]}://{user}{at}sentinels/{watched['db'] or 0}?{urlencode(given)}",
            own.get("sentinel_username"),
            own.get("sentinel_password"),
        )
