"""Seats: join, leave, and the start that comes of it.

The creator cancels an open game: it ends with a reason, and lists and limits let go of it.
"""

import pytest

from tests.support.people import ME, OPEN, head_of


@pytest.fixture
def game(ada):
    """A game of three, with Ada in the middle."""
    return ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [OPEN, ME, OPEN]}).json


@pytest.fixture
def path(game):
    """Where its seats are."""
    return f"/v1/games/{game['id']}/seats"


def players(person, game):
    return [seat["player"] for seat in person.get(f"/v1/games/{game['id']}").json["seats"]]


def test_a_player_takes_the_seat_they_name(game, path, ada, bob):
    answer = bob.post(path, {"seat": 2})
    assert answer.status_code == 201
    assert (answer.json["game_id"], answer.json["seat"], answer.json["status"]) == (game["id"], 2, "open")
    assert answer.json["to_act"] == []
    (event,) = answer.json["events"]
    assert (event["type"], event["seat"], event["version"]) == ("seat_taken", 2, answer.json["version"])
    assert event["data"] == {"player": bob.id, "client_seed": None}
    assert players(ada, game) == [None, ada.id, bob.id]


def test_a_seat_is_not_taken_at_another_head_than_the_one_seen(server, game, path, ada, bob):
    """Anyone who holds a join back to try seeds in other seats gains nothing: it does not count any more."""
    seen = head_of(bob, path)
    puppet = server.newcomer("Cleo")
    puppet.post(path, {"seat": 2, "client_seed": "a try"}, If_Match=seen)
    for body in ({"client_seed": "luck"}, {"seat": 0}):
        refused = bob.post(path, body, If_Match=seen)
        assert (refused.status_code, refused.json["code"]) == (412, "head-changed")
        assert "fresh seed" in refused.json["detail"]
    puppet.delete(f"{path}/2")
    assert bob.post(path, {"client_seed": "luck"}, If_Match=seen).status_code == 412
    assert players(ada, game) == [None, ada.id, None]
    assert bob.post(path, {"client_seed": "other luck"}, If_Match=head_of(bob, path)).status_code == 201


def test_the_last_player_to_sit_starts_the_game_and_sees_their_own_hand(server, game, path, bob):
    bob.post(path)
    cleo = server.newcomer("Cleo")
    answer = cleo.post(path, {"client_seed": "seed"}, If_Match=head_of(cleo, path))
    assert answer.status_code == 201
    assert (answer.json["status"], answer.json["seat"]) == ("active", 2)
    assert [event["type"] for event in answer.json["events"]] == [
        "seat_taken", "game_started", "hand_dealt", "phase_began",
    ]  # fmt: skip
    started, dealt = answer.json["events"][1:3]
    assert started["data"]["players"] == players(cleo, game)
    assert ["cards" in hand for hand in dealt["data"]["hands"]] == [False, False, True]
    assert answer.json["to_act"] == cleo.get(f"/v1/games/{game['id']}/view").json["to_act"]


def test_the_wait_for_players_shows_in_the_view(game, ada, stranger):
    for person, seat in ((ada, 1), (stranger, None)):
        view = person.get(f"/v1/games/{game['id']}/view").json
        assert view["viewer"] == {"seat": seat}
        assert (view["game"]["status"], view["state"], view["to_act"]) == ("open", None, [])
        assert "decision" not in view
        assert "legal_actions" not in view


def test_a_seat_that_was_left_can_be_left_again(game, path, ada, bob):
    bob.post(path, {"seat": 2})
    version = ada.get(f"/v1/games/{game['id']}").json["version"]
    assert bob.delete(f"{path}/2").status_code == bob.delete(f"{path}/2").status_code == 204
    assert ada.get(f"/v1/games/{game['id']}").json["version"] == version + 1
    assert bob.delete(f"{path}/1").json["code"] == "not-your-seat"


def test_a_seat_that_was_handed_over_can_be_handed_over_again(game, path, ada, bob):
    first = ada.put(f"{path}/0", {"bot": "random"})
    again = ada.put(f"{path}/0", {"bot": "random"})
    assert (first.status_code, again.status_code) == (200, 200)
    assert (again.json["version"], again.json["events"]) == (first.json["version"], [])
    assert ada.put(f"{path}/0", {"bot": "greedy"}).status_code == 403
    bob.post(path, {"seat": 2})
    handed = bob.put(f"{path}/2", {"bot": "random"})
    assert (handed.status_code, bob.put(f"{path}/2", {"bot": "random"}).status_code) == (200, 200)
    assert bob.put(f"{path}/1", {"bot": "random"}).json["code"] == "not-your-seat"


