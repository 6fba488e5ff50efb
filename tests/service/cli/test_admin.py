"""`plateau admin` against the service as a process of its own: a token from the host, and what it is good for."""

from pathlib import Path

from click.testing import Result

from tests.support.commands import Player, plateau
from tests.support.server import RunningService

ME, OPEN = {"player": "me"}, {"open": True}


def test_with_a_token_of_the_host_an_operator_acts_on_games_and_reads_the_log(service: RunningService) -> None:
    ada = Player(service.url)
    me = ada.ask("GET", "/v1/me")["id"]
    game, other = ada.begin(ME, OPEN), ada.begin(ME, OPEN)

    def run(*words: str, token: str = "", data: Path | str = "") -> Result:
        return plateau("admin", *words, PLATEAU_URL=service.url, PLATEAU_TOKEN=token, PLATEAU_DATA=data)

    assert run("token", "pl_nobody", data=service.data).exit_code == 1
    made = run("token", me, "--label", "on call", data=service.data)
    assert made.exit_code == 0
    token = made.output.strip()
    assert "on call" in {each["label"] for each in ada.ask("GET", "/v1/me/tokens")["items"]}

    assert run("abort", game, "--reason", "x", token=ada.token).exit_code == 1
    ended = run("abort", game, "--reason", "stuck", token=token)
    assert (ended.exit_code, ended.output) == (0, f"{game} is aborted, at version 4.\n")
    assert run("abort", game, "--reason", "stuck", token=token).exit_code == 1
    replaced = run("replace", other, "0", "--bot", "random", "--reason", "lost", token=token)
    assert (replaced.exit_code, replaced.output) == (0, f"{other} is open, at version 4.\n")
    told = run("log", "--limit", "5", token=token).output.splitlines()
    assert [line.split("  ", 2)[1:] for line in told] == [
        [me, f"replace game_id {other}, seat 0, bot random: lost"],
        [me, f"abort game_id {game}: stuck"],
        [me, f"abort game_id {game}: stuck"],
        ["host", f"token player {me}"],
        ["host", "token player pl_nobody"],
    ]
