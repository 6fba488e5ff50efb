"""Seat tokens: each opens one seat of one game, as long as its player holds that seat, and nothing else."""

import random

import pytest

from tests.support.other_worlds import told
from tests.support.people import ME, OPEN, refused, seat_token_of, some_action, token_of

PRIVATE = {"ruleset": "le-plateau", "seats": [OPEN, ME], "visibility": "private"}


@pytest.fixture
def guest(table):
    """Somebody who holds a token for Bob's seat of the table."""
    return seat_token_of(table.people[1], table.path, 1)[1]


def test_a_seat_token_names_its_seat_and_can_read_and_play(table):
    made, _ = seat_token_of(table.people[1], table.path, 1)
    assert (made["game_id"], made["seat"]) == (table.id, 1)
    assert (made["scopes"], made["label"]) == (["games:read", "games:play"], "seat")
    assert made["token"].startswith("plt_")


def test_a_seat_token_sees_what_the_seat_sees(table, guest):
    for path in ("", "/view", "/events", "/board.svg", "/export?format=text", "/view?as=1&at=3"):
        answer, own = guest.get(table.path + path), table.people[1].get(table.path + path)
        assert answer.status_code == 200
        assert told(answer) == told(own)
    refused(guest.get(f"{table.path}/view?as=0"), 403, "not-your-seat")


def test_a_seat_token_plays_the_seat(table):
    guests = [seat_token_of(person, table.path, seat)[1] for seat, person in enumerate(table.people)]
    rng = random.Random(5)
    for _ in range(20):
        seat = table.to_act
        legal = guests[seat].get(f"{table.path}/legal-actions").json["actions"]
        assert guests[seat].post(f"{table.path}/actions", some_action(rng, legal)).status_code == 201


def test_a_seat_token_of_a_sandbox_opens_one_of_its_players_seats_alone(sandbox):
    _, guest = seat_token_of(sandbox.people[0], sandbox.path, 2)
    assert guest.get(f"{sandbox.path}/view").json["viewer"] == {"seat": 2}
    refused(guest.get(f"{sandbox.path}/view?as=1"), 403, "not-your-seat")
    refused(guest.post(f"{sandbox.path}/actions?as=1", {"type": "pass"}), 403, "not-your-seat")
    refused(guest.post(f"{sandbox.path}/seats/1/tokens"), 403, "not-your-seat")


def test_an_answer_kept_for_one_seat_is_not_read_by_the_token_of_another(sandbox):
    """All seats have one player, so their keys would meet if they were kept by the player alone."""
    owner = sandbox.people[0]
    _, guest = seat_token_of(owner, sandbox.path, 2)
    seat = sandbox.to_act
    action = owner.get(f"{sandbox.path}/legal-actions?as={seat}").json["actions"][0]
    _, actor = seat_token_of(owner, sandbox.path, seat)
    _, other = seat_token_of(owner, sandbox.path, (seat + 1) % 3)
    path = f"{sandbox.path}/actions"
    acted = actor.post(path, action, Idempotency_Key="once")
    assert acted.status_code == 201
    assert actor.post(path, action, Idempotency_Key="once").json == acted.json
    for person in (guest, other):
        if person.get(f"{sandbox.path}/view").json["viewer"]["seat"] != seat:
            again = person.post(path, action, Idempotency_Key="once")
            assert again.status_code in {409, 422}, again.json
            assert again.json["code"] != "key-reused"


def test_revoking_a_token_takes_all_that_were_made_with_it(table):
    first = table.people[0]
    made, second = token_of(first, "games:read", "games:play", "games:create", "webhooks")
    _, third = token_of(second, "games:read")
    _, seat = seat_token_of(second, table.path, 0)
    _, beside = token_of(first, "games:read")
    link = seat.post(f"{table.path}/board-links").json["url"]
    assert first.get(link).status_code == 200
    listed = {each["id"]: each["made_by"] for each in first.get("/v1/me/tokens").json["items"]}
    assert listed[made["id"]] in listed
    assert [*listed.values()].count(made["id"]) == 2
    assert first.delete(f"/v1/me/tokens/{made['id']}").status_code == 204
    for person in (second, third, seat):
        refused(person.get(f"{table.path}/view"), 401, "invalid-token")
    refused(first.get(link), 404, "no-such-link")
    assert beside.get(f"{table.path}/view").status_code == 200
    assert len(first.get("/v1/me/tokens").json["items"]) == 2


