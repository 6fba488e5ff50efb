"""What logs the heads of the games of a server, as a process beside it does."""

from itertools import count

from domain.game.durations import DAY, instant, moment
from service.common import wall_clock
from service.transparency.key_ring import KeyRing
from service.transparency.transparency_log import TransparencyLog
from service.transparency.unlogged import Unlogged
from tests.service.api.api_client import Server
from workers.log_worker import LogWorker

_days = count()


def log_heads(server: Server, at: str | None = None) -> KeyRing:
    """Log the heads of all games that have gone on, by default a day after the last time; return the keys that sign."""
    now = at or moment(instant(wall_clock.now()) + next(_days) * DAY)
    ring = KeyRing(server.redis, wall_clock.now)
    LogWorker(TransparencyLog(server.redis), Unlogged(server.redis, 16), ring.sign, lambda: now, 3600).keep()
    return ring
