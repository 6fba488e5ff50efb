"""Clocks over HTTP: what can be requested, what is shown, what is rejected, what is listed as urgent."""

import fakeredis
import pytest

from domain.game.durations import DAY, HOUR, duration, moment
from tests.support.people import ME, OPEN, START, Server, Time

NEW = {"ruleset": "le-plateau", "options": {"first_dealer": 2}}


@pytest.fixture
def time():
    """The time; it stands still."""
    return Time()


@pytest.fixture
def server(time, contract, closing):
    """A service that goes by the test's time."""
    server = Server(fakeredis.FakeRedis(server=fakeredis.FakeServer()), contract, time)
    yield server
    closing.submit(server.players.close)


@pytest.fixture
def people(server):
    """Three players."""
    return [server.newcomer(name) for name in ("Ada", "Bob", "Cleo")]


def table(server, people, **wish):
    return server.table(people, **{"options": {"first_dealer": 2}, **wish})


def posted(person, **wish):
    return person.post("/v1/games", {**NEW, "seats": [ME, OPEN, OPEN], **wish})


def test_a_game_is_played_by_post_unless_another_clock_is_asked_for(ada):
    by_post = {"per_move": "P3D", "bank": None, "increment": None, "on_timeout": "bot", "bot": "random"}
    assert posted(ada).json["clock"] == by_post
    assert posted(ada, clock={"bank": "PT90S"}).json["clock"] == by_post | {"per_move": None, "bank": "PT90S"}
    assert posted(ada, clock=None).json["clock"] is None
    assert posted(ada, sandbox=True).json["clock"] is None
    assert posted(ada, sandbox=True, clock={"per_move": "PT1M"}).json["clock"]["per_move"] == "PT1M"


def test_the_deadline_is_in_the_view_of_the_player_to_act_and_public_for_all(server, people, time):
    game = table(server, people, clock={"per_move": "PT1H", "bank": "PT30M", "increment": "PT10S"})
    until = moment(START + 90 * 60_000)
    assert game.view(0)["decision"]["deadline"] == until
    for viewer in (0, 1, None):
        assert game.view(viewer)["times"]["deadlines"] == [{"seat": 0, "at": until}]
    assert game.people[0].get(game.path).json["times"]["banks"] == ["PT30M"] * 3
    assert game.people[0].get(f"{game.path}/legal-actions").json["decision"]["deadline"] == until
    time.ms += 65 * 60_000
    assert game.act(0, {"type": "pass"}).status_code == 201
    assert game.view()["times"]["banks"] == ["PT25M10S", "PT30M", "PT30M"]
    assert game.view(0, at=game.version - 1)["times"]["deadlines"] == [{"seat": 0, "at": until}]


def test_my_games_are_listed_newest_first_and_the_urgent_ones_by_deadline(server, people, time):
    ada = people[0]
    made = {}
    for name, clock in (("slow", {"per_move": "P9D"}), ("untimed", None), ("fast", {"per_move": "PT1H"})):
        made[name] = table(server, people, clock=clock)
        time.ms += 1000
    open_game = posted(ada).json["id"]
    time.ms += 1000
    others = table(server, [people[1], people[2], ada])
    listed = ada.get("/v1/me/games").json["items"]
    newest_first = [others.id, open_game, made["fast"].id, made["untimed"].id, made["slow"].id]
    assert [item["id"] for item in listed] == newest_first
    assert [item["your_turn"] for item in listed] == [False, False, True, True, True]
    urgent = ada.get("/v1/me/games?to_act=true").json["items"]
    assert [item["id"] for item in urgent] == [made["fast"].id, made["slow"].id, made["untimed"].id]
    assert urgent[2]["deadline"] is None
    assert urgent[0]["deadline"] == made["fast"].view(0)["decision"]["deadline"]
    assert urgent[0]["status"] == "active"
    made["fast"].act(0, {"type": "pass"})
    assert len(ada.get("/v1/me/games?to_act=true").json["items"]) == 2
    fast = people[1].get("/v1/me/games?to_act=true").json["items"][0]
    assert (fast["id"], fast["deadline"]) == (made["fast"].id, moment(time.ms + HOUR))


def test_a_pause_is_proposed_with_its_length_shown_and_ends_early_if_all_agree(server, people, time):
    game = table(server, people)
    made = people[1].post(f"{game.path}/proposals", {"kind": "pause", "duration": "P7D"})
    assert made.json["events"][0]["data"]["duration"] == "P7D"
    (proposal,) = game.view()["proposals"]
    assert proposal["duration"] == "P7D"
    for person in (people[0], people[2]):
        answer = person.post(f"{game.path}/proposals/{proposal['id']}/votes", {"accept": True})
    assert answer.json["status"] == "paused"
    assert game.view(0)["to_act"] == []
    assert game.view()["times"] == {"deadlines": [], "banks": None, "resumes": moment(START + duration("P7D"))}
    refused = game.act(0, {"type": "pass"})
    assert (refused.status_code, refused.json["code"]) == (409, "game-not-active")
    assert people[0].get("/v1/me/games?to_act=true").json["items"] == []
    time.ms += DAY
    resume = people[0].post(f"{game.path}/proposals", {"kind": "resume"}).json["events"][0]["data"]["proposal"]
    for person in people[1:]:
        answer = person.post(f"{game.path}/proposals/{resume}/votes", {"accept": True})
    assert (answer.json["status"], answer.json["to_act"]) == ("active", [0])
    assert game.view()["times"]["deadlines"] == [{"seat": 0, "at": moment(time.ms + 3 * DAY)}]


def test_an_opponent_claims_a_timeout_where_the_clock_waits_for_that(server, people, time):
    game = table(server, people, clock={"per_move": "PT1H", "on_timeout": "wait"})
    early = people[1].post(f"{game.path}/claim")
    assert (early.status_code, early.json["code"]) == (409, "not-timed-out")
    time.ms += HOUR
    assert people[0].post(f"{game.path}/claim").json["code"] == "not-timed-out"
    claimed = people[1].post(f"{game.path}/claim")
    assert [(event["type"], event["data"]) for event in claimed.json["events"]] == [("timeout_claimed", {"late": 0})]
    assert game.view(0)["to_act"] == [0]
