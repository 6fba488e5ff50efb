"""Invitations: links that open one seat once, invitations to players, private games, and guests who come by link."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from domain.game.durations import DAY, MINUTE, SECOND
from service.accounts.invitations import Invitations
from service.accounts.limits import DEFAULTS
from service.games.desk import Desk
from service.games.inviting import MOST_KEPT
from service.store import keys
from service.store.event_store import StoreUnavailable
from tests.service import builders
from tests.service.api.api_client import ME, OPEN, Server
from tests.service.api.test_accounts import token_of
from tests.service.api.test_clocks import Time
from tests.service.api.test_non_interference import told
from tests.service.api.test_seat_tokens import refused, seat_token_of
from tests.service.limited_server import assert_limited

GAME = {"ruleset": "le-plateau", "seats": [ME, OPEN, OPEN], "visibility": "private"}
NOBODYS = "a" * 26
LINK = {"link": True}


class Ticking(Time):
    """A time in which no two moments are the same."""

    def __call__(self):
        """Go on by a millisecond."""
        self.ms += 1
        return super().__call__()


@pytest.fixture
def time():
    """The time; it goes on by milliseconds, and as the test sets it."""
    return Ticking()


@pytest.fixture(params=builders.KINDS)
def server(request, time, contract, closing):
    """A service that goes by the test's time, on every kind of store."""
    for client in builders.empty_store(request):
        server = Server(client, contract, time)
        yield server
        server.players.close()


@pytest.fixture
def game(ada):
    """A private game of Ada's with two open seats, 1 and 2."""
    return new_game(ada)


@pytest.fixture
def cleo(server):
    return server.newcomer("Cleo")


@pytest.fixture(params=["private", "public"])
def any_game(ada, request):
    """A game of Ada's with two open seats, which others can see or not."""
    return new_game(ada, visibility=request.param)


def new_game(person, **wish):
    made = person.post("/v1/games", GAME | wish)
    assert made.status_code == 201
    return f"/v1/games/{made.json['id']}"


def invited(person, game, **wish):
    """Make an invitation; return it as it was answered."""
    made = person.post(f"{game}/invitations", wish)
    assert made.status_code == 201, made.json
    return made.json


def linked(person, game, **wish):
    """Make a link; return where it leads to."""
    return invited(person, game, **LINK, **wish)["url"]


def statuses(person, game):
    found = person.get(f"{game}/invitations")
    assert found.status_code == 200
    return [each["status"] for each in found.json["items"]]


def gone(answer):
    refused(answer, 404, "no-such-invitation")


# -- links --------------------------------------------------------------------------------------------------------


def test_a_link_shows_its_secret_once_and_is_listed_without_it(ada, game):
    made = invited(ada, game, **LINK, seat=2)
    assert re.fullmatch("[a-z2-7]{26}", made["secret"])
    assert made["url"] == f"/v1/invitations/{made['secret']}"
    assert (made["kind"], made["seat"], made["player"], made["by"]) == ("link", 2, None, ada.id)
    listed = ada.get(f"{game}/invitations")
    assert listed.json["items"] == [{k: v for k, v in made.items() if k not in ("secret", "url")}]
    assert made["secret"] not in listed.text


def test_a_link_previews_the_game_to_anyone_who_has_it(ada, game, stranger):
    answer = stranger.get(linked(ada, game, seat=2))
    assert answer.status_code == 200
    assert answer.json["game"]["id"] == game.rpartition("/")[2]
    assert (answer.json["seat"], answer.json["by"], answer.json["by_name"]) == (2, ada.id, "Ada")
    assert (answer.headers["Cache-Control"], answer.headers["Referrer-Policy"]) == ("no-store", "no-referrer")
    assert answer.json["game"]["seats"][0]["name"] == "Ada"
    assert stranger.get(game).status_code == 404


def test_a_player_takes_a_seat_by_link_and_then_sees_the_game(ada, bob, any_game):
    link = linked(ada, any_game, seat=2)
    answer = bob.post(f"{link}/seat", {"client_seed": "luck"})
    assert answer.status_code == 201
    game_id = any_game.rpartition("/")[2]
    assert answer.json == {"game_id": game_id, "seat": 2, "player": bob.id, "token": None}
    assert bob.get(f"{any_game}/view").json["viewer"] == {"seat": 2}
    (shown,) = ada.get(f"{any_game}/invitations").json["items"]
    assert (shown["status"], shown["player"]) == ("accepted", bob.id)


def test_a_player_who_repeats_the_request_gets_the_same_answer(ada, bob, game):
    link = linked(ada, game)
    one, other = (bob.post(f"{link}/seat") for _ in range(2))
    assert one.status_code == other.status_code == 201
    assert one.json == other.json
    assert statuses(ada, game) == ["accepted"]


