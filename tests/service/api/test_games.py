"""Games: create, show, list."""

import pytest

from tests.domain.le_plateau.reference_rules import printed_board
from tests.support.people import ME, OPEN
from tests.support.random_games import played

SANDBOX = {"ruleset": "le-plateau", "seats": [ME] * 4, "sandbox": True}
GAME_KEYS = {
    "id", "ruleset", "rules_version", "status", "options", "seats", "clock", "outcome", "visibility", "sandbox",
    "creator", "creator_name", "creator_tag", "created_at", "speed",
}  # fmt: skip


AT_VERSION = {
    "version",
    "expires_at",
    "aborted_because",
    "head",
    "rematch_of",
    "bot_pace",
    "opening",
    "rematch",
    "forked_from",
    "waiting_for",
    "times",
}


def wish(*seats, **more):
    return {"ruleset": "le-plateau", "seats": list(seats), **more}


def test_a_new_game_is_answered_with_its_place_its_id_and_its_public_data(ada):
    answer = ada.post("/v1/games", wish(ME, OPEN, OPEN))
    assert answer.status_code == 201
    game = answer.json
    assert answer.headers["Location"] == f"/v1/games/{game['id']}"
    assert ada.get(answer.headers["Location"]).json == game
    assert game.keys() == GAME_KEYS | AT_VERSION
    assert game["id"].startswith("gm_")
    assert (game["ruleset"], game["rules_version"]) == ("le-plateau", 1)
    assert game["outcome"] is None
    assert (game["status"], game["version"]) == ("open", 2)
    assert (game["visibility"], game["sandbox"], game["creator"]) == ("public", False, ada.id)
    assert game["seats"] == [
        {"seat": 0, "player": ada.id, "bot": None, "name": "Ada", "tag": None},
        {"seat": 1, "player": None, "bot": None, "name": None, "tag": None},
        {"seat": 2, "player": None, "bot": None, "name": None, "tag": None},
    ]


def test_a_game_with_every_seat_taken_starts_by_itself(ada):
    game = ada.post("/v1/games", SANDBOX).json
    assert game["status"] == "active"
    view = ada.get(f"/v1/games/{game['id']}/view").json
    assert view["state"]["phase"] == "bid"
    assert view["version"] == game["version"]


def test_the_options_asked_for_are_the_options_of_the_game(ada):
    asked = {"hands": 6, "first_dealer": 2, "void_hands": "redeal"}
    game = ada.post("/v1/games", wish(ME, ME, ME, sandbox=True, options=asked)).json
    assert game["options"].items() >= asked.items()
    view = ada.get(f"/v1/games/{game['id']}/view").json
    assert (view["state"]["dealer"], view["state"]["hands_total"]) == (2, 6)


def test_a_wrong_custom_board_is_refused_with_the_tokens_that_are_wrong(ada):
    tokens = ["RH", "XX", *printed_board(4)[2:]]
    answer = ada.post("/v1/games", {**SANDBOX, "options": {"board": "custom", "board_tokens": tokens}})
    assert answer.status_code == 422
    (fault,) = answer.json["errors"]
    assert (fault["pointer"], fault["code"]) == ("/options/board_tokens", "not-the-token-set")
    assert fault["message"].endswith("missing: T1 #1; unknown: XX; repeated: RH")


@pytest.mark.parametrize("visibility", ["public", "unlisted"])
def test_anyone_may_see_a_public_or_an_unlisted_game(stranger, ada, bob, visibility):
    game = ada.post("/v1/games", {**SANDBOX, "visibility": visibility}).json
    assert game["visibility"] == visibility
    for person in (stranger, bob, ada):
        for path in ("", "/view?as=spectator", "/events?as=spectator"):
            assert person.get(f"/v1/games/{game['id']}{path}").status_code == 200


# -- the lobby ----------------------------------------------------------------------------------------------------


@pytest.fixture
def lobby(server, ada):
    """Five public games, oldest first: two open, two active, one finished; and two that are not public."""
    for visibility in ("unlisted", "private"):
        ada.post("/v1/games", {**SANDBOX, "visibility": visibility})
    finished = server.table_of_log(played("le-plateau", 3, 0)).id
    wishes = (wish(ME, OPEN), SANDBOX, wish(OPEN, OPEN), SANDBOX)
    return [finished, *(ada.post("/v1/games", body).json["id"] for body in wishes)]


