"""Rejected requests: the shape of every problem, and that a refusal changes nothing and discloses nothing."""

import io
import json
import re

import pytest

from domain.cardplay.cards import TAROT_PACK
from domain.sentences.catalogue import catalogue
from domain.sentences.message import Card, message
from service.accounts.players import GUEST_SCOPES
from tests.support.people import ME, OPEN, moment_before
from tests.support.random_games import played

SANDBOX = {"ruleset": "le-plateau", "seats": [ME] * 4, "sandbox": True}
BID = {"type": "bid", "exchange": True, "objective": "bridge", "team": "solo"}
CODES = re.compile(r"Not a valid card code; the codes are [^.]+\.")
"""What is told of a code that is no card, whatever the cards in play."""
CARD = re.compile(rf"\b(?:{'|'.join(TAROT_PACK)})\b")


@pytest.fixture
def refused(server):
    """Send a request that must be rejected; check that it changed and disclosed nothing, and return the problem."""

    def send(person, method, path, body=None, headers=None, **raw):
        before = server.contents()
        answer = person.ask(method, path, body, headers, **raw)
        assert answer.mimetype == "application/problem+json", answer.data
        assert server.contents() == before
        told = answer.text + str(answer.headers)
        assert person.token is None or person.token not in told
        assert {*CARD.findall(CODES.sub("", told))} <= {*CARD.findall(f"{path} {body}")}
        assert "Traceback" not in told
        return answer

    return send


@pytest.fixture
def playing(server):
    """A game of four in the middle of a trick, in which cards of the talon are out of play."""
    return server.table_of_log(_middle_of_a_trick())


def _middle_of_a_trick():
    return moment_before("Play", 4, seed=4)


def pointers(answer):
    return {fault["pointer"] for fault in answer.json["errors"]}


# -- syntax -------------------------------------------------------------------------------------------------------

NOT_JSON = {
    "half an object": b"{",
    "no JSON at all": b"name=Ada",
    "two objects": b"{}{}",
    "text after it": b"{} x",
    "a trailing comma": b'{"name": "Ada",}',
    "single quotes": b"{'name': 'Ada'}",
    "a comment": b'{"name": "Ada"} // me',
    "a field doubled": b'{"name": "Ada", "name": "Bob"}',
    "a field doubled far below": b'{"name": {"a": [{"b": 1, "b": 1}]}}',
    "a field doubled by an escape": b'{"name": "Ada", "n\\u0061me": "Bob"}',
    "NaN": b'{"name": NaN}',
    "Infinity": b'{"name": Infinity}',
    "minus Infinity": b'{"name": -Infinity}',
    "a number beyond all": b'{"name": 1e400}',
    "an integer of 5,000 digits": b'{"name": ' + b"1" * 5000 + b"}",
    "a lone high surrogate": b'{"name": "\\ud800"}',
    "a lone low surrogate": b'{"name": "\\udc00"}',
    "a lone surrogate in a name": b'{"\\ud800": 1}',
    "surrogates the wrong way round": b'{"name": "\\udc00\\ud800"}',
    "a lone surrogate in UTF-8": b'{"name": "\xed\xa0\x80"}',
    "bytes that are no UTF-8": b'{"name": "\xff"}',
    "Latin-1": '{"name": "Zoë"}'.encode("latin-1"),
    "UTF-16": '{"name": "Ada"}'.encode("utf-16"),
    "UTF-32": '{"name": "Ada"}'.encode("utf-32"),
    "a byte order mark": b'\xef\xbb\xbf{"name": "Ada"}',
    "a control character": b'{"name": "a\nb"}',
    "arrays 300 deep": b'{"name": ' + b"[" * 300 + b"]" * 300 + b"}",
    "arrays 1,000 deep": b'{"name": ' + b"[" * 1000 + b"]" * 1000 + b"}",
    "arrays 30,000 deep": b'{"name": ' + b"[" * 30000 + b"]" * 30000 + b"}",
    "objects 10,000 deep": b'{"a":' * 10000 + b"1" + b"}" * 10000,
    "brackets that do not end": b"[" * 60000,
}
NO_OBJECT = [b"[]", b"null", b"5", b'"name"', b"true", b"[{}]"]
WITH_BODIES = [
    ("POST", "/v1/players"),
    ("PATCH", "/v1/me"),
    ("POST", "/v1/me/tokens"),
    ("POST", "/v1/games"),
    ("POST", "{game}/seats"),
    ("POST", "{game}/actions"),
    ("POST", "{game}/actions?dry_run=true"),
    ("POST", "{game}/proposals"),
    ("POST", "{game}/proposals/p1/votes"),
    ("POST", "{game}/resign"),
]
every_body = pytest.mark.parametrize(("method", "path"), WITH_BODIES)


