"""A client that openapi-python-client writes from the document alone: mypy accepts it, and it plays whole games."""

import importlib
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from tests.clients.conftest import strictly_checked

pytestmark = pytest.mark.long

PLAYER = Path(__file__).with_name("generated_player.py")


@pytest.fixture
def made(generated, monkeypatch):
    """The modules of the generated package."""
    monkeypatch.syspath_prepend(generated)
    names = {
        "client": "client", "models": "models", "create_player": "api.players.create_player",
        "create_game": "api.games.create_game", "show_view": "api.play.show_view",
        "show_board": "api.play.show_board", "list_legal_actions": "api.play.list_legal_actions",
        "act": "api.play.act", "list_events": "api.play.list_events", "list_games": "api.games.list_games",
    }  # fmt: skip
    yield SimpleNamespace(**{name: importlib.import_module(f"made_client.{path}") for name, path in names.items()})
    for name in [name for name in sys.modules if name.partition(".")[0] == "made_client"]:
        del sys.modules[name]


def test_mypy_accepts_the_package_and_a_player_of_its_types_and_no_options_of_another_ruleset(generated):
    written = PLAYER.read_text()
    assert len(written.splitlines()) <= 60
    assert not re.search(r"\b(Any|cast|object|dict|ignore)\b", written)
    (generated / "player.py").write_text(written)
    done = strictly_checked(generated, "made_client", "player.py")
    assert done.returncode == 0, done.stdout

    (generated / "wrong.py").write_text(
        written.replace("options=m.PluteOptionsInput(", "options=m.PlateauOptionsInput(")
    )
    done = strictly_checked(generated, "made_client", "wrong.py")
    assert 'incompatible type "PlateauOptionsInput"; expected "PluteOptionsInput | Unset"' in done.stdout


def test_the_player_plays_a_whole_game_of_each_ruleset(generated, service):
    done = subprocess.run(
        [sys.executable, PLAYER, service.url],
        env={"PYTHONPATH": str(generated)}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    games = [line.split() for line in done.stdout.splitlines() if not line.startswith("[")]
    assert [ruleset for ruleset, _, _ in games] == ["le-plateau", "plateau", "french-tarot", "plute"]
    for _, game, turns in games:
        assert httpx.get(f"{service.url}/v1/games/{game}").json()["outcome"]
        assert int(turns) > 10


def test_its_models_carry_problems_pictures_dry_runs_and_lists(made, service):
    models = made.models
    with made.client.Client(service.url) as anyone:
        player = made.create_player.sync(client=anyone, body=models.PlayerInput(name="Ada"))
    assert isinstance(player, models.NewPlayerAnswer)
    with made.client.AuthenticatedClient(service.url, player.token) as ada:
        wish = models.LePlateauGameInput(
            "le-plateau",
            [models.SeatForMe(player="me")] * 4,
            sandbox=True,
            options=models.LePlateauOptionsInput(hands=8, first_dealer=3),
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
        assert legal.count == len(legal.actions) > 0
        lobby = made.list_games.sync(client=ada, status=models.GameStatus.ACTIVE)
        assert game.id in [item.id for item in lobby.items]
