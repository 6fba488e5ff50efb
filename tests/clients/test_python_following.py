"""The Python package follows a game through everything that can happen to a stream."""

import signal
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import httpx
import pytest
from plateau_client import Client, Event, RateLimited, Refused, Table
from standardwebhooks import Webhook as Verifier

from tests.support.proxies import CuttingProxy
from tests.support.server import RunningService, running_service, wait_until
from tests.support.webhook_receiver import Receiver

ME = {"player": "me"}
STREAM = "application/x-ndjson"


class Wire(httpx.HTTPTransport):
    """Sends what it gets, and notes for each request to read events whether it asked for a stream."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/events"):
            wait = request.url.params.get("wait")
            self.asked.append("stream" if request.headers["Accept"] == STREAM else f"wait={wait}")
        return super().handle_request(request)


@pytest.fixture
def ada(service: RunningService) -> Iterator[Client]:
    with Client.guest(service.url, "Ada") as ada:
        yield ada


def sandbox(ada: Client, plies: int = 12) -> Table:
    return ada.create({"ruleset": "plateau", "seats": [ME] * 2, "sandbox": True, "options": {"max_plies": plies}})


def played(table: Table, pause: float = 0.0) -> threading.Thread:
    """Play a game to its end in the background."""

    def play() -> None:
        for view in table.turns():
            time.sleep(pause)
            table.act(table.choices(view)[0], view)

    thread = threading.Thread(target=play)
    thread.start()
    return thread


def versions(events: Iterable[Event]) -> list[int]:
    """Return the versions of events; what was hidden in an event is open when the game is over."""
    return [event["version"] for event in events]


def follower(url: str, token: str | None) -> tuple[Client, Wire]:
    wire = Wire()
    return Client(url, token, http=httpx.Client(transport=wire, timeout=30)), wire


def test_views_come_after_each_batch_of_events_until_the_end(ada: Client) -> None:
    table = sandbox(ada)
    first = table.view(0)
    views = table.views(0)
    assert next(views) == first
    thread = played(table, 0.02)
    rest = list(views)
    thread.join()
    seen = [first["version"], *(view["version"] for view in rest)]
    assert seen == sorted(set(seen))
    assert len(rest) > 3
    assert rest[-1] == table.view(0)
    assert [view["version"] for view in table.views(0)] == [seen[-1]]


@pytest.mark.parametrize("after_bytes", [None, 1000], ids=["whole", "cut"])
def test_a_game_is_followed_to_its_end_and_after_each_cut_where_it_was(ada: Client, after_bytes: int | None) -> None:
    table = sandbox(ada, 30 if after_bytes else 12)
    with CuttingProxy(ada.url, after_bytes=after_bytes) as proxy:
        client, wire = follower(proxy.url, ada.token)
        thread = played(table, 0.1 if after_bytes else 0.02)
        followed = list(client.table(table.id).follow(lang=None if after_bytes else "en"))
        thread.join()
        client.close()
    assert after_bytes or all("sentence" in event for event in followed)
    assert versions(followed) == list(range(1, table.game()["version"] + 1))
    assert (proxy.cuts > 1) == (wire.asked.count("stream") > 1) == bool(after_bytes)


@pytest.mark.long
def test_a_stopped_service_is_waited_for(tmp_path: Path) -> None:
    with running_service(tmp_path) as service, Client.guest(service.url, "Ada") as ada:
        table = sandbox(ada)
        with closing(table.follow()) as events:
            before = list(islice(events, table.game()["version"]))
            service.stop(signal.SIGTERM)
            service.start()
            table.act(table.choices(table.view())[0])
            assert next(events)["version"] == len(before) + 1


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service at which a player can open a single stream; the limit is for each web process."""
    with running_service(
        tmp_path_factory.mktemp("narrow"), {"PLATEAU_LIMITS": "streams=1", "PLATEAU_WEB_PROCESSES": "1"}
    ) as running:
        yield running


