"""Attack: names that cannot be seen, turn the text around them, pass for others, or are too much for a line."""

import json
import unicodedata

import pytest

from service.accounts.names.name_rules import (
    MOST_BYTES,
    MOST_CHARACTERS,
    UnfitText,
    check_readable,
    fit_player_name,
)
from service.accounts.players import Players
from tests.support.people import ME

INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u200b\u200c\u200d"
    "\u200e\u200f\u2060\u2064\u206a\u2800\u3164\ufe0f\ufeff\uffa0"
)
DIRECTION = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
CONTROL = "".join(map(chr, [*range(32), *range(0x7F, 0xA0)]))
BLANKS = "\u00a0\u1680\u2000\u2002\u2003\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
MEANINGLESS = "\ue000\uf8ff\U000f0000\U0010fffd\u0378\ufdd0\uffff\U0001fffe\U000e0041\U000e01ef"

UNFIT = {
    "nothing but U+202E": "\u202e" * 5,
    "turned around": "\u202eadA",
    "isolated": "Ada\u2066",
    "a tail of blanks": "Ada ",
    "a head of blanks": " Ada",
    "nothing but blanks": "   ",
    "two blanks": "Ada  Lovelace",
    "nothing": "",
    "a mark without a letter": "\u0301Ada",
    "a mark on a blank": "Ada \u0301",
    "a tower of marks": "Z" + "\u0335\u0321\u0300\u0301\u0302\u0303" * 3,
    "an emoji selector on a letter": "Ada\ufe0f",
    "a joiner between letters": "A\u200dda",
    "a joiner where none belongs": "نا\u200cA",
    "tags of no flag": "\U0001f3f4\U000e0078\U000e0078\U000e007f",
    "an emoji that is not assigned": "\U0001fc00",
    "one character too many": "x" * (MOST_CHARACTERS + 1),
    "one cluster too many": "e\u0323\u0301" * (MOST_CHARACTERS + 1),
    "one emoji of many": "👩" + "\u200d👩" * 100,
    "one letter of many marks": "q" + "\u0323" * 300,
    "60 KB of marks in the wrong order": "a" + "\u0301\u0323" * 15_000,
}
UNFIT_FOR_PLAYERS = {
    "an address": "evil.example",
    "an address in wide letters": "ｅｖｉｌ．example/x",
    "a page": "see www.evil",
    "a scheme": "x://y",
    "a mailbox": "ada@example",
    "a bot by its name": "Greedy",
    "a bot by its title": "Expert",
    "a bot in brackets": "Ada (bot)",
    "a bot in wide brackets": "Ada（ボット）",
    "an office": "Operator",
    "an office that looks like one": "Оperаtоr",
    "an office with more": "~ Admin 1 ~",
    "a wide at sign": "ada＠example",
    "a bot in French": "Au hasard",
    "a bot in Japanese": "最強",
}
FIT = [
    "Ada", "Zoë", "Ada Lovelace", "李小龍", "さくら", "김민준", "علي", "משה", "क्षितिज", "ไม้เอก", "Nguyễn Thị Ánh",
    "O'Brien-Smith", "Ada & Bob", ".", "١٢٣", "<script>",
    "می\u200cخواهم", "ශ්\u200dරී", "क्\u200cष", "क्\u200dष",
    "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "J. R. R. Tolkien", "Expertise", "Mme. Bot", "a.b",
    "👩‍👩‍👧‍👦", "👍🏽", "❤️", "🇫🇷", "1️⃣", "🂡", "x" * MOST_CHARACTERS, "é" * MOST_CHARACTERS,
]  # fmt: skip


def body(**fields):
    """Write fields as JSON in UTF-8, as short as can be."""
    return json.dumps(fields, ensure_ascii=False).encode()


def faults_of(answer, pointer):
    assert answer.status_code == 400, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    faults = answer.json["errors"]
    assert faults
    assert {fault["pointer"] for fault in faults} == {pointer}
    assert all(fault["message"].isprintable() for fault in faults)
    return faults