def test_a_link_is_used_up_even_if_who_took_the_seat_leaves_it(ada, bob, cleo, game):
    link = linked(ada, game)
    bob.post(f"{link}/seat")
    assert bob.delete(f"{game}/seats/1").status_code == 204
    for person in (bob, cleo):
        gone(person.post(f"{link}/seat"))
    gone(bob.get(link))
    assert statuses(ada, game) == ["accepted"]


def test_a_link_opens_one_seat_to_one_player(ada, bob, cleo, any_game):
    link = linked(ada, any_game)
    assert bob.post(f"{link}/seat").status_code == 201
    gone(cleo.post(f"{link}/seat"))


def test_somebody_without_an_account_takes_a_seat_by_link_and_plays(ada, server, stranger):
    game = new_game(ada, seats=[ME, OPEN], ruleset="plateau")
    answer = stranger.post(f"{linked(ada, game)}/seat", {"name": "Zoë", "client_seed": "luck"})
    assert (answer.status_code, answer.json["seat"]) == (201, 1)
    assert stranger.get(f"/v1/players/{answer.json['player']}").json["name"] == "Zoë"
    guest = server.stranger(answer.json["token"])
    assert guest.get(f"{game}/view").json["viewer"] == {"seat": 1}
    people = [ada, guest]
    for _ in range(4):
        seat = ada.get(f"{game}/view").json["to_act"][0]
        legal = people[seat].get(f"{game}/legal-actions").json["actions"]
        assert people[seat].post(f"{game}/actions", legal[0]).status_code == 201
    phone = seat_token_of(guest, game, 1)[1]
    assert phone.get(f"{game}/view").json == guest.get(f"{game}/view").json


def test_without_a_token_a_name_is_needed(ada, stranger, game):
    link = linked(ada, game)
    answer = stranger.post(f"{link}/seat")
    refused(answer, 400, "malformed")
    assert [fault["pointer"] for fault in answer.json["errors"]] == ["/name"]
    refused(stranger.post(f"{link}/seat", {"name": " "}), 400, "malformed")
    assert stranger.post(f"{link}/seat", {"name": "Zoë"}).status_code == 201


def test_a_guest_who_came_by_link_has_an_account_like_every_guest(server, ada, stranger, game):
    made = stranger.post(f"{linked(ada, game)}/seat", {"name": "Zoë"}).json
    guest = server.stranger(made["token"])
    assert guest.patch("/v1/me", {"name": "Yan"}).json["name"] == "Yan"
    phone = seat_token_of(guest, game, made["seat"])[0]
    assert len(guest.get("/v1/me/tokens").json["items"]) == 2
    assert guest.delete(f"/v1/me/tokens/{phone['id']}").status_code == 204
    assert guest.delete("/v1/me").status_code == 204
    assert stranger.get(f"/v1/players/{made['player']}").status_code == 404


def test_a_guest_whose_token_cannot_be_made_takes_no_seat(monkeypatch, ada, stranger, game):
    link = linked(ada, game)

    def fail(*_args, **_more):
        raise StoreUnavailable("gone")

    with monkeypatch.context() as failing:
        failing.setattr("service.accounts.players.Players.create_token", fail)
        assert stranger.post(f"{link}/seat", {"name": "Zoë"}).status_code == 503
    assert [seat["player"] for seat in ada.get(game).json["seats"]] == [ada.id, None, None]
    assert stranger.post(f"{link}/seat", {"name": "Zoë"}).json["seat"] == 1


def test_a_seat_token_takes_no_seat_by_link(ada, bob, table, game):
    """Neither with a name, nor without one, nor in the game that it belongs to."""
    link = linked(ada, game)
    for guest in (seat_token_of(bob, table.path, 1)[1], seat_token_of(ada, game, 0)[1]):
        refused(guest.post(f"{link}/seat"), 403, "seat-token")
        refused(guest.post(f"{link}/seat", {"name": "Zoë"}), 403, "seat-token")
        gone(guest.post(f"/v1/invitations/{NOBODYS}/seat", {"name": "Zoë"}))
    assert statuses(ada, game) == ["open"]


def test_a_guest_whose_seat_is_gone_leaves_no_player_behind(server, ada, bob, stranger):
    game = new_game(ada, visibility="public")
    link = linked(ada, game, seat=2)
    assert bob.post(f"{game}/seats", {"seat": 2}).status_code == 201
    before = server.contents()
    refused(stranger.post(f"{link}/seat", {"name": "Zoë"}), 409, "seat-taken")
    after = server.contents()
    assert after.keys() == before.keys()
    assert statuses(ada, game) == ["open"]


def test_who_is_seated_does_not_use_up_a_link(ada, bob, game):
    link = linked(ada, game)
    refused(ada.post(f"{link}/seat"), 409, "already-seated")
    assert statuses(ada, game) == ["open"]
    assert bob.post(f"{link}/seat").status_code == 201


def test_a_token_that_cannot_play_takes_no_seat(ada, bob, game):
    _, reader = token_of(bob, "games:read")
    refused(reader.post(f"{linked(ada, game)}/seat"), 403, "scope-missing")
    gone(reader.post(f"/v1/invitations/{NOBODYS}/seat"))


