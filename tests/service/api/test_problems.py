"""Rejected requests: the shape of every problem, and that a refusal changes nothing and discloses nothing."""

import io
import re

import pytest

from domain.cardplay.cards import TAROT_PACK
from domain.sentences.catalogue import catalogue
from domain.sentences.message import Card, message
from service.accounts.players import GUEST_SCOPES
from tests.support.people import ME, OPEN, moment_before

SANDBOX = {"ruleset": "le-plateau", "seats": [ME] * 4, "sandbox": True}
CODES = re.compile(r"Not a valid card code; the codes are [^.]+\.")
"""The fault of a code that is no card of the game."""
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
        cards = {*CARD.findall(CODES.sub("", told))}
        assert not cards or cards <= {*CARD.findall(f"{path} {body}")}
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


BODY_FAULTS = {
    "half an object": (b"{", {}, 400, "not-json"),
    "a field doubled": (b'{"name": "Ada", "name": "Bob"}', {}, 400, "not-json"),
    "an array": (b"[]", {}, 400, "malformed"),
    "a number too large for any field": (b'{"name": ' + b"1" * 30 + b"}", {}, 400, "malformed"),
    "another type": (b"{}", {"content_type": "text/plain"}, 415, "not-json"),
    "another encoding": (b"{}", {"headers": {"Content-Encoding": "gzip"}}, 415, "not-json"),
    "one byte too many": (b"{}".ljust(64 * 1024 + 1), {}, 413, "too-large"),
    "too long and of another type": (b" " * 10_000_000, {"content_type": "text/plain"}, 413, "too-large"),
    "a length too large": (b"{}", {"environ_overrides": {"CONTENT_LENGTH": "65537"}}, 413, "too-large"),
}


@pytest.mark.parametrize("fault", BODY_FAULTS)
def test_a_body_with_a_fault_is_refused_everywhere(refused, table, ada, fault):
    raw, more, status, code = BODY_FAULTS[fault]
    for method, path in WITH_BODIES:
        answer = refused(ada, method, path.format(game=table.path), raw, **more)
        assert (answer.status_code, answer.json["code"]) == (status, code), path


@pytest.mark.parametrize("fault", NOT_JSON)
def test_a_body_that_is_not_json_is_refused(refused, stranger, fault):
    answer = refused(stranger, "POST", "/v1/players", NOT_JSON[fault])
    assert (answer.status_code, answer.json["code"], pointers(answer)) == (400, "not-json", {""})


@pytest.mark.parametrize("raw", [b"null", b"5", b'"name"', b"true", b"[{}]"])
def test_a_body_that_is_no_object_is_refused(refused, stranger, raw):
    answer = refused(stranger, "POST", "/v1/players", raw)
    assert (answer.status_code, answer.json["errors"][0]["code"]) == (400, "not-an-object")


@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/json", "application/xml",
             "application/jsonl", "application/merge-patch+json", "", "json"],
)  # fmt: skip
def test_a_body_of_another_type_is_refused(refused, stranger, kind):
    assert refused(stranger, "POST", "/v1/players", b"{}", content_type=kind).status_code == 415


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON;x=y"])
def test_json_may_be_called_so_in_several_ways(stranger, kind):
    assert stranger.ask("POST", "/v1/players", b'{"name": "Ada"}', content_type=kind).status_code == 201


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


# -- callers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("header", ["Bearer {token}", "bearer {token}", "BEARER  {token} "])
def test_the_scheme_of_a_token_may_be_written_in_any_case(ada, stranger, header):
    assert stranger.get("/v1/me", Authorization=header.format(token=ada.token)).status_code == 200


# -- what is not there --------------------------------------------------------------------------------------------


def test_a_hidden_game_is_answered_like_one_that_does_not_exist(contract, table, server, ada):
    hidden = ada.post("/v1/games", {**SANDBOX, "visibility": "private"}).json["id"]
    server.forget_games()
    asked = [(method, path) for method, path in operations(contract) if "{game_id}" in path and "/admin/" not in path]
    asked += [("GET", f"/v1/games/{{game_id}}/view?{query}") for query in ("as=0&at=5", "as=11", "at=1000")]
    asked += [("POST", f"/v1/games/{{game_id}}/actions?{query}") for query in ("dry_run=true", "as=0")]
    bodies = {"POST": [{}, {"type": "pass"}, {"seat": 9}], "PUT": [{"bot": "random"}, {"forced": True}]}
    before = server.contents()
    for method, path in asked:
        at = filled(path.replace("{game_id}", "GAME"), table) + ("?format=text" if path.endswith("/export") else "")
        for body in bodies.get(method, [None]):
            for headers in ({}, {"If-Match": '"1"', "Idempotency-Key": "k", "If-None-Match": "*"}):
                for person in (table.people[1], server.stranger()):
                    one, other = (
                        person.ask(method, at.replace("GAME", game_id), body, headers)
                        for game_id in (hidden, "gm_none")
                    )
                    assert one.status_code == other.status_code
                    assert one.status_code in (400, 401, 404)
                    assert {**one.json, "instance": ""} == {**other.json, "instance": ""}
                    assert {**one.headers, "X-Request-Id": ""} == {**other.headers, "X-Request-Id": ""}
    assert server.contents() == before


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
        token_id="tk_1",
        kind="stale",
        proposal_id="p1",
        invitation_id="in_1",
        secret=secret,
        subscription_id="ps_1",
        ticket="a" * 26,
        webhook_id=webhook,
        number=1,
        size=1,
        ruleset="plute",
        date="2026-11-28",
        set_id="set_1",
        tournament_id="tn_1",
    )


