"""Seeds that players commit to when they join and open before the start, over the interface."""

import re

import pytest

from domain.game.durations import instant
from domain.game.seeds import commitment_to
from tests.support.people import OPEN, head_of

SOON = {"within": "PT1H", "unopened": "abort"}


def posted(person, seats=2, **more):
    """Create a game whose seats are all open; return its path."""
    made = person.post("/v1/games", {"ruleset": "plateau", "seats": [OPEN] * seats, **more})
    assert made.status_code == 201, made.json
    return f"/v1/games/{made.json['id']}"


def commitment(person, path, seed):
    return commitment_to(seed, path.rpartition("/")[2], person.id)


def join(person, path, seed, **more):
    body = {"seed_commitment": commitment(person, path, seed), **more}
    return person.post(f"{path}/seats", body, If_Match=head_of(person, path))


def types(person, path):
    return [event["type"] for event in person.get(f"{path}/events?limit=1000").json["events"]]


@pytest.fixture
def path(ada, bob):
    """A game whose two players have committed to their seeds."""
    path = posted(ada, opening=SOON)
    for person, seed in ((ada, "luck"), (bob, "chance")):
        assert join(person, path, seed).status_code == 201
    return path


def test_two_players_commit_and_open_and_the_game_starts_with_their_seeds(path, ada, bob, stranger):
    shown = stranger.get(path).json
    assert (shown["status"], shown["seeds_awaited"]["seats"]) == ("open", [0, 1])
    assert shown["opening"] == SOON
    first = bob.post(f"{path}/seeds", {"client_seed": "chance"})
    assert (first.status_code, first.json["seat"], first.json["status"]) == (201, 1, "open")
    assert [event["data"] for event in first.json["events"]] == [{"client_seed": "chance"}]
    assert stranger.get(path).json["seeds_awaited"]["seats"] == [0]
    last = ada.post(f"{path}/seeds", {"client_seed": "luck"})
    assert [event["type"] for event in last.json["events"]][:3] == ["seed_opened", "seeds_closed", "game_started"]
    assert last.json["status"] == "active"
    assert "seeds_awaited" not in stranger.get(path).json
    audit = stranger.get(f"{path}/audit").json
    assert audit["seeds"] == ["luck", "chance"]
    assert audit["seed_commitments"] == [commitment(ada, path, "luck"), commitment(bob, path, "chance")]


def test_the_game_says_until_when_seeds_are_awaited_and_nothing_of_it_before(ada, bob):
    path = posted(ada)
    join(ada, path, "luck")
    assert "seeds_awaited" not in ada.get(path).json
    assert ada.get(path).json["opening"] is None
    bob.post(f"{path}/seats", {})
    shown = ada.get(path).json
    awaited = next(event for event in ada.get(f"{path}/events").json["events"] if event["type"] == "seeds_awaited")
    assert shown["seeds_awaited"] == awaited["data"] == {"seats": [0], "until": awaited["data"]["until"]}
    assert instant(awaited["data"]["until"]) - instant(awaited["at"]) == 120_000
    assert shown["expires_at"] is None
    view = ada.get(f"{path}/view").json
    assert (view["state"], view["game"]["seeds_awaited"]) == (None, shown["seeds_awaited"])


def test_a_game_that_waits_for_my_seed_is_among_those_in_which_it_is_my_turn(path, ada, bob):
    until = ada.get(path).json["seeds_awaited"]["until"]
    (listed,) = ada.get("/v1/me/games?to_act=true").json["items"]
    assert (listed["your_turn"], listed["deadline"], listed["seeds_awaited"]["seats"]) == (True, until, [0, 1])
    ada.post(f"{path}/seeds", {"client_seed": "luck"})
    assert ada.get("/v1/me/games?to_act=true").json["items"] == []
    assert len(bob.get("/v1/me/games?to_act=true").json["items"]) == 1
    (lobby,) = bob.get("/v1/games?status=open").json["items"]
    assert lobby["seeds_awaited"]["seats"] == [1]


def test_nobody_joins_leaves_or_invites_while_seeds_are_awaited(server, path, ada, bob):
    cleo = server.newcomer("Cleo")
    for refused in (
        cleo.post(f"{path}/seats", {}),
        bob.delete(f"{path}/seats/1"),
        bob.put(f"{path}/seats/1", {"bot": "random"}),
        ada.post(f"{path}/invitations", {"link": True}),
    ):
        assert (refused.status_code, refused.json["code"]) == (409, "seeds-awaited")
        assert re.search(r"until \d{4}-", refused.json["detail"])
    assert types(ada, path)[-1] == "seeds_awaited"


def test_a_link_takes_a_commitment_from_one_who_has_an_id(server, ada, bob, stranger):
    path = posted(ada, visibility="private")
    join(ada, path, "luck")
    link = ada.post(f"{path}/invitations", {"link": True}).json["url"]
    body = {"seed_commitment": commitment(bob, path, "chance")}
    assert bob.post(f"{link}/seat", body).status_code == 428
    as_guest = stranger.post(f"{link}/seat", {"name": "Zoë", **body}, If_Match=head_of(stranger, link))
    assert (as_guest.status_code, as_guest.json["errors"][0]["code"]) == (400, "needs-token")
    assert bob.post(f"{link}/seat", body, If_Match=head_of(bob, link)).status_code == 201
    assert ada.get(path).json["seeds_awaited"]["seats"] == [0, 1]


def test_a_rematch_opens_seeds_as_the_table_chose(path, ada, bob):
    for person, seed in ((ada, "luck"), (bob, "chance")):
        person.post(f"{path}/seeds", {"client_seed": seed})
    bob.post(f"{path}/resign", {"confirm": True})
    rematch = f"/v1/games/{ada.post(f'{path}/rematch', {}).json['game']['id']}"
    assert ada.get(rematch).json["opening"] == SOON
    assert join(bob, rematch, "more luck").status_code == 201
    assert bob.post(f"{rematch}/seeds", {"client_seed": "more luck"}).json["status"] == "active"
