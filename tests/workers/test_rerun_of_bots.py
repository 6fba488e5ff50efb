"""Whole games between bots that do not move at random: each move is made again, and is the same."""

from collections.abc import Iterator

import httpx
import pytest
from click.testing import CliRunner

from service.cli.main import main
from tests.support.server import RunningService, running_service, wait_until

GAMES = [
    ("le-plateau", ["greedy", "searcher-club"], {}),
    ("french-tarot", ["greedy", "searcher-club", "greedy"], {"deals": 1}),
    ("plute", ["greedy", "searcher-club"] * 3, {"win_at": 1, "lose_at": 1}),
    ("plateau", ["greedy", "searcher"], {"max_plies": 20}),
]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("service"), {"PLATEAU_WORKERS": "1"}) as running:
        yield running


@pytest.mark.long
@pytest.mark.parametrize(("ruleset_id", "bots", "options"), GAMES)
def test_every_move_of_a_game_between_bots_is_the_same_again(
    service: RunningService, ruleset_id: str, bots: list[str], options: dict[str, int]
) -> None:
    token = httpx.post(f"{service.url}/v1/players", json={"name": "Ada"}).json()["token"]
    asked = {"ruleset": ruleset_id, "seats": [{"bot": name} for name in bots], "options": options}
    created = httpx.post(f"{service.url}/v1/games", json=asked, headers={"Authorization": f"Bearer {token}"})
    game_id = created.raise_for_status().json()["id"]
    url = f"{service.url}/v1/games/{game_id}"
    wait_until(lambda: httpx.get(url).json()["status"] == "finished", "the game to end", 300)
    run = CliRunner().invoke(main, ["rerun", game_id, "--url", service.url], env={"PLATEAU_TOKEN": None})
    assert run.exit_code == 0, run.output
    *lines, summary = run.output.splitlines()
    assert summary == f"moves made again: {len(lines)}, of which differ: 0"
    by_bot = {name: [line for line in lines if f"  {name} " in line] for name in bots}
    assert all(len(made) > 5 for made in by_bot.values()), lines
    assert any(" playouts" in line for line in by_bot[bots[1]]), "some were searched for"
