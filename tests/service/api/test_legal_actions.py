"""Legal actions: the list, and its schema, from which any client can draw a form.

Pages of legal actions: together they are the list, and a cursor is good for its game and decision alone.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from itertools import islice

import jsonschema_rs
import pytest

from domain.laws.mutations import changed
from domain.plateau.actions import Prisoner
from service.games.projections import legal_schema, representations
from tests.domain.laws.facts import facts_of
from tests.support.people import ME, Table, moment_before, moments
from tests.support.sampling import OUTERMOST


def schema_of(answer):
    jsonschema_rs.meta.validate(answer["schema"])
    return jsonschema_rs.Draft202012Validator(answer["schema"])


@pytest.mark.parametrize(("ruleset_id", "seats"), OUTERMOST)
def test_the_list_is_the_games_own_and_its_schema_takes_it_and_nothing_near_it(server, ruleset_id, seats):
    for steps in moments(ruleset_id, seats):
        table, game = server.table_of_log(steps), steps[-1].game
        for seat in game.pending:
            check_list(table, game, seat)
        server.redis.flushall()
        server.forget_games()


def check_list(table, game, seat):
    answer = table.people[seat].get(f"{table.path}/legal-actions").json
    legal = list(game.ruleset.legal_actions(game.state, seat))
    listed = [representations.action_data(game.ruleset, action) for action in legal]
    assert answer["actions"] == listed[:2000]
    assert answer["count"] == len(listed)
    if len(listed) > 200:
        assert (
            answer["schema"]
            == table.view(seat)["legal_actions"]["schema"]
            == legal_schema.necessary(listed, game.ruleset.actions)
        )
    schema = schema_of(answer)
    for action in listed[:: 1 + len(listed) // 20]:
        assert schema.is_valid(action)
        assert schema.is_valid({**action, "decision_id": answer["decision"]["id"]})
    if len(listed) <= 200:
        near = [other for action in legal[:3] for other in islice(changed(action, facts_of(game.ruleset.id)), 60)]
        near = [representations.action_data(game.ruleset, other) for other in near]
        for other in near:
            assert schema.is_valid(other) == (other in listed)
        assert not schema.is_valid({**listed[0], "more": 1})


def test_the_head_of_the_list_says_for_which_seat_and_version_it_is(table):
    seat = table.to_act
    answer = table.people[seat].get(f"{table.path}/legal-actions")
    assert answer.status_code == 200
    assert answer.json.keys() == {
        "ruleset", "game_id", "version", "seat", "decision", "count", "actions", "schema", "next_cursor"
    }  # fmt: skip
    assert answer.json["ruleset"] == "le-plateau"
    view = table.view(seat)
    assert (answer.json["game_id"], answer.json["version"], answer.json["seat"]) == (table.id, view["version"], seat)
    assert answer.json["decision"] == view["decision"]
    assert answer.headers["ETag"] == f'"{view["version"]}-{answer.json["seat"]}"'
    assert {"count": answer.json["count"], "actions": answer.json["actions"]} == view["legal_actions"]


def test_a_seat_that_is_not_to_act_has_no_actions_and_a_schema_that_takes_nothing(table):
    seat = table.idle
    answer = table.people[seat].get(f"{table.path}/legal-actions").json
    assert (answer["decision"], answer["count"], answer["actions"]) == (None, 0, [])
    assert not schema_of(answer).is_valid(table.legal(table.to_act)[0])


@dataclass
class Lists:
    """An action of which one list can hold a thing twice, and the other one nothing."""

    pieces: tuple[Prisoner, ...]
    stops: tuple[str, ...]


def test_a_form_of_lists_that_may_hold_a_thing_twice_or_nothing_takes_them():
    """Prisoners are tendered by kind, and most moves stop nowhere."""
    tenders = [{"type": "tender", "pieces": ["M"] * n, "stops": []} for n in range(1, 202)]
    form = legal_schema.necessary(tenders, {"tender": Lists})
    (fields,) = (each["properties"] for each in form["oneOf"])
    assert fields["pieces"] == {
        "type": "array",
        "minItems": 1,
        "maxItems": 201,
        "items": {"enum": ["M"], "x-pick": "prisoner"},
    }
    assert fields["stops"] == {"type": "array", "minItems": 0, "maxItems": 0, "uniqueItems": True}
    assert all(jsonschema_rs.Draft202012Validator(form).is_valid(action) for action in tenders)


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


def test_a_cursor_outlives_what_is_proposed(giving):
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
