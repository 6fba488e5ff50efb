"""A client that a tool writes from the document alone can play: made anew here, and used against the service."""

import importlib
import json
import subprocess
import sys
from types import SimpleNamespace

import httpx
import pytest

from tests.service.api.api_client import Table

SVG_IS_TEXT = {"image/svg+xml": "text/plain"}
"""The configuration that the tool needs, because it does not support pictures."""


@pytest.fixture(scope="module")
def folder(contract, tmp_path_factory):
    """Where the tool has written a package from the document."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_text(json.dumps(contract.document))
    (folder / "config.json").write_text(json.dumps({"post_hooks": [], "content_type_overrides": SVG_IS_TEXT}))
    done = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", "--path", "openapi.json", "--config", "config.json",
         "--meta", "none", "--output-path", "made_client", "--fail-on-warning"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stdout.lower()
    return folder


@pytest.fixture
def made(folder, monkeypatch):
    """The modules of the package that the tool has written."""
    monkeypatch.syspath_prepend(folder)
    names = {
        "client": "client", "models": "models", "create_player": "api.players.create_player",
        "create_game": "api.games.create_game", "show_view": "api.play.show_view",
        "show_board": "api.play.show_board",
        "list_legal_actions": "api.play.list_legal_actions", "act": "api.play.act",
        "list_events": "api.play.list_events", "list_games": "api.games.list_games",
    }  # fmt: skip
    yield SimpleNamespace(**{name: importlib.import_module(f"made_client.{path}") for name, path in names.items()})
    for name in [name for name in sys.modules if name.partition(".")[0] == "made_client"]:
        del sys.modules[name]


def test_a_generated_client_makes_a_player_and_a_game_and_plays_an_action(made, server):
    models, in_process = made.models, {"transport": httpx.WSGITransport(server.app)}
    with made.client.Client("http://plateau", httpx_args=in_process) as anyone:
        player = made.create_player.sync(client=anyone, body=models.NewPlayer(name="Ada"))
    assert isinstance(player, models.NewPlayerAnswer)
    assert player.name == "Ada"
    with made.client.AuthenticatedClient("http://plateau", player.token, httpx_args=in_process) as ada:
        wish = models.NewLePlateauGame(
            ruleset="le-plateau",
            seats=[models.SeatForMe(player="me")] * 4,
            sandbox=True,
            options=models.LePlateauNewOptions(hands=8, first_dealer=3),
        )
        game = made.create_game.sync(client=ada, body=wish)
        assert isinstance(game, models.LePlateauGameAtVersion)
        assert (game.options.hands, game.options.scoring) == (8, models.LePlateauScoring.ZERO_SUM)
        assert game.status == "active"

        view = made.show_view.sync(game.id, client=ada)
        assert isinstance(view, models.LePlateauView)
        assert (view.state.phase, view.state.dealer, view.state.hands_total, view.to_act) == ("bid", 3, 8, [0])
        assert view.state.hands[0].count == len(view.state.hands[0].cards) == 13
        assert view.state.hands[1].cards is None

        assert made.show_board.sync(game.id, client=ada).startswith("<svg ")

        bid = models.LePlateauBidAction(
            type_="bid",
            exchange=True,
            objective=models.LePlateauObjective.Y,
            team=models.LePlateauTeamSize.DUO,
            decision_id=view.decision.id,
        )
        stale = made.act.sync(game.id, client=ada, body=bid, if_match='"1"')
        assert isinstance(stale, models.Problem)
        assert (stale.status, stale.code, stale.game_version) == (412, "stale-version", view.version)

        done = made.act.sync(game.id, client=ada, body=bid, if_match=f'"{view.version}"', idempotency_key="k")
        assert isinstance(done, models.LePlateauActionAnswer)
        assert (done.version, done.seat, done.to_act) == (view.version + 1, 0, [1])
        (made_bid,) = done.events
        assert isinstance(made_bid, models.LePlateauBidMadeEvent)
        assert (made_bid.data.objective, made_bid.data.value) == (models.LePlateauObjective.Y, 3)

        tried = made.act.sync(
            game.id, client=ada, body=models.LePlateauPlayAction(type_="play", card="RH"), dry_run=True
        )
        assert isinstance(tried, models.Problem)
        assert (tried.status, tried.code) == (422, "wrong-phase")

        log = made.list_events.sync(game.id, client=ada, after=view.version)
        assert [event.version for event in log.events] == [done.version]
        legal = made.list_legal_actions.sync(game.id, client=ada)
        assert (
            legal.count
            == len(legal.actions)
            == len(Table(game.id, [server.stranger(player.token)] * 4, server).legal(1))
        )
        lobby = made.list_games.sync(client=ada, status=models.GameStatus.ACTIVE)
        assert [item.id for item in lobby.items] == [game.id]
