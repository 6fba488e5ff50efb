"""A ruleset of an installed package: found, listed, served, drawn, played by bots, and gone when it is uninstalled."""

import json
import os
import random
import shutil
import subprocess
import time
from collections import Counter
from pathlib import Path

import httpx
import pytest
from jsonschema_rs import Draft202012Validator
from playwright.sync_api import expect, sync_playwright

from domain.registry import BUILT_IN
from tests.browser.conftest import chromium
from tests.examples.packages import DICE, player, run
from tests.fuzz.worlds import operation_of
from tests.service.cli.play import terminals
from tests.support.processes import PATIENCE
from tests.support.server import ROOT, RunningService, running_service, wait_until
from workers.policy_process import PolicyProcess

BUILT_IN_IDS = [ruleset.id for ruleset in BUILT_IN]
ALL_IDS = [*BUILT_IN_IDS, "hearts", "liars-dice"]
SEATS = [{"player": "me"}, {"bot": "random"}, {"bot": "random"}]


def created(client: httpx.Client, ruleset: str, **wish: object) -> str:
    answer = client.post("/v1/games", json={"ruleset": ruleset, "seats": SEATS, **wish})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def played(client: httpx.Client, game: str, rng: random.Random) -> dict:
    """Play random legal actions on the seat of a player until the game is over; return the last view."""
    deadline = time.monotonic() + PATIENCE
    while (view := client.get(f"/v1/games/{game}/view").json())["game"]["status"] == "active":
        assert time.monotonic() < deadline, view
        if 0 in view["to_act"]:
            action = rng.choice(view["legal_actions"]["actions"])
            assert client.post(f"/v1/games/{game}/actions", json=action).status_code == 201
        else:
            time.sleep(0.02)
    return view