@pytest.mark.one_in(3)
@every_body
def test_a_body_that_is_not_json_is_refused_everywhere(refused, table, ada, method, path):
    for raw in NOT_JSON.values():
        for headers in ({}, {"Idempotency-Key": "k"}):
            answer = refused(ada, method, path.format(game=table.path), raw, headers)
            assert (answer.status_code, answer.json["code"]) == (400, "not-json"), raw[:100]
            assert pointers(answer) == {""}


@every_body
def test_a_number_too_large_for_any_field_is_refused_by_the_schema(refused, table, ada, method, path):
    answer = refused(ada, method, path.format(game=table.path), b'{"name": ' + b"1" * 30 + b"}", {})
    assert (answer.status_code, answer.json["code"]) == (400, "malformed")
    assert pointers(answer) >= {"/name"} or pointers(answer) == {"/type"}


@every_body
def test_a_body_that_is_no_object_is_refused_everywhere(refused, table, ada, method, path):
    for raw in NO_OBJECT:
        answer = refused(ada, method, path.format(game=table.path), raw)
        assert (answer.status_code, answer.json["errors"][0]["code"]) == (400, "not-an-object")


@pytest.mark.one_in(3)
@every_body
def test_a_body_of_another_kind_is_refused_everywhere(refused, table, ada, method, path):
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/json",
                 "application/xml", "application/jsonl", "application/merge-patch+json", "", "json"):  # fmt: skip
        answer = refused(ada, method, path.format(game=table.path), b"{}", content_type=kind)
        assert (answer.status_code, answer.json["code"]) == (415, "not-json"), kind
    for encoding in ("gzip", "br", "deflate", "nonsense"):
        answer = refused(ada, method, path.format(game=table.path), b"{}", {"Content-Encoding": encoding})
        assert answer.status_code == 415


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON;x=y"])
def test_json_may_be_called_so_in_several_ways(stranger, kind):
    assert stranger.ask("POST", "/v1/players", b'{"name": "Ada"}', content_type=kind).status_code == 201


@pytest.mark.one_in(3)
@every_body
def test_a_body_over_64_kib_is_refused_everywhere(refused, table, ada, method, path):
    huge = b'{"name": "Ada"' + b" " * 65_536 + b"}"
    path = path.format(game=table.path)
    for answer in (
        refused(ada, method, path, huge),
        refused(ada, method, path, huge, content_type="text/plain"),
        refused(ada, method, path, b"x" * 10_000_000),
        refused(ada, method, path, b"{}", environ_overrides={"CONTENT_LENGTH": "65537"}),
    ):
        assert (answer.status_code, answer.json["code"]) == (413, "too-large")


def test_a_body_of_64_kib_is_read(stranger):
    body = b'{"name": "Ada"}'
    assert stranger.ask("POST", "/v1/players", body.ljust(64 * 1024)).status_code == 201
    assert stranger.ask("POST", "/v1/players", body.ljust(64 * 1024 + 1)).status_code == 413


def test_a_body_of_unknown_length_is_read_up_to_64_kib(server, refused, stranger):
    def chunks(size):
        stream = io.BytesIO(b'{"name": "Ada"}'.ljust(size))
        unknown = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
        return {"input_stream": stream, "content_type": "application/json", "environ_overrides": unknown}

    assert refused(stranger, "POST", "/v1/players", **chunks(64 * 1024 + 1)).status_code == 413
    assert refused(stranger, "POST", "/v1/players", **chunks(10_000_000)).status_code == 413
    assert stranger.ask("POST", "/v1/players", **chunks(64 * 1024)).status_code == 201


@pytest.mark.parametrize(
    ("method", "path", "missing"),
    [
        ("POST", "/v1/players", {"/name"}),
        ("POST", "/v1/games", {"/ruleset", "/seats"}),
        ("POST", "{game}/actions", {"/type"}),
        ("POST", "{game}/resign", {"/confirm"}),
    ],
)
def test_no_body_is_an_empty_object_whose_fields_are_missing(refused, table, ada, method, path, missing):
    for raw in (None, b"", b"{}", b" {\n} "):
        answer = refused(ada, method, path.format(game=table.path), raw)
        assert (answer.status_code, answer.json["code"]) == (400, "malformed")
        assert pointers(answer) == missing


# -- the form of bodies -------------------------------------------------------------------------------------------

NO_CARD = ["XX", "", "rh", "RH ", " RH", "R H", "RH\n", "T0", "T22", "T01", "11S", "0S", "RT", "EXX", "ex", "ＲＨ", "é",
           "RHRH", "#1", "x" * 5000, 1, 0, 1.5, True, None, [], ["RH"], {}, {"card": "RH"}]  # fmt: skip
