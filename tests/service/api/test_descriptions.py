"""Everything in the document says what it is: operations, tags, parameters, headers, bodies, responses."""

import re

import pytest

from tests.support.contract import REF, reachable

LONGEST_SENTENCES, FEWEST_WORDS = 4, 8


@pytest.fixture(scope="module")
def document(contract):
    return contract.document


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
        assert "ask at most once a second, with `If-None-Match`" in texts[name]


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
