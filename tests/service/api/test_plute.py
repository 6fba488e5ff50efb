"""Plute through HTTP: its options, a joker that names trump, and claims by seats whose turn it is not."""

import json
import re
from itertools import count

import jsonschema_rs
import pytest

from domain.plute.options import Options
from domain.registry import RULESETS
from service.api.json_schema import posted_schema
from tests.support.people import ME
from tests.support.random_games import played
from tests.support.server import ROOT

SANDBOX = {"ruleset": "plute", "seats": [ME] * 6, "sandbox": True}
DEFAULTS = {
    "joker_order": "first_played_high",
    "early_stop": "claim",
    "stuck_dealer_may_raise": False,
    "dealer_may_steal": False,
    "declare_off_jack_lead": False,
    "win_at": 3,
    "lose_at": 3,
    "low": "holder",
    "show_points": False,
    "chat_in_hand": False,
}


def before(is_wanted):
    """Find the steps of a game up to a moment that is wanted, by the step that followed."""
    for seed in count():
        steps = played("plute", 6, seed)
        for index, step in enumerate(steps):
            if step.action is not None and is_wanted(step):
                return steps[:index]
    raise AssertionError


def leads_with_a_joker(step):
    table = step.before.state.table
    return step.before.state.phase == "play" and table.trump is None and {"X1", "X2"} & {*table.held[step.seat]}


def claims(step):
    return type(step.action).__name__ == "Claim"


@pytest.mark.rule(
    "plute", "Options", "`joker_order` / `first", "`early_stop` / `claim`", "`stuck_dealer_may_raise` / false",
    "`dealer_may_steal` / false", "`declare_off_jack_lead` / false", "`low` / `holder`",
)  # fmt: skip
@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"joker_order": "marked"},
        {"early_stop": "auto"},
        {"early_stop": "off"},
        {"stuck_dealer_may_raise": True},
        {"dealer_may_steal": True},
        {"declare_off_jack_lead": True},
        {"win_at": 1, "lose_at": 9},
        {"low": "taker"},
        {"show_points": True},
        {"chat_in_hand": True},
    ],
)
def test_every_option_is_taken_and_shown_in_full(ada, asked):
    made = ada.post("/v1/games", {**SANDBOX, "options": asked})
    assert made.status_code == 201
    assert made.json["options"] == DEFAULTS | asked
    jokers = ada.get(f"/v1/games/{made.json['id']}/view").json["state"]["jokers"]
    assert jokers == ({"high": "X1", "low": "X2"} if "joker_order" in asked else {"high": None, "low": None})


@pytest.mark.parametrize(
    "options",
    [{"win_at": 0}, {"lose_at": 10}, {"win_at": 2.5}, {"win_at": None}, {"low": "both"}, {"early_stop": True},
     {"dealer_may_steal": "yes"}, {"hands": 3}],
)  # fmt: skip
def test_what_is_no_value_of_an_option_is_refused(ada, options):
    answer = ada.post("/v1/games", {**SANDBOX, "options": options})
    assert answer.status_code == 400
    assert answer.json["errors"][0]["pointer"] == f"/options/{next(iter(options))}"


@pytest.mark.parametrize("seats", [2, 4, 5, 7])
def test_plute_is_for_six(ada, seats):
    answer = ada.post("/v1/games", {**SANDBOX, "seats": [ME] * seats})
    assert (answer.status_code, answer.json["errors"][0]["code"]) == (422, "number-of-seats")
    assert answer.json["errors"][0]["message"] == f"seats: plute is for 6 players, not {seats}"


def test_the_ruleset_says_what_a_client_needs_to_know(stranger):
    shown = stranger.get("/v1/rulesets/plute").json
    assert (shown["id"], shown["name"], shown["rules_version"]) == ("plute", "Plute", 1)
    assert shown["players"] == {"min": 6, "max": 6}
    assert list(shown["options"]["properties"]) == list(Options.__slots__)
    assert {name: schema["default"] for name, schema in shown["options"]["properties"].items()} == DEFAULTS
    assert shown["actions"].keys() == {"bid", "pass", "play", "claim"}
    assert shown["actions"]["play"]["required"] == ["type", "card"]
    assert shown["proposals"].keys() == {"pause", "resume", "abort", "take_back"}
    assert shown["rules"].startswith("# Plute")


def test_a_joker_that_leads_first_is_listed_with_each_suit_and_refused_without(server):
    steps = before(leads_with_a_joker)
    table = server.table_of_log(steps)
    (seat,) = steps[-1].game.pending
    listed = table.legal(seat)
    joker = next(action["card"] for action in listed if action["card"] in ("X1", "X2"))
    assert [action["trump"] for action in listed if action["card"] == joker] == ["S", "H", "D", "C"]
    assert all(("trump" in action) == (action["card"] in ("X1", "X2")) for action in listed)
    for posted, code in (
        ({"card": joker}, "trump-not-declared"),
        ({"card": listed[0]["card"], "trump": "S"}, "names-its-own-suit"),
    ):
        refused = table.act(seat, {"type": "play", **posted})
        assert (refused.status_code, refused.json["code"]) == (422, code)
        assert refused.json["rule"] == "4. Trump and the first lead"
    for posted in ({"card": joker, "trump": None}, {"card": joker, "trump": "T"}, {"card": "1S"}, {"card": "RH"}):
        assert table.act(seat, {"type": "play", **posted}).status_code == 400
    answer = table.act(seat, {"type": "play", "card": joker, "trump": "H"})
    assert answer.status_code == 201
    assert [(event["type"], event["data"]) for event in answer.json["events"]] == [
        ("card_played", {"card": joker}),
        ("trump_named", {"trump": "H"}),
        ("joker_named", {"card": joker, "name": "high"}),
    ]