NO_SEAT = [True, False, "0", 0.5, 1e2, 1e30, -1.0, -1, 12, None, [], [0], {}, 10**18, ""]
NO_WORD = ["", "Bridge", "bridge ", "bridges", 1, True, None, [], ["bridge"], {}]
NO_TRUTH = [1, 0, "true", "false", "yes", "", None, [], {}, 1.0]
NO_LIST = ["RH", 3, True, None, {}, {"0": "RH"}]


@pytest.mark.parametrize(
    ("action", "field", "values"),
    [
        ({"type": "play"}, "card", NO_CARD),
        ({"type": "announce"}, "card", NO_CARD),
        (BID, "exchange", NO_TRUTH),
        (BID, "objective", NO_WORD),
        (BID, "team", NO_WORD),
        ({"type": "raise"}, "objective", NO_WORD),
        ({"type": "exchange"}, "discard", [*NO_LIST, ["RH"] * 101]),
        ({"type": "give"}, "gifts", NO_LIST),
    ],
)
def test_a_field_of_an_action_that_is_not_of_its_type_is_refused(refused, sandbox, ada, action, field, values):
    for value in values:
        answer = refused(ada, "POST", f"{sandbox.path}/actions", {**action, field: value})
        assert (answer.status_code, answer.json["code"]) == (400, "malformed"), value
        assert pointers(answer) == {f"/{field}"}


def test_a_fault_deep_in_an_action_is_pointed_at(refused, sandbox, ada):
    for value in NO_CARD:
        answer = refused(ada, "POST", f"{sandbox.path}/actions", {"type": "exchange", "discard": ["RH", value, "RD"]})
        assert (answer.status_code, pointers(answer)) == (400, {"/discard/1"}), value
    for value in [seat for seat in NO_SEAT if seat != 12] + [6]:
        gifts = [{"seat": 1, "card": "RH"}, {"seat": value, "card": "RD"}]
        answer = refused(ada, "POST", f"{sandbox.path}/actions", {"type": "give", "gifts": gifts})
        assert (answer.status_code, pointers(answer)) == (400, {"/gifts/1/seat"}), value
    for gift in (1, "RH", None, ["RH"]):
        answer = refused(ada, "POST", f"{sandbox.path}/actions", {"type": "give", "gifts": [gift]})
        assert (answer.status_code, pointers(answer)) == (400, {"/gifts/0"}), gift


@pytest.mark.parametrize("kind", ["fly", "Play", "play ", "", "resign", None, 1, True, [], ["play"], {}, "x" * 60_000])
def test_an_action_of_no_type_is_refused(refused, sandbox, ada, kind):
    answer = refused(ada, "POST", f"{sandbox.path}/actions", {"type": kind})
    assert (answer.status_code, pointers(answer)) == (400, {"/type"})
    assert len(answer.data) < 1000


@pytest.mark.parametrize("action", [
    {"type": "pass"}, {"type": "keep"}, {"type": "abdicate"}, {"type": "play", "card": "RH"}, BID,
    {"type": "exchange", "discard": ["RH"]}, {"type": "give", "gifts": []}, {"type": "raise", "objective": "y"},
])  # fmt: skip
def test_every_action_refuses_fields_that_it_does_not_have(refused, sandbox, ada, action):
    for name in ("more", "seat", "_schema", "Type", "", "a/b~c", "x" * 1000, "self", "__class__", "é"):
        answer = refused(ada, "POST", f"{sandbox.path}/actions", {**action, name: 1})
        assert answer.status_code == 400
        (fault,) = answer.json["errors"]
        if name == "a/b~c":
            assert fault["pointer"] == "/a~1b~0c"


def test_every_fault_of_a_body_is_named_at_once(refused, ada):
    body = {"ruleset": "go", "seats": [{}, {"player": "you"}, 7], "sandbox": 1, "visibility": "hidden", "more": 1}
    answer = refused(ada, "POST", "/v1/games", body)
    assert pointers(answer) == {
        "/ruleset",
        "/seats/0",
        "/seats/1/player",
        "/seats/2",
        "/sandbox",
        "/visibility",
        "/more",
    }


def test_unknown_fields_are_listed_by_name_after_the_known_ones(refused, ada):
    unknown = [f"more{number}" for number in (5, 2, 8, 1, 7, 3)]
    options = dict.fromkeys(unknown, 1) | {"hands": "4"}
    body = SANDBOX | dict.fromkeys(unknown, 1) | {"sandbox": 1, "options": options}
    answer = refused(ada, "POST", "/v1/games", body)
    named = sorted(unknown)
    assert [fault["pointer"] for fault in answer.json["errors"]] == [
        "/sandbox",
        *(f"/{name}" for name in named),
        "/options/hands",
        *(f"/options/{name}" for name in named),
    ]


