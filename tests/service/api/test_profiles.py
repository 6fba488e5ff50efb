"""The account and the public page of a player: what the player sees, and what others see of it."""

import pytest

from tests.support.people import ME, OPEN

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