def listed(person, query=""):
    answer = person.get(f"/v1/games{query}")
    assert answer.status_code == 200
    return [game["id"] for game in answer.json["items"]]


def test_the_lobby_lists_public_games_and_no_others(stranger, ada, lobby):
    assert sorted(listed(stranger)) == sorted(lobby)
    assert listed(ada) == listed(stranger)


def test_a_listed_game_is_the_game_as_it_is_shown(stranger, lobby):
    for game in stranger.get("/v1/games").json["items"]:
        shown = stranger.get(f"/v1/games/{game['id']}").json
        for key in ("aborted_because", "bot_pace", "expires_at", "forked_from", "opening", "rematch", "rematch_of"):
            assert shown.pop(key) is None
        at_version = {key: shown.pop(key) for key in ("version", "head", "waiting_for", "times")}
        assert all(value is not None for value in at_version.values())
        assert game == shown


def test_the_lobby_may_be_asked_for_one_status(stranger, lobby):
    finished, open_1, active_1, open_2, active_2 = lobby
    assert set(listed(stranger, "?status=open")) == {open_1, open_2}
    assert set(listed(stranger, "?open=true")) == {open_1, open_2}
    assert set(listed(stranger, "?open=true&status=open")) == {open_1, open_2}
    assert set(listed(stranger, "?status=active")) == {active_1, active_2}
    assert listed(stranger, "?status=finished") == [finished]
    assert listed(stranger, "?status=paused") == listed(stranger, "?status=aborted") == []
    assert set(listed(stranger, "?open=false")) == set(lobby)


def test_the_lobby_may_be_asked_for_one_ruleset(stranger, lobby):
    assert sorted(listed(stranger, "?ruleset=le-plateau")) == sorted(lobby)
    assert stranger.get("/v1/games?ruleset=go").status_code == 400


def test_a_game_moves_in_the_lobby_when_it_starts_and_shows_who_sits_where(server, stranger, ada, bob):
    game = ada.post("/v1/games", wish(ME, OPEN, OPEN)).json
    assert listed(stranger, "?open=true") == [game["id"]]
    bob.post(f"/v1/games/{game['id']}/seats")
    (shown,) = stranger.get("/v1/games?open=true").json["items"]
    assert [seat["player"] for seat in shown["seats"]] == [ada.id, bob.id, None]
    bob.delete(f"/v1/games/{game['id']}/seats/1")
    (shown,) = stranger.get("/v1/games?open=true").json["items"]
    assert [seat["player"] for seat in shown["seats"]] == [ada.id, None, None]
    bob.post(f"/v1/games/{game['id']}/seats")
    server.newcomer("Cleo").post(f"/v1/games/{game['id']}/seats")
    assert listed(stranger, "?open=true") == []
    assert listed(stranger, "?status=active") == [game["id"]]


@pytest.mark.parametrize("limit", [1, 2, 5])
@pytest.mark.parametrize("query", ["", "&status=open"])
def test_the_pages_of_the_lobby_make_up_the_whole_of_it(stranger, lobby, limit, query):
    whole = listed(stranger, f"?limit=100{query}")
    found, path = [], f"/v1/games?limit={limit}{query}"
    while path:
        page = stranger.get(path)
        assert len(page.json["items"]) <= limit
        found += [game["id"] for game in page.json["items"]]
        link = page.headers.get("Link")
        assert (link is None) == (page.json["next_cursor"] is None)
        if link:
            assert len(page.json["items"]) == limit
            assert link.endswith('>; rel="next"')
            path = link.removeprefix("<").partition(">")[0]
            assert page.json["next_cursor"].rstrip("=") in path
        else:
            path = None
    assert found == whole


def test_a_page_of_the_lobby_stands_where_it_stood_when_a_newer_game_comes(stranger, ada, lobby):
    whole = listed(stranger)
    first = stranger.get("/v1/games?limit=2").json
    ada.post("/v1/games", SANDBOX)
    assert listed(stranger, f"?limit=2&cursor={first['next_cursor']}") == whole[2:4]
