"""Figures for operators, in Prometheus' format; all come from Redis, so every web process returns the same ones.

Processes on any number of hosts add their counts to sums in Redis every few seconds (``service.store.reporting``). The
files of ``prometheus_client`` would add up the counts of the processes of one host only.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple, get_args

import redis
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from domain.game.durations import instant
from service.bots import BOTS
from service.common.observability import BOUNDS, Counts
from service.common.version import VERSION
from service.jobs.fair_queue import FairQueue
from service.notifications.delivery.due_destinations import DueDestinations
from service.notifications.delivery.http_sending import Problem
from service.store.event_store import StoreUnavailable
from service.store.game_index import Rank
from service.store.heartbeat import Heartbeat
from service.store.redis.redis_server import memory_of_primaries
from service.store.reporting import KINDS, alive, counted
from service.store.shards import shards_of
from service.store.waiting import READERS, Due, archived, waiting
from service.transparency.transparency_log import TransparencyLog

_RANKS: Mapping[Rank, str] = {Rank.URGENT: "urgent", Rank.SPARE: "spare", Rank.ALONE: "bots"}
_OF_PROCESSES: Mapping[str, str] = {
    "open_streams": "Open streams and waiting requests.",
    "requests_in_work": "Requests that a thread of a web process is handling.",
    "requests_waiting": "Requests that wait for a thread of a web process.",
    "cached_games": "Games in the memory of web processes and workers.",
    "cached_events": "Events of these games.",
}
"""The gauges that processes report, and the meaning of their sums."""


class _Counted(NamedTuple):
    """A counter: what it counts, its label, and the label's values that are shown before anything is counted."""

    text: str
    label: str = ""
    usual: Iterable[str] = ("",)


_COUNTERS: Mapping[str, _Counted] = {
    "bot_moves": _Counted("Moves that bots made in their own seats.", "bot", BOTS),
    "bot_failures": _Counted(
        "How often a bot hung, raised or moved illegally, and any legal action was played for it.", "bot", BOTS
    ),
    "policy_failures": _Counted(
        "Questions that the policy process did not answer.", "reason", ("hung", "raised", "died")
    ),
    "policy_starts": _Counted("Starts of policy processes: one for each worker, and one after each failure."),
    "timeouts": _Counted("Turns taken from seats whose time was up.", "by", ("bot", "loss", "resign")),
    "pauses_ended": _Counted("Pauses that ended because their time was over."),
    "seeds_closed": _Counted("Games in which seeds were left out because they were not opened in time."),
    "open_games_ended": _Counted("Games that ended because no player took their open seats."),
    "idle_games_ended": _Counted("Games that ended because no player had acted for a long time."),
    "sandboxes_removed": _Counted("Sandboxes that were removed because no player had acted in them for a long time."),
    "games_archived": _Counted("Games whose logs were moved into the archive."),
    "archived_bytes": _Counted("Bytes of these logs in the store, and of their objects.", "of", ("log", "object")),
    "archive_failures": _Counted("Games that could not be archived, and requests that the archive did not answer."),
    "games_brought_back": _Counted("Archived games that were put into the store again."),
    "webhook_attempts": _Counted(
        "Attempts to deliver messages to webhooks, by the class of the response or the problem.",
        "result",
        ("2xx", "3xx", "4xx", "5xx", *get_args(Problem)),
    ),
    "webhooks_disabled": _Counted("Webhooks that were disabled.", "because", ("gone", "failing", "not-allowed")),
    "stream_items": _Counted("Events and views that were sent by streams that have ended."),
    "streams_ended": _Counted(
        "Streams that ended, by reason.", "why", ("game-over", "gone", "restarting", "too-slow", "broken-off")
    ),
    "outdated": _Counted("Jobs that arrived too late or twice, and had no effect."),
    "responses": _Counted("Responses, by the class of their status.", "status", ("2xx", "3xx", "4xx", "5xx")),
    "refusals": _Counted("Requests that were refused, by the code of the problem.", "code", ("overloaded",)),
    "appends": _Counted(
        "Appends to games by result; a conflict is decided again.",
        "result",
        ("appended", "remembered", "conflict", "replanned"),
    ),
    "script_loads": _Counted("How often the append script was sent again, to a server that did not have it."),
    "game_reads": _Counted(
        "Reads of games, by whether the process had the game in its cache.", "cache", ("hit", "miss")
    ),
}
"""The counters, without the prefix and the suffix of their names."""

