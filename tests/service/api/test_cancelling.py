"""The creator cancels an open game: it ends with a reason, and lists and limits let go of it."""

import pytest

from tests.support.people import ME, OPEN

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
