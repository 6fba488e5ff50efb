"""A client that openapi-python-client writes from the document alone: mypy accepts it, and it plays whole games."""

import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.clients.conftest import strictly_checked

pytestmark = pytest.mark.long

PLAYER = Path(__file__).with_name("generated_player.py")


def test_mypy_accepts_the_package_and_a_player_of_its_types(generated):
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
