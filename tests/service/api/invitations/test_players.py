"""Invitations to players, by id and by name."""

import pytest

from domain.game.durations import DAY, MINUTE, SECOND
from service.games.invitations.invitation_store import Invitations
from service.store import keys
from tests.service.api.invitations.asking import LINK, crash_before, invited, linked, new_game, statuses
from tests.support.people import OPEN, head_of, refused


def test_only_the_invited_player_sees_the_private_game_and_takes_the_seat(ada, bob, cleo, game):
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
    once = {"If_Match": head_of(bob, game), "Idempotency_Key": "k"}
    answer = bob.post(f"{game}/seats", {"client_seed": "luck"}, **once)
    assert (answer.status_code, answer.json["seat"]) == (201, 2)
    assert bob.post(f"{game}/seats", {"client_seed": "luck"}, **once).data == answer.data
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


def test_who_left_a_private_game_joined_by_link_does_not_see_it_any_more(ada, bob, game):
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


def test_who_names_no_seat_gets_the_one_they_are_invited_to(ada, bob, cleo, any_game):
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
        monkeypatch,
        "service.games.invitations.invitation_store.Invitations.change",
        lambda: invited(ada, game, player=bob.id),
    )
    for expected in (1, 0):
        assert bob.get("/v1/me/invitations").json["items"] == []
        assert server.redis.zcard(keys.invitations_of(bob.id)) == expected
        time.ms += MINUTE


def test_the_list_of_a_player_keeps_the_newest_invitations_of_a_month(monkeypatch, server, time, ada, bob):
    monkeypatch.setattr("service.games.invitations.invitation_store.MOST_LISTED", 3)
    games = [new_game(ada) for _ in range(5)]
    for game in games[:4]:
        invited(ada, game, player=bob.id)
    assert server.redis.zcard(keys.invitations_of(bob.id)) == 3
    listed = bob.get("/v1/me/invitations").json["items"]
    assert [f"/v1/games/{each['game']['id']}" for each in listed] == games[3:0:-1]
    time.ms += 32 * DAY
    invited(ada, games[4], player=bob.id)
    assert server.redis.zcard(keys.invitations_of(bob.id)) == 1


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
    assert answer.json["detail"].startswith("there is no player named Zoë, ")
    assert [each["id"] for each in answer.json["candidates"]] == [other.id]


def test_a_name_that_nobody_has_or_that_its_player_gave_up(server, ada, game):
    zoe = server.newcomer("Zoë")
    refused(ada.post(f"{game}/invitations", {"name": "Yan"}), 404, "no-such-player")
    zoe.patch("/v1/me", {"name": "Yan"})
    refused(ada.post(f"{game}/invitations", {"name": "Zoë"}), 404, "no-such-player")
    zoe.delete(f"/v1/me?confirm={zoe.id}")
    refused(ada.post(f"{game}/invitations", {"name": "Yan"}), 404, "no-such-player")
    refused(ada.post(f"{game}/invitations", {"name": " "}), 400, "malformed")
    refused(ada.post(f"{game}/invitations", {"name": "Ada"}), 409, "already-seated")


def test_a_guest_who_took_no_seat_is_found_under_no_name(server, ada, bob, stranger):
    game = new_game(ada, visibility="public")
    link = linked(ada, game, seat=2)
    bob.post(f"{game}/seats", {"seat": 2})
    refused(stranger.post(f"{link}/seat", {"name": "Zoë"}), 409, "seat-taken")
    refused(ada.post(f"{game}/invitations", {"name": "Zoë"}), 404, "no-such-player")
