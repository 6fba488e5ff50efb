"""All faults of a request are listed at once, and no response grows with the request."""

import hmac
from hashlib import sha256

import pytest

from domain.errors import worded
from domain.registry import RULESETS
from domain.sentences.catalogue import languages
from service.common.errors import WORDS, Malformed
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


@pytest.mark.parametrize("terminated", [True, False])
def test_a_body_that_was_cut_short_is_not_carried_out(server, terminated):
    before = server.redis.dbsize()
    answer = server.app.test_client().post(
        "/v1/players",
        data=b'{"name": "Eve"}',
        content_type="application/json",
        environ_overrides={"wsgi.input_terminated": terminated, "CONTENT_LENGTH": "100"},
    )
    assert (answer.status_code, answer.json["type"]) == (400, "/v1/problems/malformed")
    assert server.redis.dbsize() == before


def test_faults_tokens_and_limits_are_said_in_the_language_of_the_reader(server, ada, stranger):
    named = stranger.post("/v1/players", {"name": "", "bogus": 1}, Accept_Language="fr").json
    assert [each["message"] for each in named["errors"]] == [
        "name\u00a0: Doit avoir de 1 à 40 caractères.",
        "bogus\u00a0: ce champ n’existe pas\u00a0; les champs possibles, le plus proche d’abord\u00a0: operator, name",
    ]
    assert named["detail"] == "\u00a0; ".join(each["message"] for each in named["errors"])
    assert "parametrs" in stranger.get("/v1/games?parametrs=1", Accept_Language="ja").json["detail"]
    assert stranger.get("/v1/games?limit=0&lang=fr").status_code == 400
    limit = stranger.get("/v1/games?limit=0", Accept_Language="fr").json["errors"][0]["message"]
    assert limit == "limit\u00a0: doit être un nombre entier de 1 à 100"
    assert stranger.get("/v1/me", Accept_Language="ja").json["detail"].startswith("「Authorization：Bearer")
    unseen = stranger.get("/v1/games/gm_00000000000000000000", Accept_Language="fr").json["detail"]
    assert unseen == "cette partie n’existe pas, ou vous n’avez pas le droit de la voir"
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
