"""What a process counts, and how the counts of all processes become figures."""

import threading
import time

import pytest
import redis
from prometheus_client.metrics_core import Metric

from service.common.observability import BOUNDS, ProcessMetrics
from service.runtime.metrics import Metrics
from service.store import keys
from service.store.heartbeat import Heartbeat, StoreClock
from service.store.reporting import Reporter, alive
from tests.support.stores import KINDS, empty_store

client = pytest.fixture(params=KINDS)(empty_store)


def samples(client: redis.Redis, family: str) -> dict[tuple[str, ...], float]:
    """Return the samples of a family by their name and labels, without those that are 0."""
    collected = Metrics(client, 1, Heartbeat(client), lambda: None).collect()
    found: dict[str, Metric] = {each.name: each for each in collected}
    return {(each.name, *each.labels.values()): each.value for each in found[family].samples if each.value}


def test_counts_of_all_processes_add_up(client):
    for times in (2, 3):
        metrics = ProcessMetrics()
        metrics.count("appends", "conflict", times)
        metrics.count("script_loads")
        Reporter(client, "web", StoreClock(client), metrics).report()
    assert samples(client, "plateau_appends") == {("plateau_appends_total", "conflict"): 5}
    assert samples(client, "plateau_script_loads") == {("plateau_script_loads_total",): 2}


def test_what_was_reported_is_not_counted_again(client):
    metrics = ProcessMetrics()
    metrics.count("script_loads")
    reporter = Reporter(client, "web", StoreClock(client), metrics)
    for _ in range(3):
        reporter.report()
    assert samples(client, "plateau_script_loads") == {("plateau_script_loads_total",): 1}


def test_times_are_shown_in_buckets_that_add_up(client):
    metrics = ProcessMetrics()
    for seconds in (0.0004, BOUNDS[0], 0.003, 7.5):
        metrics.time("append", seconds)
    Reporter(client, "worker", StoreClock(client), metrics).report()
    shown = samples(client, "plateau_append_seconds")
    bucket = "plateau_append_seconds_bucket"
    assert [shown[bucket, bound] for bound in ("0.001", "0.0025", "0.005", "5.0", "+Inf")] == [2, 2, 3, 3, 4]
    assert shown["plateau_append_seconds_count",] == 4
    assert shown["plateau_append_seconds_sum",] == pytest.approx(7.5044, abs=1e-5)


def test_times_have_a_label_where_there_is_one(client):
    metrics = ProcessMetrics()
    metrics.time("request", 0.02, "act")
    Reporter(client, "web", StoreClock(client), metrics).report()
    assert samples(client, "plateau_request_seconds")["plateau_request_seconds_bucket", "act", "0.025"] == 1


def test_gauges_of_processes_add_up_and_a_process_is_known_by_its_kind(client):
    for kind, value in (("web", 3), ("web", 4), ("worker", 0)):
        metrics = ProcessMetrics()
        metrics.gauges["open_streams"] = lambda value=value: value
        Reporter(client, kind, StoreClock(client), metrics).report()
    assert alive(client, StoreClock(client))[:2] == ({"web": 2, "worker": 1}, {"open_streams": 7})


def test_of_the_clocks_of_all_processes_the_one_that_is_off_the_most_counts(client):
    for kind, skew in (("web", 40), ("courier", -7), ("worker", 3)):
        clock = StoreClock(client, local=lambda skew=skew: time.time() + skew)
        Reporter(client, kind, clock, ProcessMetrics()).report()
    assert alive(client, StoreClock(client)).skew == pytest.approx(40_000, abs=1000)


def test_a_process_is_alive_by_the_clock_of_the_store(client):
    clock = StoreClock(client, local=lambda: time.time() - 600)
    Reporter(client, "web", clock, ProcessMetrics()).report()
    assert alive(client, clock).processes == alive(client, StoreClock(client)).processes == {"web": 1}


def test_counts_that_cannot_be_reported_are_kept_for_the_next_time(client):
    metrics = ProcessMetrics()
    metrics.count("script_loads")
    reporter = Reporter(client, "web", StoreClock(client), metrics)
    for key in (keys.PROCESSES, keys.COUNTERS):
        client.set(key, "in the way")
        with pytest.raises(redis.RedisError):
            reporter.report()
        client.delete(key)
    reporter.report()
    assert samples(client, "plateau_script_loads") == {("plateau_script_loads_total",): 1}


def test_threads_that_count_at_once_lose_nothing():
    metrics = ProcessMetrics()

    def count() -> None:
        for _ in range(2000):
            metrics.count("appends", "appended")

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert metrics.take() == {("appends", "appended"): 8000}
    assert metrics.take() == {}