def test_the_faults_of_options_are_named_with_all_others(refused, ada):
    answer = refused(ada, "POST", "/v1/games", SANDBOX | {"options": {"hands": "4", "more": 1}, "sandbox": 1})
    assert pointers(answer) == {"/options/hands", "/options/more", "/sandbox"}


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"ruleset": ["le-plateau"]}, "/ruleset"),
        ({"ruleset": None}, "/ruleset"),
        ({"ruleset": "Le-Plateau"}, "/ruleset"),
        ({"seats": []}, "/seats"),
        ({"seats": [ME] * 13}, "/seats"),
        ({"seats": 4}, "/seats"),
        ({"seats": {"0": ME}}, "/seats"),
        ({"seats": "mine"}, "/seats"),
        ({"seats": [ME, {}]}, "/seats/1"),
        ({"seats": [ME, {**ME, **OPEN}]}, "/seats/1"),
        ({"seats": [ME, {"open": False}]}, "/seats/1/open"),
        ({"seats": [ME, {"open": 1}]}, "/seats/1/open"),
        ({"seats": [ME, {"player": "pl_1"}]}, "/seats/1/player"),
        ({"seats": [ME, {"player": None}]}, "/seats/1/player"),
        ({"seats": [ME, None]}, "/seats/1"),
        ({"seats": [ME, {"bot": ""}]}, "/seats/1/bot"),
        ({"sandbox": 1}, "/sandbox"),
        ({"sandbox": "true"}, "/sandbox"),
        ({"sandbox": None}, "/sandbox"),
        ({"visibility": "Public"}, "/visibility"),
        ({"visibility": None}, "/visibility"),
        ({"options": []}, "/options"),
        ({"options": None}, "/options"),
        ({"options": "hands"}, "/options"),
        ({"options": {"hands": "4"}}, "/options/hands"),
        ({"options": {"hands": 4.5}}, "/options/hands"),
        ({"options": {"hands": True}}, "/options/hands"),
        ({"options": {"hands": None}}, "/options/hands"),
        ({"options": {"hands": 0}}, "/options/hands"),
        ({"options": {"hands": 121}}, "/options/hands"),
        ({"options": {"hands": 10**18}}, "/options/hands"),
        ({"options": {"first_dealer": -1}}, "/options/first_dealer"),
        ({"options": {"first_dealer": True}}, "/options/first_dealer"),
        ({"options": {"void_hands": "never"}}, "/options/void_hands"),
        ({"options": {"board_tokens": ["T1"] * 101}}, "/options/board_tokens"),
        ({"options": {"board_tokens": [1]}}, "/options/board_tokens/0"),
        ({"options": {"more": 1}}, "/options/more"),
        ({"options": {"": 1}}, "/options/"),
        ({"more": 1}, "/more"),
        ({"id": "gm_mine"}, "/id"),
        ({"creator": "pl_1"}, "/creator"),
    ],
)
def test_a_game_that_is_not_of_the_form_is_refused(refused, ada, change, pointer):
    for headers in ({}, {"Idempotency-Key": "k"}):
        answer = refused(ada, "POST", "/v1/games", SANDBOX | change, headers)
        assert (answer.status_code, answer.json["code"]) == (400, "malformed")
        assert pointers(answer) == {pointer}


def test_a_seat_that_is_not_of_the_form_is_refused(refused, ada):
    game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [OPEN, OPEN]}).json
    for body, pointer in [
        *(({"seat": seat}, "/seat") for seat in [*NO_SEAT, 2, 11]),
        *(({"client_seed": seed}, "/client_seed") for seed in ["", "x" * 65, "a\nb", 1, None, [], True]),
        ({"more": 1}, "/more"),
        ({"player": "me"}, "/player"),
    ]:
        answer = refused(ada, "POST", f"/v1/games/{game['id']}/seats", body)
        assert (answer.status_code, pointers(answer)) == (400, {pointer}), body


@pytest.mark.parametrize("name", [1, True, None, [], {}, ["Ada"], 1.5])
def test_a_name_that_is_no_text_is_refused(refused, stranger, ada, name):
    assert pointers(refused(stranger, "POST", "/v1/players", {"name": name})) == {"/name"}
    assert pointers(refused(ada, "PATCH", "/v1/me", {"name": name})) == {"/name"}


# -- callers ------------------------------------------------------------------------------------------------------

BAD_HEADERS = ["", "Bearer", "Bearer ", "Basic YWRhOng=", "Token x", "Bearer x", "Bearer plt_", "Bearer plt__",
               "Bearer plt_1_2", "Bearer plt_}:player_x", "Bearer {token}x", "Bearer {token} x", "bearer{token}",
               "{token}", "Bearer {token},Bearer {token}", "Bearer é", "Bearer " + "x" * 5000]  # fmt: skip