@pytest.mark.long
def test_the_tests_of_the_example_pass_where_only_the_installed_package_is(installed: str, tmp_path: Path) -> None:
    shutil.copy(DICE / "tests/test_liars_dice.py", tmp_path)
    done = run(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"], installed, tmp_path)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "passed" in done.stdout


def test_it_is_listed_after_the_built_in_games_and_shown_in_full(extended: RunningService) -> None:
    listed = httpx.get(f"{extended.url}/v1/rulesets").json()["items"]
    assert [ruleset["id"] for ruleset in listed] == ALL_IDS
    shown = httpx.get(f"{extended.url}/v1/rulesets/liars-dice").json()
    assert shown["rules"] == (DICE / "liars_dice/rules.md").read_text()
    assert shown["actions"].keys() == {"bid", "challenge"}
    assert shown["proposals"].keys() == {"pause", "resume", "abort", "take_back"}
    components = httpx.get(f"{extended.url}/openapi.json").json()["components"]["schemas"]
    assert {"LiarsDiceBidAction", "LiarsDiceOptions", "LiarsDiceView", "PluteBidAction"} <= components.keys()
    for union in ("GameInput", "Game", "View", "EventPage", "ActionAnswer", "LegalActions"):
        assert [*components[union]["discriminator"]["mapping"]] == ALL_IDS


def test_a_bot_of_the_package_is_offered_for_its_ruleset_alone_and_plays_it(extended: RunningService) -> None:
    listed = {bot["name"]: bot for bot in httpx.get(f"{extended.url}/v1/bots").json()["items"]}
    assert listed["liars-dice.careful"]["rulesets"] == ["liars-dice"]
    with player(extended) as client:
        seats = [{"bot": "liars-dice.careful"}, {"bot": "random"}]
        game = created(client, "liars-dice", seats=seats)
        wait_until(lambda: client.get(f"/v1/games/{game}").json()["status"] == "finished", "the game to end")
        events = client.get(f"/v1/games/{game}/events?limit=1000").json()["events"]
        thoughts = [event["bot"]["thought"]["chosen"] for event in events if event.get("seat") == 0 and "bot" in event]
        assert set(thoughts) == {"policy"}
        refused = client.post("/v1/games", json={"ruleset": "plute", "seats": [{"bot": "liars-dice.careful"}] * 6})
        assert (refused.status_code, refused.json()["code"]) == (422, "bot-does-not-play")


def test_the_web_client_offers_the_bots_that_play_it_and_seats_one_that_knows_it(extended: RunningService) -> None:
    program = chromium()
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"]).new_page(locale="en-GB")
        page.goto(extended.url)
        play = page.get_by_role("button", name="Play Liar's Dice", exact=True)
        offered = page.get_by_role("listitem").filter(has=play).get_by_label("Bots")
        expect(offered.get_by_role("option")).to_have_text(["Random", "Careful dice"])
        expect(offered).to_have_value("liars-dice.careful")
        with page.expect_request(lambda sent: sent.method == "POST" and sent.url.endswith("/v1/games")) as posted:
            play.click()
        seats = posted.value.post_data_json["seats"]
        assert seats == [{"player": "me"}, *[{"bot": "liars-dice.careful"}] * (len(seats) - 1)]


class Judge:
    """Checks requests that were accepted and their responses against the document of the service."""

    def __init__(self, url: str) -> None:
        document = httpx.get(f"{url}/openapi.json").json()
        self._document, self._components = document, document["components"]
        self._operations = {each["operationId"]: each for path in document["paths"].values() for each in path.values()}
        self.judged: Counter[str] = Counter()

    def takes(self, name: str, value: object) -> bool:
        """Whether a value is of a component."""
        return self._is_valid({"$ref": f"#/components/schemas/{name}"}, value)

    def __call__(self, response: httpx.Response) -> None:
        """Check a response, as a hook of a client."""
        response.read()
        name = operation_of(self._document, response.request.method, response.request.url.path)
        operation, kind = self._operations[name], response.headers["Content-Type"].partition(";")[0]
        assert response.status_code < 300, response.text
        if response.request.content:
            body = operation["requestBody"]["content"]["application/json"]
            assert self._is_valid(body["schema"], json.loads(response.request.content)), response.request.content
        promised = operation["responses"][str(response.status_code)]["content"][kind]
        assert self._is_valid(promised["schema"], response.json()), (name, response.text)
        self.judged[name] += 1

    def _is_valid(self, schema: dict, value: object) -> bool:
        return bool(Draft202012Validator({**schema, "components": self._components}).is_valid(value))


@pytest.mark.long
def test_whatever_a_game_of_it_answers_is_as_the_document_of_that_service_says(extended: RunningService) -> None:
    judge, rng = Judge(extended.url), random.Random(2)
    with player(extended) as ada:
        ada.event_hooks = {"response": [judge]}
        game = created(ada, "liars-dice", seats=[{"player": "me"}] * 3, sandbox=True, options={"dice": 2})
        path = f"/v1/games/{game}"
        while (view := ada.get(f"{path}/view").json())["game"]["status"] == "active":
            seat = view["viewer"]["seat"]
            listed = ada.get(f"{path}/legal-actions?as={seat}").json()["actions"]
            assert ada.post(f"{path}/actions?as={seat}", json=rng.choice(listed)).status_code == 201
            for viewer in ("spectator", (seat + 1) % 3):
                assert ada.get(f"{path}/view?as={viewer}").json()["ruleset"] == "liars-dice"
            ada.get(f"{path}/events?as={seat}&limit=1000")
        for rest in (path, f"{path}/events?as=spectator&limit=1000", "/v1/games", "/v1/me/games"):
            ada.get(rest)
    assert judge.judged.keys() >= {"create_game", "act", "show_view", "list_legal_actions", "list_events", "list_games"}
    assert judge.judged["act"] >= 6
    for spoilt in (view | {"ruleset": "plute"}, view | {"state": view["state"] | {"cups": [1]}}):
        assert (judge.takes("View", view), judge.takes("View", spoilt)) == (True, False)


def test_a_whole_game_is_played_with_bots_and_drawn(extended: RunningService, installed: str) -> None:
    with player(extended) as ada:
        game = created(ada, "liars-dice", options={"dice": 2})
        view = played(ada, game, random.Random(1))
        assert view["state"]["turn"] is None
        log = ada.get(f"/v1/games/{game}/events?limit=1000").json()["events"]
        assert {event["seat"] for event in log if event["type"] == "bid_made"} >= {1, 2}
        assert ada.get(f"/v1/games/{game}/board.svg").text.startswith("<svg")
        assert ada.get(f"/v1/games/{game}/export?format=text").json()["code"] == "unsupported"
        board = run(["-m", "service.cli.main", "board", game, "--url", extended.url], installed)
        (winner,) = (cup["seat"] for cup in view["state"]["cups"] if cup["count"])
        assert f"Seat {winner + 1} wins" in board.stdout, board.stderr


def test_the_process_of_the_bots_finds_it(installed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot draws a world by the ruleset where too many actions are legal to be listed."""
    monkeypatch.setenv("PYTHONPATH", installed)
    cups = [{"seat": 0, "count": 2, "dice": [3, 5]}, {"seat": 1, "count": 2, "dice": None}]
    view = {
        "game": {"ruleset": "liars-dice", "options": {"dice": 2, "wild_ones": True}},
        "viewer": {"seat": 0},
        "state": {"round": 1, "starter": 0, "turn": 0, "cups": cups, "bids": [], "last": None},
        "legal_actions": {"count": 20, "actions": None},
    }
    policy_process = PolicyProcess(PATIENCE)
    try:
        assert policy_process.think("workers.bots.uniform:think", view, 1).action["type"] == "bid"
    finally:
        policy_process.stop()


@pytest.mark.long
def test_once_it_is_uninstalled_all_else_is_as_before(installed: str, tmp_path: Path) -> None:
    with running_service(tmp_path, {"PYTHONPATH": installed}) as with_it, player(with_it) as ada:
        dice, cards = (created(ada, ruleset) for ruleset in ("liars-dice", "le-plateau"))
        view = ada.get(f"/v1/games/{cards}/view").json()
        token = ada.headers["Authorization"]
    with (
        running_service(tmp_path) as without,
        httpx.Client(base_url=without.url, headers={"Authorization": token}) as ada,
    ):
        assert [each["id"] for each in ada.get("/v1/rulesets").json()["items"]] == BUILT_IN_IDS
        assert ada.get(f"/v1/games/{cards}/view").json() == view
        assert [each["id"] for each in ada.get("/v1/games").json()["items"]] == [cards]
        assert {each["id"] for each in ada.get("/v1/me/games").json()["items"]} == {dice, cards}
        refused = ada.get(f"/v1/games/{dice}")
        assert (refused.status_code, refused.json()["code"]) == (503, "ruleset-missing")
        assert f"the ruleset of {dice} is not installed: liars-dice" in without.errors


def package(folder: Path, name: str, value: str, **modules: str) -> None:
    """Install a package that declares a ruleset, as pip would leave it."""
    info = folder / f"{name}-2.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.0\n")
    (info / "entry_points.txt").write_text(f"[plateau.rulesets]\n{name} = {value}\n")
    for module, source in modules.items():
        (folder / f"{module}.py").write_text(source)


@pytest.mark.parametrize(
    "command",
    [["serve", "--memory"], *(pytest.param([each], marks=pytest.mark.long) for each in ("worker", "dispatch"))],
)
def test_a_package_whose_ruleset_cannot_be_loaded_is_refused_by_name(command: list[str], tmp_path: Path) -> None:
    package(tmp_path, "bad-dice", "bad_dice:RULESET", bad_dice="raise OSError('no\\ndice')")
    done = run(["-m", "service.cli.main", *command], str(tmp_path))
    assert done.returncode == 2
    assert done.stderr == (
        "plateau: the package bad-dice 2.0 offers a ruleset that cannot be used (bad-dice = bad_dice:RULESET): "
        "OSError: no dice. Fix or uninstall it.\n"
    )


def test_it_is_played_in_a_terminal_which_does_not_know_it(extended: RunningService) -> None:
    with terminals.Terminal(
        extended.url, "liars-dice", "--players", "3", "--bot", "random", "--option", "dice=2"
    ) as terminal:
        assert terminals.played(terminal) == {"Liar's Dice"}
        assert "The game is over." in terminal.text


def test_a_package_that_offers_a_ruleset_again_is_refused_by_name(installed: str, tmp_path: Path) -> None:
    package(tmp_path, "loaded-dice", "liars_dice:RULESET")
    done = run(["-m", "service.cli.main", "serve", "--memory"], f"{installed}{os.pathsep}{tmp_path}")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "the package loaded-dice 2.0 offers a ruleset that cannot be used" in done.stderr
    assert "there is already a ruleset liars-dice, from the package liars-dice 1.0.0" in done.stderr


def test_the_page_on_adding_a_ruleset_shows_the_examples_as_they_are() -> None:
    shown = (ROOT / "docs/add-a-ruleset.md").read_text().split("<!-- from: ")[1:]
    assert len(shown) > 5
    for excerpt in shown:
        path, _, rest = excerpt.partition(" -->\n```")
        code = rest.partition("\n")[2].partition("```")[0]
        for part in code.split("…\n"):
            assert part.strip("\n") in (ROOT / "examples" / path).read_text(), f"{path}:\n{part}"


def test_the_games_of_the_page_on_adding_a_ruleset_work_as_pasted(extended: RunningService) -> None:
    page = (ROOT / "docs/add-a-ruleset.md").read_text()
    script = page.partition("<!-- test: liars-dice -->\n```sh\n")[2].partition("```")[0]
    assert script
    script = script.replace("http://127.0.0.1:8000", extended.url)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "/v1/problems/" not in done.stdout
    assert json.loads(done.stdout.splitlines()[-1])["state"]["bids"]