_TIMES: Mapping[str, _Counted] = {
    "request": _Counted("Time from the start of a thread's work on a request to its response.", "operation", ()),
    "queue": _Counted("Time for which a request waited for a thread."),
    "loop_held": _Counted("Time for which a request or stream blocked the event loop, if more than 1 ms."),
    "append": _Counted("Time of an append: the round trip to the store, with its disk and replicas."),
    "archive_read": _Counted("Time of reading an archived game that the process had not cached."),
    "job": _Counted("Time that a worker spent on a game."),
    "thinking": _Counted("Time in which the policy process answered.", "policy", ()),
}
"""The times, without the prefix and the suffix of their names."""

Queue = Callable[[], FairQueue | None]


@dataclass(frozen=True, slots=True)
class Metrics(Collector):
    """Collect the figures of a store with so many shards; ``queue`` opens that of the workers, if there is one.

    ``archive_after`` is the time in ms after which a game that is over is archived, None if it is not.
    """

    client: redis.Redis
    shards: int
    heartbeat: Heartbeat
    queue: Queue
    archive_after: int | None = None

    def text(self) -> bytes:
        """Write all figures in Prometheus' text format."""
        registry = CollectorRegistry()
        registry.register(self)
        return generate_latest(registry)

    def describe(self) -> list[Metric]:
        """Return nothing, because the figures are read only when requested."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Read all figures."""
        now = self.heartbeat.clock.now_ms()
        yield InfoMetricFamily("plateau", "The software.", value={"version": VERSION})
        yield from self._waiting(now)
        yield from self._archive(now)
        yield from self._destinations(now)
        silence = self.heartbeat.silence() / 1000
        yield _gauge("web_silence_seconds", "Seconds since the last heartbeat of a web process.", silence)
        yield from self._processes()
        yield from self._jobs()
        yield from self._memory()
        counts = counted(self.client)
        yield from _counters(counts)
        yield from _times(counts)

    def _waiting(self, now: int) -> Iterator[Metric]:
        found = waiting(self.client, self.shards, now)
        entries = _labelled("feed_entries", "Entries of a feed that are not trimmed yet.", "feed")
        unread = _labelled("feed_unread", "Entries of a feed that its readers have not read.", "feed", "reader")
        undone = _labelled(
            "feed_unacknowledged", "Entries that a reader took and has not acknowledged.", "feed", "reader"
        )
        age = _labelled(
            "feed_lag_seconds", "Age of the oldest entry that its readers have not acknowledged.", "feed", "reader"
        )
        for feed, backlog in found.feeds.items():
            entries.add_metric([feed], backlog.entries)
            labels = [feed, READERS[feed]]
            unread.add_metric(labels, backlog.lag.unread)
            undone.add_metric(labels, backlog.lag.unacknowledged)
            age.add_metric(labels, backlog.seconds)
        yield from (entries, unread, undone, age)
        yield from _due(
            "deadlines",
            "Games with a pending deadline.",
            "Games with players that are due and not yet taken.",
            found.deadlines,
        )
        yield from _due("reminders", "Pending reminders.", "Reminders that are due and not yet taken.", found.reminders)
        yield _gauge("unlogged_heads", "Games with new events since their head was logged.", found.unlogged)
        ended = TransparencyLog(self.client).round_ended()
        silence = 0 if ended is None else max(0, now - instant(ended))
        yield _gauge("heads_silence_seconds", "Seconds since the heads of all games were last logged.", silence / 1000)

    def _archive(self, now: int) -> Iterator[Metric]:
        after = self.archive_after
        found = archived(self.client, shards_of(self.client, self.shards), 0 if after is None else now - after)
        yield _gauge("archived_games", "Games whose logs are in the archive.", found.archived)
        yield _gauge("finished_games", "Games that are over and whose logs are still in the store.", found.finished)
        yield _gauge("archive_overdue", "Finished games that should be in the archive already.", found.overdue)
        yield _gauge("archive_overdue_seconds", "How long the first of these has been overdue.", found.seconds)

    def _destinations(self, now: int) -> Iterator[Metric]:
        due_destinations = DueDestinations(self.client)
        number, served, first = due_destinations.waiting()
        yield _gauge(
            "destinations_waiting", "Mail addresses, browsers and webhooks that are due, now or later.", number
        )
        yield _gauge("destinations_served", "Destinations that a courier is serving.", served)
        overdue = _labelled("destinations_overdue", "Destinations that are due and that no courier has taken.", "kind")
        for kind, due in due_destinations.overdue_kinds(now).items():
            overdue.add_metric([kind], due)
        yield overdue
        late = 0 if first is None else max(0, now - first)
        yield _gauge("destinations_overdue_seconds", "How long the first of these has been due.", late / 1000)

    def _processes(self) -> Iterator[Metric]:
        found = alive(self.client, self.heartbeat.clock)
        processes = _labelled("processes", "Processes that have reported within half a minute.", "kind")
        for kind in KINDS:
            processes.add_metric([kind], found.processes.get(kind, 0))
        yield processes
        for name, text in _OF_PROCESSES.items():
            yield _gauge(name, text, found.gauges.get(name, 0))
        skew = found.skew / 1000
        yield _gauge(
            "clock_skew_seconds", "Largest difference in seconds between a process's clock and the store's.", skew
        )

    def _jobs(self) -> Iterator[Metric]:
        """Read the queue, unless there is none, it is unavailable, or this user cannot read it."""
        try:
            queue = self.queue()
            if queue is None:
                return
            ranks, calls = queue.by_rank(), queue.calls()
        except StoreUnavailable:
            return
        jobs = _labelled("jobs_waiting", "Games that wait for a worker.", "rank")
        for rank, number in ranks.items():
            jobs.add_metric([_RANKS[rank]], number)
        yield jobs
        yield _gauge("calls_waiting", "Calls that no worker has answered.", calls)

    def _memory(self) -> Iterator[Metric]:
        """Read the memory of the store, or of each primary of its cluster, if the server reports it."""
        used = _labelled("redis_memory_bytes", "Memory that the server of the games uses.", "node")
        limit = _labelled("redis_memory_limit_bytes", "Limit on this memory; 0: all memory of the machine.", "node")
        try:
            for node, facts in memory_of_primaries(self.client):
                used.add_metric([node], float(facts.get("used_memory", 0)))
                limit.add_metric([node], float(facts.get("maxmemory", 0)))
        except StoreUnavailable:
            return
        yield from (used, limit)


