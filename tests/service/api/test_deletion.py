"""A deleted player leaves no trace but an opaque id: not in the store, not in its file, not in what can be read."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import redis

from domain.log import chain
from service.accounts.players import Players
from service.api.resources import me
from service.store.redis.connections import connect
from tests.support.contract import Contract
from tests.support.people import ME, OPEN, Person, Server
from tests.support.push import Browser
from tests.support.server import RealServer, wait_until
from tests.support.stores import everything
from tests.support.wiring import notifier_on

MARK = "Zyxquorl"
"""What stands in every field that a player fills in; nobody else writes it."""
DUEL = {"ruleset": "plateau", "seats": [ME, OPEN]}
SOLO = {"ruleset": "plateau", "seats": [ME, {"bot": "random"}]}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RealServer]:
    """A server of its own that writes an append-only file, in which nothing is compressed."""
    server = RealServer.start("valkey", tmp_path / "store", tcp=True)
    with redis.Redis.from_url(server.url) as client:
        client.config_set("rdbcompression", "no")
    yield server
    server.stop()


@pytest.fixture
def on_disk(store: RealServer, contract: Contract) -> Iterator[Server]:
    """A service on that server."""
    with connect(store.url) as client:
        server = Server(client, contract)
        yield server
        server.players.close()


def fill_in(ada: Person, bob: Person) -> str:
    """Let Ada write her mark wherever she can, and play a game to its end; return the game."""
    change = {"operator": f"{MARK} 2", "language": "fr", "time_zone": "Europe/Paris"}
    assert ada.patch("/v1/me", {**change, "shows": {"seen": True, "games": True}}).status_code == 200
    assert ada.post("/v1/me/tokens", {"label": f"{MARK} 3", "scopes": ["games:read"]}).status_code == 201
    assert ada.put("/v1/me/mail", {"address": f"{MARK}@example.org"}).status_code == 200
    assert ada.post("/v1/webhooks", {"url": f"https://example.com/{MARK}"}).status_code == 201
    browser = Browser(auth=bytes(16)).subscription(f"https://push.example.com/{MARK}")
    assert ada.post("/v1/me/push-subscriptions", browser).status_code == 201
    game = ada.post("/v1/games", DUEL, Idempotency_Key=f"{MARK} 4").json["id"]
    assert bob.post(f"/v1/games/{game}/seats", {}).status_code == 201
    assert ada.post(f"/v1/games/{game}/seats/0/tokens", {"label": f"{MARK} 5"}).status_code == 201
    assert ada.put(f"/v1/games/{game}/plan", {"forced": True}).status_code == 200
    other = bob.post("/v1/games", DUEL).json["id"]
    assert bob.post(f"/v1/games/{other}/invitations", {"player": ada.id}).status_code == 201
    for person in (ada, bob):
        assert person.post(f"/v1/games/{game}/phrases", {"phrase": "hello"}, Idempotency_Key=MARK).status_code == 201
    return str(game)


def files(folder: Path) -> bytes:
    """All that the server keeps on the disk; it can remove a file while this lists them."""
    found = []
    for path in sorted(folder.rglob("*")):
        with suppress(OSError):
            found.append(path.read_bytes())
    return b"".join(found)


def of_others(client: redis.Redis, ada: Person) -> dict[bytes, object]:
    """What the store holds beside Ada's own keys, names by their hashes, invitations, and what she said and planned."""
    beside = (b":invitations", b":phrases", b":plans", b"plateau:named:", b"plateau:rate", str(ada.id).encode())
    return {key: kept for key, kept in everything(client).items() if not any(part in key for part in beside)}


def test_a_deleted_player_leaves_no_personal_string_and_everything_of_others(on_disk: Server, tmp_path: Path) -> None:
    server = on_disk
    ada, bob = server.bot_of_somebody(f"{MARK} 1"), server.newcomer("Bob")
    game = fill_in(ada, bob)
    notifier_on(server.redis).pass_on(1)
    wait_until(lambda: MARK.encode() in files(tmp_path), "the file to have the mark")
    kept, said = ada.get("/v1/me/export"), bob.get(f"/v1/games/{game}/phrases").json["phrases"]
    assert all(f"{MARK} {number}" in kept.text for number in (1, 2, 3, 5))
    assert ada.post(f"/v1/games/{game}/resign", {"confirm": True}).status_code == 201
    before = of_others(server.redis, ada)

    assert ada.delete(f"/v1/me?confirm={ada.id}").status_code == 204
    assert of_others(server.redis, ada) == before
    assert MARK.lower() not in repr(everything(server.redis)).lower()
    assert f"{{{ada.id}}}".encode() not in b"".join(server.redis.scan_iter())
    server.redis.bgrewriteaof()
    wait_until(lambda: MARK.lower().encode() not in files(tmp_path).lower(), "the file to be without the mark")

    server.forget_games()
    log = bob.get(f"/v1/games/{game}/events?limit=1000").json["events"]
    assert chain.verify(log) == log[-1]["hash"]
    for path in (f"/v1/games/{game}", f"/v1/games/{game}/export?format=audit", "/v1/me/export", "/v1/me/events"):
        assert MARK not in bob.get(path).text
    assert bob.get(f"/v1/games/{game}/phrases").json["phrases"] == [each for each in said if each["seat"] == 1]


