"""`plateau log` against the service as a process of its own."""

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner, Result

from service.cli.client import EVENTS_A_PAGE
from service.cli.main import main
from tests.support.processes import free_port
from tests.support.server import RunningService

LINE = r" +(\d+)  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d  (.*)"


@pytest.fixture(scope="module")
def token(service: RunningService) -> str:
    token: str = httpx.post(f"{service.url}/v1/players", json={"name": "Ada"}).json()["token"]
    return token


@pytest.fixture(scope="module")
def game(service: RunningService, token: str) -> str:
    """A sandbox of two seats, in which the first has bid."""
    asked = {"ruleset": "le-plateau", "sandbox": True, "options": {"first_dealer": 1}, "seats": [{"player": "me"}] * 2}
    game_id: str = ask(service, token, "/v1/games", asked).json()["id"]
    ask(service, token, f"/v1/games/{game_id}/actions", {"type": "pass"})
    return game_id


def ask(service: RunningService, token: str, path: str, body: object) -> httpx.Response:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.post(service.url + path, json=body, headers=headers).raise_for_status()


def log(url: str, *options: str, **environment: str | None) -> Result:
    settings = {"PLATEAU_TOKEN": None, "PLATEAU_URL": None, **environment}
    return CliRunner().invoke(main, ["log", *options, "--url", url], env=settings)


def sentences(run: Result) -> list[str]:
    assert run.exit_code == 0, run.output
    found = [re.fullmatch(LINE, line) for line in run.output.splitlines()]
    return [line[2] for line in found if line] if all(found) else []


def test_each_event_is_a_line_with_its_version_and_time(service: RunningService, game: str) -> None:
    run = log(service.url, game)
    assert sentences(run)[:3] == ["Ada sets up a sandbox with 2 seats.", "Ada takes seat 1.", "Ada takes seat 2."]
    assert sentences(run)[-1] == "Seat 1 passes."
    assert [int(line.split()[0]) for line in run.output.splitlines()] == [*range(1, len(sentences(run)) + 1)]


def test_it_begins_after_the_last_move_of_a_seat(service: RunningService, game: str, token: str) -> None:
    assert sentences(log(service.url, game, "--since-my-last-move", "--token", token, "--as", "0")) == []
    waiting = sentences(log(service.url, game, "--since-my-last-move", "--as", "1", PLATEAU_TOKEN=token))
    assert waiting[0] == "The game begins."
    assert waiting[-1] == "Seat 1 passes."


def test_a_language_that_there_is_not_is_wrong_usage(service: RunningService, game: str) -> None:
    run = log(service.url, game, "--lang", "xx")
    assert run.exit_code == 2
    assert "'en'" in run.output


def test_a_refusal_and_silence_are_told_apart(service: RunningService) -> None:
    refused, silent = log(service.url, "gm_0"), log(f"http://127.0.0.1:{free_port()}", "gm_0")
    assert (refused.exit_code, silent.exit_code) == (1, 3)
    assert refused.output.startswith("plateau: ")
    assert "no service answers" in silent.output


PAGES = {
    "after=0": b'{"events": [{"version": 1, "at": "2026-01-01T00:00:00.000Z", "sentence": {"text": "A\\u001b[2J."}}],'
    b' "next": 1}',
    "after=1": b'{"events": [{"version": 2, "at": "2026-01-01T00:00:01.000Z", "sentence": {"text": "B."}}],'
    b' "next": null}',
}


class Pages(BaseHTTPRequestHandler):
    """Another server: two pages of events with sentences, or one event without, or a refusal."""

    def do_GET(self) -> None:
        if "gm_bad" in self.path:
            self.send_response(404)
            self.end_headers()
            self.wfile.write(b'{"detail": "No \\u001b]0;such\\u0007\\ngame.", "code": "no-such-game"}')
            return
        found = next(
            page for query, page in PAGES.items() if f"?{query}&" in self.path and f"limit={EVENTS_A_PAGE}" in self.path
        )
        page = b'{"events": [{"version": 1}], "next": null}' if "gm_odd" in self.path else found
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def pages() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_every_page_is_read_and_nothing_acts_on_the_terminal(pages: str) -> None:
    assert sentences(log(pages, "gm_1")) == ["A[2J.", "B."]
    assert log(pages, "gm_bad").output == "plateau: No ]0;such game. (404, no-such-game)\n"


def test_another_server_is_named_as_such(pages: str) -> None:
    run = log(pages, "gm_odd")
    assert run.exit_code == 1
    assert "is not a Plateau service" in run.output


@pytest.mark.parametrize(
    ("form", "begins"), [("text", b"notation: 1\n"), ("audit", b"{"), ("html", b'<!doctype html>\n<html lang="fr">')]
)
def test_a_whole_game_is_saved_in_every_format(
    service: RunningService, game: str, token: str, tmp_path: Path, form: str, begins: bytes
) -> None:
    path = tmp_path / "game"
    options = ["export", game, "--url", service.url, "--format", form, "--lang", "fr", "--output", str(path)]
    run = CliRunner().invoke(main, options, env={"PLATEAU_TOKEN": token})
    assert (run.exit_code, run.output) == (0, "")
    assert path.read_bytes().startswith(begins)
    assert game.encode() in path.read_bytes()
