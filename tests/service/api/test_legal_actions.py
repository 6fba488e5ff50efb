"""Legal actions: the list, and its schema, from which any client can draw a form."""

from dataclasses import dataclass
from itertools import islice

import jsonschema_rs
import pytest

from domain.laws.mutations import changed
from domain.plateau.actions import Prisoner
from service.games.projections import legal_schema, representations
from tests.domain.laws.facts import facts_of
from tests.support.people import moments
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