def test_an_invitation_to_any_seat_leaves_out_those_that_others_are_invited_to(ada, bob, cleo, server, game):
    linked(ada, game, seat=1)
    assert bob.post(f"{linked(ada, game)}/seat").json["seat"] == 2
    refused(cleo.post(f"{linked(ada, game)}/seat"), 409, "seat-reserved")


def test_the_last_seat_that_is_taken_by_link_starts_the_game(ada, bob, cleo, game):
    for person in (bob, cleo):
        assert person.post(f"{linked(ada, game)}/seat").status_code == 201
    assert ada.get(game).json["status"] == "active"


# -- what ends an invitation --------------------------------------------------------------------------------------


def test_an_unknown_a_used_a_revoked_and_an_expired_link_and_one_to_a_started_game_are_answered_alike(
    server, time, ada, bob, cleo, game
):
    used, revoked, late, expired = (invited(ada, game, **LINK) for _ in range(4))
    assert bob.post(f"{used['url']}/seat").status_code == 201
    assert ada.delete(f"{game}/invitations/{revoked['id']}").status_code == 204
    time.ms += 8 * DAY
    fresh = linked(ada, game)
    assert statuses(ada, game) == ["accepted", "revoked", "expired", "expired", "open"]
    assert cleo.post(f"{fresh}/seat").status_code == 201
    links = [each["url"] for each in (used, revoked, late, expired)] + [fresh, f"/v1/invitations/{NOBODYS}"]
    for person in (server.stranger(), server.newcomer("Eve")):
        for ask in (
            lambda link, person=person: person.get(link),
            lambda link, person=person: person.post(f"{link}/seat", {"name": "Zoë"}),
            lambda link, person=person: person.post(f"{link}/seat", {"more": 1}),
        ):
            answers = [told(ask(link)) for link in links]
            assert answers[0][0] == 404
            assert answers == answers[:1] * len(links)


def test_invitations_end_when_the_game_starts(ada, bob, cleo, server):
    game = new_game(ada, seats=[ME, OPEN], visibility="public")
    link = linked(ada, game)
    invited(ada, game, player=cleo.id)
    assert bob.post(f"{game}/seats").status_code == 201
    gone(cleo.get(link))
    gone(cleo.post(f"{link}/seat"))
    assert statuses(ada, game) == ["expired", "expired"]
    assert cleo.get("/v1/me/invitations").json["items"] == []
    refused(ada.post(f"{game}/invitations", LINK), 409, "game-not-open")


@pytest.mark.parametrize("lasts", ["PT59S", "P31D", "soon", "P1Y", 7])
def test_an_invitation_is_open_from_a_minute_to_thirty_days(ada, game, lasts):
    answer = ada.post(f"{game}/invitations", LINK | {"expires": lasts})
    refused(answer, 400, "malformed")
    assert [fault["pointer"] for fault in answer.json["errors"]] == ["/expires"]


def test_an_invitation_ends_at_the_time_that_it_names(time, ada, stranger, game):
    made = invited(ada, game, **LINK, expires="PT10M")
    time.ms += 9 * MINUTE
    assert stranger.get(made["url"]).json["expires_at"] == made["expires_at"]
    time.ms += MINUTE
    gone(stranger.get(made["url"]))


def test_who_made_an_invitation_and_the_creator_can_revoke_it_and_no_other_player(ada, bob, game):
    assert bob.post(f"{linked(ada, game)}/seat").status_code == 201
    of_ada, of_bob = invited(ada, game, **LINK), invited(bob, game, **LINK)
    refused(bob.delete(f"{game}/invitations/{of_ada['id']}"), 403, "not-your-invitation")
    assert ada.delete(f"{game}/invitations/{of_bob['id']}").status_code == 204
    refused(ada.delete(f"{game}/invitations/{of_bob['id']}"), 409, "invitation-ended")
    assert bob.delete(f"{game}/invitations/{invited(bob, game, **LINK)['id']}").status_code == 204
    gone(ada.delete(f"{game}/invitations/in_0"))


# -- invitations to players ---------------------------------------------------------------------------------------


def test_an_invited_player_sees_the_private_game_and_takes_the_seat_and_nobody_else_does(ada, bob, cleo, game):
    made = invited(ada, game, player=bob.id, seat=2)
    assert (made["kind"], made["player"], made["secret"], made["url"]) == ("player", bob.id, None, None)
    (mine,) = bob.get("/v1/me/invitations").json["items"]
    assert (made["by_name"], made["player_name"], mine["by_name"]) == ("Ada", "Bob", "Ada")
    assert mine["game"]["seats"][0]["name"] == "Ada"
    assert (mine["id"], mine["seat"], mine["by"], mine["game"]["id"]) == (made["id"], 2, ada.id, made["game_id"])
    assert bob.get(game).status_code == bob.get(f"{game}/view").status_code == 200
    refused(bob.get(f"{game}/invitations"), 403, "not-seated")
    refused(bob.post(f"{game}/invitations", LINK), 403, "not-seated")
    refused(bob.post(f"{game}/seats", {"seat": 1}), 409, "seat-reserved")
    refused(cleo.post(f"{game}/seats"), 404, "no-such-game")
    answer = bob.post(f"{game}/seats", {"client_seed": "luck"}, Idempotency_Key="k")
    assert (answer.status_code, answer.json["seat"]) == (201, 2)
    assert bob.post(f"{game}/seats", {"client_seed": "luck"}, Idempotency_Key="k").data == answer.data
    assert statuses(ada, game) == ["accepted"]
    assert bob.get("/v1/me/invitations").json["items"] == []