def test_a_method_that_a_resource_does_not_have_is_refused_with_those_it_has(contract, table, server, ada):
    before = server.contents()
    for path, methods in contract.document["paths"].items():
        documented = {method.upper() for method in methods}
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"} - documented:
            answer = ada.ask(method, filled(path, table))
            assert (answer.status_code, answer.json["code"]) == (405, "method-not-allowed"), (method, path)
            allowed = set(answer.headers["Allow"].split(", "))
            assert allowed - {"HEAD", "OPTIONS"} == documented
    assert server.contents() == before


OPENED = {
    ("GET", "/"),
    ("GET", "/about"),
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


def test_a_parameter_that_is_not_documented_is_refused_unless_people_open_it(contract, server, table, ada):
    ada = server.known(ada.id, (*GUEST_SCOPES, "tournaments", "admin"))
    waiting = ada.post("/v1/games", {"ruleset": "plateau", "seats": [ME, OPEN]}).json["id"]
    secret = ada.post(f"/v1/games/{waiting}/invitations", {"link": True}).json["url"].rpartition("/")[2]
    webhook = ada.post("/v1/webhooks", {"url": "https://example.com/plateau"}).json["id"]
    assert ada.post(f"/v1/webhooks/{webhook}/test").json["number"] == 1
    assert {*operations(contract)} >= OPENED
    before = server.contents()
    for method, path in operations(contract):
        plain = filled(path, table, secret, webhook)
        asked = f"{plain}?colour=red"
        if (method, path) in OPENED:
            for browser in ("*/*", "text/html"):
                first = ada.ask(method, plain, headers={"Accept": browser})
                other = ada.ask(method, f"{plain}?fbclid=a&fbclid=b&utm_source", headers={"Accept": browser})
                assert other.status_code == first.status_code, (method, path)
            before = server.contents()
            continue
        answer = ada.ask(method, asked, {} if method == "POST" else None)
        assert (answer.status_code, answer.json["errors"][0]["code"]) == (400, "unknown-parameter"), (method, path)
        assert pointers(answer) == {"?colour"}
        assert server.contents() == before, (method, path)


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
    ("path", "accepted"),
    [
        *(("{game}/view", each) for each in (
            "image/png", "text/csv", "application/xml", "application/json;q=0", "text/plain, a/b", "image/*",
            "text/csv; charset=utf-8", "application/json; charset=utf-8; q=0", "application/json;q=0.0;indent=2",
            "text/event-stream", "application/x-ndjson")),
        ("/v1/games", "image/png"),
        *(("{game}/board.svg", each) for each in ("image/png", "text/csv", "image/svg+xml;q=0")),
        *(("{game}/export?format=text", each) for each in ("image/png", "text/csv", "text/plain;q=0")),
    ],
)  # fmt: skip
def test_a_form_of_answer_that_does_not_exist_is_refused(refused, table, ada, path, accepted):
    answer = refused(ada, "GET", path.format(game=table.path), headers={"Accept": accepted})
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
    ("path", "accepted", "kind"),
    [
        *(("{game}/view", each, "application/json") for each in (
            "*/*", "application/*", "application/json", "application/problem+json", "text/html", "",
            "text/html,application/xhtml+xml,*/*;q=0.8", "image/png, */*;q=0.1", "application/json; charset=utf-8",
            "application/json;version=1;q=0.5, text/csv", "image/png, application/problem+json;charset=UTF-8",
            'application/json; profile="a, b;q=0"', "text/html;level=1",
            "application/json;indent=2;q=0, text/html;level=2")),
        *(("{game}/board.svg", each, "image/svg+xml") for each in (
            "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", "image/svg+xml", "image/*",
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "image/png, image/svg+xml;q=0.1",
            "application/json")),
        *(("{game}/export?format=text", each, "text/plain") for each in (
            "text/plain", "text/*", "application/json", "text/html, text/plain;q=0.5", "*/*")),
    ],
)  # fmt: skip
def test_anyone_who_takes_the_form_json_or_a_page_is_answered(table, ada, path, accepted, kind):
    answer = ada.get(path.format(game=table.path), Accept=accepted)
    assert (answer.status_code, answer.mimetype) == (200, kind)


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


# -- against the rules --------------------------------------------------------------------------------------------


def test_a_card_that_is_not_held_is_refused_by_the_rules(refused, playing):
    seat = playing.to_act
    held = playing.view(seat)["state"]["hands"][seat]["cards"]
    card = next(card for card in TAROT_PACK if card not in held)
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
