"""Phrases: who can say what when, who reads it in which language, and how it arrives."""

import json
from collections.abc import Iterator, Sequence

import pytest

from service.games.phrases import PHRASES
from service.games.talking import MOST_KEPT, PhraseStore
from service.streams.follower import Follower
from service.streams.games import Beside
from tests.support.live import NDJSON, SSE, Frame, Live, Response, live
from tests.support.people import ME, OPEN, Person, Server, Table
from tests.support.server import wait_until

FORMS = pytest.mark.parametrize("form", [SSE, NDJSON])


@pytest.fixture
def streams(server: Server) -> Iterator[Live]:
    with live(server) as app:
        yield app


@pytest.fixture
def opened(server: Server, ada: Person, bob: Person) -> Table:
    """A game of three that waits for its third player."""
    made = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, OPEN, OPEN]}).json
    assert bob.post(f"/v1/games/{made['id']}/seats", {"seat": 1}).status_code == 201
    return Table(made["id"], [ada, bob], server)


@pytest.fixture
def duel(server: Server, ada: Person, bob: Person) -> Table:
    """A game of Plateau that has begun."""
    return server.table([ada, bob], ruleset="plateau")


def say(table: Table, seat: int, phrase: str, **headers: str):
    return table.people[seat].post(f"{table.path}/phrases?as={seat}", {"phrase": phrase}, **headers)


def heard(person: Person, table: Table, query: str = "") -> list[tuple[int, str]]:
    return [(each["seat"], each["text"]) for each in person.get(f"{table.path}/phrases{query}").json["phrases"]]


# -- who, when, what ----------------------------------------------------------------------------------------------


def test_all_read_a_phrase_in_their_language_and_the_log_does_not_have_it(opened, stranger):
    before = opened.events()
    said = say(opened, 1, "well_played")
    assert said.status_code == 201
    assert (said.json["game_id"], said.json["seat"], said.json["phrase"]) == (opened.id, 1, "well_played")
    assert heard(opened.people[0], opened) == [(1, "Well played!")]
    assert heard(stranger, opened, "?lang=fr") == [(1, "Bien joué\u00a0!")]
    assert heard(stranger, opened, "?lang=ja") == [(1, "お見事！")]
    assert opened.events() == before


def test_the_list_has_every_phrase_in_words_and_says_when_one_can_talk(opened, table, stranger):
    for language, first in (("en", "Hello!"), ("fr", "Bonjour\u00a0!"), ("ja", "こんにちは！")):
        shown = stranger.get(f"{opened.path}/phrases?lang={language}").json
        assert [each["phrase"] for each in shown["choices"]] == [*PHRASES]
        assert shown["choices"][0]["text"] == first
        assert len({each["text"] for each in shown["choices"]}) == len(PHRASES)
        assert shown["silence"] is None
    silence = stranger.get(f"{table.path}/phrases").json["silence"]
    assert silence == "Partners can't talk during play; chat opens when the game ends"


def test_an_aborted_game_is_silent_and_nothing_is_left_of_what_was_said(opened, server, ada):
    assert say(opened, 0, "hello").status_code == 201
    assert ada.delete(opened.path).status_code == 200
    assert server.redis.keys("*:phrases") == []
    assert say(opened, 0, "sorry").json["code"] == "silence-aborted"
    shown = ada.get(f"{opened.path}/phrases").json
    assert (shown["phrases"], shown["silence"]) == ([], "The game was cancelled; players can no longer talk")


# -- once, bounded, erased ----------------------------------------------------------------------------------------


def test_a_repeated_phrase_is_said_once_also_when_the_moment_has_passed(opened, server):
    first = say(opened, 0, "hello", Idempotency_Key="h")
    assert server.newcomer("Cleo").post(f"{opened.path}/seats", {}).status_code == 201  # the game starts
    again = say(opened, 0, "hello", Idempotency_Key="h")
    assert (again.status_code, again.data) == (201, first.data)
    other = say(opened, 0, "sorry", Idempotency_Key="h")
    assert (other.status_code, other.json["code"]) == (422, "key-reused")
    assert say(opened, 0, "hello", Idempotency_Key="new").status_code == 409
    assert heard(opened.people[1], opened) == [(0, "Hello!")]


