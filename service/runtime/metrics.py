"""Figures for operators, in Prometheus' format; all come from Redis, so every web process returns the same ones."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import get_args

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from service.bots import BOTS
from service.outlets.outbox import Outbox
from service.store.change_feed import ChangeFeed
from service.store.counters import Counters
from service.store.deadlines import Deadlines
from service.store.event_store import StoreUnavailable
from service.store.heartbeat import Heartbeat
from service.version import VERSION
from service.webhooks.sending import Problem

_COUNTED: Mapping[str, tuple[str, str, Iterable[str]]] = {
    "bot_moves": ("Moves that bots made in their own seats.", "bot", BOTS),
    "bot_failures": ("Times that a bot hung, raised or moved illegally, and another bot moved for it.", "bot", BOTS),
    "timeouts": ("Turns taken from seats whose time was up.", "by", ("bot", "resign")),
    "pauses_ended": ("Pauses that ended because their time was over.", "", ("",)),
    "seeds_closed": ("Games in which seeds were left out because they were not opened in time.", "", ("",)),
    "open_games_ended": ("Games that ended because nobody took their open seats.", "", ("",)),
    "idle_games_ended": ("Games that ended because nobody had played for a long time.", "", ("",)),
    "webhook_attempts": (
        "Attempts to deliver messages to webhooks, by the class of the response or the problem.",
        "result",
        ("2xx", "3xx", "4xx", "5xx", *get_args(Problem)),
    ),
    "webhooks_disabled": ("Webhooks that were disabled.", "because", ("gone", "failing", "not-allowed")),
    "stream_items": ("Events and views that streams sent which have ended.", "", ("",)),
    "streams_ended": ("Streams that ended, by reason.", "why", ("game-over", "gone", "restarting", "too-slow")),
    "outdated": ("Jobs that arrived too late or twice, and had no effect.", "", ("",)),
}
"""For each counter, what it counts, its label, and the label's values that it shows before anything is counted."""


@dataclass(frozen=True, slots=True)
class Metrics(Collector):
    """Collect the figures; ``jobs_waiting`` returns None if there is no queue."""

    feed: ChangeFeed
    notices: ChangeFeed
    deadlines: Deadlines
    outbox: Outbox
    heartbeat: Heartbeat
    counters: Counters
    jobs_waiting: Callable[[], int | None]
    open_streams: Callable[[], int] = int
    skew: Callable[[], int] = int

    def text(self) -> bytes:
        """Write all figures in Prometheus' text format."""
        registry = CollectorRegistry()
        registry.register(self)
        return generate_latest(registry)

    def describe(self) -> list[Metric]:
        """Return nothing: the figures are read only when requested."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Read all figures."""
        yield InfoMetricFamily("plateau", "The software.", value={"version": VERSION})
        lag = self.feed.lag()
        yield _gauge("feed_unread", "Changes to games that no dispatcher has read.", lag.unread)
        yield _gauge("feed_unacknowledged", "Changes that a dispatcher has not finished.", lag.unacknowledged)
        yield _gauge("deadlines", "Games with a pending deadline.", self.deadlines.waiting())
        now = self.heartbeat.clock.now_ms()
        overdue = self.deadlines.overdue(now)
        yield _gauge("deadlines_overdue", "Players' games with a deadline that is due but not yet swept.", overdue)
        lag = self.notices.lag()
        yield _gauge("notices_unread", "Changes that players should hear of and that no notifier has read.", lag.unread)
        yield _gauge("notices_unacknowledged", "Such changes that a notifier has not finished.", lag.unacknowledged)
        waiting = self.outbox.overdue(now)
        yield _gauge("outlets_overdue", "Outlets that are due and that no courier has taken.", waiting)
        silence = self.heartbeat.silence() / 1000
        yield _gauge("web_silence_seconds", "Seconds since the last heartbeat of a web process.", silence)
        yield _gauge("open_streams", "Streams and waiting requests that are open.", self.open_streams())
        skew = self.skew() / 1000
        yield _gauge("clock_skew_seconds", "Seconds by which the clock of a web process is off, at most.", skew)
        yield from self._jobs()
        yield from self._counted()

    def _jobs(self) -> Iterator[Metric]:
        try:
            waiting = self.jobs_waiting()
        except StoreUnavailable:
            return
        if waiting is not None:
            yield _gauge("jobs_waiting", "Jobs that no worker has started.", waiting)

    def _counted(self) -> Iterator[Metric]:
        counted = self.counters.read()
        for name, (text, label, usual) in _COUNTED.items():
            family = CounterMetricFamily(f"plateau_{name}", text, labels=[label] if label else None)
            found = {by: number for (counter, by), number in counted.items() if counter == name}
            for by, number in (dict.fromkeys(usual, 0) | found).items():
                family.add_metric([by] if label else [], number)
            yield family


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"plateau_{name}", text, value=value)
