"""Names beside ids: in games, lists, views and pictures, as they are now; logs, events and answers kept have none."""

import pytest

from service.accounts.players import Directory
from service.games.projections.naming import CAST
from service.store.redis.connections import connect
from tests.support.people import ME, OPEN, Server
from tests.support.server import wait_until

OPEN_GAME = {"ruleset": "le-plateau", "seats": [ME, OPEN, OPEN]}


def shown(person, game_id):
    """Everything that shows who sits in a game: the game, its entries in lists, and the view's part."""
    path = f"/v1/games/{game_id}"
    lists = [person.get(each).json["items"] for each in ("/v1/games", "/v1/me/games")]
    listed = [game for items in lists for game in items if game["id"] == game_id]
    assert len(listed) == 2
    return [person.get(path).json, *listed, person.get(f"{path}/view").json["game"]]


def page(person, player):
    return person.get(f"/v1/players/{player.id}").json


def test_a_new_game_shows_the_creators_name_wherever_it_is_shown(ada):
    made = ada.post("/v1/games", OPEN_GAME).json
    for game in (made, *shown(ada, made["id"])):
        assert [(seat["player"], seat["name"], seat["tag"]) for seat in game["seats"]] == [
            (ada.id, "Ada", None), (None, None, None), (None, None, None),
        ]  # fmt: skip
        assert game.get("creator_name", "Ada") == "Ada"


def test_a_new_name_is_shown_at_once_and_gone_when_the_player_is(table, ada, bob):
    ada.patch("/v1/me", {"name": "Adele", "portrait": "hare"})
    for game in shown(bob, table.id):
        assert (game["seats"][0]["name"], game["seats"][0]["portrait"]) == ("Adele", "hare")
    assert [ada.patch("/v1/me", {"portrait": CAST[0].portrait}).status_code, page(bob, ada)["portrait"]] == [
        400,
        "hare",
    ]
    ada.delete(f"/v1/me?confirm={ada.id}")
    for game in shown(bob, table.id):
        assert (game["seats"][0]["player"], game["seats"][0]["bot"]) == (None, "random")
        assert (game["seats"][0]["name"], game["seats"][0]["portrait"]) in CAST
        assert game.get("creator_name") is None


def test_a_new_name_is_shown_by_every_process_within_a_second(redis_url, contract):
    with connect(redis_url) as client, connect(redis_url) as other:
        here, there = Server(client, contract), Server(other, contract)
        ada = here.newcomer("Ada")
        game = ada.post("/v1/games", OPEN_GAME).json

        def name_there() -> str:
            return there.stranger().get(f"/v1/games/{game['id']}").json["creator_name"]

        for name in ("Adele", "Ada", "Agathe"):
            remembered = there.players._directory._cache.known
            wait_until(lambda known=remembered: name_there() and known().get(ada.id), "the name to be remembered")
            ada.patch("/v1/me", {"name": name})
            wait_until(lambda name=name: name_there() == name, "the new name", patience=1)
        for server in (here, there):
            server.players.close()


@pytest.mark.parametrize("path", ["", "/board.svg", "/view?as=0&at=5"])
def test_the_etag_changes_with_a_name_and_both_forms_guard_an_action(table, ada, bob, path):
    known = ada.get(table.path + path).headers["ETag"]
    assert ada.get(table.path + path, If_None_Match=known).status_code == 304
    bob.patch("/v1/me", {"name": "Bernard"})
    renamed = ada.get(table.path + path, If_None_Match=known)
    assert renamed.status_code == 200
    assert renamed.headers["ETag"] != known
    bob.patch("/v1/me", {"name": "Bob"})
    assert ada.get(table.path + path, If_None_Match=known).status_code == 304


def test_an_action_is_not_stale_because_of_a_name(table, bob):
    seen = table.people[table.to_act].get(f"{table.path}/view").headers["ETag"]
    bob.patch("/v1/me", {"name": "Bernard"})
    seat = table.to_act
    assert table.act(seat, {"type": "pass"}, If_Match=seen).status_code == 201
    assert table.act(table.to_act, {"type": "pass"}, If_Match=seen).status_code == 412


def test_logs_and_answers_to_actions_have_ids_only(table):
    names = ("Ada", "Bob", "Cleo", "Dan")
    acted = table.act(table.to_act, {"type": "pass"})
    for person in table.people:
        texts = (person.get(f"{table.path}/{what}").text for what in ("events", "export?format=text"))
        assert not [name for text in (*texts, acted.text) for name in names if name in text]


def test_what_is_kept_for_games_has_no_name(server):
    ada = server.newcomer("Lovelace")
    made = ada.post("/v1/games", OPEN_GAME, Idempotency_Key="k")
    assert made.json["creator_name"] == "Lovelace"
    kept = {key: value for key, value in server.contents().items() if not key.startswith(b"{pl_")}
    assert made.json["id"].encode() in repr(kept).encode()
    assert "Lovelace" not in repr(kept)
    assert ada.post("/v1/games", OPEN_GAME, Idempotency_Key="k").data == made.data
    ada.patch("/v1/me", {"name": "Ada"})
    again = ada.post("/v1/games", OPEN_GAME, Idempotency_Key="k").json
    assert again.pop("creator_name") == again["seats"][0].pop("name") == "Ada"


def test_an_action_looks_up_no_name(table, monkeypatch):
    seat = table.to_act
    monkeypatch.setattr(Directory, "names", None)
    assert table.act(seat, {"type": "pass"}).status_code == 201
