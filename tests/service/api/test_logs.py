"""The log of the service itself: one line a request, and nothing in it that is anybody's own.

A request as a trace: what it spends its time on, and nothing of anybody's own.
"""

import io
import json
import logging
import os
import pty
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import fakeredis
import pytest

from api_spec.record import found
from api_spec.world import World
from domain.cardplay.cards import TAROT_PACK
from domain.registry import RULESETS
from service.runtime.logs import JsonLines, configure
from tests.support.changed_rules import changed_rules
from tests.support.live import live
from tests.support.people import ME, OPEN, Server, Table, head_of
from tests.support.random_games import played
from tests.support.server import ROOT, wait_until
from tests.support.traces import named

CARD = re.compile(rf"\b(?:{'|'.join(TAROT_PACK)})\b")
NAMES = ["Ada Lovelace", "Bob Roberts", "Zoë 李"]
SEED = "a seed of my own"


class Log:
    """What the service has logged since the test began."""

    def __init__(self):
        self._stream = io.StringIO()
        self.handler = logging.StreamHandler(self._stream)
        self.handler.setFormatter(JsonLines())

    @property
    def text(self):
        """All of it, as it is."""
        return self._stream.getvalue()

    @property
    def lines(self):
        """Its lines, read."""
        return [json.loads(line) for line in self.text.splitlines()]

    @property
    def requests(self):
        """The lines about requests."""
        return [line for line in self.lines if line["logger"] == "plateau.request"]


@pytest.fixture
def log():
    """What is logged, at the level that logs most."""
    log, root = Log(), logging.getLogger()
    level = root.level
    root.addHandler(log.handler)
    root.setLevel(logging.DEBUG)
    yield log
    root.removeHandler(log.handler)
    root.setLevel(level)


def test_every_request_is_one_line_with_its_id_its_route_and_its_status(log, sandbox, ada, stranger):
    before = len(log.requests)
    asked = [
        (ada.get(sandbox.path), "GET", "/v1/games/<game_id>", sandbox.id, 200),
        (stranger.get(f"{sandbox.path}/view?as=0"), "GET", "/v1/games/<game_id>/view", sandbox.id, 403),
        (ada.post(f"{sandbox.path}/actions", {"type": "pass"}), "POST", "/v1/games/<game_id>/actions", sandbox.id, 201),
        (ada.post(f"{sandbox.path}/actions", b"{"), "POST", "/v1/games/<game_id>/actions", sandbox.id, 400),
        (ada.get("/v1/nothing"), "GET", None, None, 404),
        (ada.ask("PUT", "/v1/games"), "PUT", None, None, 405),
        (stranger.get("/v1/me"), "GET", "/v1/me", None, 401),
    ]
    lines = log.requests[before:]
    assert [line["player"] for line in lines] == [ada.id, None, ada.id, *[None] * 4]
    assert len(lines) == len({line["request_id"] for line in lines}) == len(asked)
    for line, (answer, method, route, game, status) in zip(lines, asked, strict=True):
        assert line["request_id"] == answer.headers["X-Request-Id"]
        assert (line["method"], line["route"], line["game"], line["status"]) == (method, route, game, status)
        assert line["code"] == (answer.json["code"] if status >= 400 else None)
        assert (line["operation"] is None) == (route is None)
        assert line["level"] == "info"
        assert line["ms"] >= 0
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"])


def test_no_line_holds_a_token_a_name_a_seed_a_secret_or_a_card(log, server):
    people = [server.newcomer(name) for name in NAMES]
    people[0].patch("/v1/me", {"name": NAMES[0] + " again"})
    people[0].post("/v1/me/tokens", {"label": "label of mine"})
    game = people[0].post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, OPEN, OPEN]}).json
    path = f"/v1/games/{game['id']}"
    for person in people[1:]:
        person.post(f"{path}/seats", {"client_seed": SEED}, If_Match=head_of(person, path))
    table = Table(game["id"], people, server)
    rng = random.Random(1)
    for person in people:
        person.get(f"{path}/view")
        person.post(f"{path}/actions", {"type": "play", "card": "RH"})
        person.post(f"{path}/actions", {"type": "play", "card": "RH", NAMES[0]: person.token})
        person.post(f"{path}/actions?as={person.token}", {"type": "RH"}, If_Match="RH", Idempotency_Key=person.token)
        person.post(f"{path}/actions", f'{{"{person.token}": "RH"'.encode())
        person.holding(person.token + "x").get(f"{path}/view")
        person.get(f"{path}/view?as={NAMES[0]}")
        person.get("/v1/games", Accept=person.token)
    table.play(rng)
    log_of_game = table.events()
    secret = log_of_game[-1]["data"]["secret"]
    private = [*NAMES, "label of mine", SEED, secret, *(person.token for person in people)]
    assert len(log.requests) > 100
    for line in log.text.splitlines():
        assert not [text for text in private if text in line or json.dumps(text)[1:-1] in line]
        assert not CARD.search(line), line


