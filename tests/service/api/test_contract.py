"""The document is typed all the way: nothing bare, everything named once, requests closed, responses open.

Everything in the document says what it is: operations, tags, parameters, headers, bodies, responses.
"""

import json
import random
import re
from collections import Counter

import pytest

from domain.registry import RULESETS, ruleset_prefix
from tests.support.contract import REF, reachable, schemas_in
from tests.support.people import ME, some_action
from tests.support.random_games import played
from tests.support.sampling import FULL

UNIONS = ["GameInput", "Game", "GameAtVersion", "MyGame", "View", "EventPage", "ActionAnswer", "LegalActions"]


@pytest.fixture(scope="module")
def document(contract):
    return contract.document


@pytest.fixture(scope="module")
def components(document):
    return document["components"]["schemas"]


def media(document, side):
    """List the schemas of all request bodies, or of all responses."""
    for path in document["paths"].values():
        for operation in path.values():
            parts = [operation.get("requestBody", {})] if side == "requests" else operation["responses"].values()
            for part in parts:
                yield from (each["schema"] for each in part.get("content", {}).values())


def every_schema(document, components):
    for name, schema in components.items():
        yield from schemas_in(schema, name)
    for side in ("requests", "responses"):
        for schema in media(document, side):
            yield from schemas_in(schema, side)
    for path, operations in document["paths"].items():
        for operation in operations.values():
            for parameter in operation["parameters"]:
                yield from schemas_in(parameter["schema"], f"{path}?{parameter['name']}")


def test_everything_has_a_type(document, components):
    for place, schema in every_schema(document, components):
        is_any = place == "FieldForm/const"  # generators write no code that compiles for lists and records in a union
        assert is_any or schema.keys() & {"type", "$ref", "oneOf", "anyOf"}, place
        if schema.get("type") == "object":
            assert schema.keys() & {"properties", "additionalProperties"} or place == "NoData", place
        if schema.get("type") == "array":
            assert "items" in schema, place


def test_each_list_of_values_is_written_once(document, components):
    written = Counter(
        json.dumps(schema["enum"]) for _, schema in every_schema(document, components) if "enum" in schema
    )
    assert not [values for values, times in written.items() if times > 1]


def test_requests_are_closed(document, components):
    for name in reachable(components, media(document, "requests")):
        if components[name].get("type") == "object":
            assert components[name]["additionalProperties"] is False, name


def test_responses_are_open_but_for_actions_and_plans(document, components):
    posted = reachable(components, [components["Action"], components["Plan"]["properties"]["steps"]])
    for name in reachable(components, media(document, "responses")) - posted:
        for place, schema in schemas_in(components[name], name):
            assert schema.get("additionalProperties") is not False, place


def test_requests_have_no_defaults_which_generators_take_for_required(document, components):
    for name in reachable(components, media(document, "requests")):
        for place, schema in schemas_in(components[name], name):
            assert "default" not in schema, place


@pytest.mark.parametrize("name", UNIONS)
def test_a_union_of_rulesets_is_told_apart_by_a_constant(components, name):
    mapping = components[name]["discriminator"]["mapping"]
    assert [*mapping] == [*RULESETS]
    assert [{"$ref": member} for member in mapping.values()] == components[name]["oneOf"]
    for ruleset_id, member in mapping.items():
        own = components[member.removeprefix(REF)]
        assert (own["properties"]["ruleset"]["const"], "ruleset" in own["required"]) == (ruleset_id, True)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
@pytest.mark.parametrize("kind", ["Action", "Event"])
def test_the_actions_and_events_of_a_ruleset_are_told_apart_by_their_type(components, ruleset, kind):
    mapping = components[f"{ruleset_prefix(ruleset.id)}{kind}"]["discriminator"]["mapping"]
    assert mapping.keys() >= (ruleset.actions if kind == "Action" else ruleset.events).keys()
    for name, member in mapping.items():
        own = components[member.removeprefix(REF)]
        assert (own["properties"]["type"]["const"], "type" in own["required"]) == (name, True)


def test_an_operation_without_tokens_requires_none(document):
    assert document["paths"]["/v1/players"]["post"]["security"] == []
    assert document["paths"]["/v1/games/{game_id}/view"]["get"]["security"] == [{}, {"token": []}]


