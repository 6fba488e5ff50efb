"""The document is true: valid and invalid requests derived from it get responses that it promises, never a 500."""

from collections import defaultdict
from dataclasses import MISSING, fields

import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig
from schemathesis.generation.hypothesis.builder import HypothesisTestConfig, HypothesisTestMode, create_test
from schemathesis.specs.openapi.checks import positive_data_acceptance

from domain.registry import RULESETS
from service.accounts.names.name_rules import UnfitText, check_readable, fit_name
from service.api import create_app
from service.api.http.endpoint import Services
from service.api.json_schema import posted_schema
from tests.support.random_games import played
from tests.support.sampling import GAMES, part

UNUSED = dict.fromkeys(each.name for each in fields(Services) if each.default is each.default_factory is MISSING)
APP = create_app(Services(**UNUSED), compresses=False)  # schemathesis does not decompress WSGI responses
CHECKED = (
    "/address", "/bot_pace", "/endpoint", "/expires_in", "/interval", "/keys/p256dh", "/quiet_hours", "/round_time",
    "?ticket",
)  # fmt: skip
"""What only a look at it can judge: mail addresses, public hosts, points of a curve, spans, tickets of streams."""
ACTION = jsonschema_rs.Draft202012Validator(posted_schema(RULESETS["le-plateau"]))
DOCUMENT = APP.test_client().get("/openapi.json").json
OPERATIONS = [(method, path) for path, methods in DOCUMENT["paths"].items() for method in methods]


@pytest.fixture
def table(server):
    """A game of three in its first bidding, in the service that the requests reach."""
    APP.extensions["plateau"] = server.app.extensions["plateau"]
    return server.table_of_log(played("le-plateau", 3, 0)[:4])


def made_usable(case, table):
    """Insert what a document cannot contain, the ids of things that exist, and leave out what it cannot describe."""
    real = {"game_id": table.id, "player_id": table.people[0].id, "ruleset": "le-plateau", "kind": "stale"}
    for name in case.path_parameters:
        case.path_parameters[name] = real.get(name, case.path_parameters[name])
    if case.meta.generation.mode is GenerationMode.POSITIVE:
        case.headers.pop("If-Match", None)
    return case


def is_of_another_ruleset(case):
    """Return whether an action does not belong to the table's ruleset."""
    if case.path.endswith("/actions"):
        return not ACTION.is_valid(case.body)
    return False


def check_a_refusal_of_what_was_of_the_form(case, answer):
    """Allow what depends on more than the form."""
    assert answer.status_code not in (413, 415)
    if answer.status_code == 400:
        for fault in answer.json()["errors"]:
            assert (
                fault["code"] in ("no-such-seat", "wrong-number", "key-not-taken")
                or fault["pointer"]
                in (
                    "?confirm",
                    "?cursor",
                    "?open",
                    "?open_seats",
                    "/time_zone",
                    "/operator",
                    "/game",
                    "/at",
                    *CHECKED,
                )
                or fault["pointer"].startswith("/options/board_tokens")
                or is_unfit(case.body, fault["pointer"])
                or is_beyond_the_form_of_a_plan(case, fault)
            ), (fault, case.body)


def is_beyond_the_form_of_a_plan(case, fault):
    """Return whether a plan has an action of another ruleset, or is too large or too deep."""
    of_plans = ("plan-too-large", "plan-too-deep", "too-many-steps")
    return case.path.endswith("/plan") and ("/action" in fault["pointer"] or fault["code"] in of_plans)


def is_unfit(body, pointer):
    """Return whether a name or a text is rejected for its characters, which patterns in the document do not express."""
    judge = {"/name": fit_name, "/label": fit_name, "/client_seed": check_readable}.get(pointer, lambda _: None)
    try:
        judge(body[pointer[1:]] if pointer in ("/name", "/label", "/client_seed") else "")
    except UnfitText:
        return True
    return False


@pytest.fixture(scope="module")
def schema():
    """The document as requests are made from it."""
    config = SchemathesisConfig.from_dict({"seed": 1, "generation": {"deterministic": True}})
    return schemathesis.openapi.from_wsgi("/openapi.json", APP, config=config)


@pytest.mark.sampled
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_answer_is_as_documented(method, path, schema, table):
    """The requests are made here, where ``schema.parametrize()`` makes those of all operations at collection."""

    @settings(
        max_examples=part(4), deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    def ask(case):
        check_answer(case, table)

    made = HypothesisTestConfig(schema.config, list(HypothesisTestMode))
    test = create_test(operation=schema[path][method], test_func=ask, config=made)
    test.hypothesis_explicit_examples = sample(test.hypothesis_explicit_examples)
    test()


def sample(made):
    """Take one request that is wrong, or right, in the same way: a plan has it in hundreds of places.

    ``make long`` takes all.
    """
    if GAMES >= 1:
        return made
    of_a_kind = defaultdict(list)
    for each in made:
        phase = each.kwargs["case"].meta.phase
        of_a_kind[getattr(phase.data, "scenario", phase.name), getattr(phase.data, "parameter", None)].append(each)
    return [each for alike in of_a_kind.values() for each in alike[:1]]


def ends_beyond_int64(case):
    """Return whether a subscription ends later than a number of 64 bits can say, which has no effect."""
    ends = case.body.get("expirationTime") if isinstance(case.body, dict) else None
    return isinstance(ends, int) and ends >= 2**63


def check_answer(case, table):
    if ends_beyond_int64(case):
        return
    person = table.people[table.to_act]
    if case.path.startswith("/v1/me"):
        person = table.server.newcomer("Eve")
    token = {"Authorization": f"Bearer {person.token}"}
    answer = made_usable(case, table).call_and_validate(headers=token, excluded_checks=[positive_data_acceptance])
    if case.meta.generation.mode is GenerationMode.POSITIVE and not is_of_another_ruleset(case):
        check_a_refusal_of_what_was_of_the_form(case, answer)