ONES_OWN = {
    "token", "secret", "ticket", "url", "address", "endpoint", "auth", "p256dh", "label", "name", "seed", "reason",
    "operator", "contact", "about", "link",
}  # fmt: skip
"""The fields whose values are somebody's own, in requests and responses."""
SOME = slice(0, None, 12)
"""Of all scenarios, those that every run plays."""


def own_texts(body):
    """List what is somebody's own in a body; of an address, what it ends with, which is the secret of a link."""
    if isinstance(body, dict):
        for name, value in body.items():
            if isinstance(value, str) and name in ONES_OWN:
                yield value.rpartition("/")[2] if "://" not in value or "/v1/" in value else value
            else:
                yield from own_texts(value)
    elif isinstance(body, list):
        for each in body:
            yield from own_texts(each)


@pytest.mark.parametrize("part", [SOME, pytest.param(slice(None), marks=pytest.mark.long)], ids=["some", "all"])
def test_no_operation_logs_what_is_somebodys_own(log, part, monkeypatch):
    private = set()
    send = World.send

    def noted(world, request):
        answer = send(world, request)
        private.update(own_texts(request.get("body")), [request["headers"].get("Authorization", "")[7:]])
        if answer.is_json and request["path"] != "/openapi.json":
            private.update(own_texts(answer.json))
        return answer

    monkeypatch.setattr(World, "send", noted)
    worlds = []
    for _, scenario in sorted(found().items())[part]:
        worlds.append(World())
        scenario(worlds[-1])
    with ThreadPoolExecutor(len(worlds)) as closing:
        list(closing.map(World.close, worlds))
    private = {text for text in private if len(text) >= 8}
    assert len(private) >= len(worlds)
    assert len(log.requests) >= len(worlds)
    for line in log.text.splitlines():
        assert not [text for text in private if text in line], line


@pytest.mark.parametrize("broken", ["settle", "project", "legal_actions"])
def test_a_defect_is_logged_with_its_place_and_answered_without_a_trace(log, server, broken):
    steps = played("le-plateau", 3, 0)
    table = server.table_of_log(steps[:-10])
    seat = table.to_act
    action = table.legal(seat)[0]
    before = server.contents()

    def break_down(*_args):
        raise KeyError(private)

    secret = steps[0].game.secret.hex()
    private = f"RH, {secret}, {NAMES[0]}"
    ask = {
        "project": lambda: table.people[seat].get(f"{table.path}/view"),
        "legal_actions": lambda: table.people[seat].get(f"{table.path}/legal-actions"),
    }.get(broken, lambda: table.act(seat, action))
    with changed_rules(RULESETS["le-plateau"], **{broken: break_down}):
        failed = ask()
    assert (failed.status_code, failed.json["code"]) == (500, "internal")
    assert failed.json.keys() == {"type", "title", "status", "detail", "instance", "code"}
    assert failed.json["detail"] == "the server failed"
    assert server.contents() == before
    (defect,) = [line for line in log.lines if line["level"] == "error"]
    assert defect["request_id"] == failed.headers["X-Request-Id"]
    assert "KeyError" in defect["message"]
    assert "break_down" in defect["trace"]
    assert log.requests[-1]["status"] == 500
    for line in log.text.splitlines():
        assert not [text for text in (secret, NAMES[0], "RH") if text in line]


def test_a_store_that_does_not_answer_is_logged_as_an_error(log, contract, closing):
    redis_server = fakeredis.FakeServer()
    server = Server(fakeredis.FakeRedis(server=redis_server), contract)
    redis_server.connected = False
    assert server.stranger().post("/v1/players", {"name": NAMES[0]}).status_code == 503
    assert [line["logger"] for line in log.lines if line["level"] == "error"] == ["plateau.http"]
    assert NAMES[0] not in log.text
    closing.submit(server.players.close)