def test_a_token_that_opens_nothing_is_refused_even_where_none_is_needed(refused, table, ada, stranger):
    for header in BAD_HEADERS:
        sent = {"Authorization": header.replace("{token}", ada.token)}
        for method, path in (
            ("GET", "/v1/me"),
            ("DELETE", "/v1/me"),
            ("GET", "/v1/me/tokens"),
            ("GET", "/v1/games"),
            ("GET", table.path),
            ("GET", f"{table.path}/view"),
            ("GET", f"{table.path}/events"),
            ("GET", f"{table.path}/legal-actions"),
            ("POST", "/v1/games"),
            ("POST", f"{table.path}/actions"),
            ("POST", f"{table.path}/seats"),
            ("DELETE", f"{table.path}/seats/0"),
        ):
            answer = refused(stranger, method, path, headers=sent)
            assert (answer.status_code, answer.json["code"]) == (401, "invalid-token"), (header, path)
            assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("header", ["Bearer {token}", "bearer {token}", "BEARER  {token} "])
def test_the_scheme_of_a_token_may_be_written_in_any_case(ada, stranger, header):
    assert stranger.get("/v1/me", Authorization=header.format(token=ada.token)).status_code == 200


def test_a_token_of_one_player_with_the_id_of_another_opens_nothing(refused, ada, bob):
    secret = ada.token.split("_", 2)[2]
    forged = f"plt_{bob.id.removeprefix('pl_')}_{secret}"
    assert refused(ada.holding(forged), "GET", "/v1/me").status_code == 401


def test_without_a_token_nothing_of_a_players_own_is_open(refused, table, stranger):
    for method, path in (
        ("GET", "/v1/me"), ("PATCH", "/v1/me"), ("DELETE", "/v1/me"), ("GET", "/v1/me/tokens"),
        ("POST", "/v1/me/tokens"), ("DELETE", "/v1/me/tokens/tk_1"), ("POST", "/v1/games"),
        ("POST", f"{table.path}/seats"), ("DELETE", f"{table.path}/seats/0"), ("POST", f"{table.path}/actions"),
        ("GET", f"{table.path}/legal-actions"),
    ):  # fmt: skip
        answer = refused(stranger, method, path)
        assert (answer.status_code, answer.json["code"]) == (401, "token-missing")
        assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_revoked_token_and_one_of_a_deleted_player_are_refused_as_if_they_had_never_been(refused, table, ada, bob):
    (token,) = ada.get("/v1/me/tokens").json["items"]
    ada.delete(f"/v1/me/tokens/{token['id']}")
    bob.delete(f"/v1/me?confirm={bob.id}")
    never = ada.holding(ada.token[:-1])
    for path in ("/v1/me", table.path, f"{table.path}/legal-actions"):
        answers = [refused(person, "GET", path) for person in (ada, bob, never)]
        assert {answer.status_code for answer in answers} == {401}
        assert len({json.dumps({**answer.json, "instance": ""}) for answer in answers}) == 1


def test_a_player_cannot_act_for_another_seat(refused, table):
    seat = table.to_act
    other = table.people[table.idle]
    answer = refused(other, "POST", f"{table.path}/actions?as={seat}", {"type": "pass"})
    assert (answer.status_code, answer.json["code"]) == (403, "not-your-seat")


def test_somebody_who_does_not_sit_there_cannot_act(refused, server, table):
    for query in ("", "?as=0", "?dry_run=true"):
        answer = refused(server.newcomer("Eve"), "POST", f"{table.path}/actions{query}", {"type": "pass"})
        assert (answer.status_code, answer.json["code"]) == (403, "not-seated")


# -- what is not there --------------------------------------------------------------------------------------------


def test_a_game_that_is_hidden_is_answered_exactly_like_one_that_does_not_exist(refused, server, stranger, ada, bob):
    hidden = ada.post("/v1/games", {**SANDBOX, "visibility": "private"}).json["id"]
    server.forget_games()
    for method, path, body in (
        ("GET", "", None),
        ("GET", "/view", None),
        ("GET", "/view?as=0&at=5", None),
        ("GET", "/view?as=11", None),
        ("GET", "/view?at=1000", None),
        ("GET", "/events", None),
        ("GET", "/events?as=0", None),
        ("GET", "/legal-actions", None),
        ("POST", "/seats", {"seat": 0}),
        ("POST", "/seats", {"seat": 9}),
        ("DELETE", "/seats/0", None),
        ("POST", "/actions", {"type": "pass"}),
        ("POST", "/actions", {"type": "fly"}),
        ("POST", "/actions?dry_run=true", {"type": "pass"}),
        ("POST", "/actions?as=0", {"type": "pass"}),
    ):
        people = [bob] if method != "GET" or path == "/legal-actions" else [bob, stranger]
        for person in people:
            for headers in ({}, {"If-Match": '"1"', "Idempotency-Key": "k", "If-None-Match": "*"}):
                one, other = (
                    refused(person, method, f"/v1/games/{game}{path}", body, headers) for game in (hidden, "gm_none")
                )
                assert one.status_code == other.status_code == 404
                assert one.data.replace(one.json["instance"].encode(), b"") == other.data.replace(
                    other.json["instance"].encode(), b""
                )
                assert {**one.headers, "X-Request-Id": ""} == {**other.headers, "X-Request-Id": ""}


