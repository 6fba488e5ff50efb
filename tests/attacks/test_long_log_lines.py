"""A path, a method or a token of the client's own must not be written into the log."""

import io
import json
import logging

import pytest

from service.runtime.logs import JsonLines

LONGEST = 500
SECRET = "plt_" + "s3cret" * 5_000
A_GAME = "gm_0123456789abcdef0123"
NEARLY_GAMES = [
    "gm_s3cret",
    "gm_s3cret" + "0" * 14,
    A_GAME.replace("f", "g"),
    A_GAME.upper().replace("GM", "gm"),
    A_GAME[:-1],
    f"{A_GAME}4",
    f"{A_GAME}%0A",
]
"""Ids of a client's own that look like a game's: one is ``gm_`` and 20 hexadecimal digits."""


@pytest.fixture
def lines():
    """What the service logs."""
    stream, root = io.StringIO(), logging.getLogger()
    handler, level = logging.StreamHandler(stream), root.level
    handler.setFormatter(JsonLines())
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield lambda: stream.getvalue().splitlines()
    root.removeHandler(handler)
    root.setLevel(level)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", f"/v1/games/{SECRET}"),
        ("GET", f"/v1/games/{SECRET}/view?as={SECRET}"),
        ("POST", f"/v1/games/gm_{SECRET}/actions"),
        ("GET", f"/v1/players/{SECRET}"),
        ("GET", f"/{SECRET}?{SECRET}={SECRET}"),
        ("DELETE", f"/v1/games/x/seats/{SECRET}"),
        ("X" * 30_000, "/v1/games"),
    ],
)
def test_what_a_client_makes_up_is_not_logged(server, lines, method, path):
    headers = {"Authorization": f"Bearer {SECRET}", "Idempotency-Key": SECRET, "If-Match": SECRET}
    server.app.test_client().open(path, method=method, headers=headers)
    assert lines()
    for line in lines():
        assert len(line) < LONGEST
        assert "s3cret" not in line
        assert "XXX" not in line


@pytest.mark.parametrize("made_up", NEARLY_GAMES)
def test_an_id_that_no_game_has_is_not_logged(server, lines, made_up):
    server.app.test_client().get(f"/v1/games/{made_up}")
    assert json.loads(lines()[-1])["game"] is None


def test_a_game_is_logged_by_its_id(server, lines):
    server.app.test_client().get(f"/v1/games/{A_GAME}")
    assert json.loads(lines()[-1])["game"] == A_GAME
