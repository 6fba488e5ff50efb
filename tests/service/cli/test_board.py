"""`plateau board` against the service as a process of its own."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import Result

from domain.registry import RULESETS
from domain.serialization import from_plain
from tests.support.commands import Player, plateau
from tests.support.server import RunningService

ME, OPEN = {"player": "me"}, {"open": True}
SEATS = "Seats: 1 Ada, 2 Ben, 3 Cleo"


@pytest.fixture(scope="module")
def ada(service: RunningService) -> Iterator[Player]:
    with Player(service.url) as player:
        yield player


@pytest.fixture(scope="module")
def game(ada: Player, service: RunningService) -> str:
    """A game of three in which Ada holds seat 0, after the first bid."""
    game_id = ada.begin(ME, OPEN, OPEN, options={"first_dealer": 2})
    for name in ("Ben", "Cleo"):
        Player(service.url, name).ask("POST", f"/v1/games/{game_id}/seats", {})
    ada.ask("POST", f"/v1/games/{game_id}/actions", {"type": "bid", "exchange": True, "objective": "y", "team": "solo"})
    return game_id


def board(service: RunningService, *words: object, **env: object) -> Result:
    return plateau("board", *words, "--url", service.url, **env)


def text_of(view: Any) -> str:
    ruleset = RULESETS["le-plateau"]
    return ruleset.presentation.text(from_plain(ruleset.view, view["state"]))


def test_without_a_token_the_board_is_shown_to_a_spectator(service: RunningService, game: str) -> None:
    view = httpx.get(f"{service.url}/v1/games/{game}/view").json()
    shown = board(service, game)
    assert (shown.exit_code, shown.stderr) == (0, "")
    head, _, text = shown.stdout.partition("\n\n")
    assert head == f"{game} (active) at version {view['version']}, as a spectator sees it\n{SEATS}"
    assert text == text_of(view)
    assert "Hand of player" not in text


def test_with_a_token_the_board_is_shown_as_its_player_sees_it(service: RunningService, game: str, ada: Player) -> None:
    view = ada.ask("GET", f"/v1/games/{game}/view")
    for shown in (board(service, game, "--token", ada.token), board(service, game, PLATEAU_TOKEN=ada.token)):
        assert shown.stdout.startswith(f"{game} (active) at version {view['version']}, as seat 1 sees it\n")
        assert shown.stdout.endswith(f"\n\n{text_of(view)}")
        assert "Hand of player 1: " in shown.stdout


def test_it_looks_through_other_eyes_and_back(service: RunningService, game: str, ada: Player) -> None:
    shown = board(service, game, "--as", "spectator", "--at", "7", PLATEAU_TOKEN=ada.token)
    view = httpx.get(f"{service.url}/v1/games/{game}/view?at=7").json()
    assert shown.stdout == f"{game} (active) at version 7, as a spectator sees it\n{SEATS}\n\n{text_of(view)}"


def test_a_game_that_has_not_started_shows_an_empty_board(service: RunningService, ada: Player) -> None:
    shown = board(service, ada.begin(ME, OPEN, {"bot": "random"}))
    assert shown.exit_code == 0
    assert "(open) at version 3, as a spectator sees it\nSeats: 1 Ada, 2 open, 3 random (bot)\n" in shown.stdout
    assert "Nothing is dealt yet" in shown.stdout


def test_the_picture_is_saved_instead(service: RunningService, game: str, ada: Player, tmp_path: Path) -> None:
    drawn = ada.get(f"/v1/games/{game}/board.svg").content
    shown = board(service, game, "--svg", tmp_path / "board.svg", PLATEAU_TOKEN=ada.token)
    assert (shown.exit_code, shown.output) == (0, "")
    assert (tmp_path / "board.svg").read_bytes() == drawn
    assert board(service, game, "--svg", "-", "--token", ada.token).stdout == drawn.decode()
    other = httpx.get(f"{service.url}/v1/games/{game}/board.svg?at=7&as=spectator").text
    assert board(service, game, "--svg", "-", "--at", "7", "--as", "spectator").stdout == other


def test_a_link_is_printed_that_opens_without_a_token(service: RunningService, ada: Player, game: str) -> None:
    shown = board(service, game, "--link", PLATEAU_TOKEN=ada.token)
    assert shown.exit_code == 0
    picture = httpx.get(shown.stdout.strip(), headers={"Accept": "text/html"})
    assert (picture.status_code, picture.headers["Content-Type"]) == (200, "image/svg+xml; charset=utf-8")
    assert picture.text == board(service, game, "--svg", "-", PLATEAU_TOKEN=ada.token).stdout
    earlier = board(service, game, "--link", "--at", "6", PLATEAU_TOKEN=ada.token).stdout.strip()
    assert httpx.get(earlier).text != picture.text


def test_the_environment_says_where_the_service_is_unless_the_option_does(service: RunningService, game: str) -> None:
    shown = board(service, game, PLATEAU_URL="http://127.0.0.1:1").stdout
    port = service.url.rpartition(":")[2]
    assert plateau("board", game, PLATEAU_PORT=port).stdout == shown, "that of the service that the same setting starts"
    assert plateau("board", game, PLATEAU_URL=service.url, PLATEAU_PORT="1").stdout == shown
    unset, empty = plateau("board", "gm_x"), plateau("board", "gm_x", PLATEAU_PORT=" ")
    assert (empty.exit_code, empty.output) == (unset.exit_code, unset.output)


def test_a_service_below_a_path_is_reached(service: RunningService, game: str) -> None:
    assert plateau("board", game, "--url", f"{service.url}/").exit_code == 0
    assert plateau("board", game, "--url", f"{service.url}/games").exit_code == 1


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
def test_a_server_that_is_no_plateau_service_is_called_so(answers: str) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Stranger) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/{answers}"
        shown = plateau("board", "gm_x", "--url", url, "--token", "secret")
        server.shutdown()
    assert (shown.exit_code, shown.stdout) == (1, "")
    assert "is not a Plateau service" in shown.stderr
    assert "secret" not in shown.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("../me",), "(404, no-such-game)"),
        (("GAME", "--as", "1"), "once the game is over (403, not-your-seat)"),
        (("GAME", "--as", "nobody"), "must be a seat, counted from 0, or spectator (400, malformed)"),
        (("GAME", "--at", "999"), "the game is at "),
        (("GAME", "--token", "plt_x"), "the token is not valid, or was revoked (401, invalid-token)"),
        (("GAME", "--link", "--token", "EVE"), "not-seated"),
        (("GAME", "--svg", "/no/such/folder/board.svg"), "/no/such/folder/board.svg"),
    ],
)
def test_a_refusal_is_told_in_one_line_and_saves_nothing(
    service: RunningService, game: str, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    given = [Player(service.url, "Eve").token if word == "EVE" else {"GAME": game}.get(word, word) for word in words]
    for more in ((), ("--svg", tmp_path / "board.svg"))[: 1 if "--svg" in words else 2]:
        shown = board(service, *given, *more)
        assert (shown.exit_code, shown.stdout) == (1, "")
        assert said in shown.stderr
        assert shown.stderr.count("\n") == 1
    assert not (tmp_path / "board.svg").exists()
