"""The log of a game as a stream: the same events as in pages, as they happen, for as long as the reader may read."""

import json
import random
import time
from collections.abc import Iterator

import pytest

from service.common.observability import ProcessMetrics
from service.store import change_feed, keys
from service.store.heartbeat import StoreClock
from service.store.reporting import Reporter, alive, counted
from service.streams import follower
from tests.support.live import NDJSON, SSE, Live, Response, live
from tests.support.people import ME, OPEN, Person, Server, Table
from tests.support.random_games import played
from tests.support.server import wait_until

FORMS = pytest.mark.parametrize("form", [SSE, NDJSON])


@pytest.fixture
def streams(server: Server) -> Iterator[Live]:
    with live(server) as app:
        yield app


@pytest.fixture
def running(server: Server) -> Table:
    """A game of three in the middle of the play."""
    return server.table_of_log(played("le-plateau", 3, 3)[:-30])


def page_events(person: Person, path: str, query: str = "") -> list[bytes]:
    """The events of a game as pages show them, to the byte."""
    after, found = 0, []
    while after is not None:
        body = person.get(f"{path}/events?after={after}&limit=37{query}").data
        page = json.loads(body)
        rest = body[body.index(b'"events":[') + 10 :]
        for event in page["events"]:
            size = len(json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode())
            found.append(rest[:size])
            assert json.loads(rest[:size]) == event
            rest = rest[size + 1 :]
        after = page["next"]
    return found


def events_of(response: Response) -> list[bytes]:
    return [frame.data for frame in response.frames() if frame.name == "event"]


def play_on(table: Table, times: int) -> None:
    rng = random.Random(1)
    for _ in range(times):
        seat = table.to_act
        assert table.act(seat, rng.choice(table.legal(seat))).status_code == 201


@FORMS
def test_a_stream_carries_the_events_of_the_pages_to_the_byte_for_each_viewer(streams, running, form):
    opened = [streams.open(running.people[0], f"{running.path}/events?as={viewer}", form)
              for viewer in (0, "spectator")]  # fmt: skip
    own = streams.open(running.people[2], f"{running.path}/events", form)
    play_on(running, 5)
    version = running.version
    for response in (*opened, own):
        response.wait_for_version(version)
    assert events_of(opened[0]) == page_events(running.people[0], running.path)
    assert events_of(opened[1]) == page_events(running.people[0], running.path, "&as=spectator")
    assert events_of(own) == page_events(running.people[2], running.path)
    assert events_of(own) != events_of(opened[0]) != events_of(opened[1])


@FORMS
def test_with_a_language_a_stream_says_what_happened_like_pages(streams, table, form):
    people = table.people[:2]
    opened = [streams.open(person, f"{table.path}/events?lang=en", form) for person in people]
    play_on(table, 2)
    assert people[1].patch("/v1/me", {"name": "Bertha"}).status_code == 200
    play_on(table, 2)
    late = streams.open(people[0], f"{table.path}/events?lang=en", form)
    for response in (*opened, late):
        response.wait_for_version(table.version)
    assert events_of(late) == page_events(people[0], table.path, "&lang=en")
    for person, response in zip(people, opened, strict=True):
        in_pages, in_stream = page_events(person, table.path, "&lang=en"), events_of(response)
        assert in_stream[-1] == in_pages[-1]
        assert [json.loads(each)["hash"] for each in in_stream] == [json.loads(each)["hash"] for each in in_pages]
        assert all(json.loads(each)["sentence"]["text"] for each in in_stream)


@FORMS
def test_a_stream_continues_after_any_version_and_the_header_beats_the_parameter(streams, running, form):
    last = running.version
    for after in (0, 1, last - 1):
        response = streams.open(None, f"{running.path}/events?after={after}", form)
        response.wait_for_version(last)
        assert response.versions() == [*range(after + 1, last + 1)]
    response = streams.open(None, f"{running.path}/events?after=2", form, Last_Event_ID=str(last - 2))
    response.wait_for_version(last)
    assert response.versions() == [last - 1, last]


@pytest.mark.parametrize("last", ["x", "-1", "1" * 65, "1.5"])
def test_a_last_event_id_that_is_no_version_is_refused(running, stranger, last):
    answer = stranger.get(f"{running.path}/events", Accept=SSE, Last_Event_ID=last)
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (400, "Last-Event-ID")


@FORMS
def test_a_game_that_ends_ends_its_streams(streams, server, form):
    table = server.table_of_log(played("le-plateau", 3, 0)[:-3])
    response = streams.open(None, f"{table.path}/events", form)
    assert not response.is_complete
    table.play(random.Random(1))
    last = response.wait_for_end()
    assert (last.name, json.loads(last.data)) == ("end", {"code": "game-over", "status": "finished"})
    assert response.versions() == [*range(1, table.version + 1)]
    assert "secret" in json.loads(events_of(response)[-1])["data"]