def _counters(counts: Counts) -> Iterator[Metric]:
    for name, what in _COUNTERS.items():
        labels = [what.label] if what.label else []
        family = CounterMetricFamily(f"plateau_{name}", what.text, labels=labels)
        for label in _labels(counts, name, what.usual):
            family.add_metric([label][: len(labels)], counts.get((name, label), 0))
        yield family


def _times(counts: Counts) -> Iterator[Metric]:
    bounds = [*map(str, BOUNDS), "+Inf"]
    for name, what in _TIMES.items():
        labels = [what.label] if what.label else []
        family = HistogramMetricFamily(f"plateau_{name}_seconds", what.text, labels=labels)
        for label in _labels(counts, f"{name}:us", what.usual):
            numbers = accumulate(counts.get((f"{name}:{number}", label), 0) for number in range(len(bounds)))
            seconds = counts.get((f"{name}:us", label), 0) / 1_000_000
            family.add_metric([label][: len(labels)], list(zip(bounds, numbers, strict=True)), seconds)
        yield family


def _labels(counts: Counts, name: str, usual: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys([*usual, *sorted(label for counter, label in counts if counter == name)])


def _due(name: str, text: str, overdue: str, due: Due) -> Iterator[Metric]:
    yield _gauge(name, text, due.waiting)
    yield _gauge(f"{name}_overdue", overdue, due.overdue)
    yield _gauge(f"{name}_overdue_seconds", "How long the first of these has been due.", due.seconds)


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"plateau_{name}", text, value=value)


def _labelled(name: str, text: str, *labels: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"plateau_{name}", text, labels=labels)
