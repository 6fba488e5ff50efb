"""`plateau admin` against the service as a process of its own: a token from the host, and what it is good for."""

import pytest
from click.testing import CliRunner, Result

from service.cli.admin import admin
from tests.support.people import Client
from tests.support.server import RunningService

ME, OPEN = {"player": "me"}, {"open": True}


def test_the_host_gives_a_token_and_its_owner_ends_a_game_replaces_a_player_and_reads_the_log(
    service: RunningService, tmp_path_factory: pytest.TempPathFactory
) -> None:
    ada = Client(service.url)
    me = ada.ask("GET", "/v1/me")[1]["id"]
    game, other = ada.begin([ME, OPEN]), ada.begin([ME, OPEN])

    def run(*words: str, token: str = "", **env: str) -> Result:
        given = {"PLATEAU_URL": service.url, "PLATEAU_TOKEN": token, **env}
        return CliRunner().invoke(admin, words, env=given)

    data = {"PLATEAU_DATA": str(service.data), "REDIS_URL": ""}
    assert run("token", "pl_nobody", **data).exit_code == 1
    assert run("token", me, PLATEAU_DATA=str(tmp_path_factory.mktemp("empty")), REDIS_URL="").exit_code == 3
    made = run("token", me, "--label", "on call", **data)
    assert made.exit_code == 0
    token = made.output.strip()
    assert "on call" in {each["label"] for each in ada.ask("GET", "/v1/me/tokens")[1]["items"]}

    assert run("abort", game, "--reason", "x", token=ada.token).exit_code == 1
    assert run("abort", game, token=token).exit_code == 2
    ended = run("abort", game, "--reason", "stuck", token=token)
    assert (ended.exit_code, ended.output) == (0, f"{game} is aborted, at version 4.\n")
    assert run("abort", game, "--reason", "stuck", token=token).exit_code == 1
    replaced = run("replace", other, "0", "--bot", "random", "--reason", "lost", token=token)
    assert (replaced.exit_code, replaced.output) == (0, f"{other} is open, at version 4.\n")
    told = run("log", token=token).output.splitlines()
    assert [line.split("  ", 2)[1:] for line in told] == [
        [me, f"replace game_id {other}, seat 0, bot random: lost"],
        [me, f"abort game_id {game}: stuck"],
        [me, f"abort game_id {game}: stuck"],
        ["host", f"token player {me}"],
        ["host", "token player pl_nobody"],
    ]