def test_every_seat_may_claim_a_decided_hand(server):
    steps = before(claims)
    table = server.table_of_log(steps)
    view = table.view()
    assert view["to_act"] == [*table.seats]
    leader = view["state"]["trick"]["leader"]
    assert view["waiting_for"] == table.people[0].get(table.path).json["waiting_for"] == [leader]
    claimer = (leader + 2) % 6
    assert table.legal(claimer) == [{"type": "claim"}]
    assert table.view(claimer)["legal_actions"] == {"count": 1, "actions": [{"type": "claim"}]}
    assert table.legal(leader)[-1] == {"type": "claim"}
    answer = table.act(claimer, {"type": "claim"}, If_Match=f'"{view["version"]}"')
    assert answer.status_code == 201
    assert [event["type"] for event in answer.json["events"]][:3] == ["hand_claimed", "hand_stopped", "points_counted"]
    assert answer.json["events"][0]["seat"] == claimer
    assert table.act(leader, {"type": "claim"}, If_Match=f'"{view["version"]}"').status_code == 412


def claimable(ada):
    """Play sandboxes until a hand can be claimed; about one game in ten ends before. Return its path and its view."""
    while True:
        game = f"/v1/games/{ada.post('/v1/games', SANDBOX).json['id']}"
        view = ada.get(f"{game}/view").json
        while len(view["to_act"]) == 1:
            *_, action = view["legal_actions"]["actions"]
            assert ada.post(f"{game}/actions", action).status_code == 201
            view = ada.get(f"{game}/view").json
        if view["to_act"]:
            return game, view


def test_where_every_seat_can_claim_a_sandbox_is_seen_and_played_from_the_seat_in_turn(ada):
    game, view = claimable(ada)
    assert view["to_act"] == [0, 1, 2, 3, 4, 5]
    assert view["viewer"]["seat"] == view["state"]["trick"]["leader"]
    assert ada.post(f"{game}/actions", view["legal_actions"]["actions"][0]).json["seat"] == view["viewer"]["seat"]


def test_the_decision_whether_to_claim_is_closed_once_the_leader_has_led(server):
    table = server.table_of_log(before(claims))
    leader = table.view()["state"]["trick"]["leader"]
    follower, other = (leader + 1) % 6, (leader + 3) % 6
    decisions = {seat: table.view(seat)["decision"]["id"] for seat in (follower, other)}
    assert table.act(leader, table.legal(leader)[0]).status_code == 201
    for seat, decision in decisions.items():
        late = table.act(seat, {"type": "claim", "decision_id": decision})
        assert (late.status_code, late.json["code"]) == (412, "decision-closed")
    too_late = table.act(other, {"type": "claim"})
    assert (too_late.status_code, too_late.json["code"]) == (409, "not-your-turn")
    refused = table.act(follower, {"type": "claim"})
    assert (refused.status_code, refused.json["code"], refused.json["rule"]) == (
        422, "trick-not-complete", "8. Early stop",
    )  # fmt: skip


def test_nobody_resigns_or_proposes_anything(server):
    table = server.table_of_log(before(claims))
    answer = table.people[0].post(f"{table.path}/resign", {"confirm": True})
    assert (answer.status_code, answer.json["code"]) == (422, "no-resignation")
    for kind in ("draw", "stop_after_hand"):
        answer = table.people[0].post(f"{table.path}/proposals", {"kind": kind})
        assert (answer.status_code, answer.json["code"]) == (422, "unsupported")


@pytest.mark.parametrize("page", ["domain/plute/rules.md", "docs/plute.md"])
def test_the_actions_and_options_shown_in_the_documents_are_of_the_published_form(ada, page):
    text = (ROOT / page).read_text()
    actions = [json.loads(found) for found in re.findall(r'\{"type": "[a-z]+"[^{}]*\}', text)]
    schema = jsonschema_rs.Draft202012Validator(posted_schema(RULESETS["plute"]))
    assert {action["type"] for action in actions} == set(RULESETS["plute"].actions)
    assert all(schema.is_valid(action) for action in actions)
    for options in re.findall(r'^\{"joker_order".*?\}$', text, re.DOTALL | re.MULTILINE):
        assert json.loads(options) == DEFAULTS


def test_the_decisions_named_in_the_rules_and_the_cases_are_those_of_the_document():
    told = re.findall(r"^\| (H\d+) \|", (ROOT / "docs/plute.md").read_text(), re.MULTILINE)
    assert told == [f"H{number}" for number in range(1, 22)]
    for page in ("domain/plute/rules.md", "tests/domain/plute/cases.json"):
        assert {*re.findall(r"\bH\d+\b", (ROOT / page).read_text())} <= {*told}


def test_every_refusal_of_the_documents_is_one_that_the_rules_know():
    codes = set(re.findall(r"`([a-z]+(?:-[a-z]+)+)`", (ROOT / "docs/plute.md").read_text()))
    source = "".join(path.read_text() for path in (ROOT / "domain").rglob("*.py") if path.parent.name != "le_plateau")
    assert codes
    assert not [code for code in codes if not re.search(rf'"{code}[".]', source)]
