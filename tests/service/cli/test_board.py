"""`plateau board` against the service as a process of its own."""

import re
import subprocess
import sys
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from domain.registry import RULESETS
from domain.serialization import from_plain
from service.cli.board import board as command
from tests.support.processes import free_port
from tests.support.server import ROOT, RunningService

ME, OPEN = {"player": "me"}, {"open": True}
SEATS = "Seats: 1 Ada, 2 Ben, 3 Cleo"


@dataclass(frozen=True)
class Shown:
    """What a run of the command came to."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Player:
    """A player at the service."""

    url: str
    token: str

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.request(method, self.url + path, json=body, headers=headers).raise_for_status()

    def game(self, *seats: dict[str, Any], **wish: Any) -> str:
        made = self.ask("POST", "/v1/games", {"ruleset": "le-plateau", "seats": seats, **wish}).json()
        game_id: str = made["id"]
        return game_id


def newcomer(service: RunningService, name: str) -> Player:
    made = httpx.post(f"{service.url}/v1/players", json={"name": name}).json()
    return Player(service.url, made["token"])


@pytest.fixture(scope="module")
def ada(service: RunningService) -> Player:
    return newcomer(service, "Ada")


@pytest.fixture(scope="module")
def game(ada: Player, service: RunningService) -> str:
    """A game of three in which Ada holds seat 0, after the first bid."""
    game_id = ada.game(ME, OPEN, OPEN, options={"first_dealer": 2})
    for name in ("Ben", "Cleo"):
        newcomer(service, name).ask("POST", f"/v1/games/{game_id}/seats", {})
    ada.ask("POST", f"/v1/games/{game_id}/actions", {"type": "bid", "exchange": True, "objective": "y", "team": "solo"})
    return game_id


def board(service: RunningService | None, *options: str, **environment: str | None) -> Shown:
    """Run the command against a service."""
    url = ["--url", service.url] if service else []
    run = CliRunner().invoke(command, [*options, *url], env={"PLATEAU_TOKEN": None, "PLATEAU_URL": None, **environment})
    assert run.exception is None or isinstance(run.exception, SystemExit), run.exception
    return Shown(run.exit_code, run.stdout, run.stderr)


def text_of(view: Any) -> str:
    ruleset = RULESETS["le-plateau"]
    return ruleset.presentation.text(from_plain(ruleset.view, view["state"]))


# -- what it shows ------------------------------------------------------------------------------------------------


def test_without_a_token_the_board_is_shown_to_a_spectator(service: RunningService, game: str) -> None:
    view = httpx.get(f"{service.url}/v1/games/{game}/view").json()
    shown = board(service, game)
    assert (shown.code, shown.err) == (0, "")
    head, _, text = shown.out.partition("\n\n")
    assert head == f"{game} (active) at version {view['version']}, as a spectator sees it\n{SEATS}"
    assert text == text_of(view)
    assert "Hand of seat" not in text


def test_with_a_token_the_board_is_shown_as_its_player_sees_it(service: RunningService, game: str, ada: Player) -> None:
    view = ada.ask("GET", f"/v1/games/{game}/view").json()
    for shown in (board(service, game, "--token", ada.token), board(service, game, PLATEAU_TOKEN=ada.token)):
        assert shown.code == 0
        assert shown.out.startswith(f"{game} (active) at version {view['version']}, as seat 1 sees it\n")
        assert shown.out.endswith(f"\n\n{text_of(view)}")
        assert "Hand of seat 1: " in shown.out


def test_it_looks_through_other_eyes_and_back(service: RunningService, game: str, ada: Player) -> None:
    shown = board(service, game, "--as", "spectator", "--at", "7", PLATEAU_TOKEN=ada.token)
    view = httpx.get(f"{service.url}/v1/games/{game}/view?at=7").json()
    assert shown.out == f"{game} (active) at version 7, as a spectator sees it\n{SEATS}\n\n{text_of(view)}"


def test_a_game_that_has_not_started_shows_an_empty_board(service: RunningService, ada: Player) -> None:
    shown = board(service, ada.game(ME, OPEN, {"bot": "random"}))
    assert shown.code == 0
    assert "(open) at version 3" in shown.out
    assert "\nSeats: 1 Ada, 2 open, 3 random (bot)\n" in shown.out
    assert "Nothing is dealt yet" in shown.out


def test_the_picture_is_saved_instead(service: RunningService, game: str, ada: Player, tmp_path: Path) -> None:
    drawn = ada.ask("GET", f"/v1/games/{game}/board.svg").content
    shown = board(service, game, "--svg", str(tmp_path / "board.svg"), PLATEAU_TOKEN=ada.token)
    assert shown == Shown(0, "", "")
    assert (tmp_path / "board.svg").read_bytes() == drawn
    assert board(service, game, "--svg", "-", "--token", ada.token).out == drawn.decode()
    other = httpx.get(f"{service.url}/v1/games/{game}/board.svg?at=7&as=spectator").text
    assert board(service, game, "--svg", "-", "--at", "7", "--as", "spectator").out == other


def test_it_is_one_of_the_commands_of_plateau(service: RunningService, game: str) -> None:
    plateau = [sys.executable, "-m", "service.cli.main"]
    run = subprocess.run(
        [*plateau, "board", game, "--url", service.url],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert run.stdout == board(service, game).out
    named = subprocess.run(
        [*plateau, "--help"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    ).stdout
    assert re.search("^  board +Show the board of a game", named, re.MULTILINE)
    assert re.search("^  serve +Serve games", named, re.MULTILINE)


def test_the_port_is_that_of_the_service_that_the_same_setting_starts(service: RunningService, game: str) -> None:
    shown = board(None, game, PLATEAU_PORT=service.url.rpartition(":")[2])
    assert (shown.code, shown.out) == (0, board(service, game).out)


def test_the_address_is_read_from_the_environment_unless_it_is_given(service: RunningService, game: str) -> None:
    shown = board(service, game).out
    assert board(None, game, PLATEAU_URL=service.url, PLATEAU_PORT="1").out == shown
    assert board(service, game, PLATEAU_URL="http://127.0.0.1:1").out == shown


def test_an_empty_port_counts_as_unset() -> None:
    unset, empty = (board(None, "gm_x", PLATEAU_PORT=port) for port in (None, " "))
    assert (empty.code, empty.out, empty.err) == (unset.code, unset.out, unset.err)
    assert board(None, "gm_x", PLATEAU_PORT="eight").code == 2


def test_a_service_below_a_path_is_reached(service: RunningService, game: str) -> None:
    assert board(None, game, "--url", f"{service.url}/").code == 0
    assert board(None, game, "--url", f"{service.url}/games").code == 1


# -- what it refuses ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("gm_none",), "no such game"),
        (("../me",), "(404, no-such-game)"),
        (("GAME", "--as", "1"), "anyone can look from there (403, not-your-seat)"),
        (("GAME", "--as", "nobody"), "must be a seat, counted from 0, or spectator (400, malformed)"),
        (("GAME", "--at", "999"), "the game is at "),
        (("GAME", "--token", "plt_x"), "the token is not valid, or was revoked (401, invalid-token)"),
    ],
)  # fmt: skip
def test_a_refusal_is_told_in_the_words_of_the_service(
    service: RunningService, game: str, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    given = [game if option == "GAME" else option for option in options]
    for more in ((), ("--svg", str(tmp_path / "board.svg"))):
        shown = board(service, *given, *more)
        assert (shown.code, shown.out) == (1, "")
        assert shown.err.startswith("plateau: ")
        assert said in shown.err
        assert shown.err.count("\n") == 1
    assert not (tmp_path / "board.svg").exists()


def test_a_service_out_of_reach_is_named(game: str) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    shown = board(None, game, "--url", url)
    assert (shown.code, shown.out) == (3, "")
    assert shown.err == f"plateau: no service answers at {url} (Connection refused); start one with: plateau serve\n"


class Stranger(BaseHTTPRequestHandler):
    """A web server that is not a Plateau service: the path contains its response."""

    def do_GET(self) -> None:
        _, status, kind, *_ = self.path.split("/")
        self.send_response(int(status))
        self.send_header("Content-Type", f"text/{kind}" if kind == "html" else f"application/{kind}")
        self.send_header("Location", "http://127.0.0.1:9/")
        self.end_headers()
        self.wfile.write(b"[]" if kind == "json" else b"<html>")

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@pytest.mark.parametrize("answers", ["200/html", "404/html", "404/json", "302/html", "500/problem+json", "200/json"])
def test_a_server_that_is_no_plateau_service_is_called_so(game: str, answers: str) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Stranger) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        shown = board(None, game, "--url", f"http://127.0.0.1:{server.server_port}/{answers}", "--token", "secret")
        server.shutdown()
    assert (shown.code, shown.out) == (1, "")
    assert "is not a Plateau service" in shown.err
    assert "secret" not in shown.err


@pytest.mark.parametrize(
    "options",
    [(), ("--at", "0"), ("--at", "x"), ("--url", "127.0.0.1:8000"), ("--url", "ftp://127.0.0.1"), ("--url", "http://"),
     ("--url", "http://a:b@127.0.0.1"), ("--url", "http://127.0.0.1:99999"), ("--token", "two\nlines"),
     ("--token", "é"), ("--svg", "/no/such/folder/board.svg", "--colour", "red")],
)  # fmt: skip
def test_wrong_usage_is_explained(options: tuple[str, ...]) -> None:
    shown = board(None, *(("gm_x", *options) if options else ()))
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("Usage: ")


def test_a_file_that_cannot_be_written_is_named(service: RunningService, game: str) -> None:
    shown = board(service, game, "--svg", "/no/such/folder/board.svg")
    assert shown.code == 1
    assert "/no/such/folder/board.svg" in shown.err


def test_the_help_names_every_option_and_the_exit_codes() -> None:
    shown = board(None, "--help")
    assert shown.code == 0
    for named in (
        "GAME_ID",
        "--url",
        "http://127.0.0.1:8000",
        "--token",
        "PLATEAU_TOKEN",
        "--as",
        "--at",
        "--svg",
        "Exit",
    ):
        assert named in shown.out


def test_a_link_is_printed_that_opens_without_a_token(service: RunningService, ada: Player, game: str) -> None:
    shown = board(service, game, "--link", PLATEAU_TOKEN=ada.token)
    assert shown.code == 0
    picture = httpx.get(shown.out.strip(), headers={"Accept": "text/html"})
    assert (picture.status_code, picture.headers["Content-Type"]) == (200, "image/svg+xml; charset=utf-8")
    own = board(service, game, "--svg", "-", PLATEAU_TOKEN=ada.token)
    assert picture.text == own.out
    earlier = board(service, game, "--link", "--at", "6", PLATEAU_TOKEN=ada.token).out.strip()
    assert httpx.get(earlier).text != picture.text


def test_who_holds_no_seat_gets_no_link(service: RunningService, game: str) -> None:
    shown = board(service, game, "--link", PLATEAU_TOKEN=newcomer(service, "Eve").token)
    assert (shown.code, shown.out) == (1, "")
    assert "not-seated" in shown.err