def test_the_export_has_all_that_one_can_read_of_oneself_elsewhere_and_no_secret(server: Server) -> None:
    ada, bob = server.bot_of_somebody(f"{MARK} 1"), server.newcomer("Bob")
    game = fill_in(ada, bob)
    notifier_on(server.redis).pass_on(1)
    kept = ada.get("/v1/me/export").json
    assert kept["account"] == ada.get("/v1/me").json
    assert kept["mail"] == ada.get("/v1/me/mail").json
    assert kept["events"] == ada.get("/v1/me/events").json["events"] != []
    for name, path in (
        ("tokens", "/v1/me/tokens"),
        ("push_subscriptions", "/v1/me/push-subscriptions"),
        ("invitations", "/v1/me/invitations"),
    ):
        assert kept[name] == ada.get(path).json["items"] != []
    (webhook,) = kept["webhooks"]
    assert webhook == {**ada.get("/v1/webhooks").json["items"][0], "deliveries": []}
    assert kept["games"] == [{"game_id": game, "is_creator": True, "seats": [0]}]
    assert kept["plans"] == [{"game_id": game, "seat": 0, "steps": [], "forced": True}]
    assert [(each["game_id"], each["phrase"]) for each in kept["phrases"]] == [(game, "hello")]
    assert str(ada.token) not in str(kept)
    assert "whsec_" not in str(kept)


def test_a_seat_that_is_taken_during_the_deletion_is_given_up_too(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = server.newcomer("Ada"), server.newcomer("Bob")
    game = f"/v1/games/{bob.post('/v1/games', DUEL).json['id']}"
    delete = Players.delete

    def joining_first(players: Players, player_id: str) -> None:
        assert ada.post(f"{game}/seats", {}).status_code == 201
        delete(players, player_id)

    monkeypatch.setattr(Players, "delete", joining_first)
    assert ada.delete(f"/v1/me?confirm={ada.id}").status_code == 204
    assert [each["bot"] for each in bob.get(game).json["seats"]] == [None, "random"]


def test_invitations_to_a_deleted_player_and_from_them_are_gone(server: Server) -> None:
    ada, bob, cleo = (server.newcomer(name) for name in ("Ada", "Bob", "Cleo"))
    mine, theirs = (person.post("/v1/games", DUEL | {"visibility": "private"}).json["id"] for person in (ada, bob))
    link = ada.post(f"/v1/games/{mine}/invitations", {"link": True}).json["url"]
    assert ada.post(f"/v1/games/{mine}/invitations", {"player": cleo.id}).status_code == 201
    for each in (ada, cleo):
        assert bob.post(f"/v1/games/{theirs}/invitations", {"player": each.id}).status_code == 201
    assert ada.delete(f"/v1/me?confirm={ada.id}").status_code == 204
    assert cleo.get(link).status_code == 404
    assert [each["game"]["id"] for each in cleo.get("/v1/me/invitations").json["items"]] == [theirs]
    assert cleo.get(f"/v1/games/{mine}").status_code == 404
    assert [each["player"] for each in bob.get(f"/v1/games/{theirs}/invitations").json["items"]] == [cleo.id]


def test_a_rematch_that_waits_for_a_deleted_player_ends(server: Server) -> None:
    ada, bob = server.newcomer("Ada"), server.newcomer("Bob")
    duel = server.table([ada, bob], ruleset="plateau")
    assert ada.post(f"{duel.path}/resign", {"confirm": True}).status_code == 201
    rematch = bob.post(f"{duel.path}/rematch", {}).json["game"]["id"]
    assert ada.delete(f"/v1/me?confirm={ada.id}").status_code == 204
    assert bob.get(f"/v1/games/{rematch}").json["status"] == "aborted"


def test_an_export_has_every_game_page_by_page(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(me, "_GAMES_OF_A_PAGE", 2)
    ada = server.newcomer("Ada")
    games = [ada.post("/v1/games", SOLO).json["id"] for _ in range(5)]
    for game in games:
        assert ada.put(f"/v1/games/{game}/plan", {"forced": True}).status_code == 200
        assert ada.post(f"/v1/games/{game}/phrases", {"phrase": "hello"}).status_code == 201
    pages, cursor = [], ""
    while cursor is not None:
        page = ada.get(f"/v1/me/export?cursor={cursor}" if cursor else "/v1/me/export")
        assert ("Link" in page.headers) == (page.json["next_cursor"] is not None)
        pages.append(page.json)
        cursor = page.json["next_cursor"]
    for part in ("games", "plans", "phrases"):
        assert [len(page[part]) for page in pages] == [2, 2, 1]
        assert [each["game_id"] for page in pages for each in page[part]] == games[::-1]
    assert all(page["account"] == ada.get("/v1/me").json for page in pages)


def test_an_export_has_more_tokens_than_a_page_of_their_list(server: Server) -> None:
    ada = server.newcomer("Ada")
    server.players._most_tokens = 2000
    for number in range(1050):
        server.players.create_token(str(ada.id), ("games:read",), str(number))
    assert len(ada.get("/v1/me/export").json["tokens"]) == 1051