def test_who_declined_does_not_see_the_game_any_more(ada, bob, game):
    made = invited(ada, game, player=bob.id)
    assert bob.delete(f"{game}/invitations/{made['id']}").status_code == 204
    assert statuses(ada, game) == ["declined"]
    refused(bob.get(game), 404, "no-such-game")
    refused(bob.post(f"{game}/seats"), 404, "no-such-game")
    assert bob.get("/v1/me/invitations").json["items"] == []
    invited(ada, game, player=bob.id)
    assert bob.post(f"{game}/seats").status_code == 201


def test_an_invited_player_who_leaves_can_come_back_while_the_invitation_lasts(time, ada, bob, any_game):
    """Also by a repeated request, which gets its first response."""
    made = invited(ada, any_game, player=bob.id, seat=2)
    joined = bob.post(f"{any_game}/seats", Idempotency_Key="k")
    for _ in range(2):
        assert (joined.status_code, statuses(ada, any_game)) == (201, ["accepted"])
        refused(ada.delete(f"{any_game}/invitations/{made['id']}"), 409, "invitation-ended")
        assert bob.get("/v1/me/invitations").json["items"] == []
        assert bob.delete(f"{any_game}/seats/2").status_code == 204
        assert statuses(ada, any_game) == ["open"]
        assert len(bob.get("/v1/me/invitations").json["items"]) == 1
        assert bob.post(f"{any_game}/seats", Idempotency_Key="k").data == joined.data
        assert bob.post(f"{any_game}/seats").json["seat"] == 2
    bob.delete(f"{any_game}/seats/2")
    time.ms += 7 * DAY
    assert statuses(ada, any_game) == ["expired"]


def test_who_left_a_private_game_that_they_joined_by_link_does_not_see_it_any_more(ada, bob, game):
    bob.post(f"{linked(ada, game)}/seat")
    assert bob.get(game).status_code == 200
    assert bob.delete(f"{game}/seats/1").status_code == 204
    refused(bob.post(f"{game}/seats"), 404, "no-such-game")
    invited(ada, game, player=bob.id)
    assert bob.post(f"{game}/seats").status_code == 201


@pytest.mark.parametrize(("private", "code"), [(True, (404, "no-such-game")), (False, (409, "invitation-ended"))])
def test_a_private_game_does_not_exist_any_more_for_who_declines(ada, bob, private, code):
    game = new_game(ada, visibility="private" if private else "public")
    made = invited(ada, game, player=bob.id)
    assert bob.delete(f"{game}/invitations/{made['id']}").status_code == 204
    refused(bob.delete(f"{game}/invitations/{made['id']}"), *code)


def test_what_an_invited_player_cannot_do_in_a_private_game_is_forbidden(ada, bob, cleo, game):
    invited(ada, game, player=bob.id)
    for ask in (
        lambda person: person.post(f"{game}/actions", {"type": "pass"}),
        lambda person: person.post(f"{game}/board-links"),
        lambda person: person.post(f"{game}/seats/1/tokens"),
        lambda person: person.ask("PUT", f"{game}/seats/1", {"bot": "random"}),
        lambda person: person.delete(f"{game}/seats/0"),
        lambda person: person.delete(game),
        lambda person: person.get(f"{game}/legal-actions"),
    ):
        refused(ask(bob), 403, "not-seated")
        refused(ask(cleo), 404, "no-such-game")
    assert statuses(ada, game) == ["open"]


def test_who_names_no_seat_gets_their_own_and_none_of_another_player_who_is_invited(ada, bob, cleo, any_game):
    invited(ada, any_game, player=cleo.id, seat=1)
    invited(ada, any_game, player=bob.id, seat=2)
    assert bob.post(f"{any_game}/seats").json["seat"] == 2
    assert cleo.post(f"{any_game}/seats").json["seat"] == 1


def test_a_creator_without_a_seat_leaves_out_those_of_the_invited(ada, bob, cleo):
    game = new_game(ada, seats=[OPEN, OPEN, OPEN])
    invited(ada, game, player=bob.id, seat=0)
    refused(ada.post(f"{game}/seats", {"seat": 0}), 409, "seat-reserved")
    assert ada.post(f"{game}/seats").json["seat"] == 1
    linked(ada, game, seat=2)
    assert ada.delete(f"{game}/seats/1").status_code == 204
    invited(ada, game, player=cleo.id, seat=1)
    refused(ada.post(f"{game}/seats"), 409, "seat-reserved")


