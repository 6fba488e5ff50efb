"""A field that does not exist is rejected with the names of those that do."""

import pytest

from domain import field_types as ft
from domain.registry import RULESETS
from service.input import forms
from tests.support.people import ME

SANDBOX = {"ruleset": "le-plateau", "seats": [ME] * 4, "sandbox": True}


def messages(answer):
    assert (answer.status_code, answer.json["code"]) == (400, "malformed")
    return [fault["message"] for fault in answer.json["errors"]]


@pytest.mark.parametrize(
    ("more", "pointer", "message"),
    [
        (
            {"options": {"hand": 3}},
            "/options/hand",
            "hand: no such field; the fields here, closest first: hands, void_",
        ),
        ({"seats": [{**ME, "bott": 1}]}, "/seats/0/bott", "bott: no such field; the fields here, closest first: bot, "),
        (
            {"clock": {"permove": 1}},
            "/clock/permove",
            "permove: no such field; the fields here, closest first: per_move",
        ),
        ({"optoins": {}}, "/optoins", "optoins: no such field; the fields here, closest first: options, "),
    ],
)
def test_the_fields_that_exist_are_named_the_closest_first(ada, more, pointer, message):
    answer = ada.post("/v1/games", SANDBOX | more)
    (found,) = messages(answer)
    assert found.startswith(message)
    assert answer.json["errors"][0]["pointer"] == pointer


def test_the_fields_of_an_action_are_named(ada):
    game = ada.post("/v1/games", SANDBOX).json["id"]
    bid = {"type": "bid", "exchange": True, "objective": "y", "team": "solo", "teem": 1}
    assert messages(ada.post(f"/v1/games/{game}/actions", bid)) == [
        "teem: no such field; the fields here, closest first: team, type, exchange, objective, decision_id"
    ]


def test_of_many_known_fields_a_message_names_as_many_as_it_has_room_for(ada):
    wish = {"ruleset": "french-tarot", "seats": [ME] * 3, "sandbox": True, "options": {"poignee": 1}}
    (message,) = messages(ada.post("/v1/games", wish))
    named = message.partition("closest first: ")[2].removesuffix(", …").split(", ")
    known = {field.key for field in ft.fields_of(RULESETS["french-tarot"].options.shape)}
    assert len(message) <= 300
    assert 8 < len(named) < len(known)
    assert {*named} < known


def test_where_no_field_exists_none_is_named(ada, table):
    assert messages(ada.post(f"{table.path}/claim", {"x": 1})) == ["x: no such field; there can be none here"]


def test_of_many_unknown_fields_only_those_that_are_shown_are_compared(ada, monkeypatch):
    compared = []
    real = forms.SequenceMatcher
    monkeypatch.setattr(forms, "SequenceMatcher", lambda *args: compared.append(args) or real(*args))
    answer = ada.post("/v1/games", SANDBOX | {f"more{number}": 1 for number in range(1000)})
    assert len(messages(answer)) == 50
    assert "and 997 more" in answer.json["detail"]
    assert len(compared) == 50 * 8
