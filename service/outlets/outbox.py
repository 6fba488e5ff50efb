"""The outbox: the outlets of all players by the time at which each is due, taken with a lease.

Whoever takes an outlet holds it until it is settled, or until the lease ends; meanwhile nobody else gets it, though it
can become due again. If its taker is killed, the outlet is taken again after the lease, so nothing is lost.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from typing import cast

import redis

from service.outlets.outlets import TURN_SECONDS, Kind, Outlet
from service.store import keys
from service.store.event_store import unavailable

LEASE_MS = TURN_SECONDS * 1000 + 10_000


@dataclass(frozen=True, slots=True)
class Taken:
    """An outlet that was taken; ``until``, the end of the lease in ms, also tells this lease from later ones."""

    outlet: Outlet
    until: int


class Outbox:
    """The outbox in one Redis."""

    def __init__(self, client: redis.Redis, lease_ms: int = LEASE_MS) -> None:
        self._redis = client
        self._lease_ms = lease_ms
        self._take, self._settle = (
            client.register_script(files("service.outlets").joinpath(name).read_text())
            for name in ("take_outlets.lua", "settle.lua")
        )

    def make_due(self, outlets: Iterable[Outlet], at: int = 0) -> None:
        """Make outlets due at a time in ms, by default at once; one that is due earlier stays so."""
        wanted = {_written(outlet): at for outlet in outlets}
        if wanted:
            with unavailable():
                self._redis.zadd(keys.OUTBOX, wanted, lt=True)

    def take(self, most: int) -> list[Taken]:
        """Take outlets that are due, first those whose taker was killed, then the longest due."""
        with unavailable():
            found = self._take(keys=[keys.OUTBOX, keys.OUTBOX_LEASES], args=[self._lease_ms, most])
        until, *outlets = cast("list[bytes]", found)
        return [Taken(_read(outlet), int(until)) for outlet in outlets]

    def settle(self, taken: Taken, again: int | None) -> bool:
        """Return an outlet, due again at a time in ms or (None) when something makes it due.

        Return False, and change nothing, if the lease has ended and the outlet was taken again.
        """
        args: list[str | int] = [_written(taken.outlet), taken.until, "" if again is None else again]
        with unavailable():
            return bool(self._settle(keys=[keys.OUTBOX, keys.OUTBOX_LEASES], args=args))

    def overdue(self, now: int) -> int:
        """Count the outlets that are due and not taken."""
        with unavailable():
            return self._redis.zcount(keys.OUTBOX, "-inf", now)


def _written(outlet: Outlet) -> str:
    return f"{outlet.player} {outlet.field}"


def _read(written: bytes) -> Outlet:
    player, kind, outlet_id = written.decode().split(" ")
    return Outlet(player, cast("Kind", kind), outlet_id)
