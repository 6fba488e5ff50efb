"""Players, the caller's own account, and tokens."""

import pytest

from service.accounts.players import GUEST_SCOPES
from tests.support.people import ME, OPEN, token_of


def test_a_new_player_is_told_their_id_and_their_token_and_is_a_person(stranger):
    answer = stranger.post("/v1/players", {"name": "Ada"})
    assert answer.status_code == 201
    assert answer.json.keys() == {"id", "name", "portrait", "kind", "created_at", "token"}
    assert answer.json["id"].startswith("pl_")
    assert answer.json["token"].startswith("plt_")
    assert (answer.json["name"], answer.json["kind"]) == ("Ada", "person")


@pytest.mark.parametrize("name", ["A", "x" * 40, "Zoë 李 🂡", "<script>"])
def test_a_name_is_one_to_40_visible_characters_and_comes_back_as_it_is(stranger, name):
    made = stranger.post("/v1/players", {"name": name})
    assert made.status_code == 201
    assert stranger.get(f"/v1/players/{made.json['id']}").json["name"] == name


def test_a_bot_takes_over_from_a_deleted_player_and_the_log_keeps_the_opaque_id(table, stranger):
    ada = table.people[0]
    before = table.events()
    ada.delete(f"/v1/me?confirm={ada.id}")
    after = stranger.get(f"{table.path}/events?limit=1000").json["events"]
    assert after[:-1] == before
    assert (after[-1]["type"], after[-1]["seat"], after[-1]["data"]) == ("bot_seated", 0, {"bot": "random"})
    assert ada.id in str(before)
    assert stranger.get(table.path).json["status"] == "active"


@pytest.mark.parametrize(
    ("clock", "ended"), [("resign", "finished"), ("wait", "finished"), ("bot", "active"), (None, "active")]
)
def test_the_clock_says_whether_a_deleted_player_resigns(server, ada, bob, clock, ended):
    timed = {"clock": clock and {"per_move": "P1D", "on_timeout": clock, "bot": "greedy"}}
    duel = server.table([ada, bob], ruleset="plateau", **timed)
    assert ada.delete(f"/v1/me?confirm={ada.id}").status_code == 204
    game = bob.get(duel.path).json
    assert game["status"] == ended
    if ended == "finished":
        assert (game["outcome"]["reason"], game["outcome"]["winners"]) == ("resign", [1])
    else:
        assert game["seats"][0]["bot"] == ("greedy" if clock else "random")


def test_a_deleted_player_leaves_open_and_paused_games_and_sandboxes(server, ada, bob, sandbox):
    opened = ada.post("/v1/games", {"ruleset": "plateau", "seats": [ME, OPEN], "visibility": "private"}).json["id"]
    paused = server.table([ada, bob], ruleset="plateau", clock={"per_move": "P1D", "on_timeout": "resign"})
    made = ada.post(f"{paused.path}/proposals", {"kind": "pause"}).json["events"][0]["data"]["proposal"]
    assert bob.post(f"{paused.path}/proposals/{made}/votes", {"accept": True}).json["status"] == "paused"
    assert ada.delete(f"/v1/me?confirm={ada.id}").status_code == 204
    assert bob.get(paused.path).json["seats"][0]["bot"] == "random"
    assert all(seat["bot"] for seat in bob.get(sandbox.path).json["seats"])
    log = server.store.read(opened)
    assert [(each.type, each.seat) for each in log[-1:]] == [("seat_left", 0)]


def test_a_player_lists_their_tokens_without_the_secrets(ada):
    token_of(ada, "games:read")
    answer = ada.get("/v1/me/tokens")
    assert answer.status_code == 200
    assert answer.json["next_cursor"] is None
    first, second = sorted(answer.json["items"], key=lambda token: token["label"])
    assert (first["label"], first["scopes"]) == ("first", list(GUEST_SCOPES))
    assert (second["label"], second["scopes"]) == ("other", ["games:read"])
    assert first.keys() == second.keys() == {"id", "scopes", "label", "created_at", "game_id", "seat", "made_by"}
    assert (first["made_by"], second["made_by"]) == (None, first["id"])
    assert ada.token not in answer.text


def test_a_token_without_a_wish_has_all_that_a_guest_may_do(ada):
    answer = ada.post("/v1/me/tokens", {})
    assert answer.status_code == 201
    assert answer.json["scopes"] == list(GUEST_SCOPES)
    assert answer.json["label"] == "token"
    assert ada.post("/v1/me/tokens").json["scopes"] == list(GUEST_SCOPES)


def test_a_narrow_token_changes_nothing_of_the_account_but_may_revoke_itself(ada):
    (first,) = ada.get("/v1/me/tokens").json["items"]
    made, reader = token_of(ada, "games:read", "games:play", "games:create")
    for refused in (
        reader.patch("/v1/me", {"name": "Eve"}),
        reader.delete(f"/v1/me?confirm={reader.id}"),
        reader.delete(f"/v1/me/tokens/{first['id']}"),
    ):
        assert (refused.status_code, refused.json["code"]) == (403, "scope-missing")
        assert "webhooks" in refused.json["detail"]
    assert ada.get("/v1/me").json["name"] == "Ada"
    assert reader.delete(f"/v1/me/tokens/{made['id']}").status_code == 204
    assert reader.get("/v1/me").status_code == 401