def test_times_are_of_their_format(components):
    times = [
        (name, key)
        for name, schema in components.items()
        for key, field in schema.get("properties", {}).items()
        if field.get("format") == "date-time"
    ]
    for place in [
        ("PluteGame", "created_at"),
        ("SeatDeadline", "at"),
        ("PlutePassedEvent", "at"),
        ("Times", "resumes"),
    ]:
        assert place in times


@pytest.mark.parametrize(
    ("path", "method", "status", "names"),
    [
        ("/v1/games", "post", 201, {"Location", "Plateau-Receipt", "RateLimit", "RateLimit-Policy"}),
        ("/v1/games", "post", 401, {"WWW-Authenticate"}),
        ("/v1/games", "get", 429, {"Retry-After", "RateLimit", "RateLimit-Policy"}),
        ("/v1/games", "get", 200, {"ETag", "Link"}),
        ("/v1/games/{game_id}/view", "get", 200, {"ETag", "Plateau-Receipt"}),
        ("/v1/games/{game_id}/view", "get", 304, {"ETag"}),
    ],
)
def test_headers_are_described_and_every_response_has_an_id(document, path, method, status, names):
    headers = document["paths"][path][method]["responses"][str(status)]["headers"]
    assert headers.keys() == names | {"X-Request-Id"} | ({"Content-Language"} if status >= 400 else set())
    assert names <= document["components"]["headers"].keys()


NEW = {"seats": [{"player": "me"}, {"open": True}, {"bot": "random"}], "clock": {"per_move": "P1D"}}


@pytest.mark.parametrize(
    ("wish", "fits"),
    [
        ({"ruleset": "plute"}, True),
        ({"ruleset": "plute", "options": {"early_stop": "claim"}}, True),
        ({"ruleset": "plute", "options": {"hands": 8}}, False),
        ({"ruleset": "le-plateau", "options": {"hands": 8}}, True),
        ({"ruleset": "le-plateau", "options": {"early_stop": "claim"}}, False),
        ({"ruleset": "go"}, False),
        ({"ruleset": "plute", "more": 1}, False),
        ({"ruleset": "plute", "seats": [{"player": "me", "open": True}]}, False),
        ({"ruleset": "plute", "seats": [{}]}, False),
    ],
)
def test_the_schema_of_a_new_game_takes_the_options_of_its_ruleset_only(contract, wish, fits):
    assert contract.is_valid({"$ref": f"{REF}GameInput"}, NEW | wish) is fits


@pytest.mark.parametrize(("ruleset", "seats"), FULL)
def test_whole_games_are_as_documented(server, ada, contract, ruleset, seats):
    """The client checks every response against the document; here it meets those of a whole game."""
    steps = played(ruleset, seats, 0)
    table = server.table_of_log(steps)
    for viewer in (None, *table.seats):
        assert len(table.events(viewer)) == table.view(viewer)["version"] == len(contract_events(steps))
    for at in range(1, table.version, 17):
        table.view(at % seats, at)


def contract_events(steps):
    """Return all records of a game."""
    return [record for step in steps for record in step.records]


@pytest.mark.parametrize(("ruleset", "seats"), [("le-plateau", 6), ("plateau", 2), ("french-tarot", 5), ("plute", 6)])
def test_what_a_game_lists_and_answers_is_as_documented(ada, contract, ruleset, seats):
    rng = random.Random(seats)
    wish = {"ruleset": ruleset, "seats": [ME] * seats, "sandbox": True}
    contract.validate({"$ref": f"{REF}GameInput"}, wish)
    path = f"/v1/games/{ada.post('/v1/games', wish).json['id']}"
    for _ in range(25):
        view = ada.get(f"{path}/view").json
        if not view["to_act"]:
            break
        action = some_action(rng, ada.get(f"{path}/legal-actions?limit=100").json["actions"])
        contract.validate({"$ref": f"{REF}Action"}, action)
        assert not contract.is_valid({"$ref": f"{REF}Action"}, action | {"more": 1})
        assert ada.post(f"{path}/actions?as={view['viewer']['seat']}", action).status_code == 201
    for listed in ("/v1/games", "/v1/me/games"):
        assert ada.get(listed).json["items"][0]["ruleset"] == ruleset