def test_the_latest_are_kept_for_a_time(server, duel):
    store, last = PhraseStore(server.store), b""
    said = {"id": "", "seat": 0, "player": duel.people[0].id, "phrase": "hello", "at": "2026-01-01T00:00:00.000Z"}
    for number in range(MOST_KEPT + 5):
        kept = json.dumps(said | {"id": f"ph_{number:012}"}).encode()
        write = (duel.id, duel.version, last, f"ph_{number:012}", kept)
        assert store.write(*write) == store.write(*write) == "written"  # twice, as after a lost reply
        last = kept
    found = duel.people[0].get(f"{duel.path}/phrases").json["phrases"]
    assert [each["id"] for each in found] == [f"ph_{number:012}" for number in range(5, MOST_KEPT + 5)]
    (key,) = server.redis.keys("*:phrases")
    assert 0 < server.redis.pttl(key) <= 30 * 24 * 3600 * 1000


def test_a_phrase_is_kept_only_as_it_was_judged(server, duel):
    def write(version: int, last: bytes, said: bytes) -> str:
        return PhraseStore(server.store).write(duel.id, version, last, "ph_000000000000", said)

    assert write(duel.version - 1, b"", b"{}") == "moved"
    assert write(duel.version, b"", b"{}") == "written"
    assert write(duel.version, b"", b"[]") == "moved"
    assert write(duel.version, b"{}", b"[]") == "written"


def test_what_a_player_said_goes_with_their_seat_and_with_their_account(opened, server, ada, bob):
    duel = server.table([ada, bob], ruleset="plateau")
    for table in (opened, duel):
        assert say(table, 0, "hello").status_code == say(table, 1, "thank_you").status_code == 201
    assert bob.delete(f"{opened.path}/seats/1").status_code == 204
    assert server.newcomer("Cleo").post(f"{opened.path}/seats", {"seat": 1}).status_code == 201
    assert heard(ada, opened) == [(0, "Hello!")]
    assert bob.delete(f"/v1/me?confirm={bob.id}").status_code == 204
    assert heard(ada, duel) == [(0, "Hello!")]
    kept = [each for key in server.redis.keys("*:phrases") for each in server.redis.lrange(key, 0, -1)]
    assert [json.loads(each)["player"] for each in kept] == [ada.id, ada.id]


def test_what_a_player_said_goes_with_a_seat_that_a_bot_takes_over(server, duel, ada, bob):
    assert say(duel, 0, "hello").status_code == say(duel, 1, "hello").status_code == 201
    assert bob.ask("PUT", f"{duel.path}/seats/1", {"bot": "random"}).status_code == 200
    (kept,) = [each for key in server.redis.keys("*:phrases") for each in server.redis.lrange(key, 0, -1)]
    assert json.loads(kept)["player"] == ada.id


# -- how they arrive ----------------------------------------------------------------------------------------------


def spoken(response: Response) -> list[str]:
    return [json.loads(frame.data)["text"] for frame in response.frames() if frame.name == "phrase"]


def wait_for(response: Response, *words: str) -> None:
    wait_until(lambda: response.headers and spoken(response) == [*words], " ".join(words))


def read_until(frames: Sequence[Frame], last: int) -> list[int]:
    """Return the versions of the events up to the last frame that arrived."""
    return [json.loads(frame.data)["version"] for frame in frames[: last + 1] if frame.name == "event"]


