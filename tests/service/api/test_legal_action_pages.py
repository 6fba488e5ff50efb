"""Pages of legal actions: together they are the list, and a cursor is good for its game and decision alone."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest

from service.games.projections import representations
from tests.support.people import ME, Table, moment_before


@pytest.fixture
def giving(server):
    """A table of six at which one player has 2,100 gifts to choose from, and the game."""
    steps = moment_before("Give", 6)
    return server.table_of_log(steps), steps[-1].game


def cursor_of(text):
    return urlsafe_b64encode(text.encode()).decode()


def pages(person, url):
    """Follow the links from page to page."""
    while url:
        answer = person.get(url)
        assert answer.status_code == 200
        yield answer.json
        url = answer.headers.get("Link", "").removeprefix("<").removesuffix('>; rel="next"')
        assert bool(url) == bool(answer.json["next_cursor"])


@pytest.mark.parametrize(
    ("limit", "sizes"), [("", [2000, 100]), ("&limit=800", [800, 800, 500]), ("&limit=2000", None)]
)
def test_the_pages_are_the_list_in_its_order(giving, limit, sizes):
    table, game = giving
    seat = table.to_act
    found = [*pages(table.people[seat], f"{table.path}/legal-actions?as={seat}{limit}")]
    assert [len(page["actions"]) for page in found] == (sizes or [2000, 100])
    listed = game.ruleset.legal_actions(game.state, seat)
    assert [action for page in found for action in page["actions"]] == [
        representations.action_data(game.ruleset, action) for action in listed
    ]
    assert all(page["count"] == 2100 and page["schema"] == found[0]["schema"] for page in found)


def test_a_cursor_of_a_decision_that_has_passed_is_refused_with_what_was_missed(giving):
    table, game = giving
    seat = table.to_act
    first = table.people[seat].get(f"{table.path}/legal-actions").json
    assert table.act(seat, first["actions"][7]).status_code == 201
    answer = table.people[seat].get(f"{table.path}/legal-actions?cursor={first['next_cursor']}")
    assert (answer.status_code, answer.json["code"]) == (412, "stale-cursor")
    assert answer.json["type"].endswith("/stale")
    assert answer.json["game_version"] == table.view()["version"]
    missed = table.people[seat].get(answer.json["events"]).json["events"]
    assert missed[0]["version"] == game.pending[seat] + 1


def test_a_cursor_outlives_what_is_proposed_meanwhile(giving):
    table, _ = giving
    seat = table.to_act
    first = table.people[seat].get(f"{table.path}/legal-actions").json
    proposed = table.people[seat].post(f"{table.path}/proposals", {"kind": "stop_after_hand"})
    assert proposed.status_code == 201
    rest = table.people[seat].get(f"{table.path}/legal-actions?cursor={first['next_cursor']}")
    assert (rest.status_code, len(rest.json["actions"])) == (200, 100)
    assert rest.headers["ETag"] == f'"{proposed.json["version"]}-{first["seat"]}"'
    assert proposed.json["version"] != first["version"]


def test_a_cursor_of_another_seat_is_refused(server, ada):
    game = ada.post("/v1/games", {"ruleset": "plateau", "seats": [ME] * 2, "sandbox": True}).json
    sandbox = Table(game["id"], [ada] * 2, server)
    first = ada.get(f"{sandbox.path}/legal-actions?limit=9").json
    for seat, status in ((sandbox.to_act, 200), (sandbox.idle, 412)):
        answer = ada.get(f"{sandbox.path}/legal-actions?cursor={first['next_cursor']}&as={seat}")
        assert answer.status_code == status
    assert answer.json["code"] == "stale-cursor"


def test_a_cursor_that_was_never_given_out_is_refused(giving, server):
    table, _ = giving
    person = table.people[table.to_act]
    given = urlsafe_b64decode(person.get(f"{table.path}/legal-actions").json["next_cursor"]).decode()
    game_id, decision, number = given.split(" ")
    assert (game_id, number) == (table.id, "2000")
    for text in (
        "",
        "x",
        "é",
        cursor_of(""),
        cursor_of(f"gm_other {decision} 2000"),
        cursor_of(f"{game_id} {decision}"),
        cursor_of(f"{game_id} {decision} 0"),
        cursor_of(f"{game_id} {decision} -1"),
        cursor_of(f"{game_id} {decision} 2100"),
        cursor_of(f"{game_id} {decision} {10**14}"),
        cursor_of(f"{game_id} {decision} {10**40}"),
        cursor_of(f"{game_id} d1 2000"),
        cursor_of(f"{given} 1"),
    ):
        answer = person.get(f"{table.path}/legal-actions?cursor={text}")
        assert answer.status_code == 400, text
        assert [fault["pointer"] for fault in answer.json["errors"]] == ["?cursor"]
