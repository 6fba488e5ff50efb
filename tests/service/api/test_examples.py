"""The recorded examples: one for every operation, of its schemas, in the document and on its page."""

import json

import pytest

from api_spec import record
from api_spec.world import World
from service.api.openapi.examples import recorded

EXAMPLES = recorded()


def operations(document):
    return {each["operationId"]: each for methods in document["paths"].values() for each in methods.values()}


def test_every_operation_has_a_scenario_and_an_example(contract):
    names = operations(contract.document).keys()
    record.check(names, record.found())
    assert EXAMPLES.keys() == names


def test_an_operation_without_a_scenario_is_named_with_what_to_do():
    with pytest.raises(
        record.Unrecorded, match=r"operation sing has no example: write a function sing\(world: World\)"
    ):
        record.check(record.found().keys() | {"sing"}, record.found())


def test_a_scenario_without_an_operation_is_named():
    played = record.found()
    with pytest.raises(record.Unrecorded, match=r"no operation act: .* function in api_spec.scenarios.play"):
        record.check(played.keys() - {"act"}, played)


def test_a_scenario_must_show_its_own_operation_and_it_must_succeed(monkeypatch):
    document = {"paths": {"/v1/me": {"get": {"operationId": "show_me"}}}}
    monkeypatch.setattr(record, "found", lambda: {"show_me": lambda world: world.anyone.get("/healthz")})
    with pytest.raises(record.Unrecorded, match="show_me must return a request to show_me, not to health"):
        record.recorded(document)
    monkeypatch.setattr(record, "found", lambda: {"show_me": lambda world: world.anyone.get("/v1/me")})
    with pytest.raises(RuntimeError, match=r"GET /v1/me was rejected: .*token"):
        record.recorded(document)


def test_two_worlds_are_the_same_and_one_does_not_depend_on_the_other():
    first, second = World(), World()
    try:
        assert first.guest("Ada").token == second.guest("Ada").token != first.guest("Ada").token
    finally:
        first.close()
        second.close()


@pytest.mark.sampled
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_of_the_schemas_of_its_operation_and_is_shown(contract, name):
    operation, example = operations(contract.document)[name], EXAMPLES[name]
    assert '"$ref"' not in json.dumps(example)
    assert example["response"]["status"] < 300
    promised = operation["responses"][str(example["response"]["status"])]
    assert ("body" in example["request"]) <= ("requestBody" in operation)
    assert ("body" in example["response"]) == ("content" in promised)
    shown = [parameter for parameter in operation["parameters"] if "example" in parameter]
    shown += [
        each for part in (operation.get("requestBody", {}), promised) for each in part.get("content", {}).values()
    ]
    for each in shown:
        for value in (
            [each["example"]] if "example" in each else [e["value"] for e in each.get("examples", {}).values()]
        ):
            contract.validate(each["schema"], value)
    summary = f"{example['request']['method']} {example['request']['path']}"
    parts = [(operation.get("requestBody", {}), example["request"])]
    parts.append((operation["responses"][str(example["response"]["status"])], example["response"]))
    for part, recorded_part in parts:
        if "body" in recorded_part:
            found = [each["examples"] for each in part["content"].values() if "examples" in each]
            assert found == [{"recorded": {"summary": summary, "value": recorded_part["body"]}}]


def test_the_parameters_of_a_request_are_examples_of_their_type(contract):
    shown = {each["name"]: each.get("example") for each in operations(contract.document)["list_games"]["parameters"]}
    assert (shown["open"], shown["limit"], shown["ruleset"], shown["status"]) == (True, 1, "plateau", None)