@pytest.mark.parametrize("wish", [{}, {"seat": 1}])
def test_of_two_who_are_invited_to_one_seat_the_first_gets_it(ada, bob, cleo, game, wish):
    invited(ada, game, player=bob.id, seat=1)
    link = linked(ada, game, seat=1)
    assert bob.post(f"{game}/seats", wish).json["seat"] == 1
    refused(cleo.post(f"{link}/seat"), 409, "seat-taken")
    assert bob.delete(f"{game}/seats/1").status_code == 204
    assert cleo.post(f"{link}/seat").json["seat"] == 1
    refused(bob.post(f"{game}/seats", wish), 409, "seat-taken")


def test_in_a_public_game_seats_of_the_invited_go_last_to_those_who_name_none(ada, bob, cleo):
    game = new_game(ada, visibility="public")
    linked(ada, game, seat=1)
    assert bob.post(f"{game}/seats").json["seat"] == 2
    assert cleo.post(f"{game}/seats").json["seat"] == 1


def test_in_a_public_game_an_invited_player_joins_like_everyone(ada, bob):
    game = new_game(ada, visibility="public")
    invited(ada, game, player=bob.id, seat=2)
    assert bob.post(f"{game}/seats", {"seat": 1}).status_code == 201
    assert statuses(ada, game) == ["accepted"]


def test_who_cannot_be_invited(ada, bob, game):
    refused(ada.post(f"{game}/invitations", {"player": "pl_nobody"}), 404, "no-such-player")
    refused(ada.post(f"{game}/invitations", {"player": ada.id}), 409, "already-seated")
    invited(ada, game, player=bob.id)
    refused(ada.post(f"{game}/invitations", {"player": bob.id}), 409, "already-invited")
    refused(ada.post(f"{game}/invitations", LINK | {"seat": 0}), 409, "seat-taken")
    refused(ada.post(f"{game}/invitations", LINK | {"seat": 3}), 400, "malformed")
    for wish in ({}, {"player": bob.id, "link": True}, {"link": False}, {"seat": 1}, {"link": True, "more": 1}):
        refused(ada.post(f"{game}/invitations", wish), 400, "malformed")


def test_only_those_with_a_part_in_a_game_invite(ada, bob, any_game):
    code = (404, "no-such-game") if ada.get(any_game).json["visibility"] == "private" else (403, "not-seated")
    refused(bob.post(f"{any_game}/invitations", LINK), *code)
    refused(bob.get(f"{any_game}/invitations"), *code)
    guest = seat_token_of(ada, any_game, 0)[1]
    refused(guest.post(f"{any_game}/invitations", LINK), 403, "seat-token")
    refused(guest.get(f"{any_game}/invitations"), 403, "seat-token")
    _, reader = token_of(ada, "games:read")
    refused(reader.post(f"{any_game}/invitations", LINK), 403, "scope-missing")
    assert reader.get(f"{any_game}/invitations").status_code == 200


def test_a_player_pages_through_their_invitations_the_newest_first(time, ada, bob):
    games = []
    for _ in range(5):
        time.ms += SECOND
        games.append(new_game(ada))
        invited(ada, games[-1], player=bob.id)
    found, path = [], "/v1/me/invitations?limit=2"
    while path:
        page = bob.get(path)
        assert len(page.json["items"]) <= 2
        found += [f"/v1/games/{each['game']['id']}" for each in page.json["items"]]
        path = page.headers["Link"][1:].partition(">")[0] if "Link" in page.headers else None
    assert found == games[::-1]
    assert (
        bob.delete(f"{games[3]}/invitations/{bob.get('/v1/me/invitations').json['items'][1]['id']}").status_code == 204
    )
    assert len(bob.get("/v1/me/invitations").json["items"]) == 4
    refused(bob.get("/v1/me/invitations?cursor=x"), 400, "malformed")


def test_an_invitation_stays_in_the_list_when_it_is_read_while_it_is_made(monkeypatch, ada, bob, game):
    change = Invitations.change

    def read_first(*args):
        assert bob.get("/v1/me/invitations").json["items"] == []
        change(*args)

    with monkeypatch.context() as reading:
        reading.setattr(Invitations, "change", read_first)
        invited(ada, game, player=bob.id)
    assert len(bob.get("/v1/me/invitations").json["items"]) == 1


def test_an_invitation_that_was_never_made_leaves_the_list_after_a_minute(monkeypatch, server, time, ada, bob, game):
    crash_before(
        monkeypatch, "service.accounts.invitations.Invitations.change", lambda: invited(ada, game, player=bob.id)
    )
    for expected in (1, 0):
        assert bob.get("/v1/me/invitations").json["items"] == []
        assert server.redis.zcard(keys.invitations_of(bob.id)) == expected
        time.ms += MINUTE


