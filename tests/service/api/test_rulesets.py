"""The games that can be played here."""

import json
import re
from dataclasses import fields

import jsonschema_rs
import pytest

from domain.le_plateau.options import Options
from domain.registry import RULESETS
from domain.sentences.catalogue import languages
from service.games.projections.representations import action_data
from tests.domain.le_plateau.reference_rules import printed_board
from tests.support.people import ME, moments
from tests.support.sampling import FULL, OUTERMOST


def test_names_summaries_and_options_are_said_in_the_requested_language(stranger):
    summaries = {each["id"]: each["summary"] for each in stranger.get("/v1/rulesets?lang=fr").json["items"]}
    assert summaries["plateau"].startswith("Des piles de pièces")
    shown = [stranger.get(f"/v1/rulesets/le-plateau?lang={each}") for each in ("en", "fr", "ja")]
    assert len({each.headers["ETag"] for each in shown}) == len(shown)
    assert shown[0].json == stranger.get("/v1/rulesets/le-plateau").json
    assert [each.json["action_words"]["bid.team"]["name"] for each in shown] == ["Team", "Équipe", "チーム"]
    assert [each.json["choices"]["4"]["deck"]["note"] for each in shown] == [
        "The full deck is for 3, 4 or 5 players",
        "Le jeu complet est pour 3, 4 ou 5 joueurs",
        "フルデッキは3～5人用です",
    ]
    assert [each.json["words"]["board"]["values"]["standard"] for each in shown] == [
        "As printed",
        "Comme imprimé",
        "印刷どおり",
    ]
    assert [each.json["words"]["first_dealer"]["values"]["null"] for each in shown] == [
        "Drawn by lot",
        "Tiré au sort",
        "抽選",
    ]
    assert shown[0].json["choices"]["4"]["board"]["comes_with"] == {"custom": ["board_tokens"]}
    assert stranger.get("/v1/rulesets?lang=de").status_code == 400


@pytest.mark.rule("le-plateau", "Options", "lists under `choices` the values of each")
def test_the_choices_of_every_number_of_players_are_told_with_reasons(stranger):
    choices = stranger.get("/v1/rulesets/le-plateau").json["choices"]
    assert [*choices] == ["2", "3", "4", "5", "6"]
    names = {option.name for option in fields(Options)}
    for seats, of_seats in choices.items():
        assert of_seats.keys() == names
        assert of_seats["edition"] == {
            "values": ["2023", "2022"],
            "default": "2023",
            "needs": {},
            "comes_with": {},
            "note": "",
        }
        assert of_seats["deck"]["values"] == (["standard", "full"] if seats in "345" else ["standard"])
        assert of_seats["abdication"]["values"] == (["on", "off"] if seats == "5" else [None])
        assert of_seats["hands"]["default"] == int(seats)
        assert of_seats["board_tokens"]["values"] is None
    assert choices["4"]["excuse"] == {
        "values": ["trump", "french"],
        "default": "trump",
        "needs": {"french": {"deck": ["full"]}},
        "comes_with": {},
        "note": "The French Excuse needs all 78 cards in play: 6 players, or the full deck with 4 or 5",
    }
    assert [choices[seats]["excuse"]["values"] for seats in "236"] == [["trump"], ["trump"], ["trump", "french"]]


@pytest.mark.rule("french-tarot", "Options", "are JSON numbers", "returns all options as JSON Schema")
@pytest.mark.parametrize(("ruleset_id", "seats"), [("le-plateau", 4), *OUTERMOST])
def test_a_game_is_created_with_every_choice_that_is_told_and_no_other(ada, ruleset_id, seats):
    ruleset = ada.get(f"/v1/rulesets/{ruleset_id}").json
    choices = ruleset["choices"][str(seats)]
    for name, schema in ruleset["options"]["properties"].items():
        told = (choices[name]["values"] or [])[:20]
        for value in schema.get("enum", told):
            needs = choices[name]["needs"].get(json.dumps(value).strip('"'), {})
            chosen = {} if value is None else {name: value}  # an option that has no value is left out
            options = chosen | {other: values[0] for other, values in needs.items()}
            if value == "custom":
                options["board_tokens"] = [*printed_board(seats)]
            new = {"ruleset": ruleset_id, "seats": [ME] * seats, "sandbox": True, "options": options}
            answer = ada.post("/v1/games", new)
            assert answer.status_code == (201 if value in told or value is None else 422), (options, answer.json)
            if answer.status_code == 201:
                assert (
                    answer.json["options"].items()
                    >= {each: value for each, value in options.items() if value is not None}.items()
                )


def test_every_schema_of_a_ruleset_is_a_schema_and_stands_alone(stranger):
    for ruleset_id in RULESETS:
        ruleset = stranger.get(f"/v1/rulesets/{ruleset_id}").json
        for schema in (ruleset["options"], *ruleset["actions"].values()):
            jsonschema_rs.meta.validate(schema)
            refs = re.findall(r"'\$ref': '([^']*)'", str(schema))
            assert {ref.removeprefix("#/$defs/") for ref in refs} <= schema.get("$defs", {}).keys()


def test_the_options_that_a_game_shows_are_of_the_schema(stranger, ada):
    schema = jsonschema_rs.Draft202012Validator(stranger.get("/v1/rulesets/le-plateau").json["options"])
    for seats in range(2, 7):
        made = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME] * seats, "sandbox": True})
        schema.validate(made.json["options"])


@pytest.mark.parametrize(("ruleset_id", "seats"), FULL)
def test_the_schema_of_its_type_takes_a_legal_action_and_no_other_type_does(stranger, ruleset_id, seats):
    schemas = stranger.get(f"/v1/rulesets/{ruleset_id}").json["actions"]
    takes = {name: jsonschema_rs.Draft202012Validator(schema).is_valid for name, schema in schemas.items()}
    for steps in moments(ruleset_id, seats):
        game = steps[-1].game
        for action in list(game.ruleset.legal_actions(game.state, min(game.pending)))[:20]:
            posted = action_data(game.ruleset, action)
            assert {name for name in takes if takes[name](posted)} == {posted["type"]}


def test_a_tutorial_is_a_recorded_game_in_a_language_and_is_sent_once(stranger):
    path = "/v1/rulesets/le-plateau/tutorial?lang=fr"
    shown = stranger.get(path)
    assert (shown.status_code, shown.json["lang"], shown.json["learner"]) == (200, "fr", 0)
    assert shown.json["steps"][1]["happened"][1] == "Ben passe."
    assert shown.json["steps"][-1]["move"] is None
    assert stranger.get(path, If_None_Match=shown.headers["ETag"]).status_code == 304


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_what_players_can_agree_on_is_said_in_each_language(stranger, ruleset_id):
    said = [stranger.get(f"/v1/rulesets/{ruleset_id}?lang={language}").json["proposals"] for language in languages()]
    for kind in said[0]:
        assert len({each[kind] for each in said}) == len(said), kind


def test_a_ruleset_without_a_tutorial_says_so(stranger, monkeypatch):
    monkeypatch.setattr("domain.tutorials.has_tutorial", lambda ruleset: ruleset.id != "plute")
    assert [each["id"] for each in stranger.get("/v1/rulesets").json["items"] if not each["has_tutorial"]] == ["plute"]
    answer = stranger.get("/v1/rulesets/plute/tutorial")
    assert (answer.status_code, answer.json["code"]) == (404, "no-tutorial")