@pytest.mark.parametrize("kind", UNFIT)
def test_an_unfit_name_is_refused_wherever_a_name_is_given(stranger, ada, kind):
    name = UNFIT[kind]
    faults_of(stranger.post("/v1/players", body(name=name)), "/name")
    faults_of(ada.patch("/v1/me", body(name=name)), "/name")
    faults_of(ada.post("/v1/me/tokens", body(label=name)), "/label")
    assert ada.get("/v1/me").json["name"] == "Ada"
    assert len(ada.get("/v1/me/tokens").json["items"]) == 1


@pytest.mark.parametrize("kind", UNFIT_FOR_PLAYERS)
def test_a_player_is_not_called_as_a_bot_or_the_service_is_and_not_by_an_address(stranger, ada, kind):
    name = UNFIT_FOR_PLAYERS[kind]
    faults_of(stranger.post("/v1/players", body(name=name)), "/name")
    faults_of(ada.patch("/v1/me", body(name=name)), "/name")
    assert ada.get("/v1/me").json["name"] == "Ada"
    assert ada.post("/v1/me/tokens", body(label=name)).status_code == 201


@pytest.mark.parametrize("characters", [INVISIBLE, DIRECTION, CONTROL, BLANKS, MEANINGLESS])
def test_no_unfit_character_gets_in_anywhere_in_a_name_and_the_refusal_names_it(characters):
    for character in characters:
        for name in (f"A{character}da", f"{character}Ada", f"Ada{character}", character):
            with pytest.raises(UnfitText) as refusal:
                fit_player_name(name)
            composed = unicodedata.normalize("NFC", character)
            assert f"U+{ord(composed):04X}" in str(refusal.value), ascii(name)
            assert str(refusal.value).isprintable()


def test_a_seed_has_no_invisible_characters_either(server, ada):
    bob = server.newcomer("Bob")
    made = ada.post("/v1/games", {"ruleset": "plateau", "seats": [ME, {"open": True}]})
    seats = f"/v1/games/{made.json['id']}/seats"
    for character in (INVISIBLE[0], DIRECTION[0], "\ue000", "\u0378"):
        faults_of(bob.post(seats, {"client_seed": f"a{character}b"}), "/client_seed")
        assert ada.get(f"/v1/games/{made.json['id']}").json["status"] == "open", ascii(character)
    for character in INVISIBLE[:-1] + DIRECTION:
        with pytest.raises(UnfitText):
            check_readable(f"a{character}b")


@pytest.mark.parametrize("name", FIT)
def test_names_as_people_have_them_are_taken(stranger, ada, name):
    made = stranger.post("/v1/players", {"name": name})
    assert made.status_code == 201, made.text
    assert stranger.get(f"/v1/players/{made.json['id']}").json["name"] == name
    assert ada.post("/v1/me/tokens", {"label": name}).json["label"] == name


def test_a_name_is_kept_in_the_composed_form(stranger):
    made = stranger.post("/v1/players", {"name": unicodedata.normalize("NFD", "Zoë Ångström")})
    assert made.json["name"] == unicodedata.normalize("NFC", "Zoë Ångström")
    assert stranger.get(f"/v1/players/{made.json['id']}").json == {
        key: value for key, value in made.json.items() if key != "token"
    }


def test_what_is_too_long_in_bytes_is_not_looked_at_any_further(stranger):
    """Composing 30,000 marks in the wrong order takes most of a second."""
    (fault,) = faults_of(stranger.post("/v1/players", body(name=UNFIT["60 KB of marks in the wrong order"])), "/name")
    assert str(MOST_BYTES) in fault["message"]


def test_all_faults_of_a_name_are_told_at_once(stranger):
    faults = faults_of(stranger.post("/v1/players", {"name": " \u202e\x00" + "x" * 50}), "/name")
    told = " ".join(fault["message"] for fault in faults)
    assert all(part in told for part in ("U+0000", "U+202E", "begin or end", "1 to 40"))


def test_a_name_from_before_these_rules_is_still_shown(server, stranger):
    """It was stored as it came; reading judges nothing."""
    players: Players = server.app.extensions["plateau"].players
    player, token = players.create("\u202eadA ")
    assert stranger.get(f"/v1/players/{player.id}").json["name"] == "\u202eadA "
    assert stranger.holding(token).get("/v1/me").json["name"] == "\u202eadA "