def test_the_list_of_a_player_keeps_the_newest_invitations_of_a_month(monkeypatch, server, time, ada, bob):
    monkeypatch.setattr("service.accounts.invitations.MOST_LISTED", 3)
    games = [new_game(ada) for _ in range(5)]
    for game in games[:4]:
        invited(ada, game, player=bob.id)
    assert server.redis.zcard(keys.invitations_of(bob.id)) == 3
    listed = bob.get("/v1/me/invitations").json["items"]
    assert [f"/v1/games/{each['game']['id']}" for each in listed] == games[3:0:-1]
    time.ms += 32 * DAY
    invited(ada, games[4], player=bob.id)
    assert server.redis.zcard(keys.invitations_of(bob.id)) == 1


def test_a_deleted_player_leaves_no_list_of_invitations(server, ada, bob, game):
    invited(ada, game, player=bob.id)
    assert bob.delete("/v1/me").status_code == 204
    assert not [key for key in server.contents() if bob.id.encode() in key]


# -- by name ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Zoë", "zoë", "ZOË", "Zoe\u0308"])
def test_a_player_is_invited_by_a_name_that_nobody_else_has(server, ada, game, name):
    zoe = server.newcomer("Zoë")
    made = invited(ada, game, name=name, seat=1)
    assert (made["kind"], made["player"], made["seat"]) == ("player", zoe.id, 1)
    assert zoe.post(f"{game}/seats").status_code == 201


def test_a_name_of_several_players_is_answered_with_all_of_them_the_oldest_first(server, ada, game):
    people = [server.newcomer(name) for name in ("Zoë", "Zoë", "Zoe", "Z\u043eë", "Yan")]
    answer = ada.post(f"{game}/invitations", {"name": "Zoë"})
    refused(answer, 409, "name-ambiguous")
    assert [(each["id"], each["name"]) for each in answer.json["candidates"]] == [
        (person.id, person.get("/v1/me").json["name"]) for person in people[:4]
    ]
    assert answer.json["candidates"][0]["created_at"] == people[0].get("/v1/me").json["created_at"]
    assert statuses(ada, game) == []


def test_nobody_is_invited_by_a_name_that_only_looks_like_theirs(server, ada, game):
    other = server.newcomer("Z\u043eë")
    answer = ada.post(f"{game}/invitations", {"name": "Zoë"})
    refused(answer, 409, "name-ambiguous")
    assert answer.json["detail"].startswith("nobody has the name Zoë, ")
    assert [each["id"] for each in answer.json["candidates"]] == [other.id]


def test_a_name_that_nobody_has_or_that_its_player_gave_up(server, ada, game):
    zoe = server.newcomer("Zoë")
    refused(ada.post(f"{game}/invitations", {"name": "Yan"}), 404, "no-such-player")
    zoe.patch("/v1/me", {"name": "Yan"})
    refused(ada.post(f"{game}/invitations", {"name": "Zoë"}), 404, "no-such-player")
    zoe.delete("/v1/me")
    refused(ada.post(f"{game}/invitations", {"name": "Yan"}), 404, "no-such-player")
    refused(ada.post(f"{game}/invitations", {"name": " "}), 400, "malformed")
    refused(ada.post(f"{game}/invitations", {"name": "Ada"}), 409, "already-seated")


def test_a_guest_who_took_no_seat_is_found_under_no_name(server, ada, bob, stranger):
    game = new_game(ada, visibility="public")
    link = linked(ada, game, seat=2)
    bob.post(f"{game}/seats", {"seat": 2})
    refused(stranger.post(f"{link}/seat", {"name": "Zoë"}), 409, "seat-taken")
    refused(ada.post(f"{game}/invitations", {"name": "Zoë"}), 404, "no-such-player")


def test_whoever_asks_for_names_uses_up_invitations(server, ada, game):
    server.keep_limits(invitations=3)
    for _ in range(2):
        refused(ada.post(f"{game}/invitations", {"name": "Yan"}), 404, "no-such-player")
    server.newcomer("Bob")
    invited(ada, game, name="Bob")
    for wish in ({"name": "Yan"}, LINK):
        assert_limited(ada.post(f"{game}/invitations", wish), "invitations")


# -- bounds -------------------------------------------------------------------------------------------------------


def test_a_game_has_a_bounded_number_of_open_invitations_and_those_that_ended_make_room(server, ada, bob, game):
    made = [invited(ada, game, **LINK) for _ in range(MOST_KEPT)]
    refused(ada.post(f"{game}/invitations", LINK), 409, "too-many-invitations")
    for each in made[3:5]:
        assert ada.delete(f"{game}/invitations/{each['id']}").status_code == 204
    newer = invited(ada, game, **LINK)
    listed = [each["id"] for each in ada.get(f"{game}/invitations").json["items"]]
    assert len(listed) == MOST_KEPT
    assert made[3]["id"] not in listed
    assert newer["id"] in listed


