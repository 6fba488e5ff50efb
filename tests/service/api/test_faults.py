"""All faults of a request are listed at once, and no response grows with the request.

A field that does not exist is rejected with the names of those that do.
"""

import hmac
from hashlib import sha256

import pytest

from domain import field_types as ft
from domain.errors import worded
from domain.registry import RULESETS
from domain.sentences.catalogue import languages
from service.common.errors import WORDS, Malformed
from service.input import forms
from service.input.forms import action_of
from service.store import keys
from tests.support.people import ME

SANDBOX = {"ruleset": "le-plateau", "seats": [ME] * 4, "sandbox": True}


def pointers(answer):
    return {fault["pointer"] for fault in answer.json["errors"]}


def test_the_id_of_a_keyed_game_differs_from_server_to_server(ada, server):
    new = {**SANDBOX, "visibility": "unlisted"}
    made = ada.post("/v1/games", new, Idempotency_Key="game-1").json["id"]
    assert ada.post("/v1/games", new, Idempotency_Key="game-1").json["id"] == made
    secret = server.redis.get(keys.NAMING_SECRET)
    under = sha256(f"{ada.id} game-1".encode()).hexdigest()
    assert made == "gm_" + hmac.digest(secret, under.encode(), "sha256").hex()[:20]
    assert len(secret) == 32


def test_faults_tokens_and_limits_are_said_in_the_language_of_the_reader(server, ada, stranger):
    named = stranger.post("/v1/players", {"name": "", "bogus": 1}, Accept_Language="fr").json
    assert [each["message"] for each in named["errors"]] == [
        "name\u00a0: Doit avoir de 1 à 40 caractères.",
        "bogus\u00a0: ce champ n’existe pas\u00a0; les champs possibles, le plus proche d’abord\u00a0: "
        "operator, portrait, name",
    ]
    assert named["detail"] == "\u00a0; ".join(each["message"] for each in named["errors"])
    assert "parametrs" in stranger.get("/v1/games?parametrs=1", Accept_Language="ja").json["detail"]
    assert stranger.get("/v1/games?limit=0&lang=fr").status_code == 400
    limit = stranger.get("/v1/games?limit=0", Accept_Language="fr").json["errors"][0]["message"]
    assert limit == "limit\u00a0: doit être un nombre entier de 1 à 100"
    assert stranger.get("/v1/me", Accept_Language="ja").json["detail"].startswith("「Authorization：Bearer")
    unseen = stranger.get("/v1/games/gm_00000000000000000000", Accept_Language="fr").json["detail"]
    assert unseen == "cette partie est introuvable ou privée"
    server.keep_limits(new_games=2)
    *_, refused = [ada.post("/v1/games", SANDBOX, Accept_Language="fr") for _ in range(3)]
    assert (refused.status_code, refused.json["detail"]) == (429, "au plus 2 nouvelles parties d’un joueur par heure")


@pytest.mark.parametrize(
    ("ruleset", "card", "codes"),
    [
        ("french-tarot", "KH", "1S … 10S VS CS DS RS, 1H … RH, 1D … RD, 1C … RC, T1 … T21, EX"),
        ("le-plateau", "T0", "1S … 10S VS CS DS RS, 1H … RH, 1D … RD, 1C … RC, T1 … T21, EX"),
        ("plute", "1S", "2S … 10S JS QS KS AS, 2H … AH, 2D … AD, 2C … AC, X1, X2"),
    ],
)
def test_what_is_no_card_is_answered_with_the_codes_of_the_games_cards(ruleset, card, codes):
    with pytest.raises(Malformed) as refused:
        action_of(RULESETS[ruleset], {"type": "play", "card": card})
    (fault,) = refused.value.faults
    said = [worded(fault.message, WORDS, language) for language in languages()]
    assert said == [
        f"card: Not a valid card code; the codes are {codes}.",
        f"card\u00a0: Ce code n’est pas valable\u00a0: card. Les codes sont {codes}.",
        f"card：cardの正しいコードではありません。コードは{codes}です。",
    ]


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
    assert messages(ada.post(f"{table.path}/claim", {"x": 1})) == ["x: no such field; no fields are allowed here"]


def test_of_many_unknown_fields_only_those_that_are_shown_are_compared(ada, monkeypatch):
    compared = []
    real = forms.SequenceMatcher
    monkeypatch.setattr(forms, "SequenceMatcher", lambda *args: compared.append(args) or real(*args))
    answer = ada.post("/v1/games", SANDBOX | {f"more{number}": 1 for number in range(1000)})
    assert len(messages(answer)) == 50
    assert "and 997 more" in answer.json["detail"]
    assert len(compared) == 50 * 8
