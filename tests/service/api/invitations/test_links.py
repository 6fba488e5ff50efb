"""Links that open one seat once, and guests who come by link.

Links as pictures for the camera of a phone, read back by what the picture encodes.
"""

import re
from dataclasses import replace
from io import BytesIO

import segno

from service.store.event_store import StoreUnavailable
from tests.service.api.invitations.asking import LINK, gone, invited, linked, new_game, statuses
from tests.support.people import ME, OPEN, head_of, refused, seat_token_of


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
    answer = bob.post(f"{link}/seat", {"client_seed": "luck"}, If_Match=head_of(bob, link))
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


def test_somebody_without_an_account_takes_a_seat_by_link_and_plays(ada, server, stranger):
    game = new_game(ada, seats=[ME, OPEN], ruleset="plateau")
    link = linked(ada, game)
    wish = {"name": "Zoë", "client_seed": "luck"}
    answer = stranger.post(f"{link}/seat", wish, If_Match=head_of(stranger, link))
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


def test_a_seed_by_link_is_bound_to_the_head_that_the_link_shows(ada, bob, cleo, server, stranger, any_game):
    link = linked(ada, any_game, seat=2)
    seen, wish = head_of(stranger, link), {"name": "Zoë", "client_seed": "luck"}
    bob.post(f"{linked(ada, any_game, seat=1)}/seat")
    guests = len(server.redis.keys("*}:player"))
    for person in (cleo, stranger):
        refused(person.post(f"{link}/seat", wish), 428, "head-required")
        refused(person.post(f"{link}/seat", wish, If_Match=seen), 412, "head-changed")
    assert len(server.redis.keys("*}:player")) == guests
    answer = stranger.post(f"{link}/seat", wish, If_Match=head_of(stranger, link))
    assert (answer.status_code, answer.json["seat"]) == (201, 2)


def test_a_guest_whose_token_cannot_be_made_takes_no_seat(monkeypatch, ada, stranger, game):
    link = linked(ada, game)

    def fail(*_args, **_more):
        raise StoreUnavailable("gone")

    with monkeypatch.context() as failing:
        failing.setattr("service.accounts.players.Players.create_token", fail)
        assert stranger.post(f"{link}/seat", {"name": "Zoë"}).status_code == 503
    assert [seat["player"] for seat in ada.get(game).json["seats"]] == [ada.id, None, None]
    assert stranger.post(f"{link}/seat", {"name": "Zoë"}).json["seat"] == 1


def test_a_guest_whose_seat_is_gone_leaves_no_player_behind(server, ada, bob, stranger):
    game = new_game(ada, visibility="public")
    link = linked(ada, game, seat=2)
    assert bob.post(f"{game}/seats", {"seat": 2}).status_code == 201
    before = server.contents()
    refused(stranger.post(f"{link}/seat", {"name": "Zoë"}), 409, "seat-taken")
    after = server.contents()
    assert after.keys() == before.keys()
    assert statuses(ada, game) == ["open"]


def lines(address: str) -> str:
    """Return the path that draws an address."""
    drawn = BytesIO()
    segno.make_qr(address).save(drawn, kind="svg", omitsize=True, dark="#000", light="#fff")
    (path,) = re.findall(r'stroke="#000" d="([^"]+)"', drawn.getvalue().decode())
    return path


def test_a_link_is_drawn_at_the_address_where_it_was_asked_for(ada, game, stranger):
    link = linked(ada, game)
    answer = stranger.get(f"{link}/qr.svg", Host="192.168.1.5:8000")
    assert (answer.status_code, answer.content_type) == (200, "image/svg+xml; charset=utf-8")
    assert (answer.headers["Cache-Control"], answer.headers["Referrer-Policy"]) == ("no-store", "no-referrer")
    assert lines(f"http://192.168.1.5:8000/#/join/{link.rpartition('/')[2]}") in answer.text
    assert 'xmlns="http://www.w3.org/2000/svg"' in answer.text
    assert len(answer.data) < 4096


def test_the_address_that_the_operator_has_set_comes_before_that_of_the_request(ada, game, server):
    services = server.app.extensions["plateau"]
    server.app.extensions["plateau"] = replace(services, public_url="https://play.example")
    link = linked(ada, game)
    assert lines(f"https://play.example/#/join/{link.rpartition('/')[2]}") in ada.get(f"{link}/qr.svg").text


def test_what_is_no_address_is_not_drawn(ada, game, stranger):
    link = linked(ada, game)
    for host in ("a" * 300, "a b", ""):
        answer = stranger.get(f"{link}/qr.svg", Host=host)
        assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (400, "Host")
