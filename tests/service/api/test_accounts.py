"""Players, the caller's own account, and tokens.

The account and the public page of a player: what the player sees, and what others see of it.
"""

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


NOTHING = {"language": False, "time_zone": False, "seen": False, "games": False}
PUBLIC = {"id", "name", "portrait", "kind", "created_at"}


def page(person, player):
    """Return a player's public page."""
    answer = person.get(f"/v1/players/{player.id}")
    assert answer.status_code == 200
    return answer.json


def test_by_default_the_page_of_a_player_has_the_name_and_no_more(ada, stranger):
    assert page(stranger, ada).keys() == PUBLIC
    mine = ada.get("/v1/me").json
    assert mine.keys() == PUBLIC | {"language", "time_zone", "seen", "shows"}
    assert (mine["language"], mine["time_zone"], mine["seen"], mine["shows"]) == (None, None, None, NOTHING)


def test_a_player_decides_what_others_see(ada, bob, stranger):
    changed = ada.patch("/v1/me", {"language": "pt-BR", "time_zone": "Europe/Paris"})
    assert changed.status_code == 200
    assert changed.json == ada.get("/v1/me").json
    assert (changed.json["language"], changed.json["time_zone"]) == ("pt-BR", "Europe/Paris")
    for person in (bob, stranger):
        assert page(person, ada).keys() == PUBLIC
    ada.patch("/v1/me", {"shows": {"language": True}})
    assert page(stranger, ada).keys() == PUBLIC | {"language"}
    ada.patch("/v1/me", {"shows": {"time_zone": True, "seen": True}})
    shown = page(stranger, ada)
    assert (shown["language"], shown["time_zone"]) == ("pt-BR", "Europe/Paris")
    assert shown["seen"] == ada.get("/v1/me").json["seen"]
    assert len(shown["seen"]) == len("2026-05-01")
    ada.patch("/v1/me", {"shows": {"language": False, "seen": False}, "time_zone": None})
    assert page(stranger, ada).keys() == PUBLIC
    assert ada.get("/v1/me").json["shows"] == {**NOTHING, "time_zone": True}
    assert ada.get("/v1/me").json["seen"] is None


def test_a_name_is_changed_beside_the_profile_and_alone(ada, stranger):
    ada.patch("/v1/me", {"name": "Adele", "language": "fr", "shows": {"language": True}})
    assert (page(stranger, ada)["name"], page(stranger, ada)["language"]) == ("Adele", "fr")
    ada.patch("/v1/me", {"name": "Ada"})
    assert (page(stranger, ada)["name"], page(stranger, ada)["language"]) == ("Ada", "fr")


# -- the games of a player ----------------------------------------------------------------------------------------


def games(person, query):
    answer = person.get(f"/v1/games?{query}")
    assert answer.status_code == 200
    return [game["id"] for game in answer.json["items"]]


@pytest.fixture
def of_ada(ada, bob):
    """Public games of Ada's, newest first: one of hers, one that she has joined; beside others of both."""
    wish = {"ruleset": "le-plateau", "seats": [ME, OPEN, OPEN]}
    for visibility in ("private", "unlisted"):
        ada.post("/v1/games", {**wish, "visibility": visibility})
    mine = ada.post("/v1/games", wish).json["id"]
    joined = bob.post("/v1/games", wish).json["id"]
    ada.post(f"/v1/games/{joined}/seats")
    bob.post("/v1/games", wish)
    cancelled = ada.post("/v1/games", wish).json["id"]
    assert ada.delete(f"/v1/games/{cancelled}").status_code == 200
    return [joined, mine]


def test_the_games_of_a_player_are_listed_for_others_only_if_shown(ada, bob, stranger, of_ada):
    query = f"player={ada.id}"
    assert games(ada, query) == of_ada
    assert games(bob, query) == games(stranger, query) == []
    ada.patch("/v1/me", {"shows": {"games": True}})
    for person in (ada, bob, stranger):
        assert games(person, query) == of_ada
        assert games(person, f"{query}&sort=oldest") == of_ada[::-1]
        assert games(person, f"{query}&open_seats=2") == of_ada[1:]
        assert games(person, f"{query}&status=active") == []
        assert games(person, f"{query}&ruleset=plute") == []
    assert games(stranger, "player=pl_nobody") == []


OPERATOR = "Ben, ben@example.org"


def new(stranger, **more):
    return stranger.post("/v1/players", {"name": "Fortuna", **more})


def test_the_account_of_a_bot_says_who_runs_it_to_everybody(server, stranger):
    made = new(stranger, operator=OPERATOR).json
    bot = server.stranger(made["token"])
    assert (made["kind"], made["operator"], made["id"][:6]) == ("bot", OPERATOR, "pl_bot")
    assert stranger.get(f"/v1/players/{made['id']}").json["operator"] == OPERATOR
    assert bot.get("/v1/me").json.items() >= {"kind": "bot", "operator": OPERATOR}.items()
    seat = bot.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, OPEN]}).json["seats"]
    assert [each.get("account", "none") for each in seat] == ["bot", "none"]
    assert bot.patch("/v1/me", {"operator": "Cleo"}).json["operator"] == "Cleo"
    assert bot.patch("/v1/me", {"operator": None}).status_code == 400


def test_the_account_of_a_person_has_no_operator(ada, stranger):
    assert new(stranger).json.keys() == PUBLIC | {"token"}
    refused = ada.patch("/v1/me", {"operator": OPERATOR})
    assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (400, "/operator")
    assert page(stranger, ada).keys() == PUBLIC
