"""A package whose words lack what it says and whose tutorial does not play: its games can still be read and played."""

import json
import shutil
import subprocess
from collections.abc import Iterator

import httpx
import pytest

from tests.examples.packages import NO_NETWORK, PIP, player
from tests.support.server import ROOT, RunningService, running_service

LACKING = ("has", "scene.title.hand", "scene.pass.left", "scene.note.choosing", "refused.wrong-number-of-cards")
"""Messages that the package says in events, pictures and refusals, and that are removed in each of its languages."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    folder = tmp_path_factory.mktemp("installed")
    source = shutil.copytree(ROOT / "examples/hearts", tmp_path_factory.mktemp("source") / "hearts")
    for language in ("en", "fr"):
        path = source / f"hearts/sentences.{language}.json"
        words = json.loads(path.read_text("utf-8"))
        path.write_text(json.dumps({each: text for each, text in words.items() if each not in LACKING}), "utf-8")
    lesson = source / "hearts/tutorial.json"
    lesson.write_text(json.dumps(json.loads(lesson.read_text("utf-8")) | {"secret": "00" * 32}), "utf-8")
    subprocess.run([*PIP, *NO_NETWORK, "--target", folder, source], check=True)
    environ = {"PYTHONPATH": str(folder), "PLATEAU_WEB_PROCESSES": "1", "PLATEAU_WORKERS": "0"}
    with running_service(tmp_path_factory.mktemp("service"), environ) as running:
        yield running


@pytest.mark.parametrize("language", ["en", "fr", "ja"])
def test_a_message_without_words_is_read_by_its_id_and_its_parameters(service: RunningService, language: str) -> None:
    with player(service) as ada:
        wish = {"ruleset": "hearts", "sandbox": True, "seats": [{"player": "me"}] * 4}
        game = f"/v1/games/{ada.post('/v1/games', json=wish).json()['id']}"
        asked = f"?lang={language}&as=0"
        scene = ada.get(f"{game}/scene{asked}")
        assert scene.status_code == 200
        assert scene.json()["title"].startswith("scene.title.hand (hand: 1, part: ")
        assert {seat["note"] for seat in scene.json()["seats"]} == {"scene.note.choosing"}
        for shown in ("view", "board.svg", "events"):
            assert ada.get(f"{game}/{shown}{asked}").status_code == 200, shown
        refused = ada.post(f"{game}/actions{asked}", json={"type": "pass", "cards": []})
        assert (refused.status_code, refused.json()["code"]) == (422, "wrong-number-of-cards")
        assert "refused.wrong-number-of-cards (wanted: 3, given: 0)" in refused.json()["detail"]


def test_a_tutorial_that_does_not_play_is_as_none(service: RunningService) -> None:
    listed = httpx.get(f"{service.url}/v1/rulesets").json()["items"]
    assert [each["id"] for each in listed if not each["has_tutorial"]] == ["hearts"]
    answer = httpx.get(f"{service.url}/v1/rulesets/hearts/tutorial?lang=fr")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (answer.status_code, answer.json()["code"]) == (404, "no-tutorial")


def test_each_fault_is_warned_of_once(service: RunningService) -> None:
    for message_id in LACKING[1:]:
        assert service.errors.count(f"hearts cannot say {message_id}, so readers get this id: ") == 1
    assert service.errors.count("hearts has a tutorial that does not play") == 1
    assert "Traceback" not in service.errors