@pytest.mark.parametrize(
    "path",
    ["/v1", "/v1/", "/v1/nothing", "/V1/games", "//v1/games", "/v1//games", "/v1/games//", "/v1/games/gm_1/votes",
     "/v1/games/gm_1/seats/x", "/v1/games/gm_1/seats/-1", "/v1/games/gm_1/view/0", "/v1/../etc/passwd", "/static/x",
      "/v1/me/game", "/v1/games/gm_1/board.png"],
)  # fmt: skip
def test_an_address_where_nothing_is(refused, ada, path):
    for method in ("GET", "POST", "DELETE"):
        answer = refused(ada, method, path)
        assert (answer.status_code, answer.json["code"]) == (404, "not-found")


@pytest.mark.parametrize("game_id", ["gm_1", "x", "*", "gm_%00", "%ED%A0%80", "é", "{s00}", "gm_1:events", "x" * 3000])
def test_a_game_of_any_name_that_does_not_exist(refused, ada, game_id):
    answer = refused(ada, "GET", f"/v1/games/{game_id}")
    assert (answer.status_code, answer.json["code"]) == (404, "no-such-game")


def operations(contract):
    return [(method.upper(), path) for path, methods in contract.document["paths"].items() for method in methods]


def filled(path, table, secret="a" * 26, webhook="wh_1"):
    return path.format(
        game_id=table.id,
        seat=0,
        player_id=table.people[0].id,
        ruleset_id="le-plateau",
        token_id="tk_1",
        kind="stale",
        proposal="p1",
        invitation_id="in_1",
        secret=secret,
        subscription_id="ps_1",
        ticket="a" * 26,
        webhook_id=webhook,
        number=1,
        size=1,
    )


def test_a_method_that_a_resource_does_not_have_is_refused_with_those_it_has(refused, contract, table, ada):
    for path, methods in contract.document["paths"].items():
        documented = {method.upper() for method in methods}
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"} - documented:
            answer = refused(ada, method, filled(path, table))
            assert (answer.status_code, answer.json["code"]) == (405, "method-not-allowed"), (method, path)
            allowed = set(answer.headers["Allow"].split(", "))
            assert allowed - {"HEAD", "OPTIONS"} == documented


OPENED = {
    ("GET", "/"),
    ("GET", "/docs"),
    ("GET", "/v1/games/{game_id}/board.svg"),
    ("GET", "/v1/invitations/{secret}/qr.svg"),
    ("GET", "/v1/mail/confirm/{ticket}"),
    ("GET", "/v1/mail/unsubscribe/{ticket}"),
    ("GET", "/v1/problems/{kind}"),
    ("POST", "/v1/mail/confirm/{ticket}"),
    ("POST", "/v1/mail/unsubscribe/{ticket}"),
}
"""What people open in a browser: links to it get parameters of others on the way."""


def test_a_parameter_that_is_not_documented_is_refused_unless_people_open_it(refused, contract, server, table, ada):
    ada = server.known(ada.id, (*GUEST_SCOPES, "admin"))
    waiting = ada.post("/v1/games", {"ruleset": "plateau", "seats": [ME, OPEN]}).json["id"]
    secret = ada.post(f"/v1/games/{waiting}/invitations", {"link": True}).json["url"].rpartition("/")[2]
    webhook = ada.post("/v1/webhooks", {"url": "https://example.com/plateau"}).json["id"]
    assert ada.post(f"/v1/webhooks/{webhook}/test").json["number"] == 1
    assert {*operations(contract)} >= OPENED
    for method, path in operations(contract):
        plain = filled(path, table, secret, webhook)
        asked = f"{plain}?colour=red"
        if (method, path) in OPENED:
            for browser in ("*/*", "text/html"):
                first = ada.ask(method, plain, headers={"Accept": browser})
                other = ada.ask(method, f"{plain}?fbclid=a&fbclid=b&utm_source", headers={"Accept": browser})
                assert other.status_code == first.status_code, (method, path)
            continue
        answer = refused(ada, method, asked, {} if method == "POST" else None)
        assert (answer.status_code, answer.json["errors"][0]["code"]) == (400, "unknown-parameter"), (method, path)
        assert pointers(answer) == {"?colour"}


