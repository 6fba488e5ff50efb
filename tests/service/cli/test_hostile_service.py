"""A hostile service and hostile files: nothing of theirs acts on the terminal or in a shell, and nothing is endless."""

import io
import itertools
import json
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner
from rich.text import Text

from domain.registry import RULESETS
from service.cli import client, output
from service.cli.client import Refused, Service
from service.cli.play import evening
from service.cli.play.screen import Screen
from service.cli.play.starting import Host
from service.cli.play.words import Words
from tests.support.commands import plateau

EVIL = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e\r\nfake: line"
ACTING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
EVENT = {"version": 1, "at": EVIL, "sentence": {"text": EVIL}}


def evil(value: Any) -> bytes:
    return json.dumps(value).encode()


class Hostile(BaseHTTPRequestHandler):
    """A service with escape codes in everything that it sends."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path.endswith("/events"):
            self._answer(200, "application/json", evil({"events": [EVENT], "next": None}))
        elif path.endswith("/board.svg"):
            self._answer(200, "image/svg+xml", EVIL.encode())
        elif path.endswith("/export"):
            kind = next(kind for form, kind in client.EXPORTS.items() if f"format={form}" in self.path)
            self._answer(200, kind, EVIL.encode())
        elif path.endswith("/view") and "gm_view" in path:
            self._answer(200, "application/json", evil(VIEW))
        else:
            self._answer(404, "application/problem+json", evil({"detail": EVIL, "code": EVIL}))

    def do_POST(self) -> None:
        if self.path.partition("?")[0].endswith("/board-links"):
            self._answer(200, "application/json", evil({"url": EVIL}))
        else:
            self._answer(409, "application/problem+json", evil({"detail": EVIL, "code": EVIL}))

    def _answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


VIEW = {
    "game": {
        "id": EVIL, "status": EVIL, "ruleset": "plateau", "rules_version": RULESETS["plateau"].version, "options": {},
        "seats": [{"seat": EVIL, "bot": EVIL, "player": None}, {"seat": 1, "bot": None, "player": "x", "name": EVIL}],
    },
    "version": EVIL, "viewer": {"seat": None}, "state": None,
}  # fmt: skip


def served(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Run a server; yield its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def hostile() -> Iterator[str]:
    yield from served(Hostile)


class Shown(io.BytesIO):
    """Standard output that is a terminal."""

    def isatty(self) -> bool:
        return True


COMMANDS = [
    "board gm_view --url URL",
    "board gm_bad --url URL",
    "board gm_1 --link --url URL",
    "log gm_1 --url URL",
    "rerun gm_bad --url URL",
    "analyse gm_bad --url URL",
    f"monitor URL --key {'00' * 32} --state state --once",
    "play gm_bad --url URL --no-colour",
]


@pytest.mark.parametrize("line", COMMANDS)
def test_no_command_lets_a_service_act_on_the_terminal(
    hostile: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = plateau(*line.replace("URL", hostile).split(), COLUMNS=80)
    assert "owned" in result.output or "is not a Plateau service" in result.output, result.output
    assert not ACTING.search(result.output), result.output


def test_a_file_on_a_terminal_is_cleaned_and_elsewhere_it_is_as_it_was_sent(hostile: str) -> None:
    content = Service(hostile).export("gm_1", None, "text", "en")
    assert content == EVIL.encode()
    file = io.BytesIO()
    output.save(content, file)
    assert file.getvalue() == content
    lines = CliRunner().invoke(click.command()(lambda: output.save(content, Shown()))).output
    assert "owned" in lines
    assert not ACTING.search(lines)


@pytest.mark.parametrize("name", ["check", "verify", "verify-receipt"])
def test_no_file_acts_on_the_terminal(tmp_path: Path, name: str) -> None:
    file, keys = tmp_path / "file.jsonl", tmp_path / "keys.json"
    receipt = {"game": EVIL, "version": 1, "hash": EVIL, "at": EVIL, "key_id": EVIL, "signature": EVIL}
    file.write_bytes(
        {"check": f"{EVIL}: {EVIL}\n".encode(), "verify": evil({EVIL: {}}) + b"\n"}.get(name, evil(receipt))
    )
    keys.write_bytes(evil({"keys": []}))
    options = ("--keys", str(keys)) if name == "verify-receipt" else ()
    result = plateau(name, file, *options)
    assert result.output
    assert not ACTING.search(result.output), result.output


def test_what_is_drawn_is_cleaned_but_for_the_colours_of_this_program(capsys: pytest.CaptureFixture[str]) -> None:
    Screen(colours=True).show(Text(EVIL, "bold"), EVIL)
    drawn = capsys.readouterr().out
    assert "owned" in drawn
    assert not ACTING.search(drawn)


# -- lines to paste ---------------------------------------------------------------------------------------------------


def host(monkeypatch: pytest.MonkeyPatch, url: str, answers: Any) -> Host:
    """Make what seats the player at a service that answers with these."""
    monkeypatch.setattr(Service, "ask", lambda *_, **__: answers)
    return Host(Service(url), Screen(colours=False), Words("en"), None)


@pytest.mark.parametrize("token", ["plt_x; touch owned", "plt_$(touch owned)", "plt_x\ntouch owned", "x", "", None, 7])
def test_a_token_that_a_shell_would_run_is_refused(monkeypatch: pytest.MonkeyPatch, token: object) -> None:
    with pytest.raises(Refused, match="is not a Plateau service"):
        host(monkeypatch, "http://127.0.0.1:1", {"token": token}).sign_in()


@pytest.mark.parametrize("game_id", ["gm_1;touch owned", "$(touch owned)", "gm_1 --url http://evil", None])
def test_an_id_that_a_shell_would_run_is_refused(monkeypatch: pytest.MonkeyPatch, game_id: object) -> None:
    answers = {"token": "plt_x", "game_id": game_id, "id": game_id}
    with pytest.raises(Refused, match="is not a Plateau service"):
        host(monkeypatch, "http://127.0.0.1:1", answers).join("secret")


def test_the_line_to_keep_is_read_by_a_shell_as_it_is_meant(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = "http://127.0.0.1:1/$(touch owned);x"
    monkeypatch.setattr(Service, "ask", lambda *_, **__: {"token": "plt_x", "game_id": "gm_1"})
    monkeypatch.setattr(evening, "Game", lambda *_: SimpleNamespace(words=Words("en")))
    monkeypatch.setattr(evening, "Session", lambda *_: SimpleNamespace(run=lambda: None))
    evening.begin(Service(url), evening.Wish(), join="secret", name=None, language="en", colours=False)
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert f"PLATEAU_TOKEN=plt_x plateau play gm_1 --url '{url}'" in lines


# -- bounds -----------------------------------------------------------------------------------------------------------


class Endless(BaseHTTPRequestHandler):
    """A service whose bodies, lines and pages have no end."""

    def do_GET(self) -> None:
        self.send_response(200 if "/refused" not in self.path else 400)
        is_page = "/events" in self.path and "gm_pages" in self.path
        kind = "application/x-ndjson" if "/lines" in self.path else "application/json"
        self.send_header("Content-Type", kind)
        if is_page:
            after = int(re.search(r"after=(\d+)", self.path)[1])  # type: ignore[index]
            body = evil({"events": [EVENT], "next": after + ("gm_pages_on" in self.path)})
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            return
        self.end_headers()
        try:
            for _ in itertools.count():
                self.wfile.write(b"x" * 2**16)
        except OSError:
            pass

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setattr(client, "MOST_BYTES", 2**20)
    monkeypatch.setattr(client, "LONGEST_LINE", 2**20)
    monkeypatch.setattr(client, "MOST_PAGES", 20)
    yield from map(Service, served(Endless))


ENDLESS: dict[str, Callable[[Service], object]] = {
    "a body": lambda service: service.view("gm_1"),
    "a refusal": lambda service: service.ask("GET", "/refused"),
    "pages that repeat": lambda service: [*service.told("gm_pages", None, "en", since=False)],
    "pages that go further": lambda service: [*service.told("gm_pages_on", None, "en", since=False)],
}


@pytest.mark.parametrize("ask", ENDLESS.values(), ids=ENDLESS)
def test_what_has_no_end_is_given_up(endless: Service, ask: Callable[[Service], object]) -> None:
    with pytest.raises(Refused, match="is not a Plateau service"):
        ask(endless)


def test_a_line_of_a_stream_without_end_is_given_up(endless: Service) -> None:
    with pytest.raises(client.Unreachable), endless.lines("/lines") as lines:
        next(lines)