def test_invitations_count_against_a_limit_and_say_what_is_left(server, ada, game):
    server.keep_limits(invitations=2)
    first = ada.post(f"{game}/invitations", LINK)
    assert first.headers["RateLimit"].startswith('"invitations";r=1;')
    invited(ada, game, **LINK)
    refused(ada.post(f"{game}/invitations", {"player": ada.id}), 409, "already-seated")
    assert_limited(ada.post(f"{game}/invitations", LINK), "invitations")
    assert DEFAULTS["invitations"] == 100


def test_invitations_count_by_address_too(server, ada, bob, game):
    server.keep_limits(invitations=5, invitations_from_address=3)
    for person in (ada, bob, ada):
        invited(person, new_game(person), **LINK)
    for wish in (LINK, {"name": "Yan"}):
        assert_limited(bob.post(f"{new_game(bob)}/invitations", wish), "invitations-from-address")
    assert DEFAULTS["invitations-from-address"] == 500


def test_guests_who_come_by_link_count_as_new_players(server, ada, stranger, game):
    server.keep_limits(new_players=1)
    assert stranger.post(f"{linked(ada, game)}/seat", {"name": "Zoë"}).status_code == 201
    link = linked(ada, game)
    assert_limited(stranger.post(f"{link}/seat", {"name": "Yan"}), "new-players")
    assert statuses(ada, game) == ["accepted", "open"]


def test_nothing_of_an_invitation_is_in_the_log_and_its_secret_is_stored_nowhere(server, ada, bob, game):
    made = invited(ada, game, **LINK)
    bob.post(f"{made['url']}/seat")
    assert made["secret"] not in str({key: server.redis.dump(key) for key in server.redis.scan_iter()})
    assert [event["type"] for event in ada.get(f"{game}/events").json["events"]] == [
        "game_created",
        "seat_taken",
        "seat_taken",
    ]


def test_every_key_of_invitations_expires(server, ada, bob, game):
    invited(ada, game, **LINK)
    invited(ada, game, player=bob.id)
    found = [key for key in server.redis.scan_iter() if b"invitation" in key]
    assert len(found) == 3
    assert all(0 < server.redis.ttl(key) <= 31 * 24 * 3600 for key in found)


# -- who can know what --------------------------------------------------------------------------------------------


def test_those_who_are_not_invited_cannot_tell_a_private_game_from_none(server, ada, bob, cleo, stranger, game):
    """With invitations to others and links that they do not have, too."""
    invited(ada, game, player=bob.id)
    made = invited(ada, game, **LINK)
    of_bob = seat_token_of(bob, new_game(bob), 0)[1]
    for person in (cleo, stranger, of_bob):
        for ask in (
            lambda path, person=person: person.get(path),
            lambda path, person=person: person.get(f"{path}/view"),
            lambda path, person=person: person.get(f"{path}/invitations"),
            lambda path, person=person: person.post(f"{path}/invitations", LINK),
            lambda path, person=person: person.post(f"{path}/invitations", {"more": 1}),
            lambda path, person=person: person.delete(f"{path}/invitations/{made['id']}"),
            lambda path, person=person: person.post(f"{path}/seats", {}),
            lambda path, person=person: person.post(f"{path}/seats", {"seat": 1}),
            lambda path, person=person: person.post(f"{path}/seats/1/tokens"),
        ):
            real, none = told(ask(game)), told(ask("/v1/games/gm_00000000000000000000"))
            assert real == none
            assert real[0] >= 400
        if person is cleo:
            assert told(cleo.get("/v1/me/invitations")) == told(server.newcomer("Eve").get("/v1/me/invitations"))


# -- at the same time, and after a crash ---------------------------------------------------------------------------


@pytest.fixture(params=builders.KINDS[:2])
def two_processes(request, contract):
    """The service twice on one store, each with a cache of its own."""
    for client in builders.empty_store(request):
        servers = [Server(client, contract) for _ in range(2)]
        yield servers
        for server in servers:
            server.players.close()


@pytest.mark.parametrize("who", ["players", "guests"])
def test_of_two_who_take_one_link_at_once_one_gets_the_seat(two_processes, who):
    one, other = two_processes
    ada = one.newcomer("Ada")
    for _ in range(10):
        game = new_game(ada, visibility="public", seats=[ME, *[OPEN] * 4])
        link, start = linked(ada, game), threading.Barrier(2)
        people = [each.newcomer("Zoë") if who == "players" else each.stranger() for each in (one, other)]

        def take(person, link=link, start=start):
            start.wait()
            return person.post(f"{link}/seat", {"name": "Zoë"})

        with ThreadPoolExecutor(2) as threads:
            answers = list(threads.map(take, people))
        assert sorted(answer.status_code for answer in answers) == [201, 404]
        seats = ada.get(game).json["seats"]
        (winner,) = (answer.json["player"] for answer in answers if answer.status_code == 201)
        assert [seat["player"] for seat in seats] == [ada.id, winner, None, None, None]
        assert statuses(ada, game) == ["accepted"]


