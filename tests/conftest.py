"""Real servers for the tests that ask for one: each is started once in every test process that needs it."""

import gc
import zlib
from collections import defaultdict
from collections.abc import Iterator

import pytest
import redis
from hypothesis import settings

from tests.support.clusters import RealCluster
from tests.support.server import PROGRAMS, RealServer, RunningService, describe_programs, running_service
from tests.support.traces import spans  # noqa: F401 - a fixture

pytest.register_assert_rewrite("domain.laws")

# With its own threshold, the collector takes two thirds of the time in which ten thousand tests are collected.
gc.set_threshold(50_000, 20)


CONTRACT = ("tests/service/store/", "tests/service/runtime/")
"""Where the tests are of what an engine must do, which run on each engine in every run."""


def pytest_configure() -> None:
    """Let Hypothesis take as many examples as other samples, of which none is timed: that is about the machine."""
    from tests.support.sampling import part  # noqa: PLC0415 - assertions of the laws are rewritten first

    settings.register_profile("plateau", deadline=None, max_examples=part(200))
    settings.load_profile("plateau")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave to ``make long`` what takes too much time: the other engine above the store, and most of many cases.

    Above the store, the name of a test decides which engine it runs on. Of a test marked ``sampled``, a part of the
    cases run, as large as of all samples; what has failed runs again, all of it. The tests that share a whole service
    come first, so that few processes start one.
    """
    cases: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        test = item.nodeid.partition("[")[0]
        kinds = _kinds_of(item)
        if kinds and not item.nodeid.startswith(CONTRACT):
            place = zlib.crc32(test.encode()) % len(PROGRAMS)
            if kinds != {[*PROGRAMS][place]}:
                item.add_marker(pytest.mark.long)
        if (
            item.get_closest_marker("sampled")
            and not config.getoption("lf", default=False)
            and not item.get_closest_marker("long")
        ):
            cases[test].append(item)
    for alike in cases.values():
        for item in _left_out(alike):
            item.add_marker(pytest.mark.long)
    items.sort(key=lambda item: "service" not in getattr(item, "fixturenames", ()))


def _left_out(cases: list[pytest.Item]) -> list[pytest.Item]:
    """Return the cases that are not among the samples, which are spread evenly, from the first to the last."""
    from tests.support.sampling import part  # noqa: PLC0415 - assertions of the laws are rewritten first

    taken = min(part(len(cases)), len(cases))
    places = {place * (len(cases) - 1) // max(1, taken - 1) for place in range(taken)}
    return [case for place, case in enumerate(cases) if place not in places]


def _kinds_of(item: pytest.Item) -> set[str]:
    """Return the kinds of engines that a test is to run on."""
    callspec = getattr(item, "callspec", None)
    values = callspec.params.values() if callspec else ()
    return {value for value in values if isinstance(value, str) and value in PROGRAMS}


def pytest_collection_finish() -> None:
    """Keep modules and tests out of the collector's sight: they stay until the end."""
    gc.freeze()


def pytest_report_header() -> str:
    return f"engines: {describe_programs()}"


def _serve_for_all_tests(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = RealServer.start(kind, tmp_path_factory.mktemp(kind))
    yield server.url
    server.stop()


@pytest.fixture(scope="session")
def valkey_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Valkey that all tests of this process share."""
    yield from _serve_for_all_tests("valkey", tmp_path_factory)


@pytest.fixture(scope="session")
def shared_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealCluster]:
    """A Valkey cluster of three primaries that all tests of this process share."""
    cluster = RealCluster("valkey", tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def cluster_url(shared_cluster: RealCluster) -> str:
    """The address of that cluster."""
    return shared_cluster.url


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """The whole service with a worker, for all tests of this process that need no settings of their own.

    It takes seconds to start. No search of a bot ends for want of time, so the same question has the same answer, and
    webhooks can go to this machine.
    """
    env = {"PLATEAU_WORKERS": "1", "PLATEAU_BOT_SECONDS": "60", "PLATEAU_ALLOW_UNSAFE_WEBHOOKS": "1"}
    with running_service(tmp_path_factory.mktemp("service"), env) as running:
        yield running


if "redis" in PROGRAMS:

    @pytest.fixture(scope="session")
    def real_redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
        """The address of a Redis that all tests of this process share."""
        yield from _serve_for_all_tests("redis", tmp_path_factory)


@pytest.fixture(params=PROGRAMS)
def redis_url(request: pytest.FixtureRequest) -> str:
    """The address of an empty server: the test runs once on each kind that this machine has."""
    url: str = request.getfixturevalue({"valkey": "valkey_url", "redis": "real_redis_url"}[request.param])
    with redis.Redis.from_url(url) as client:
        client.flushall()
    return url