def test_elsewhere_the_holder_of_a_seat_token_is_a_stranger(table, guest, stranger):
    """Bob has created a private game and a public one, and plays in both: his seat token shows neither."""
    bob = table.people[1]
    private, public = (
        bob.post("/v1/games", PRIVATE | {"visibility": each}).json["id"] for each in ("private", "public")
    )
    for game in (private, public, "gm_0"):
        for path in ("", "/view", "/events", "/board.svg", "/view?as=1", "/export?format=text"):
            assert told(guest.get(f"/v1/games/{game}{path}")) == told(stranger.get(f"/v1/games/{game}{path}"))
        for answer in (
            guest.get(f"/v1/games/{game}/legal-actions"),
            guest.post(f"/v1/games/{game}/seats", {}),
            guest.delete(f"/v1/games/{game}/seats/1"),
            guest.post(f"/v1/games/{game}/seats/1/tokens"),
            guest.ask("PUT", f"/v1/games/{game}/seats/0", {"bot": "random"}),
        ):
            refused(answer, 403, "seat-token")
    assert told(guest.get("/v1/games")) == told(stranger.get("/v1/games"))
    assert bob.get(f"/v1/games/{private}").json["seats"][0]["player"] is None


def test_a_seat_token_opens_its_seat_only_while_its_player_holds_it(ada, stranger):
    game = f"/v1/games/{ada.post('/v1/games', PRIVATE).json['id']}"
    _, guest = seat_token_of(ada, game, 1)
    assert guest.get(game).status_code == 200
    assert ada.delete(f"{game}/seats/1").status_code == 204
    assert ada.get(game).status_code == 200
    assert told(guest.get(game)) == told(stranger.get(game)) == told(guest.get("/v1/games/gm_0"))
    refused(guest.post(f"{game}/seats", {}), 404, "no-such-game")
    assert ada.post(f"{game}/seats", {"seat": 0}).status_code == 201
    assert guest.get(game).status_code == 404
    assert ada.delete(f"{game}/seats/0").status_code == 204
    assert ada.post(f"{game}/seats", {"seat": 1}).status_code == 201
    assert guest.get(f"{game}/view").json["viewer"] == {"seat": 1}


def test_a_seat_token_ends_when_a_bot_takes_over_or_another_player_sits_there(table, guest):
    assert guest.ask("PUT", f"{table.path}/seats/1", {"bot": "random"}).status_code == 200
    assert guest.get(f"{table.path}/view").json["viewer"] == {"seat": None}
    refused(guest.get(f"{table.path}/view?as=1"), 403, "not-your-seat")
    refused(guest.post(f"{table.path}/actions", {"type": "pass"}), 403, "not-seated")


def test_seat_tokens_are_listed_and_revoked_like_the_others(table):
    bob = table.people[1]
    made, guest = seat_token_of(bob, table.path, 1)
    shown = {token["id"]: token for token in bob.get("/v1/me/tokens").json["items"]}
    assert shown[made["id"]] == {key: value for key, value in made.items() if key != "token"}
    assert [(token["game_id"], token["seat"]) for token in shown.values()] == [(None, None), (table.id, 1)]
    assert bob.delete(f"/v1/me/tokens/{made['id']}").status_code == 204
    refused(guest.get(table.path), 401, "invalid-token")


def test_seat_tokens_count_against_the_limit_on_tokens(server, ada):
    server.players._most_tokens = 3
    game = f"/v1/games/{ada.post('/v1/games', PRIVATE).json['id']}"
    for _ in range(2):
        seat_token_of(ada, game, 1)
    refused(ada.post(f"{game}/seats/1/tokens"), 429, "limit-reached")
