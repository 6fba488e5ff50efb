"""Which counters and times there are, and how they are shown in Prometheus' format."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple, get_args

from prometheus_client.metrics_core import CounterMetricFamily, HistogramMetricFamily, Metric

from service.bots import BOTS
from service.common.tally import BOUNDS, bucket, total
from service.notifications.delivery.http_sending import Problem

Counts = Mapping[tuple[str, str], int]
"""Counters, by name and label."""


class _Shown(NamedTuple):
    """What is counted, its label, and the label's values that are shown before anything is counted."""

    text: str
    label: str = ""
    usual: Iterable[str] = ("",)


COUNTERS: Mapping[str, _Shown] = {
    "bot_moves": _Shown("Moves that bots made in their own seats.", "bot", BOTS),
    "bot_failures": _Shown(
        "Times that a bot hung, raised or moved illegally, and another bot moved for it.", "bot", BOTS
    ),
    "policy_failures": _Shown(
        "Questions that the process of the bots did not answer.", "reason", ("hung", "raised", "died")
    ),
    "policy_starts": _Shown("Starts of processes of the bots: one for each worker, and one after each failure."),
    "timeouts": _Shown("Turns taken from seats whose time was up.", "by", ("bot", "loss", "resign")),
    "pauses_ended": _Shown("Pauses that ended because their time was over."),
    "seeds_closed": _Shown("Games in which seeds were left out because they were not opened in time."),
    "open_games_ended": _Shown("Games that ended because nobody took their open seats."),
    "idle_games_ended": _Shown("Games that ended because nobody had played for a long time."),
    "sandboxes_removed": _Shown("Sandboxes that were removed, because nobody had played in them for a long time."),
    "games_archived": _Shown("Games whose logs were moved into the archive."),
    "archived_bytes": _Shown("Bytes of these logs in the store, and of their objects.", "of", ("log", "object")),
    "archive_failures": _Shown("Games that could not be archived, and times that the archive did not answer."),
    "games_brought_back": _Shown("Archived games that were put into the store again."),
    "webhook_attempts": _Shown(
        "Attempts to deliver messages to webhooks, by the class of the response or the problem.",
        "result",
        ("2xx", "3xx", "4xx", "5xx", *get_args(Problem)),
    ),
    "webhooks_disabled": _Shown("Webhooks that were disabled.", "because", ("gone", "failing", "not-allowed")),
    "stream_items": _Shown("Events and views that streams sent which have ended."),
    "streams_ended": _Shown(
        "Streams that ended, by reason.", "why", ("game-over", "gone", "restarting", "too-slow", "broken-off")
    ),
    "news_dropped": _Shown("News of what many follow that were dropped, because the threads that read lagged behind."),
    "outdated": _Shown("Jobs that arrived too late or twice, and had no effect."),
    "responses": _Shown("Responses, by the class of their status.", "status", ("2xx", "3xx", "4xx", "5xx")),
    "refusals": _Shown("Requests that were refused, by the code of the problem.", "code", ("overloaded",)),
    "appends": _Shown(
        "Appends to games by what became of them; a conflict is decided again.",
        "result",
        ("appended", "remembered", "conflict", "replanned"),
    ),
    "script_loads": _Shown("Times that the append script was sent again, to a server that did not have it."),
    "game_reads": _Shown("Reads of games, by whether the process knew the game already.", "cache", ("hit", "miss")),
}
"""The counters, without the first and the last part of their names."""

TIMES: Mapping[str, _Shown] = {
    "request": _Shown("Time from the beginning of a thread's work on a request to its response.", "operation", ()),
    "queue": _Shown("Time for which a request waited for a thread."),
    "append": _Shown("Time of an append: the round trip to the store, with its disk and replicas."),
    "archive_read": _Shown("Time of reading an archived game that the process did not have."),
    "job": _Shown(
        "Time for which a worker stayed with a game.",
    ),
    "thinking": _Shown("Time of an answer of the bots.", "policy", ()),
}
"""The times, without the first and the last part of their names."""


def families(counted: Counts) -> Iterator[Metric]:
    """Show all counters and times."""
    for name, shown in COUNTERS.items():
        family = CounterMetricFamily(f"plateau_{name}", shown.text, labels=[shown.label] if shown.label else None)
        for label in dict.fromkeys([*shown.usual, *_labels(counted, name)]):
            family.add_metric([label] if shown.label else [], counted.get((name, label), 0))
        yield family
    for name, shown in TIMES.items():
        times = HistogramMetricFamily(
            f"plateau_{name}_seconds", shown.text, labels=[shown.label] if shown.label else ()
        )
        for label in dict.fromkeys([*shown.usual, *_labels(counted, total(name))]):
            seconds = counted.get((total(name), label), 0) / 1_000_000
            times.add_metric([label] if shown.label else [], _buckets(counted, name, label), seconds)
        yield times


def _labels(counted: Counts, name: str) -> list[str]:
    return sorted(label for counter, label in counted if counter == name)


def _buckets(counted: Counts, name: str, label: str) -> list[tuple[str, float]]:
    """Return the upper bounds of the buckets, and how many times are at most so long."""
    bounds = [*map(str, BOUNDS), "+Inf"]
    numbers = accumulate(counted.get((bucket(name, number), label), 0) for number in range(len(bounds)))
    return list(zip(bounds, numbers, strict=True))
