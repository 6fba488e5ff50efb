"""Hearts, a card game in a package of its own: installed, tested by itself, played over HTTP, and read in French."""

import random
import re
import shutil
import time
from pathlib import Path

import httpx
import pytest

from tests.examples.packages import HEARTS, player, run
from tests.support.server import RunningService, wait_until

PLAIN_PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")


@pytest.mark.parametrize(
    "chosen",
    [
        "not (keeps_the_laws or law_notices)",
        pytest.param("test_laws or law_notices", marks=pytest.mark.long),
    ],
    ids=["some laws", "all laws"],
)
def test_its_own_tests_pass_where_only_the_installed_package_is(installed: str, tmp_path: Path, chosen: str) -> None:
    tests = shutil.copytree(HEARTS / "tests", tmp_path / "tests")
    done = run([*PLAIN_PYTEST, "-k", chosen], installed, tests)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "passed" in done.stdout


def hand_of_four(client: httpx.Client) -> str:
    """Start a game and play its first hand on three seats, beside the bot of the package; return its id."""
    seats = [*[{"player": "me"}] * 3, {"bot": "hearts.careful"}]
    wish = {"ruleset": "hearts", "seats": seats, "sandbox": True, "options": {"limit": 25}}
    game, rng = str(client.post("/v1/games", json=wish).json()["id"]), random.Random(1)
    path = f"/v1/games/{game}"
    while not (view := client.get(f"{path}/view").json())["state"]["hand_results"]:
        if view["to_act"] in ([], [3]):
            time.sleep(0.01)
            continue
        seat = view["to_act"][0]
        listed = client.get(f"{path}/legal-actions?as={seat}").json()["actions"]
        assert client.post(f"{path}/actions?as={seat}", json=rng.choice(listed)).status_code == 201
    return game


def test_a_hand_is_played_over_http_and_its_reader_gets_french_words(extended: RunningService) -> None:
    with player(extended) as ada:
        path = f"/v1/games/{hand_of_four(ada)}"
        events = ada.get(f"{path}/events?limit=1000&lang=fr&as=0").json()["events"]
        told = {event["type"]: event["sentence"]["text"] for event in reversed(events) if "sentence" in event}
        assert told["hand_dealt"].startswith("Donne 1\u00a0: ")
        assert "\u00a0; les cartes passent à gauche\u00a0; main (Joueur 1)\u00a0: " in told["hand_dealt"]
        assert told["cards_passed"].startswith("Les cartes changent de main\u00a0; ")
        assert re.fullmatch(r".+ a le 2 de trèfle et entame\.", told["play_began"])
        assert told["hand_scored"].startswith("La donne 1 est finie\u00a0: ")
        scene = ada.get(f"{path}/scene?lang=fr&as=0").json()
        assert scene["title"] == "Donne 2\u00a0: échange"
        assert "Chacun donne 3 cartes à droite" in scene["lines"]
        view = ada.get(f"{path}/view?as=0").json()
        cards = view["state"]["hands"][0]["cards"][:2]
        refused = ada.post(
            f"{path}/actions?as=0&lang=fr", json={"type": "pass", "cards": cards}, headers={"Accept-Language": "fr"}
        ).json()
        assert refused["detail"] == "on donne 3 cartes différentes, pas 2"
        assert refused["rule"] == "2. Passing"


@pytest.mark.long
def test_four_bots_of_the_package_play_a_game_that_is_exported_and_read_again(
    extended: RunningService, installed: str, tmp_path: Path
) -> None:
    with player(extended) as ada:
        wish = {"ruleset": "hearts", "seats": [{"bot": "hearts.careful"}] * 4, "options": {"limit": 25}}
        path = f"/v1/games/{ada.post('/v1/games', json=wish).json()['id']}"
        wait_until(lambda: ada.get(path).json()["status"] == "finished", "the game to end")
        (tmp_path / "game.txt").write_text(ada.get(f"{path}/export?format=text").text)
        (tmp_path / "game.jsonl").write_text(ada.get(f"{path}/export?format=bundle").text)
        scores = ada.get(path).json()["outcome"]["scores"]
    checked = run(["-m", "service.cli.main", "check", str(tmp_path / "game.txt")], installed)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert f"scores {' '.join(map(str, scores))}" in checked.stdout
    verified = run(["-m", "service.cli.main", "verify", str(tmp_path / "game.jsonl")], installed)
    assert verified.returncode == 0, verified.stdout + verified.stderr


def test_its_tutorial_and_its_bots_by_strength_are_offered_in_french(extended: RunningService) -> None:
    lesson = httpx.get(f"{extended.url}/v1/rulesets/hearts/tutorial?lang=fr").json()
    assert lesson["steps"][0]["comment"].startswith("Quatre joueurs, chacun pour soi.")
    assert lesson["steps"][0]["move"]["action"] == {"type": "pass", "cards": ["QS", "KH", "JD"]}
    bots = httpx.get(f"{extended.url}/v1/bots?lang=fr").json()["items"]
    titles = [(bot["name"], bot["title"]) for bot in bots if bot["rulesets"] == ["hearts"]]
    assert titles == [("hearts.careless", "Joueur étourdi"), ("hearts.careful", "Joueur prudent")]