@FORMS
def test_a_stream_carries_phrases_to_those_who_ask_and_nothing_to_others(streams, duel, form):
    assert say(duel, 0, "hello").status_code == 201
    events = f"{duel.path}/events?after={duel.version}"
    asked = streams.open(None, f"{events}&phrases=0&lang=fr", form)
    others = streams.open(duel.people[1], events, form)
    wait_for(asked, "Bonjour\u00a0!")
    assert say(duel, 1, "good_luck").status_code == 201
    wait_for(asked, "Bonjour\u00a0!", "Bonne chance\u00a0!")
    assert duel.act(duel.to_act, duel.legal(duel.to_act)[0]).status_code == 201
    for response in (asked, others):
        response.wait_for_version(duel.version)
    assert spoken(others) == []
    last = duel.people[0].get(f"{duel.path}/phrases").json["phrases"][0]["id"]
    wait_for(streams.open(None, f"{events}&phrases={last}", form), "Good luck!")


def test_a_stream_that_reconnects_after_an_event_or_a_view_repeats_no_phrase(streams, duel):
    path = f"{duel.path}/events?after={duel.version - 1}&phrases=0&with=view"
    first = streams.open(None, path)
    assert say(duel, 0, "hello").status_code == 201
    wait_for(first, "Hello!")
    assert duel.act(duel.to_act, duel.legal(duel.to_act)[0]).status_code == 201
    wait_until(lambda: first.frames()[-1].name == "view" and duel.version in first.versions(), "the view")
    frames = first.frames()
    (phrase,) = (json.loads(frame.data)["id"] for frame in frames if frame.name == "phrase")
    heard = [frame.name for frame in frames].index("phrase")
    assert {frame.id.partition(":")[2] for frame in frames[:heard]} == {"0"}
    assert {frame.id.partition(":")[2] for frame in frames[heard:]} == {phrase}
    again = [streams.open(None, path, Last_Event_ID=frame.id) for frame in frames]
    assert say(duel, 1, "thank_you").status_code == 201
    for before, response in enumerate(again):
        wait_for(response, *(["Hello!"] if before < heard else []), "Thank you!")
        assert first.versions() == read_until(frames, before) + response.versions()


@pytest.mark.parametrize(("phrases", "heard"), [(None, "43"), ("0", None)])
def test_news_of_the_game_do_not_hide_what_was_said_just_before(server, duel, phrases, heard):
    following = server.app.extensions["plateau"].following
    stream = Follower(None, following.source(duel.id, None, None, Beside(phrases=phrases)), "1")
    stream._is_woken = False  # as after it has read
    for news in ("ph_000000000000", "43"):
        stream.wake(news)
    assert stream._heard == heard


@FORMS
def test_after_the_end_only_those_who_asked_for_phrases_stay(streams, finished, form):
    ended = streams.open(None, f"{finished.path}/events", form)
    assert ended.wait_for_end().name == "end"
    staying = streams.open(None, f"{finished.path}/events?phrases=0", form)
    staying.wait_for_version(finished.version)
    assert say(finished, 1, "good_game").status_code == 201
    wait_for(staying, "Good game!")
    assert not staying.is_complete


def test_a_request_that_waits_ends_with_the_next_phrase(streams, finished):
    after = f"after={finished.version}"
    page = finished.people[0].get(f"{finished.path}/events?{after}&phrases=0")
    assert (page.json["events"], page.json["phrases"]) == ([], [])
    waiting = streams.ask(None, f"{finished.path}/events?{after}&phrases=0&wait=30", "application/json")
    assert say(finished, 1, "again").status_code == 201
    wait_until(lambda: waiting.is_complete, "the response")
    (phrase,) = json.loads(waiting.body)["phrases"]
    assert phrase["text"] == "Another game?"
    changed = finished.people[0].get(f"{finished.path}/events?{after}&phrases=0", If_None_Match=page.headers["ETag"])
    assert [each["text"] for each in changed.json["phrases"]] == ["Another game?"]
    assert "phrases" not in finished.people[0].get(f"{finished.path}/events?{after}").json
