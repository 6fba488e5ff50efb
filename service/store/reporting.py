"""Each process reports its metrics into Redis every few seconds, so that any web process can show those of all.

Counts are added to the sums over all processes. The gauges of a process, such as open streams, are stored beside those
of the others until its next report, and expire if it is silent for long. Reports are dated by the clock of the store,
and include the difference of the host's clock.
"""

import atexit
import logging
import secrets
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, cast, get_args

import orjson
import redis

from service.common.observability import METRICS, Counts, ProcessMetrics
from service.store import keys
from service.store.event_store import StoreUnavailable
from service.store.heartbeat import StoreClock

_log = logging.getLogger(__name__)
_REPORT_SECONDS = 5.0
_BELIEVED_SECONDS = 30
"""A process that has not reported for so long counts as ended."""

Kind = Literal["web", "worker", "dispatcher", "courier"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Alive(NamedTuple):
    """The processes that have reported lately, by kind, and the sums of their gauges.

    ``skew`` is the largest difference of a host's clock from the store's, in ms. ``archives`` are the addresses of the
    archives that they read from, by kind; "" is that of a process without one.
    """

    processes: Mapping[str, int]
    gauges: Mapping[str, float]
    skew: int
    archives: Sequence[tuple[str, str]]


class Reporter:
    """Reports the counts of a process, its gauges, its ``archive``, and the skew of its ``clock``."""

    def __init__(
        self, client: redis.Redis, kind: Kind, clock: StoreClock, metrics: ProcessMetrics = METRICS, archive: str = ""
    ) -> None:
        self._redis = client
        self._kind = kind
        self._clock = clock
        self._metrics = metrics
        self._archive = archive
        self._process = secrets.token_hex(4)

    def report_for_ever(self) -> None:
        """Report in the background for the lifetime of the process, and once more when it ends."""
        atexit.register(self._report_or_log)
        threading.Thread(target=self._report_for_ever, name="figures", daemon=True).start()

    def _report_for_ever(self) -> None:
        while True:
            self._report_or_log()
            time.sleep(_REPORT_SECONDS)

    def _report_or_log(self) -> None:
        try:
            self.report()
        except StoreUnavailable as error:  # code that needs the Redis that is unavailable logs it
            _log.debug("the figures of this process are not reported yet: %s", type(error).__name__)
        except Exception:  # noqa: BLE001 - the process must continue without its figures
            _log.warning("the figures of this process were not reported", exc_info=True)

    def report(self) -> None:
        """Report once; counts that cannot be reported are included the next time."""
        self._report_gauges()
        report_counts(self._redis, self._metrics)

    def _report_gauges(self) -> None:
        gauges = {name: of() for name, of in self._metrics.gauges.items()}
        now = self._clock.seconds()
        said = _Report(int(now), self._kind, self._clock.skew(), gauges, self._archive)
        pipe = self._redis.pipeline(transaction=False)
        pipe.hset(keys.PROCESSES, self._process, orjson.dumps(said._asdict()))
        pipe.pexpire(keys.PROCESSES, 2 * _BELIEVED_SECONDS * 1000)
        silent = [process for process, about in _all(self._redis) if not _is_believed(about, now)]
        if silent:
            pipe.hdel(keys.PROCESSES, *silent)
        pipe.execute()


def report_counts(client: redis.Redis, metrics: ProcessMetrics = METRICS) -> None:
    """Add the counts of this process to the sums over all processes; those that cannot be added are not lost."""
    counts = metrics.take()
    pipe = client.pipeline(transaction=False)
    for (name, label), number in counts.items():
        pipe.hincrby(keys.COUNTERS, f"{name} {label}".rstrip(), number)
    try:
        pipe.execute()
    except redis.RedisError:
        metrics.put_back(counts)
        raise


def counted(client: redis.Redis) -> Counts:
    """Return the sums of the counts of all processes since the store began."""
    found = cast("dict[bytes, bytes]", client.hgetall(keys.COUNTERS))
    return {(name, by): int(n) for key, n in found.items() for name, _, by in [key.decode().partition(" ")]}


def alive(client: redis.Redis, clock: StoreClock) -> Alive:
    processes: Counter[str] = Counter()
    gauges: Counter[str] = Counter()
    archives = []
    now, skew = clock.seconds(), 0
    for _, said in _all(client):
        if _is_believed(said, now):
            processes[said.kind] += 1
            gauges.update(cast("Mapping[str, int]", said.gauges))
            skew = max(skew, abs(said.skew))
            archives.append((said.kind, said.archive))
    return Alive(processes, gauges, skew, archives)


class _Report(NamedTuple):
    """The report of a process, at a time in s since 1970; the skew is in ms."""

    at: int
    kind: str
    skew: int
    gauges: Mapping[str, float]
    archive: str


def _all(client: redis.Redis) -> Iterator[tuple[bytes, _Report]]:
    for process, text in cast("dict[bytes, bytes]", client.hgetall(keys.PROCESSES)).items():
        yield process, _Report(**orjson.loads(text))


def _is_believed(said: _Report, now: float) -> bool:
    return said.at > now - _BELIEVED_SECONDS