def views_of(response: Response) -> list[bytes]:
    return [frame.data for frame in response.frames() if frame.name == "view"]


@FORMS
def test_with_view_each_batch_brings_the_view_of_the_viewer_to_the_byte(streams, running, form):
    person = running.people[1]
    response = streams.open(person, f"{running.path}/events?with=view&after={running.version}", form)
    assert views_of(response) == [person.get(f"{running.path}/view").data]
    play_on(running, 1)
    response.wait_for_version(running.version)
    wait_until(lambda: len(views_of(response)) == 2, "the second view")
    assert views_of(response)[1] == person.get(f"{running.path}/view").data
    assert response.frames()[-1].name == "view"


def test_the_last_page_has_the_view_if_it_is_asked_for(running):
    person = running.people[0]
    page = person.get(f"{running.path}/events?with=view&limit=1000")
    assert page.json["view"] == person.get(f"{running.path}/view").json
    assert "view" not in person.get(f"{running.path}/events?with=view&limit=5").json
    assert page.headers["ETag"] != person.get(f"{running.path}/events?limit=1000").headers["ETag"]


@pytest.mark.parametrize("form", [SSE, NDJSON, "wait"])
def test_anyone_who_resumes_after_each_cut_gets_each_version_once_and_in_order(streams, server, form):
    table = server.table_of_log(played("le-plateau", 3, 2)[:-30])
    rng, got, cuts = random.Random(form), list[int](), 0
    while not (table.view()["game"]["status"] == "finished" and got and got[-1] == table.version):
        last = got[-1] if got else 0
        if form == "wait":
            response = streams.ask(None, f"{table.path}/events?after={last}&wait=1&limit={rng.randint(1, 9)}")
        else:
            response = streams.open(None, f"{table.path}/events", form, Last_Event_ID=str(last))
        for _ in range(rng.randint(form == "wait", 2)):
            if table.view()["game"]["status"] == "active":
                play_on(table, 1)
        if form == "wait":
            wait_until(lambda response=response: response.is_complete, "a page")
            got += [event["version"] for event in json.loads(response.body)["events"]]
        else:
            time.sleep(rng.random() / 50)
            response.leave()
            got += response.versions()
        cuts += 1
    assert got == [*range(1, table.version + 1)]
    assert cuts > 5


# -- a request that waits -----------------------------------------------------------------------------------------


def test_a_request_that_waits_is_answered_as_soon_as_there_is_an_event(streams, running):
    version, path = running.version, f"{running.path}/events"
    response = streams.ask(running.people[0], f"{path}?after={version}&wait=60")
    time.sleep(0.1)
    assert not response.status
    play_on(running, 1)
    wait_until(lambda: response.is_complete, "the answer")
    assert (response.status, response.body) == (200, running.people[0].get(f"{path}?after={version}").data)
    assert json.loads(response.body)["events"]


def test_a_request_that_has_waited_in_vain_is_answered_like_one_that_has_not(streams, running):
    path = f"{running.path}/events?after={running.version}"
    began = time.monotonic()
    response = streams.ask(running.people[0], f"{path}&wait=1")
    wait_until(lambda: response.is_complete, "the answer")
    assert time.monotonic() - began >= 1
    assert (response.status, response.body) == (200, running.people[0].get(path).data)
    etag = response.headers["etag"]
    response = streams.ask(running.people[0], f"{path}&wait=1", If_None_Match=etag)
    wait_until(lambda: response.is_complete, "the answer")
    assert (response.status, response.headers["etag"]) == (304, etag)


@pytest.mark.parametrize("wait", [0, 60])
def test_a_request_for_events_that_are_there_does_not_wait(streams, running, wait):
    response = streams.ask(running.people[0], f"{running.path}/events?after=3&wait={wait}")
    wait_until(lambda: response.is_complete, "the answer", 5)
    assert json.loads(response.body)["events"][0]["version"] == 4


def test_nobody_waits_for_a_game_that_is_over(streams, finished):
    response = streams.ask(None, f"{finished.path}/events?after={finished.version}&wait=60")
    wait_until(lambda: response.is_complete, "the answer", 5)
    assert json.loads(response.body)["events"] == []