def test_a_parameter_given_twice_is_refused(refused, table, ada):
    for path in (
        "/v1/games?limit=1&limit=2",
        "/v1/games?open=true&open=true",
        f"{table.path}/view?as=0&as=0",
        f"{table.path}/events?after=1&after=2",
    ):
        answer = refused(ada, "GET", path)
        assert (answer.status_code, answer.json["errors"][0]["code"]) == (400, "doubled-parameter")
    for query in ("as=0&as=0", "dry_run=true&dry_run=false", "dry_run=false&dry_run=true"):
        answer = refused(ada, "POST", f"{table.path}/actions?{query}", {"type": "pass"})
        assert (answer.status_code, answer.json["errors"][0]["code"]) == (400, "doubled-parameter")


def test_a_header_given_twice_is_no_header_given_once(refused, table, ada):
    seat, version = table.to_act, table.version
    person = table.people[seat]
    for headers, status in (
        ([("Authorization", f"Bearer {person.token}"), ("Authorization", f"Bearer {ada.token}")], 401),
        (
            [("Authorization", f"Bearer {person.token}"), ("If-Match", f'"{version}"'), ("If-Match", f'"{version}"')],
            400,
        ),
    ):
        answer = person._client.post(f"{table.path}/actions", json={"type": "pass"}, headers=headers)
        assert answer.status_code == status
        assert table.version == version


# -- forms of answer, and what does not exist yet -----------------------------------------------------------------


@pytest.mark.parametrize(
    "accept",
    ["image/png", "text/csv", "application/xml", "application/json;q=0", "text/plain, a/b",
     "text/csv; charset=utf-8", "application/json; charset=utf-8; q=0", "application/json;q=0.0;indent=2"],
)  # fmt: skip
def test_a_form_of_answer_that_does_not_exist_is_refused(refused, table, ada, accept):
    for path in ("/v1/games", f"{table.path}/view"):
        answer = refused(ada, "GET", path, headers={"Accept": accept})
        assert (answer.status_code, answer.json["code"]) == (406, "not-acceptable")


def test_the_refusal_of_a_form_names_those_that_there_are(refused, table, ada):
    streams = "application/json, text/event-stream, application/x-ndjson"
    for path, forms in (
        (f"{table.path}/view", "application/json"),
        (f"{table.path}/events", streams),
        ("/v1/me/events", streams),
        (f"{table.path}/board.svg", "image/svg+xml"),
    ):
        answer = refused(ada, "GET", path, headers={"Accept": "application/xml"})
        assert answer.json["detail"] == f"this format is not supported; the formats here: {forms}"


@pytest.mark.parametrize(
    "accept",
    ["*/*", "application/*", "application/json", "application/problem+json", "text/html", "",
     "text/html,application/xhtml+xml,*/*;q=0.8", "image/png, */*;q=0.1", "application/json; charset=utf-8",
     "application/json;version=1;q=0.5, text/csv", "image/png, application/problem+json;charset=UTF-8",
     'application/json; profile="a, b;q=0"', "text/html;level=1", "application/json;indent=2;q=0, text/html;level=2"],
)  # fmt: skip
def test_whoever_would_take_json_or_a_page_is_answered(table, ada, accept):
    assert ada.get(f"{table.path}/view", Accept=accept).status_code == 200


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html"),
        ("/", "application/json"),
        ("/docs", "text/html"),
        ("/metrics", "text/plain"),
        ("{game}/board.svg", "image/svg+xml"),
        ("{game}/events?after=0", "application/x-ndjson"),
        ("{game}/events?after=0", "text/event-stream"),
        ("/v1/mail/confirm/invented", "text/html"),
        ("/v1/mail/confirm/invented", "application/problem+json"),
    ],
)
def test_a_parameter_of_a_media_type_changes_nothing(table, ada, path, kind):
    answers = [ada.ask("GET", path.format(game=table.path), headers={"Accept": f"{kind}{more}"})
               for more in ("", "; charset=utf-8", ";version=2;q=0.9")]  # fmt: skip
    assert len({(answer.status_code, answer.mimetype) for answer in answers}) == 1
    assert answers[0].mimetype == kind


@pytest.mark.parametrize("accept", ["text/event-stream", "application/x-ndjson"])
def test_what_cannot_be_followed_has_no_form_of_a_stream(refused, table, ada, accept):
    answer = refused(ada, "GET", f"{table.path}/view", headers={"Accept": accept})
    assert (answer.status_code, answer.json["code"]) == (406, "not-acceptable")


@pytest.mark.parametrize("wait", ["61", "-1", "", "x"])
def test_a_wait_that_is_no_number_of_seconds_up_to_60_is_refused(refused, table, ada, wait):
    answer = refused(ada, "GET", f"{table.path}/events?wait={wait}")
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (400, "?wait")


# -- against the rules --------------------------------------------------------------------------------------------