# -- what generators of clients stumble over (docs/api.md, "Clients") ----------------------------------------------


def test_no_component_is_called_as_the_constructor_of_another(components):
    assert not {f"New{name}" for name in components} & components.keys()


def test_nothing_is_always_null_and_no_union_is_in_a_union_with_a_key(document, components):
    for place, schema in every_schema(document, components):
        members = [*schema.get("oneOf", ()), *schema.get("anyOf", ())]
        assert schema.get("type") != "null" or re.search(r"/(oneOf|anyOf)/[0-9]+$", place), place
        named = [components[member["$ref"].removeprefix(REF)] for member in members if "$ref" in member]
        assert len(members) == 2 or not any("discriminator" in member for member in named), place


def test_an_operation_describes_all_its_successes_in_that_of_the_least_status(document, components):
    for path, operations in document["paths"].items():
        for operation in operations.values():
            successes = [part["content"] for status, part in sorted(operation["responses"].items())
                         if status[0] == "2" and "content" in part]  # fmt: skip
            schemas = [each["application/json"]["schema"] for each in successes] if len(successes) > 1 else []
            for other in [schema for schema in schemas[1:] if schema != schemas[0]]:
                first = components[schemas[0]["$ref"].removeprefix(REF)]
                union = components[other["$ref"].removeprefix(REF)]
                assert {member["$ref"] for member in union["oneOf"]} < {m["$ref"] for m in first["anyOf"]}, path


LONGEST_SENTENCES, FEWEST_WORDS = 4, 8


def operations(document):
    return [each for methods in document["paths"].values() for each in methods.values()]


def sentences(text):
    return re.split(r"(?<=[.!?])\s+(?=[A-Z0-9`])", text)


def is_whole(text):
    return re.match(r"[A-Z`]", text) and text.endswith(".") and text.count("`") % 2 == 0


def test_every_operation_says_what_it_does_and_does_not_repeat_its_summary(document):
    for each in operations(document):
        name, text = each["operationId"], each["description"]
        what_to_do = f"{name}: pass Operation a description of one to four sentences; it has {text!r}"
        assert is_whole(text), what_to_do
        assert 1 <= len(sentences(text)) <= LONGEST_SENTENCES, what_to_do
        assert len(text.split()) >= FEWEST_WORDS, what_to_do
        assert not text.lower().startswith(each["summary"].lower()), what_to_do


def test_no_two_operations_have_the_same_description(document):
    texts = [each["description"] for each in operations(document)]
    assert len({*texts}) == len(texts)


def test_polling_is_described_where_clients_wait(document):
    texts = {each["operationId"]: each["description"] for each in operations(document)}
    for name in ("show_view", "list_events"):
        assert "poll at most once a second, with `If-None-Match`" in texts[name]


def test_every_parameter_says_what_it_is(document):
    for each in operations(document):
        for parameter in each["parameters"]:
            text = parameter.get("description", "")
            where = "IN_PATH of parameters.py" if parameter["in"] == "path" else "parameters.py"
            assert is_whole(text), f"{each['operationId']}: describe {parameter['name']} in {where}; it has {text!r}"


def test_every_tag_that_is_used_says_what_it_is_and_there_is_no_other(document):
    described = {tag["name"]: tag["description"] for tag in document["tags"]}
    assert all(map(is_whole, described.values()))
    assert described.keys() == {tag for each in operations(document) for tag in each["tags"]}


def test_every_header_and_every_response_says_what_it_is(document):
    for name, header in document["components"]["headers"].items():
        assert is_whole(header["description"]), name
    for each in operations(document):
        for status, response in each["responses"].items():
            assert is_whole(response["description"]), (each["operationId"], status)


def test_every_body_says_what_it_is(document):
    components = document["components"]["schemas"]
    bodies = [
        media["schema"]
        for each in operations(document)
        for part in (each.get("requestBody", {}), *each["responses"].values())
        for media in part.get("content", {}).values()
    ]
    for name in reachable(components, bodies):
        if "enum" not in components[name] and components[name].get("type", "object") == "object":
            assert components[name]["description"], name
    assert f"{REF}GameInput" in {body.get("$ref") for body in bodies}
