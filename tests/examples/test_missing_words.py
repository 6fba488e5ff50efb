"""A package that lacks words of a language: readers get English for these, and a warning at the start names them."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator

import httpx
import pytest

from tests.examples.packages import EXAMPLE, NO_NETWORK, PIP, player
from tests.support.server import RunningService, running_service

FRENCH = {"bid_challenged": "{player} conteste l’annonce.", "action.challenge": "contester l’annonce"}
"""The words that the package has in French; it has none in Japanese."""

LESSON = {
    "seats": 2,
    "learner": 0,
    "options": {"dice": 1},
    "secret": "18482c023224e7fffcd04ae8eca8c0ad9bda566cf26c06c2f60bd576099315eb",
    "moves": [[0, {"type": "bid", "count": 1, "face": 3}], [1, {"type": "challenge"}]],
    "steps": [{"comment": "bid", "after": 0}, {"comment": "end", "after": 2}],
}
COMMENTS = {
    "en": {"bid": "You have a three, so bid one three.", "end": "There is a three: you win."},
    "fr": {"end": "Il y a un trois : vous gagnez."},
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    folder = tmp_path_factory.mktemp("installed")
    source = shutil.copytree(EXAMPLE, tmp_path_factory.mktemp("source") / "liars-dice")
    package = source / "liars_dice"
    (package / "sentences.ja.json").unlink(missing_ok=True)
    files = {"sentences.fr": FRENCH, "tutorial": LESSON} | {f"tutorial.{each}": COMMENTS[each] for each in COMMENTS}
    for name, content in files.items():
        (package / f"{name}.json").write_text(json.dumps(content), "utf-8")
    subprocess.run([*PIP, *NO_NETWORK, "--target", folder, source], check=True)
    with running_service(tmp_path_factory.mktemp("service"), {"PYTHONPATH": str(folder)}) as running:
        yield running


def test_a_tutorial_without_comments_in_a_language_has_the_original_ones(service: RunningService) -> None:
    said = {}
    for language in ("en", "fr", "ja"):
        answer = httpx.get(f"{service.url}/v1/rulesets/liars-dice/tutorial?lang={language}")
        assert answer.status_code == 200, answer.text
        said[language] = [step["comment"] for step in answer.json()["steps"]]
    assert said["en"] == said["ja"] == [*COMMENTS["en"].values()]
    assert said["fr"] == [COMMENTS["en"]["bid"], COMMENTS["fr"]["end"]]


def test_whatever_says_something_of_a_game_says_in_the_original_what_a_language_lacks(service: RunningService) -> None:
    with player(service) as ada:
        wish = {"ruleset": "liars-dice", "options": {"dice": 1}, "sandbox": True, "seats": [{"player": "me"}] * 2}
        game = f"/v1/games/{ada.post('/v1/games', json=wish).json()['id']}"
        for kind in ({"type": "bid", "count": 1, "face": 3}, {"type": "challenge"}):
            for language in ("fr", "ja"):
                view = ada.get(f"{game}/view?lang={language}").json()
                assert "Bid 2 × 6" in view["legal_actions"]["says"]
                for shown in ("board.svg", "scene"):
                    assert ada.get(f"{game}/{shown}?lang={language}").status_code == 200
            seat = view["viewer"]["seat"]
            assert ada.post(f"{game}/actions?as={seat}", json=kind).status_code == 201
        for language, challenged, begun in (
            ("fr", "conteste l’annonce.", "La partie commence."),
            ("ja", "challenges the bid.", "ゲームが始まりました。"),
        ):
            events = ada.get(f"{game}/events?lang={language}&limit=1000").json()["events"]
            texts = " ".join(event["sentence"]["text"] for event in events)
            assert all(each in texts for each in ("bids 1 × 3.", challenged, begun)), texts
            shown = httpx.get(f"{service.url}/v1/rulesets/liars-dice?lang={language}")
            assert (shown.status_code, shown.json()["name"]) == (200, "Liar's Dice")


def test_one_warning_at_the_start_names_what_is_missing_in_each_language(service: RunningService) -> None:
    (line,) = [line for line in service.errors.splitlines() if "liars-dice lacks words" in line]
    assert "for which readers get English: fr: dice, under, dice_rolled, dice_rolled.seen, " in line
    assert re.search(r", tutorial bid; ja: dice, under, .* and \d+ more", line)
    assert "bid_challenged" not in line.partition("ja:")[0]