def test_a_card_that_is_not_held_is_refused_by_the_rules(refused, playing):
    seat = playing.to_act
    held = playing.view(seat)["state"]["hands"][seat]["cards"]
    for card in TAROT_PACK:
        if card not in held:
            answer = refused(playing.people[seat], "POST", f"{playing.path}/actions", {"type": "play", "card": card})
            assert (answer.status_code, answer.json["type"]) == (422, "/v1/problems/illegal-action")
            assert answer.json["rule"]
            assert answer.json["game_version"] == playing.version
            assert playing.people[seat].get(answer.json["legal_actions"]).json["seat"] == seat


def test_what_is_refused_for_a_card_does_not_tell_where_it_lies(refused, playing):
    """A card that another player holds, one in the talon, and one that is not in this pack at all."""
    seat = playing.to_act
    world = _middle_of_a_trick()[-1].game.state
    held = {card for hand in world.table.held for card in hand}
    others = {card for other, hand in enumerate(world.table.held) if other != seat for card in hand}
    talon = set(world.hand.talon) - held
    absent = set(TAROT_PACK) - held - talon
    assert others
    assert talon
    assert absent
    answers = {
        refused(playing.people[seat], "POST", f"{playing.path}/actions", {"type": "play", "card": card})
        .text.replace(catalogue("domain.le_plateau").phrase(message("list.one", item=Card(card))), "X")
        .partition('"instance"')[0]
        for card in (*sorted(others)[:5], *sorted(talon)[:5], *sorted(absent)[:5])
    }
    assert len(answers) == 1


def test_acting_out_of_turn_is_refused_with_the_version_and_where_to_look(refused, table):
    seat = table.idle
    answer = refused(table.people[seat], "POST", f"{table.path}/actions", {"type": "pass"})
    assert (answer.status_code, answer.json["code"]) == (409, "not-your-turn")
    assert answer.json["game_version"] == table.version
    assert table.people[seat].get(answer.json["legal_actions"]).json["count"] == 0


def test_an_action_of_another_phase_is_refused_by_the_rules(refused, table):
    seat = table.to_act
    for action in (
        {"type": "play", "card": "RH"},
        {"type": "keep"},
        {"type": "exchange", "discard": ["RH", "RD", "RC"]},
        {"type": "announce", "card": "RH"},
        {"type": "raise", "objective": "y"},
        {"type": "abdicate"},
        {"type": "give", "gifts": []},
    ):
        answer = refused(table.people[seat], "POST", f"{table.path}/actions", action)
        assert (answer.status_code, answer.json["type"]) == (422, "/v1/problems/illegal-action")


def test_nothing_can_be_done_in_a_game_that_is_open_or_over(refused, server, finished, ada):
    waiting = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, OPEN]}).json
    for person, path, status in (
        (ada, f"/v1/games/{waiting['id']}", "open"),
        (finished.people[0], finished.path, "finished"),
    ):
        for query in ("", "?dry_run=true"):
            answer = refused(person, "POST", f"{path}/actions{query}", {"type": "pass"})
            assert (answer.status_code, answer.json["code"]) == (409, "game-not-active")
            assert status in answer.json["detail"]


def test_stale_requests_are_refused_and_change_nothing(refused, table):
    seat, version = table.to_act, table.version
    person, path = table.people[seat], f"{table.path}/actions"
    assert refused(person, "POST", path, {"type": "pass"}, {"If-Match": f'"{version - 1}"'}).status_code == 412
    assert refused(person, "POST", path, {"type": "pass", "decision_id": f"d{version - 1}_{seat}"}).status_code == 412


def test_a_finished_game_of_the_log_is_left_as_it_is(refused, finished):
    assert played("le-plateau", 3, 0)[-1].game.is_over
    answer = refused(finished.people[0], "DELETE", f"{finished.path}/seats/0")
    assert (answer.status_code, answer.json["code"]) == (409, "game-not-open")


def test_a_damaged_private_game_does_not_exist_for_those_without_a_part_in_it(server, ada, bob, stranger):
    seats = {"ruleset": "le-plateau", "seats": [ME, OPEN]}
    private, public = (ada.post("/v1/games", seats | {"visibility": each}).json["id"] for each in ("private", "public"))
    for game_id in (private, public):
        (events,) = server.redis.scan_iter(f"*{game_id}:events")
        server.redis.xdel(events, "1-0")
    server.forget_games()
    for path in ("", "/view", "/events", "/export?format=text"):
        assert ada.get(f"/v1/games/{private}{path}").json["code"] == "log-damaged"
        for other in (bob, stranger):
            hidden, missing = (other.get(f"/v1/games/{game}{path}") for game in (private, "gm_none"))
            assert (hidden.status_code, hidden.json | {"instance": ""}) == (404, missing.json | {"instance": ""})
            assert other.get(f"/v1/games/{public}{path}").json["code"] == "log-damaged"
    assert bob.post(f"/v1/games/{private}/actions", {"type": "pass"}).json["code"] == "no-such-game"
    assert ada.post(f"/v1/games/{private}/actions", {"type": "pass"}).json["code"] == "log-damaged"