def test_a_seat_has_the_same_number_in_the_text_of_every_refusal(game, path, ada, bob):
    """Fields count from 0, and texts from 1: the text of a refusal calls the holder of seat 1 player 2."""
    refused = [
        bob.post(path, {"seat": 1}),
        ada.post(f"/v1/games/{game['id']}/invitations", {"link": True, "seat": 1}),
        bob.delete(f"{path}/1"),
        bob.put(f"{path}/1", {"bot": "random"}),
        bob.post(f"{path}/1/tokens", {}),
    ]
    assert [answer.json["code"] for answer in refused] == ["seat-taken"] * 2 + ["not-your-seat"] * 3
    assert {answer.json["detail"].partition(" is ")[0] for answer in refused} == {"the seat of player 2"}


def test_a_seat_that_does_not_exist_is_told_with_the_seats_there_are(game, path, ada):
    refused = [ada.delete(f"{path}/3"), ada.put(f"{path}/3", {"bot": "random"}), ada.post(f"{path}/3/tokens", {})]
    said = "there is no such seat in this game; the interface counts its seats from 0 to 2"
    assert [(answer.status_code, answer.json["code"]) for answer in refused] == [(404, "no-such-seat")] * 3
    assert {answer.json["detail"] for answer in refused} == {said}
    asked = [ada.get(f"/v1/games/{game['id']}/{what}?as=3") for what in ("view", "legal-actions", "plan")]
    assert [(answer.status_code, answer.json["errors"][0]["code"]) for answer in asked] == [(400, "no-such-seat")] * 3


BOT = {"bot": "random"}


@pytest.fixture
def open_game(ada):
    """Create an open game of Ada's."""
    return lambda **more: ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, OPEN, BOT], **more}).json["id"]


def ids(person, path):
    return [game["id"] for game in person.get(path).json["items"]]


def test_the_creator_cancels_an_open_game(open_game, ada, stranger):
    game_id = open_game()
    before = stranger.get(f"/v1/games/{game_id}").json
    answer = ada.delete(f"/v1/games/{game_id}")
    assert answer.status_code == 200
    assert answer.json == stranger.get(f"/v1/games/{game_id}").json
    last = stranger.get(f"/v1/games/{game_id}/events").json["events"][-1]
    ended = {"status": "aborted", "aborted_because": "cancelled", "version": last["version"], "head": last["hash"]}
    assert answer.json == before | ended
    assert last["version"] == before["version"] + 1
    assert answer.json["outcome"] is None


def test_what_can_be_read_of_a_game_can_be_read_of_a_cancelled_one(open_game, ada, bob, stranger):
    game_id = open_game()
    ada.delete(f"/v1/games/{game_id}")
    for person in (ada, bob, stranger):
        for seat in ("spectator", 0, 1, 2):
            view = person.get(f"/v1/games/{game_id}/view?as={seat}").json
            assert (view["game"]["status"], view["state"], view["to_act"]) == ("aborted", None, [])
        assert person.get(f"/v1/games/{game_id}/view?at=1&as=spectator").json["game"]["status"] == "open"
        assert person.get(f"/v1/games/{game_id}/board.svg").status_code == 200
        text = person.get(f"/v1/games/{game_id}/export?format=text").text
        assert text.endswith("result: aborted cancelled\n")


def test_lists_let_go_of_a_cancelled_game(open_game, ada, bob, stranger):
    game_id, kept = open_game(), open_game()
    bob.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, OPEN]})
    four = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, OPEN, OPEN, OPEN]}).json["id"]
    bob.post(f"/v1/games/{four}/seats")
    for each in (game_id, four):
        ada.delete(f"/v1/games/{each}")
    assert not {game_id, four} & {*ids(stranger, "/v1/games"), *ids(stranger, "/v1/games?open=true")}
    assert sorted(ids(stranger, "/v1/games?status=aborted")) == sorted([game_id, four])
    assert ids(ada, "/v1/me/games") == [kept]
    assert len(ids(bob, "/v1/me/games")) == 1


def test_a_cancelled_game_no_longer_counts_as_open_or_running(server, ada):
    server.keep_limits(open_games=2, running_games=2)
    wanted = {"ruleset": "le-plateau", "seats": [OPEN, OPEN]}
    first, _ = (ada.post("/v1/games", wanted).json["id"] for _ in range(2))
    assert ada.post("/v1/games", wanted).status_code == 429
    ada.delete(f"/v1/games/{first}")
    assert ada.post("/v1/games", wanted).status_code == 201
    assert ada.post("/v1/games", wanted).status_code == 429