def test_a_request_that_waits_is_refused_if_it_may_no_longer_read(streams, ada):
    path = f"/v1/games/{ada.post('/v1/games', {'ruleset': 'plateau', 'seats': [ME, OPEN]}).json['id']}"
    version = ada.get(path).json["version"]
    made = ada.post("/v1/me/tokens", {"scopes": ["games:read"]}).json
    response = streams.ask(ada.holding(made["token"]), f"{path}/events?after={version}&wait=60")
    time.sleep(0.1)
    ada.delete(f"/v1/me/tokens/{made['id']}")
    wait_until(lambda: response.is_complete, "the answer")
    assert (response.status, json.loads(response.body)["code"]) == (401, "invalid-token")


# -- who may read, and for how long -------------------------------------------------------------------------------


def test_a_stream_that_may_not_be_read_is_refused_like_a_page(running, stranger, server):
    eve = server.newcomer("Eve")
    for person, query in ((stranger, "?as=0"), (eve, "?as=1"), (running.people[0], "?as=1"), (stranger, "?as=9")):
        page = person.get(f"{running.path}/events{query}")
        stream = person.get(f"{running.path}/events{query}", Accept=SSE)
        assert (stream.status_code, stream.json["code"]) == (page.status_code, page.json["code"])
        assert page.status_code in (400, 403)
    assert stranger.get("/v1/games/gm_0/events", Accept=SSE).status_code == 404


@FORMS
def test_a_revoked_token_ends_its_streams_and_no_others(streams, running, form):
    ada = running.people[0]
    display = running.server.known(ada.id, ["games:read"])
    ending, staying = (streams.open(person, f"{running.path}/events?as=0", form) for person in (display, ada))
    (token,) = (each for each in ada.get("/v1/me/tokens").json["items"] if each["scopes"] == ["games:read"])
    began = time.monotonic()
    assert ada.delete(f"/v1/me/tokens/{token['id']}").status_code == 204
    last = ending.wait_for_end()
    assert time.monotonic() - began < 5
    assert (last.name, json.loads(last.data)["code"]) == ("end", "invalid-token")
    play_on(running, 1)
    staying.wait_for_version(running.version)
    assert not staying.is_complete
    assert ending.versions()[-1] < running.version


def test_a_player_who_leaves_a_private_game_sees_nothing_of_it_any_more(streams, server, ada, bob):
    game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, OPEN, OPEN], "visibility": "private"}).json
    path = f"/v1/games/{game['id']}"
    bob_joins = ada.post(f"{path}/invitations", {"player": bob.id})
    assert bob_joins.status_code == 201
    assert bob.post(f"{path}/seats", {}).status_code == 201
    response = streams.open(bob, f"{path}/events")
    left = ada.get(path).json["version"] + 1
    assert bob.delete(f"{path}/seats/1").status_code == 204
    seen = bob.get(f"{path}/events").status_code
    if seen == 404:  # the invitation was used up
        assert json.loads(response.wait_for_end().data)["code"] == "no-such-game"
        assert left not in response.versions()
    else:
        response.wait_for_version(left)


def test_a_revoked_invitation_ends_the_stream_of_the_invited(streams, ada, bob):
    game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, OPEN, OPEN], "visibility": "private"}).json
    path = f"/v1/games/{game['id']}"
    invitation = ada.post(f"{path}/invitations", {"player": bob.id}).json
    response = streams.open(bob, f"{path}/events")
    began = time.monotonic()
    assert ada.delete(f"{path}/invitations/{invitation['id']}").status_code == 204
    last = response.wait_for_end()
    assert time.monotonic() - began < 5
    assert (last.name, json.loads(last.data)["code"]) == ("end", "no-such-game")


# -- manners ------------------------------------------------------------------------------------------------------


def test_a_stream_is_neither_cached_nor_compressed_nor_held_back(streams, running):
    response = streams.open(None, f"{running.path}/events", Accept_Encoding="gzip", Origin="https://page.example")
    expected = {"content-type": SSE, "cache-control": "no-store", "x-accel-buffering": "no",
                "access-control-allow-origin": "*"}  # fmt: skip
    assert response.headers.items() >= expected.items()
    assert not {"content-length", "content-encoding", "etag"} & response.headers.keys()


@pytest.mark.parametrize(("form", "sign"), [(SSE, b": \n\n"), (NDJSON, b"\n\n")])
def test_a_quiet_stream_shows_that_it_is_alive(streams, running, monkeypatch, form, sign):
    monkeypatch.setattr(follower, "HEARTBEAT_SECONDS", 0.2)
    response = streams.open(None, f"{running.path}/events", form)
    wait_until(lambda: response.body.count(sign) >= 2, "two heartbeats")
    assert response.versions() == [*range(1, running.version + 1)]