def test_the_service_logs_to_standard_error_in_utc(capsys):
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        configure("warning")
        logging.getLogger("plateau.test").info("not this")
        logging.getLogger("plateau.test").warning("but this: %s", "it")
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    (line,) = capsys.readouterr().err.splitlines()
    assert json.loads(line) | {"time": ""} == {
        "time": "", "level": "warning", "logger": "plateau.test", "message": "but this: it",
    }  # fmt: skip


@pytest.mark.parametrize(("level", "terminal"), [("auto", True), ("auto", False), ("info", True)])
def test_on_a_terminal_logs_are_text_without_requests_unless_a_level_is_set(level, terminal):
    """In a process of its own, because logs are configured for a whole process."""
    program = f"""
import logging
from service.runtime.logs import configure
configure({level!r})
logging.getLogger("plateau.request").info("request", extra={{"fields": {{"status": 200}}}})
logging.getLogger("plateau.start").info("it begins")
try:
    raise ValueError("a secret")
except ValueError as error:
    logging.getLogger("plateau.http").error("it fails", exc_info=error)
"""
    ours, theirs = pty.openpty() if terminal else os.pipe()
    subprocess.run([sys.executable, "-c", program], stderr=theirs, check=True, cwd=ROOT)
    os.close(theirs)
    written = read_all(ours)
    assert "a secret" not in written
    if level == "auto" and terminal:
        first, second, *trace = written.splitlines()
        assert re.fullmatch(r"\d\d:\d\d:\d\d info: it begins", first)
        assert re.fullmatch(r"\d\d:\d\d:\d\d error: it fails", second)
        assert trace[-1] == "ValueError"
    else:
        assert [json.loads(line)["message"] for line in written.splitlines()] == ["request", "it begins", "it fails"]


@pytest.mark.parametrize("form", ["json", "text"])
def test_the_form_of_logs_can_be_set_wherever_they_go(form, capsys):
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        configure("info", form)
        fields = {"status": 200, "operation": "show_game", "player": None}
        logging.getLogger("plateau.request").info("request", extra={"fields": fields})
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    (line,) = capsys.readouterr().err.splitlines()
    if form == "json":
        assert json.loads(line).items() >= {"message": "request", **fields}.items()
    else:
        assert re.fullmatch(r"\d\d:\d\d:\d\d info: request status=200 operation=show_game", line)


def read_all(descriptor):
    """Read what was written into a pipe or a terminal that is closed by now."""
    parts = []
    with suppress(OSError):  # a terminal whose other end is closed
        while part := os.read(descriptor, 65536):
            parts.append(part)
    os.close(descriptor)
    return b"".join(parts).decode().replace("\r\n", "\n")


TRACE = "0af7651916cd43dd8448eb211c80319c"


def test_a_request_is_a_trace_with_nothing_of_anybodys_own(server, spans):
    ada = server.newcomer("Ada Lovelace")
    game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME] * 3, "sandbox": True}).json["id"]
    server.forget_games()
    before = len(spans())
    with live(server) as app:
        view = app.ask(ada, f"/v1/games/{game}/view", traceparent=f"00-{TRACE}-b7ad6b7169203331-01")
        wait_until(lambda: named(spans, "request"), "the request")
    made = spans()[before:]
    assert [span.name for span in made] == ["fold", "project", "request"]
    assert {f"{span.context.trace_id:032x}" for span in made} == {TRACE}
    request = made[-1]
    assert {span.parent.span_id for span in made[:-1]} == {request.context.span_id}
    assert request.attributes["plateau.operation"] == "show_view"
    assert request.attributes["http.response.status_code"] == view.status == 200
    assert made[0].attributes["events"] > 0
    told = "".join(span.to_json() for span in made)
    assert not [text for text in ("Ada", ada.token, view.body.decode()[:50]) if text in told]


def test_a_refusal_is_named_in_its_trace(server, spans):
    with live(server) as app:
        app.ask(None, "/v1/games/gm_x")
        wait_until(lambda: named(spans, "request"), "the request")
    (request,) = named(spans, "request")
    assert (request.attributes["http.response.status_code"], request.attributes["error.type"]) == (404, "no-such-game")