def crash_before(monkeypatch, place, request):
    """Send a request, and let the process end, as it were, right before it calls a method."""

    def end(*_args, **_kwargs):
        raise SystemExit

    with monkeypatch.context() as crashing:
        crashing.setattr(place, end)
        with pytest.raises(SystemExit):
            request()


def test_a_crash_before_the_seat_is_taken_leaves_the_link_to_the_same_player_and_to_all_a_minute_later(
    monkeypatch, time, ada, bob, cleo, game
):
    link = linked(ada, game)
    crash_before(monkeypatch, "service.games.desk.Desk.do", lambda: bob.post(f"{link}/seat"))
    gone(cleo.post(f"{link}/seat"))
    assert statuses(ada, game) == ["accepted"]
    time.ms += MINUTE
    assert statuses(ada, game) == ["open"]
    assert cleo.post(f"{link}/seat").status_code == 201
    gone(bob.post(f"{link}/seat"))


def test_a_seat_that_is_being_taken_by_link_stays_reserved(monkeypatch, ada, bob, cleo, game):
    link = linked(ada, game, seat=1)
    crash_before(monkeypatch, "service.games.desk.Desk.do", lambda: bob.post(f"{link}/seat"))
    assert cleo.post(f"{linked(ada, game)}/seat").json["seat"] == 2
    assert bob.post(f"{link}/seat").json["seat"] == 1


def test_a_seated_player_never_uses_up_a_link(monkeypatch, ada, bob, game):
    link = linked(ada, game)
    with monkeypatch.context() as crashing:
        crashing.setattr("service.games.joining.Joining._end_taking", lambda *_args, **_more: None)
        refused(ada.post(f"{link}/seat"), 409, "already-seated")
    assert bob.post(f"{link}/seat").status_code == 201


def test_of_two_requests_of_one_player_the_one_that_fails_does_not_open_the_link_again(
    monkeypatch, server, ada, bob, cleo, game
):
    """The other request fails right after this one has taken the seat."""
    made, do = invited(ada, game, **LINK), Desk.do
    joining = server.app.extensions["plateau"].joining

    def then_the_other_fails(desk, game, command, **more):
        answer = do(desk, game, command, **more)
        joining._end_taking(joining._kept.of_game(game.id)[made["id"]], bob.id, accepted=False)
        return answer

    with monkeypatch.context() as racing:
        racing.setattr(Desk, "do", then_the_other_fails)
        assert bob.post(f"{made['url']}/seat").status_code == 201
    assert bob.delete(f"{game}/seats/1").status_code == 204
    assert statuses(ada, game) == ["accepted"]
    gone(cleo.post(f"{made['url']}/seat"))


def test_a_cached_game_does_not_keep_an_invited_player_out_who_left_it_elsewhere(two_processes):
    one, other = two_processes
    ada, bob = one.newcomer("Ada"), one.newcomer("Bob")
    there = other.stranger(bob.token)
    game = new_game(ada)
    made = linked(ada, game)
    assert bob.post(f"{made}/seat").status_code == 201
    assert there.delete(f"{game}/seats/1").status_code == 204
    invited(other.stranger(ada.token), game, player=bob.id)
    assert bob.post(f"{game}/seats").status_code == 201


def test_a_game_that_started_elsewhere_does_not_exist_for_the_invited_any_more(two_processes):
    one, other = two_processes
    ada, bob, cleo = (one.newcomer(name) for name in ("Ada", "Bob", "Cleo"))
    game = new_game(ada, seats=[ME, OPEN], ruleset="plateau")
    invited(ada, game, player=bob.id)
    link = linked(ada, game)
    assert other.stranger(cleo.token).post(f"{link}/seat").status_code == 201
    refused(bob.post(f"{game}/seats"), 404, "no-such-game")


def test_whoever_was_taking_a_seat_when_the_process_ended_can_repeat_it_at_once(monkeypatch, ada, bob, game):
    invited(ada, game, player=bob.id)
    link = linked(ada, game)
    for path in (f"{link}/seat", f"{game}/seats"):
        crash_before(monkeypatch, "service.games.desk.Desk.do", lambda path=path: bob.post(path))
        assert bob.post(path).status_code == 201
        seat = next(each["seat"] for each in ada.get(game).json["seats"] if each["player"] == bob.id)
        assert bob.delete(f"{game}/seats/{seat}").status_code == 204


def test_after_a_crash_once_the_seat_is_taken_the_invitation_is_used_up(monkeypatch, time, ada, bob, cleo, game):
    link = linked(ada, game)
    crash_before(monkeypatch, "service.games.joining.Joining._end_taking", lambda: bob.post(f"{link}/seat"))
    time.ms += MINUTE
    assert statuses(ada, game) == ["accepted"]
    gone(cleo.post(f"{link}/seat"))
    assert bob.post(f"{link}/seat").json["seat"] == 1
