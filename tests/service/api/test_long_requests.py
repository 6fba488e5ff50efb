"""Requests that read long logs: in a line of their own, paid by events, and answered as all others."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from domain.laws.play import log_of, random_game
from domain.registry import RULESETS
from service.api.http.asgi import LONG_THREADS, MOST_LONG, AsgiApp
from service.api.http.environ import CONTINUATION, IS_LONG, Again, Environ
from service.api.http.overload import Admission
from service.games import repository
from service.store.event_store import Append, EventStore
from service.store.redis.connections import connect
from tests.support.live import NDJSON, Live, Response, live
from tests.support.people import assert_limited, limited
from tests.support.server import PATIENCE, wait_until

LOG = log_of([*random_game(RULESETS["french-tarot"], 4, 1, {"deals": 8}, "")])
GAME, LAST = LOG[0].game_id, len(LOG)
PATH = f"/v1/games/{GAME}"
MIDDLE = LAST // 2


# -- the line -----------------------------------------------------------------------------------------------------


class Long:
    """A WSGI app whose requests for /long turn out to be long, and then wait until they are let go."""

    def __init__(self) -> None:
        self.let_go = threading.Semaphore(0)
        self.working = 0
        self.done: list[str] = []

    def __call__(self, environ: Environ, start_response: Callable[..., object]) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/long":
            if not environ[IS_LONG]:
                environ |= {IS_LONG: True, CONTINUATION: Again()}
            else:
                self.working += 1
                assert self.let_go.acquire(timeout=PATIENCE)
                self.working -= 1
                self.done.append(environ["REMOTE_ADDR"])
        start_response("200 OK", [])
        return [b"well"]


class Crowd:
    """Clients that send requests to the app at the same time."""

    def __init__(self) -> None:
        self.app = Long()
        self.asgi = AsgiApp(self.app, 1, PATIENCE, admission=Admission(1000))

    def send(self, path: str, address: str = "192.0.2.1", token: int = 0) -> tuple[Response, "asyncio.Task[None]"]:
        response = Response()
        response.begin(asyncio.get_running_loop())
        scope = {
            "type": "http", "method": "GET", "raw_path": path.encode(), "query_string": b"", "scheme": "http",
            "headers": [(b"authorization", b"Bearer %d" % token)], "server": ("127.0.0.1", 8000),
            "client": (address, 4321),
        }  # fmt: skip
        return response, asyncio.ensure_future(self.asgi(scope, response.receive, response.send))

    async def wait_for(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not condition():
                await asyncio.sleep(0.001)


def test_short_requests_never_wait_for_long_ones() -> None:
    async def test() -> None:
        crowd = Crowd()
        long = [crowd.send("/long", f"192.0.2.{number}") for number in range(10)]
        await crowd.wait_for(lambda: crowd.app.working == LONG_THREADS)
        for _ in range(5):
            response, task = crowd.send("/")
            await asyncio.wait_for(task, PATIENCE)
            assert response.status == 200
        assert crowd.app.working == LONG_THREADS
        assert not any(response.status for response, _ in long)
        crowd.app.let_go.release(10)
        await asyncio.wait_for(asyncio.gather(*(task for _, task in long)), PATIENCE)
        assert [response.status for response, _ in long] == [200] * 10

    asyncio.run(test())


def test_long_requests_of_addresses_take_turns() -> None:
    async def test() -> None:
        crowd = Crowd()
        flood = [crowd.send("/long", "192.0.2.1", token) for token in range(20)]
        await crowd.wait_for(lambda: crowd.asgi.long_line.waiting == 19)  # one address has half of the threads
        one, task = crowd.send("/long", "192.0.2.2")
        await crowd.wait_for(lambda: crowd.app.working == LONG_THREADS)
        crowd.app.let_go.release(2)
        await asyncio.wait_for(task, PATIENCE)
        assert one.status == 200
        assert len(crowd.app.done) <= 2
        crowd.app.let_go.release(20)
        await asyncio.wait_for(asyncio.gather(*(each for _, each in flood)), PATIENCE)

    asyncio.run(test())


def test_a_long_request_beyond_the_places_of_its_client_is_refused_unread() -> None:
    async def test() -> None:
        crowd = Crowd()
        tasks = [crowd.send("/long", "192.0.2.1", token % 5) for token in range(MOST_LONG // 2)]
        await crowd.wait_for(lambda: crowd.asgi.long_line.waiting + crowd.asgi.long_line.in_work == MOST_LONG // 2)
        refused, task = crowd.send("/long", "192.0.2.1", 9)
        await asyncio.wait_for(task, PATIENCE)
        assert (refused.status, json.loads(refused.body)["code"]) == (503, "overloaded")
        crowd.app.let_go.release(1 + MOST_LONG // 2)
        other, task = crowd.send("/long", "192.0.2.2")
        await asyncio.wait_for(asyncio.gather(task, *(each for _, each in tasks)), PATIENCE)
        assert other.status == 200

    asyncio.run(test())


def test_a_long_request_whose_client_has_left_is_not_handled() -> None:
    async def test() -> None:
        crowd = Crowd()
        sent = [crowd.send("/long") for _ in range(9)]
        await crowd.wait_for(lambda: (crowd.app.working, crowd.asgi.long_line.waiting) == (1, 8))
        for response, _ in sent:
            response.left.set()
        await asyncio.wait_for(asyncio.gather(*(task for _, task in sent)), PATIENCE)
        crowd.app.let_go.release(100)
        await crowd.wait_for(lambda: crowd.asgi.long_line.waiting + crowd.asgi.long_line.in_work == 0)
        assert len(crowd.app.done) == 1

    asyncio.run(test())


# -- what is long -------------------------------------------------------------------------------------------------


@pytest.fixture
def opened(valkey_url: str) -> Iterator[Callable[..., Live]]:
    """Return a function that runs the service with limits, and with a long finished game."""
    with ExitStack() as stack:

        def run(**limits: int) -> Live:
            amounts = {bucket.replace("_", "-"): most for bucket, most in limits.items()}
            server = stack.enter_context(limited(valkey_url, amounts))
            store = EventStore(stack.enter_context(connect(valkey_url)))
            store.append(Append(GAME, 0, LOG, head="", finished=1))
            app = stack.enter_context(live(server))
            app.server = server
            return app

        yield run


def whole(app: Live, path: str, **headers: str) -> Response:
    response = app.ask(None, path, **headers)
    wait_until(lambda: response.is_complete, path)
    return response


LONG = ("/view", f"/view?at={MIDDLE}&with=scene", f"/board.svg?at={MIDDLE}", "/events?limit=1000",
        "/export?format=text", "/export?format=bundle")  # fmt: skip


@pytest.mark.parametrize("path", LONG)
def test_what_is_long_takes_its_turn_in_the_line_and_is_answered_as_ever(opened, path: str) -> None:
    app, turns = opened(), 0
    put = app.app.long_line.put

    def counted(*request: Any) -> None:
        nonlocal turns
        turns += 1
        put(*request)

    app.app.long_line.put = counted
    response = whole(app, f"{PATH}{path}")
    assert (response.status, turns) == (200, 1), response.body[:200]
    assert response.body == app.server.app.test_client().get(f"{PATH}{path}").data


def test_what_is_short_stays_where_it_is(opened, monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened()
    whole(app, f"{PATH}/view")
    monkeypatch.setattr(app.app.long_line, "put", None)
    start = repository.INTERVAL * (MIDDLE // repository.INTERVAL)
    for path in ("", "/view", f"/view?at={start + 9}", f"/events?after={LAST - 20}", "/audit", "/events?limit=10"):
        assert whole(app, f"{PATH}{path}").status == 200, path


def test_anyone_who_has_read_too_much_waits_and_nobody_else(opened) -> None:
    app = opened(events_read=LAST + 10)
    ada, bob = (app.server.newcomer(name) for name in ("Ada", "Bob"))
    assert ada.get(f"{PATH}/export?format=audit").status_code == 200
    assert_limited(ada.get(f"{PATH}/export?format=text"), "events-read")
    assert_limited(ada.get(f"{PATH}/view?at={MIDDLE - 9}"), "events-read")
    assert ada.get(f"{PATH}/view").status_code == 200
    assert bob.get(f"{PATH}/export?format=audit").status_code == 200


def test_an_address_pays_with_all_its_players(opened) -> None:
    app = opened(events_read_from_address=2 * LAST + 20)
    for name in ("Ada", "Bob"):
        assert app.server.newcomer(name).get(f"{PATH}/export?format=audit").status_code == 200
    cleo = app.server.newcomer("Cleo")
    assert_limited(cleo.get(f"{PATH}/export?format=text"), "events-read-from-address")
    assert_limited(cleo.post(f"{PATH}/forks", {"at": MIDDLE}), "events-read-from-address")
    assert cleo.get(f"{PATH}/view").status_code == 200


@pytest.mark.parametrize(
    ("path", "least"),
    [
        (f"/view?at={MIDDLE}", 1), ("/export?format=bundle", LAST), ("/events?limit=100&after=9", 100),
        ("/export?format=html&as=0", 4 * LAST),
    ],
)  # fmt: skip
def test_each_operation_pays_at_least_for_the_events_that_it_reads(opened, path: str, least: int) -> None:
    app = opened()
    noted: list[int] = []
    services = app.server.app.extensions["plateau"]
    whole(app, f"{PATH}/view")
    services.limiter.note = lambda _bucket, _whom, number: noted.append(number)
    assert whole(app, f"{PATH}{path}").status == 200
    assert sum(noted) >= least


def test_a_fork_pays_several_times_and_reads_no_further_than_it_begins(opened) -> None:
    app = opened()
    noted: list[int] = []
    ada = app.server.newcomer("Ada")
    ada.get(f"{PATH}/view")
    app.server.app.extensions["plateau"].limiter.note = lambda bucket, _, number: (
        noted.append(number) if bucket == "events-read" else None
    )
    assert ada.post(f"{PATH}/forks", {"at": MIDDLE}).status_code == 201
    assert 4 * MIDDLE <= noted[0] <= 4 * MIDDLE + repository.PART
    assert len(noted) == 1


def test_a_stream_of_a_long_log_waits_for_room_and_then_continues(opened) -> None:
    app = opened(events_read_from_address=LAST + 300)
    whole(app, f"{PATH}/view")
    limiter = app.server.app.extensions["plateau"].limiter
    pace = limiter._paces["events-read-from-address"]
    stream = app.ask(None, f"{PATH}/events?after=0", NDJSON)
    wait_until(lambda: stream.headers and pace.over("192.0.2.7") > 0, "the limit")
    wait_until(stream.versions, "the first events")
    assert stream.versions()[-1] < LAST
    assert not stream.is_complete
    pace._full_at.clear()
    assert stream.wait_for_end().name == "end"
    assert stream.versions() == list(range(1, LAST + 1))


def test_a_request_that_has_written_is_not_handled_again() -> None:
    """Nothing may be carried out twice, so a client that has written reads on where it is."""
    paid: list[int] = []
    with repository.counted_reading(paid.append, is_in_turn=False):
        with pytest.raises(repository.LongRequest):
            repository.count_read(repository.BESIDE + 1)
        repository.read_on()
        repository.count_read(1000)
    assert paid == [0, 1000]


def test_a_few_records_are_free() -> None:
    paid: list[int] = []
    with repository.counted_reading(paid.append, is_in_turn=False):
        repository.count_read(repository.BESIDE)
        assert repository.most_at_once(500) == 1
    assert (paid, repository.most_at_once(500)) == ([], 500)
    repository.count_read(10**6)  # a worker is nobody who pays
