"""The document, with state: schemathesis follows its links against a service that runs.

Requests are made from the document, right and wrong ones, one after the other in scenarios. What no document can tell
is put in here: tokens, the ids of games that exist, actions that are legal now; so that the scenarios get somewhere.
"""

import random
from itertools import count
from typing import Any

import httpx
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.specs.openapi.checks import (
    ensure_resource_availability,
    ignored_auth,
    positive_data_acceptance,
    use_after_free,
)

from domain.registry import RULESETS
from tests.fuzz.report import Report

PLAYERS, MOST_GAMES = 3, 30
SCENARIOS, STEPS, CASES = 4, 15, 20
LEFT_OUT = [
    positive_data_acceptance,  # what is legal depends on more than the form
    use_after_free,  # a player who is deleted here comes back as another
    ensure_resource_availability,  # a game can be private
    ignored_auth,  # it takes the tokens that are put in here for guesses; ``_check_token`` does better
]


def _shorten_wait(case: Any) -> None:
    """Let no request wait for long: the attack must get to all operations."""
    if isinstance((case.query or {}).get("wait"), int) and case.query["wait"] in range(2, 61):
        case.query["wait"] = 1


class Spec:
    """A service that runs, and who plays there."""

    def __init__(self, report: Report, number: int, url: str) -> None:
        self.report = report
        self._number = number
        self.rng = random.Random(f"spec {number}")
        self.http = httpx.Client(base_url=url, timeout=60)
        self.games: dict[str, dict[str, str]] = {}
        self.people: list[dict[str, str]] = []
        self.issued: set[str] = set()
        """The tokens that were given to callers."""
        config = SchemathesisConfig.from_dict({"seed": number})
        self._schema = schemathesis.openapi.from_url(f"{url}/openapi.json", config=config)

    def run(self) -> None:
        """Continue until the report has enough."""
        self.people = [self.newcomer() for _ in range(PLAYERS)]
        machine = self._machine()
        for round_ in count(self._number * 1_000_000):
            if not self.report.is_running:
                break
            machine._hypothesis_internal_use_seed = round_
            machine.run(settings=_settings(SCENARIOS))
            self._ask_once(round_)
        self.http.close()

    def newcomer(self) -> dict[str, str]:
        """Create a player; return id and token."""
        made: dict[str, str] = self.http.post("/v1/players", json={"name": "Eve"}).json()
        self.issued.add(made["token"])
        return made

    def _machine(self) -> Any:
        """Make the machine of scenarios; what it finds goes into the report, and the scenario continues."""
        outer, base = self, self._schema.as_state_machine()

        class Scenario(base):  # type: ignore[misc, valid-type]
            def before_call(self, case: Any) -> None:
                outer.made_usable(case)

            def after_call(self, response: Any, case: Any) -> None:
                super().after_call(response, case)
                outer.noted(response, case)

            def validate_response(self, response: Any, case: Any, *_: Any, **__: Any) -> None:
                outer._judge(case, response, recorder=self.recorder)

        return Scenario

    def _ask_once(self, round_: int) -> None:
        """Make requests to all operations, those too that no link leads to."""

        @seed(round_)
        @_settings(CASES)
        @given(case=self._schema.as_strategy())
        def ask(case: Any) -> None:
            self.made_usable(case)
            response = case.call()
            self.noted(response, case)
            self._judge(case, response)

        ask()

    def _judge(self, case: Any, response: Any, **more: Any) -> None:
        try:
            case.validate_response(response, excluded_checks=LEFT_OUT, **more)
        except (FailureGroup, Failure) as failure:
            for each in getattr(failure, "exceptions", [failure]):
                kind = f"{case.method} {case.path}: {getattr(each, 'title', type(each).__name__)}"
                self.report.found(kind, f"    {str(each)[:1500]}\n    {case.as_curl_command()[:1500]}")

    # -- what no document can tell ----------------------------------------------------------------------------------

    def made_usable(self, case: Any) -> None:
        """Put in a token, the id of a game, a seat, an action that is legal; mostly, not always."""
        _shorten_wait(case)
        game, person = self.rng.choice([*self.games.items()] or [("gm_0", self.rng.choice(self.people))])
        if self.rng.random() < 0.2:
            person = self.rng.choice(self.people)
        if self.rng.random() < 0.9:
            case.headers["Authorization"] = f"Bearer {person['token']}"
        known = {
            "player_id": person["id"],
            "ruleset": self.rng.choice(list(RULESETS)),
            "kind": "stale",
            "game_id": game,
        }
        for name in case.path_parameters:
            if name in known and self.rng.random() < 0.8:
                case.path_parameters[name] = known[name]
            if name == "seat":
                case.path_parameters[name] = self._seat(case.path_parameters[name])
        if case.method == "POST" and case.path == "/v1/games" and self.rng.random() < 0.7:
            case.body = self._some_game()
        if case.path.endswith("/actions") and self.rng.random() < 0.7:
            self._act_legally(case, person)

    def _seat(self, made: Any) -> Any:
        """Choose a seat, mostly; a text of digits is a number once it stands in a path.

        schemathesis takes an equal value, such as 1 for 1.0, for the one that it made.
        """
        if self.rng.random() < 0.8:
            return self.rng.choice([seat for seat in range(6) if seat != made])
        return int(made) if isinstance(made, str) and made.isascii() and made.isdigit() else made

    def _some_game(self) -> dict[str, Any]:
        ruleset = self.rng.choice(list(RULESETS.values()))
        kinds = [{"player": "me"}, {"player": "me"}, {"open": True}, {"bot": "random"}]
        seats = [self.rng.choice(kinds) for _ in range(self.rng.choice(ruleset.seats))]
        clock = self.rng.choice([None, None, {"per_move": "PT1H", "on_timeout": "wait"}])
        visibility = self.rng.choice(["public", "public", "unlisted", "private"])
        wish = {"ruleset": ruleset.id, "seats": seats, "sandbox": True, "visibility": visibility}
        return wish if clock is None else {**wish, "clock": clock}

    def _act_legally(self, case: Any, person: dict[str, str]) -> None:
        game, headers = case.path_parameters["game_id"], {"Authorization": f"Bearer {person['token']}"}
        view = self.http.get(f"/v1/games/{game}/view", headers=headers)
        if view.status_code != 200 or not view.json()["to_act"]:
            return
        seat = self.rng.choice(view.json()["to_act"])
        listed = self.http.get(f"/v1/games/{game}/legal-actions?as={seat}", headers=headers)
        if listed.status_code == 200 and listed.json()["actions"]:
            case.body = self.rng.choice(listed.json()["actions"])
            case.query = {"as": seat}
            case.headers.pop("If-Match", None)

    # -- what came of it --------------------------------------------------------------------------------------------

    def noted(self, response: Any, case: Any) -> None:
        """Count an answer, and remember what it made."""
        self.report.count("requests")
        self.report.count("accepted", int(response.status_code < 300))
        self._check_token(response, case)
        if response.status_code == 201 and case.path == "/v1/games":
            self._remember(response.json()["id"], response.request.headers["Authorization"])
        if response.status_code == 201 and case.path.endswith("/actions"):
            self.report.count("actions")
        if response.status_code == 401 or (response.status_code == 204 and case.path == "/v1/me"):
            self._replace(str(case.headers.get("Authorization", "")))

    def _check_token(self, response: Any, case: Any) -> None:
        """Report an operation that needs a token, and was carried out without one that was issued."""
        if response.status_code == 201 and case.path in ("/v1/players", "/v1/me/tokens"):
            self.issued.add(response.json()["token"])
        token = response.request.headers.get("Authorization", "").removeprefix("Bearer ")
        needs = case.operation.definition.raw["security"] == [{"token": []}]
        if needs and response.status_code < 400 and token not in self.issued:
            self.report.found(f"{case.method} {case.path} needs no token", f"    {case.as_curl_command()[:1500]}")

    def _remember(self, game: str, authorization: str) -> None:
        """Note who created a game, as its creator holds seats."""
        for person in self.people:
            if authorization == f"Bearer {person['token']}":
                self.games[game] = person
        while len(self.games) > MOST_GAMES:
            del self.games[next(iter(self.games))]

    def _replace(self, authorization: str) -> None:
        """Create a new player in place of one who is deleted, or who has revoked their own token."""
        self.people = [
            self.newcomer() if authorization == f"Bearer {person['token']}" else person for person in self.people
        ]
        self.games = {game: person for game, person in self.games.items() if person in self.people}


def _settings(examples: int) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
