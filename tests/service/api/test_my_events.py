"""A player's events: each kind by a real game, what they show, and from where they continue."""

import random

import fakeredis
import pytest

from tests.service.api.invitations.asking import Ticking, invited
from tests.support.people import ME, OPEN, Server, refused, seat_token_of, token_of
from tests.support.wiring import notifier_on

GAME = {"ruleset": "plateau", "seats": [ME, OPEN], "clock": {"per_move": "P3D"}}


@pytest.fixture
def time():
    """The time; it advances by milliseconds, and as the test sets it."""
    return Ticking()


@pytest.fixture
def server(time, contract, closing):
    """A service that goes by the test's time."""
    server = Server(fakeredis.FakeRedis(server=fakeredis.FakeServer()), contract, time)
    yield server
    closing.submit(server.players.close)


@pytest.fixture
def events(server):
    """Return the events of a player after an id, once a notifier has passed them on."""
    notifier = notifier_on(server.redis)

    def read(person, after=None):
        while notifier.pass_on(1):
            pass
        page = person.get("/v1/me/events" + (f"?after={after}" if after else ""))
        assert page.status_code == 200
        assert page.json["next"] is None
        return page.json["events"]

    return read


def brief(found):
    return [(each["type"], each["data"]) for each in found]


def begun(ada, bob, **wish):
    """Let Ada create a game, and Bob join; return its path."""
    game = f"/v1/games/{ada.post('/v1/games', GAME | wish).json['id']}"
    assert bob.post(f"{game}/seats").status_code == 201
    return game


def act(person, game):
    """Carry out some legal action."""
    actions = person.get(f"{game}/legal-actions?limit=50").json["actions"]
    made = person.post(f"{game}/actions", random.Random(1).choice(actions))
    assert made.status_code == 201
    return made.json


# -- each kind ----------------------------------------------------------------------------------------------------


def test_a_proposal_and_names_as_they_are_now(ada, bob, events):
    game = begun(ada, bob)
    before = len(events(bob))
    proposed = ada.post(f"{game}/proposals", {"kind": "pause", "duration": "P2D"}).json["events"][0]
    assert ada.patch("/v1/me", {"name": "Countess"}).status_code == 200
    (event,) = events(bob)[before:]
    assert event["type"] == "proposal_made"
    assert event["data"] == {
        "proposal": proposed["data"]["proposal"],
        "kind": "pause",
        "seat": 0,
        "by": ada.id,
        "by_name": "Countess",
        "duration": "P2D",
        "to_version": None,
    }
    assert ada.delete(f"/v1/me?confirm={ada.id}").status_code == 204
    assert events(bob)[before]["data"]["by_name"] is None


@pytest.mark.parametrize("who", ["ada", "bob"])
def test_the_end_of_a_game_for_both_players_no_matter_who_ends_it(who, request, ada, bob, events):
    game = begun(ada, bob)
    before = [len(events(each)) for each in (ada, bob)]
    assert request.getfixturevalue(who).post(f"{game}/resign", {"confirm": True}).status_code == 201
    outcome = ada.get(game).json["outcome"]
    how = [("game_ended", {"status": "finished", "reason": outcome["reason"]})]
    assert [brief(events(each)[past:]) for each, past in zip((ada, bob), before, strict=True)] == [how, how]


# -- reading ------------------------------------------------------------------------------------------------------


def test_pages_continue_from_any_event(ada, bob, events):
    for _ in range(4):
        begun(ada, bob)
    whole = events(bob)
    assert len(whole) >= 4
    found, after = [], ""
    while True:
        page = bob.get(f"/v1/me/events?limit=3{after}").json
        found += page["events"]
        if page["next"] is None:
            break
        assert page["next"] == page["events"][-1]["id"]
        after = f"&after={page['next']}"
    assert found == whole
    for number, each in enumerate(whole):
        assert events(bob, each["id"]) == whole[number + 1 :]


def test_a_page_that_has_not_changed_is_not_sent_again(ada, bob, events):
    begun(ada, bob)
    events(bob)
    tag = bob.get("/v1/me/events").headers["ETag"]
    assert bob.get("/v1/me/events", If_None_Match=tag).status_code == 304
    begun(ada, bob)
    events(bob)
    assert bob.get("/v1/me/events", If_None_Match=tag).status_code == 200


def test_only_the_player_reads_their_events(ada, bob, stranger, events):
    game = begun(ada, bob)
    refused(stranger.get("/v1/me/events"), 401, "token-missing")
    assert seat_token_of(bob, game, 1)[1].get("/v1/me/events").status_code == 403
    assert token_of(bob, "games:play")[1].get("/v1/me/events").status_code == 403
    assert token_of(bob, "games:read")[1].get("/v1/me/events").status_code == 200


def test_what_somebody_heard_of_a_private_game_does_not_grow_after_they_left(ada, bob, events, server):
    wish = {"seats": [ME, OPEN, OPEN], "ruleset": "le-plateau", "visibility": "private"}
    game = f"/v1/games/{ada.post('/v1/games', GAME | wish).json['id']}"
    made = invited(ada, game, player=bob.id)
    assert bob.post(f"{game}/seats").status_code == 201
    assert bob.delete(f"{game}/seats/1").status_code == 204
    assert ada.delete(f"{game}/invitations/{made['id']}").status_code == 204
    assert bob.get(game).status_code == 404
    (only,) = events(bob)
    assert only["type"] == "invited"
    for name in ("Cleo", "Dan"):
        person = server.newcomer(name)
        invited(ada, game, player=person.id)
        assert person.post(f"{game}/seats").status_code == 201
    assert ada.get(game).json["status"] == "active"
    assert events(bob) == [only]


# -- of some types ------------------------------------------------------------------------------------------------


def test_pages_of_some_types_leave_out_the_rest_and_continue_where_they_stopped(ada, bob, events):
    for _ in range(3):
        begun(ada, bob)
    ada.delete(f"/v1/games/{ada.post('/v1/games', GAME).json['id']}")
    whole = events(ada)
    wanted = [each for each in whole if each["type"] in ("game_started", "game_ended")]
    assert 0 < len(wanted) < len(whole)
    read, after = [], ""
    while after is not None:
        page = ada.get(f"/v1/me/events?types=game_ended,game_started&limit=1{after and f'&after={after}'}").json
        assert len(page["events"]) == 1
        read, after = [*read, *page["events"]], page["next"]
    assert read == wanted
    assert ada.get("/v1/me/events?types=invited").json == {"events": [], "next": None}
