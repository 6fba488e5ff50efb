"""Packages that lack words, or whose tutorial does not play: their games can be read and played, with warnings."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.examples.packages import install, player
from tests.support.server import RunningService, running_service

FRENCH = {"bid_challenged": "{player} conteste l’annonce.", "action.challenge": "contester l’annonce"}
"""The words that the dice have in French; they have none in Japanese."""

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
LACKING = ("has", "scene.title.hand", "scene.pass.left", "scene.note.choosing", "refused.wrong-number-of-cards")
"""Messages that Hearts says in events, pictures and refusals, and that are removed in each of its languages."""


def spoilt(sources: Path) -> None:
    """Take words from both packages, and give them tutorials: one without comments, one that does not play."""
    dice, hearts = sources / "liars-dice/liars_dice", sources / "hearts/hearts"
    (dice / "sentences.ja.json").unlink(missing_ok=True)
    files = {"sentences.fr": FRENCH, "tutorial": LESSON} | {f"tutorial.{each}": COMMENTS[each] for each in COMMENTS}
    for name, content in files.items():
        (dice / f"{name}.json").write_text(json.dumps(content), "utf-8")
    for language in ("en", "fr"):
        path = hearts / f"sentences.{language}.json"
        words = json.loads(path.read_text("utf-8"))
        path.write_text(json.dumps({each: text for each, text in words.items() if each not in LACKING}), "utf-8")
    lesson = hearts / "tutorial.json"
    lesson.write_text(json.dumps(json.loads(lesson.read_text("utf-8")) | {"secret": "00" * 32}), "utf-8")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    folder = install(tmp_path_factory.mktemp("installed"), tmp_path_factory.mktemp("sources"), spoilt)
    environ = {"PYTHONPATH": folder, "PLATEAU_WEB_PROCESSES": "1", "PLATEAU_WORKERS": "0"}
    with running_service(tmp_path_factory.mktemp("service"), environ) as running:
        yield running


def test_a_tutorial_without_comments_in_a_language_has_the_original_ones(service: RunningService) -> None:
    said = {}
    for language in ("en", "fr", "ja"):
        answer = httpx.get(f"{service.url}/v1/rulesets/liars-dice/tutorial?lang={language}")
        assert answer.status_code == 200, answer.text
        said[language] = [step["comment"] for step in answer.json()["steps"]]
    assert said["en"] == said["ja"] == [*COMMENTS["en"].values()]
    assert said["fr"] == [COMMENTS["en"]["bid"], COMMENTS["fr"]["end"]]


def test_what_a_language_lacks_is_said_in_the_original(service: RunningService) -> None:
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
