"""`plateau log` and `plateau export` against the service as a process of its own.

`plateau entries`: what the store of a service keeps of a game.
"""

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import Result

from domain.laws.play import log_of
from service.store.event_store import Append, EventStore
from service.store.redis.connections import connect
from tests.support.commands import Player, plateau
from tests.support.random_games import played
from tests.support.server import RunningService
from tests.support.stores import damage

LINE = r" +(\d+)  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d  (.*)"


@pytest.fixture(scope="module")
def ada(service: RunningService) -> Iterator[Player]:
    with Player(service.url) as player:
        yield player


@pytest.fixture(scope="module")
def game(ada: Player) -> str:
    """A sandbox of two seats, in which the first has bid."""
    game_id = ada.begin(*[{"player": "me"}] * 2, sandbox=True, options={"first_dealer": 1})
    ada.ask("POST", f"/v1/games/{game_id}/actions", {"type": "pass"})
    return game_id


def sentences(run: Result) -> list[str]:
    assert run.exit_code == 0, run.output
    found = [re.fullmatch(LINE, line) for line in run.output.splitlines()]
    return [line[2] for line in found if line] if all(found) else []


def test_each_event_is_a_line_with_its_version_and_time(service: RunningService, game: str) -> None:
    run = plateau("log", game, "--url", service.url)
    assert sentences(run)[:3] == ["Ada sets up a game on one device, with 2 seats.", "Ada sits down.", "Ada sits down."]
    assert sentences(run)[-1] == "Player 1 passes."
    assert [int(line.split()[0]) for line in run.output.splitlines()] == [*range(1, len(sentences(run)) + 1)]


def test_it_begins_after_the_last_move_of_a_seat(service: RunningService, game: str, ada: Player) -> None:
    own = ("log", game, "--since-my-last-move", "--url", service.url, "--as")
    assert sentences(plateau(*own, "0", "--token", ada.token)) == []
    waiting = sentences(plateau(*own, "1", PLATEAU_TOKEN=ada.token))
    assert (waiting[0], waiting[-1]) == ("The game begins.", "Player 1 passes.")


PAGES = {
    "after=0": b'{"events": [{"version": 1, "at": "2026-01-01T00:00:00.000Z", "sentence": {"text": "A\\u001b[2J."}}],'
    b' "next": 1}',
    "after=1": b'{"events": [{"version": 2, "at": "2026-01-01T00:00:01.000Z", "sentence": {"text": "B."}}],'
    b' "next": null}',
}


class Pages(BaseHTTPRequestHandler):
    """Another server: two pages of events with sentences, or one event without, or a refusal."""

    def do_GET(self) -> None:
        found = next(page for query, page in PAGES.items() if f"?{query}&" in self.path)
        status, body = 200, b'{"events": [{"version": 1}], "next": null}' if "gm_odd" in self.path else found
        if "gm_bad" in self.path:
            status, body = 404, b'{"detail": "No \\u001b]0;such\\u0007\\ngame.", "code": "no-such-game"}'
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture
def pages() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_every_page_is_read_and_nothing_acts_on_the_terminal(pages: str) -> None:
    assert sentences(plateau("log", "gm_1", "--url", pages)) == ["A[2J.", "B."]
    refused = plateau("log", "gm_bad", "--url", pages)
    assert refused.output == "plateau: No ]0;such game. (404, no-such-game)\n"
    odd = plateau("log", "gm_odd", "--url", pages)
    assert (odd.exit_code, "is not a Plateau service" in odd.output) == (1, True)


@pytest.mark.parametrize(
    ("form", "begins"), [("text", b"notation: 1\n"), ("audit", b"{"), ("html", b'<!doctype html>\n<html lang="fr">')]
)
def test_a_whole_game_is_saved_in_every_format(
    service: RunningService, game: str, ada: Player, tmp_path: Path, form: str, begins: bytes
) -> None:
    path = tmp_path / "game"
    options = ("--url", service.url, "--format", form, "--lang", "fr", "--output", path)
    run = plateau("export", game, *options, PLATEAU_TOKEN=ada.token)
    assert (run.exit_code, run.output) == (0, "")
    assert path.read_bytes().startswith(begins)
    assert game.encode() in path.read_bytes()


def test_a_log_is_printed_as_json_unless_it_is_damaged(valkey_url: str) -> None:
    steps = played("plateau", 2, 0)
    game = steps[-1].game.id
    with connect(valkey_url) as client:
        client.flushall()
        EventStore(client).append(Append(game, 0, log_of(steps), head=""))
        shown = plateau("entries", game, REDIS_URL=valkey_url)
        created, *_ = log = [json.loads(line) for line in shown.output.splitlines()]
        assert [event["type"] for event in log] == [each.type for each in log_of(steps)]
        assert len(created["hidden"]["/secret"]["value"]) == 64
        assert plateau("entries", "gm_none", REDIS_URL=valkey_url).exit_code == 1
        damage(client, game, 2)
    damaged = plateau("entries", game, REDIS_URL=valkey_url)
    assert (damaged.exit_code, "damaged at version 2" in damaged.output) == (1, True)
