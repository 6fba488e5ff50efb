"""`plateau entries` against the service as a process of its own."""

import json
from pathlib import Path

from click.testing import CliRunner, Result

from service.cli.entries import entries
from service.cli.hosting import games_here
from tests.support.people import Client
from tests.support.server import running_service
from tests.support.stores import damage


def test_a_log_is_printed_as_json(tmp_path: Path) -> None:
    with running_service(tmp_path, {"PLATEAU_WORKERS": "0"}) as service:
        game = Client(service.url).begin([{"player": "me"}, {"open": True}])

        def run(*words: str) -> Result:
            games_here.cache_clear()
            return CliRunner().invoke(entries, words, env={"PLATEAU_DATA": str(service.data), "REDIS_URL": ""})

        shown = run(game)
        assert shown.exit_code == 0
        created, *_ = log = [json.loads(line) for line in shown.output.splitlines()]
        assert [event["type"] for event in log] == ["game_created", "seat_taken"]
        assert len(created["hidden"]["/secret"]["value"]) == 64
        assert run("gm_none").exit_code == 1
        damage(games_here().client, game, 2)
        assert (run(game).exit_code, "damaged at version 2" in run(game).output) == (1, True)
    assert run(game).exit_code == 3