def test_a_lost_message_delays_an_event_by_no_more_than_a_heartbeat(streams, running, monkeypatch):
    monkeypatch.setattr(follower, "HEARTBEAT_SECONDS", 0.4)
    response = streams.open(None, f"{running.path}/events")
    monkeypatch.setattr(change_feed, "topic_of", lambda _: "gm_another")
    play_on(running, 1)
    response.wait_for_version(running.version)


def test_a_client_that_leaves_is_noticed_and_its_place_is_free(streams, running, server):
    places = server.app.extensions["plateau"].streams.places
    opened = [streams.open(None, f"{running.path}/events") for _ in range(3)]
    wait_until(lambda: places.open() == 3, "three streams")
    opened[0].leave()
    wait_until(lambda: places.open() == 2, "two streams")
    play_on(running, 1)
    opened[1].wait_for_version(running.version)
    assert running.version not in opened[0].versions()


def test_a_client_that_does_not_read_delays_nobody_and_loses_its_stream(streams, running, server, monkeypatch):
    shared = server.app.extensions["plateau"].streams
    monkeypatch.setattr(shared.sending, "seconds", 0.5)
    monkeypatch.setattr(shared, "_metrics", metrics := ProcessMetrics())
    slow, quick = (streams.open(None, f"{running.path}/events") for _ in range(2))
    slow.stall()
    for _ in range(4):
        play_on(running, 1)
        quick.wait_for_version(running.version)
    wait_until(lambda: shared.places.open() == 1, "the end of the slow stream")
    wait_until(lambda: metrics.take().get(("streams_ended", "too-slow")) == 1, "the figure")


@FORMS
def test_a_process_that_ends_asks_its_clients_to_come_back(running, server, form):
    with live(server) as app:
        response = app.open(None, f"{running.path}/events", form)
        waiting = app.ask(None, f"{running.path}/events?after={running.version}&wait=60")
        wait_until(lambda: server.app.extensions["plateau"].streams.places.open() == 2, "both")
    last = response.wait_for_end()
    assert (last.name, json.loads(last.data)) == ("reconnect", {"code": "restarting"})
    assert waiting.status == 200


# -- what operators see -------------------------------------------------------------------------------------------


def test_the_figures_show_what_is_open_and_what_has_ended_in_all_processes(streams, running, server):
    shared = server.app.extensions["plateau"].streams
    shared._metrics = metrics = ProcessMetrics()
    metrics.gauges["open_streams"] = shared.places.open
    clock = StoreClock(server.redis)
    figures, other = (Reporter(server.redis, "web", clock, each) for each in (metrics, ProcessMetrics()))
    ending, staying = (streams.open(None, f"{running.path}/events?after={running.version}") for _ in range(2))
    wait_until(lambda: shared.places.open() == 2, "two streams")
    figures.report()
    other.report()
    assert alive(server.redis, clock)[:2] == ({"web": 2}, {"open_streams": 2})
    play_on(running, 1)
    ending.wait_for_version(running.version)
    ending.leave()
    wait_until(lambda: shared.places.open() == 1, "one stream")
    figures.report()
    assert alive(server.redis, clock).gauges == {"open_streams": 1}
    counts = counted(server.redis)
    assert counts["streams_ended", "gone"] == 1
    assert counts["stream_items", ""] == len(ending.versions())
    assert not staying.is_complete


def test_a_process_that_has_ended_has_no_open_streams(server):
    clock = StoreClock(server.redis)
    report = {"at": 1700000000, "kind": "web", "skew": 0, "gauges": {"open_streams": 7}, "archive": ""}
    server.redis.hset(keys.PROCESSES, "ended", json.dumps(report))
    assert alive(server.redis, clock) == ({}, {}, 0, [])
    Reporter(server.redis, "web", clock, ProcessMetrics()).report()
    assert len(server.redis.hgetall(keys.PROCESSES)) == 1


def test_the_end_of_a_stream_is_logged_without_anything_of_the_clients(streams, running, caplog):
    caplog.set_level("INFO", "plateau.stream")
    response = streams.open(running.people[0], f"{running.path}/events")
    response.leave()
    wait_until(lambda: caplog.records, "the line")
    fields = caplog.records[0].fields
    assert fields.keys() == {"request_id", "player", "seconds", "items", "ended"}
    assert (fields["request_id"], fields["ended"]) == (response.headers["x-request-id"], "gone")


def test_the_head_of_a_stream_states_no_length(running):
    person = running.people[0]
    for accepted in ("text/event-stream", "application/x-ndjson"):
        answer = person.ask("HEAD", f"{running.path}/events", headers={"Accept": accepted})
        assert (answer.status_code, answer.mimetype) == (200, accepted)
        assert "Content-Length" not in answer.headers
