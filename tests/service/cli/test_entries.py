"""`plateau entries` against the service as a process of its own."""

import json
from pathlib import Path

from click.testing import CliRunner, Result

from service.cli.entries import entries
from service.cli.hosting import games_here
from tests.attacks.test_damaged_log import Client, damage
from tests.servers import running_service


def test_a_log_is_printed_as_json_and_the_kind_of_new_entries_can_be_changed(tmp_path: Path) -> None:
    with running_service(tmp_path, {"PLATEAU_WORKERS": "0"}) as service:
        game = Client(service.url).begin([{"player": "me"}, {"open": True}])

        def run(*words: str) -> Result:
            games_here.cache_clear()
            return CliRunner().invoke(entries, words, env={"PLATEAU_DATA": str(service.data), "REDIS_URL": ""})

        shown = run("show", game)
        assert shown.exit_code == 0
        created, *_ = log = [json.loads(line) for line in shown.output.splitlines()]
        assert [event["type"] for event in log] == ["game_created", "seat_taken"]
        assert len(created["hidden"]["/secret"]["value"]) == 64
        assert run("show", "gm_none").exit_code == 1
        assert run("kind").output == "compact\n"
        assert run("kind", "xml").exit_code == 2
        assert run("kind", "json").output == run("kind").output == "json\n"
        assert run("show", game).output == shown.output
        damage(games_here().client, game, 2)
        assert (run("show", game).exit_code, "damaged at version 2" in run("show", game).output) == (1, True)
    assert run("kind").exit_code == 3
