"""Rematches: the same players meet in one new game, each one seat further, no matter who proposes it."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor

import fakeredis
import pytest

from domain.game.durations import DAY, MINUTE
from service.games.repository import GameRepository
from tests.service.api.invitations.asking import DUEL, Ticking, again, crash_before, invited, linked, over, statuses
from tests.support.other_worlds import told
from tests.support.people import ME, Server, refused, token_of

TRIO = {"ruleset": "le-plateau", "options": {"hands": 3}}


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


@pytest.fixture(params=["public", "private"])
def visibility(request):
    return request.param


@pytest.fixture
def duel(ada, bob, visibility):
    """A finished game in which Ada sat on seat 0 and Bob on seat 1."""
    return over(ada, bob, visibility=visibility)


@pytest.fixture
def trio(server, ada, bob):
    """A finished game of three, with Ada, Bob and Cleo on seats 0, 1 and 2."""
    table = server.table([ada, bob, server.newcomer("Cleo")], **TRIO)
    table.play(random.Random(1))
    return table


def sitters(person, game):
    return [seat["player"] or seat["bot"] for seat in person.get(game).json["seats"]]


def test_a_table_of_a_rematch_is_not_among_those_with_an_open_seat(ada, bob, stranger):
    game, _ = again(bob, over(ada, bob, visibility="public"))
    assert game.endswith(stranger.get("/v1/games?status=open").json["items"][0]["id"])
    assert stranger.get("/v1/games?open=true").json["items"] == []


def test_a_rematch_has_the_same_options_and_players_one_seat_further(ada, bob, visibility):
    old = over(ada, bob, visibility=visibility, clock={"per_move": "PT2H"})
    game, proposed = again(bob, old)
    assert proposed["seat"] == 0
    assert sitters(bob, game) == [bob.id, None]
    before, after = ada.get(old).json, bob.get(game).json
    for key in ("ruleset", "options", "clock", "visibility", "sandbox"):
        assert after[key] == before[key]
    assert (after["rematch_of"], before["rematch_of"]) == (before["id"], None)
    assert again(ada, old)[0] == game
    assert sitters(ada, game) == [bob.id, ada.id]
    assert ada.get(game).json["status"] == "active"


def test_the_old_game_shows_its_rematch_and_who_has_accepted(ada, bob, duel):
    first = ada.get(duel)
    assert first.json["rematch"] is None
    game, _ = again(bob, duel)
    shown = ada.get(duel, If_None_Match=first.headers["ETag"])
    assert (shown.status_code, shown.json["rematch"]) == (200, {"game_id": game.rpartition("/")[2], "accepted": [1]})
    assert ada.get(duel, If_None_Match=shown.headers["ETag"]).status_code == 304
    again(ada, duel)
    assert ada.get(duel).json["rematch"]["accepted"] == [0, 1]


def test_a_rematch_whose_log_is_damaged_does_not_hide_the_old_game(server, ada, bob, duel):
    game, _ = again(bob, duel)
    (log,) = server.redis.scan_iter(match=f"*{game.rpartition('/')[2]}:events", count=10_000)
    server.redis.xdel(log, "1-0")
    server.forget_games()
    shown = ada.get(duel)
    assert (shown.status_code, shown.json["rematch"]["accepted"]) == (200, [1])
    refused(bob.post(f"{duel}/rematch", {}), 503, "log-damaged")


def test_the_request_can_be_repeated(ada, bob, duel):
    game, one = again(bob, duel)
    assert again(bob, duel) == (game, one)
    assert statuses(bob, game) == ["open"]
    again(ada, duel)
    assert again(ada, duel)[0] == again(bob, duel)[0] == game
    assert statuses(bob, game) == ["accepted"]


def test_the_others_are_invited_to_their_seats_and_can_accept_as_any_invitation(ada, bob, duel):
    game, _ = again(bob, duel)
    (mine,) = ada.get("/v1/me/invitations").json["items"]
    assert (mine["seat"], mine["by_name"], f"/v1/games/{mine['game']['id']}") == (1, "Bob", game)
    assert ada.get(game).status_code == 200
    assert ada.post(f"{game}/seats").json["seat"] == 1
    assert statuses(ada, game) == ["accepted"]


def test_who_declines_ends_the_rematch(ada, bob, duel):
    game, _ = again(bob, duel)
    (mine,) = ada.get("/v1/me/invitations").json["items"]
    assert ada.delete(f"{game}/invitations/{mine['id']}").status_code == 204
    ended = bob.get(game).json
    assert (ended["status"], ended["aborted_because"]) == ("aborted", "declined")
    assert statuses(bob, game) == ["declined"]
    for person in (ada, bob):
        refused(person.post(f"{duel}/rematch", {}), 409, "game-not-open")
    refused(bob.delete(f"{game}/invitations/{mine['id']}"), 409, "invitation-ended")


def test_an_outsider_who_declines_does_not_end_the_rematch(server, ada, trio):
    eve = server.newcomer("Eve")
    game, _ = again(ada, trio.path)
    made = invited(ada, game, player=eve.id)
    assert eve.delete(f"{game}/invitations/{made['id']}").status_code == 204
    assert ada.get(game).json["status"] == "open"
    assert statuses(ada, game)[-1] == "declined"
    assert again(ada, trio.path)[0] == game


def test_a_finished_game_is_shown_without_reading_its_rematch(monkeypatch, ada, bob, duel):
    game, _ = again(bob, duel)
    read = []
    monkeypatch.setattr(
        GameRepository,
        "fresh",
        lambda self, game_id, real=GameRepository.fresh: read.append(game_id) or real(self, game_id),
    )
    assert ada.get(duel).json["rematch"]["game_id"] == game.rpartition("/")[2]
    assert read == [duel.rpartition("/")[2]]


def test_bots_sit_one_seat_further_too(ada):
    old = over(ada, seats=[ME, {"bot": "random"}])
    game, answer = again(ada, old)
    assert sitters(ada, game) == ["random", ada.id]
    assert answer["game"]["status"] == "active"


def test_seats_of_the_others_are_reserved_for_a_day(server, time, ada, bob, trio):
    eve = server.newcomer("Eve")
    game, _ = again(ada, trio.path)
    assert sitters(ada, game) == [None, ada.id, None]
    for wish in ({}, {"seat": 0}, {"seat": 2}):
        refused(eve.post(f"{game}/seats", wish), 409, "seat-reserved")
    refused(bob.post(f"{game}/seats", {"seat": 0}), 409, "seat-reserved")
    assert bob.post(f"{game}/seats").json["seat"] == 2
    time.ms += DAY
    assert eve.post(f"{game}/seats").json["seat"] == 0
    refused(trio.people[2].post(f"{trio.path}/rematch", {}), 409, "game-not-open")


def test_a_guest_who_came_by_link_meets_again_with_the_same_token(server, ada, stranger):
    game = f"/v1/games/{ada.post('/v1/games', DUEL | {'visibility': 'private'}).json['id']}"
    guest = server.stranger(stranger.post(f"{linked(ada, game)}/seat", {"name": "Zoë"}).json["token"])
    ada.post(f"{game}/resign", {"confirm": True})
    path, _ = again(ada, game)
    new, answer = again(guest, game)
    assert (new, answer["seat"], answer["game"]["status"]) == (path, 0, "active")
    assert guest.get(f"{path}/view").json["viewer"] == {"seat": 0}


def test_a_narrow_token_proposes_no_rematch_and_can_accept_one(ada, bob, duel):
    _, narrow = token_of(bob, "games:read", "games:play")
    refused(narrow.post(f"{duel}/rematch", {}), 403, "scope-missing")
    game, _ = again(ada, duel)
    assert again(narrow, duel)[0] == game


def test_a_stranger_cannot_tell_a_private_rematch_from_none(server, ada, bob):
    old = over(ada, bob, visibility="private")
    game, _ = again(bob, old)
    for person in (server.newcomer("Eve"), server.stranger()):
        for ask in ("", "/view", "/invitations", "/events"):
            answers = [told(person.get(path + ask)) for path in (game, old, "/v1/games/gm_00000000000000000000")]
            assert answers == answers[:1] * 3
        answers = [told(person.post(f"{path}/rematch", {})) for path in (game, old, "/v1/games/gm_0")]
        assert answers == answers[:1] * 3


def test_after_a_crash_the_next_request_continues(monkeypatch, time, ada, bob, duel):
    crash_before(
        monkeypatch, "service.games.invitations.rematching.Rematching._invite", lambda: bob.post(f"{duel}/rematch", {})
    )
    assert ada.get("/v1/me/invitations").json["items"] == []
    crash_before(
        monkeypatch,
        "service.games.invitations.invitation_store.Invitations.change",
        lambda: bob.post(f"{duel}/rematch", {}),
    )
    time.ms += MINUTE
    game, _ = again(bob, duel)
    assert statuses(bob, game) == ["open"]
    assert again(ada, duel)[0] == game
    assert ada.get(game).json["status"] == "active"


@pytest.mark.parametrize("visibility", ["public"])
def test_two_who_propose_at_once_meet_in_one_game(server, contract, ada, bob, visibility):
    other = Server(server.redis, contract)
    people = [ada, other.stranger(bob.token)]
    for _ in range(5):
        old, start = over(ada, bob), threading.Barrier(2)

        def propose(person, old=old, start=start):
            start.wait()
            return again(person, old)[0]

        with ThreadPoolExecutor(2) as threads:
            games = set(threads.map(propose, people))
        (game,) = games
        assert sitters(ada, game) == [bob.id, ada.id]
        assert ada.get(game).json["status"] == "active"
    other.players.close()