def has_no_room(table: Table) -> bool:
    """Return whether another stream is refused."""
    try:
        with table.connection.lines(f"/v1/games/{table.id}/events", {}):
            return False
    except RateLimited:
        return True


def test_anyone_who_may_open_no_more_streams_polls(narrow: RunningService) -> None:
    with Client.guest(narrow.url, "Ada") as ada:
        table = sandbox(ada)
        with closing(table.follow()) as only:
            next(only)
            wait_until(lambda: has_no_room(table), "the place of the stream to be taken")
            client, wire = follower(ada.url, ada.token)
            began = time.monotonic()
            thread = played(table, 0.1)
            seen = versions(client.table(table.id).follow())
            seconds = time.monotonic() - began
            thread.join()
            assert seen == versions(table.events())
            assert wire.asked[:2] == ["stream", "wait=0"]
            assert {*wire.asked} == {"stream", "wait=0"}
            assert wire.asked.count("stream") <= 1 + seconds / 2
            assert wire.asked.count("wait=0") <= len(seen) + seconds + 2
            client.close()


def test_a_proxy_that_holds_streams_back_does_not_hold_the_client_back(
    ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plateau_client.connection._SILENCE", 0.3)
    table = sandbox(ada)
    with CuttingProxy(ada.url, holds_streams=True) as proxy:
        client, wire = follower(proxy.url, ada.token)
        thread = played(table, 0.05)
        assert versions(client.table(table.id).follow()) == versions(table.events())
        thread.join()
        assert [view["version"] for view in client.table(table.id).views(0)] == [table.game()["version"]]
        client.close()
    assert wire.asked.count("stream") == 2
    assert any(asked.startswith("wait=2") for asked in wire.asked)


def test_what_is_wrong_is_raised(ada: Client) -> None:
    table = ada.create({"ruleset": "plateau", "seats": [ME, {"open": True}], "visibility": "private"})
    with Client(ada.url) as nobody, pytest.raises(Refused, match="no-such-game"):
        next(nobody.table("gm_missing").follow())
    token = ada.request("POST", "/v1/me/tokens", {"label": "phone", "scopes": ["games:read"]}).json()
    with closing(ada.with_token(token["token"]).table(table.id).follow()) as events:
        next(events)
        ada.request("DELETE", f"/v1/me/tokens/{token['id']}")
        with pytest.raises(Refused, match="invalid-token"):
            list(events)


def test_a_player_follows_what_happens_in_all_their_games_and_has_it_sent(service: RunningService) -> None:
    with Client.guest(service.url, "Ada") as ada, Receiver() as receiver:
        ben = Client.guest(service.url, "Ben")
        hook = ada.add_webhook({"url": receiver.url, "types": ["game_started"]})
        assert [each["id"] for each in ada.webhooks()] == [hook["id"]]
        with closing(ada.follow()) as notices:
            tables = [ada.create({"ruleset": "plateau", "seats": [ME, {"open": True}]}) for _ in range(2)]
            for table in tables:
                ben.table(table.id).join()
            heard = [next(notices) for _ in range(4)]
        assert {notice["game_id"] for notice in heard} == {table.id for table in tables}
        assert {notice["type"] for notice in heard} == {"game_started", "your_turn"}
        assert list(ada.my_events()) == heard
        assert list(ada.my_events(heard[1]["id"])) == heard[2:]
        turns = [each for each in heard if each["type"] == "your_turn"]
        assert 0 < len(turns) < len(heard)
        assert list(ada.my_events(types=["your_turn"])) == turns
        with closing(ada.follow(types=["your_turn"])) as followed:
            assert list(islice(followed, len(turns))) == turns
        wait_until(lambda: len(receiver.received) == len(tables), "the messages")
        sent = [Verifier(hook["secret"]).verify(each.body, dict(each.headers)) for each in receiver.received]
        assert {message["data"]["game_id"] for message in sent} == {table.id for table in tables}
        assert {message["type"] for message in sent} == {"game_started"}
        ada.remove_webhook(hook["id"])
        assert list(ada.webhooks()) == []
        ben.close()
