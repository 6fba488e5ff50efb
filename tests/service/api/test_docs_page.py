"""The page for people: every operation with its description and its example, and links that lead somewhere."""

import html
import json
import re

import pytest

from service.api.openapi import service_pages as operations
from service.api.openapi import spec
from service.api.openapi.docs_page import code, docs_page, prose
from service.api.openapi.examples import recorded


@pytest.fixture(scope="module")
def page(reading):
    return reading.stranger().get("/docs").text


def shown(text):
    return html.unescape(re.sub(r"<[^>]+>", "", text))


def sections(page):
    """Return what the page shows of each operation."""
    parts = re.split(r'<div id="(\w+)">', page)
    return dict(zip(parts[1::2], map(shown, parts[2::2]), strict=True))


def test_every_operation_is_shown_with_its_description_and_its_example(page, contract):
    found = sections(page)
    for methods in contract.document["paths"].values():
        for each in methods.values():
            section, example = found[each["operationId"]], recorded()[each["operationId"]]
            assert each["description"].replace("`", "") in section
            assert f"{example['request']['method']} {example['request']['path']}\n" in f"{section}\n"
            for name, value in {**example["request"]["headers"], **example["response"]["headers"]}.items():
                assert f"{name}: {value}" in section


def test_the_example_of_a_request_can_be_read_back(page):
    shown_body = re.search(r"Content-Type: application/json\n\n(\{.*?\n\})", sections(page)["create_game"], re.DOTALL)
    assert json.loads(shown_body[1]) == recorded()["create_game"]["request"]["body"]


def test_the_document_and_the_page_are_made_once(stranger, monkeypatch):
    made = []
    monkeypatch.setattr(spec, "build", lambda app, build=spec.build: made.append("document") or build(app))
    monkeypatch.setattr(operations, "docs_page", lambda *args, page=docs_page: made.append("page") or page(*args))
    for path in ("/openapi.json", "/docs") * 2:
        assert stranger.get(path).status_code == 200
    assert sorted(made) == ["document", "page"]


def test_every_link_within_the_page_leads_to_one_place(page):
    places = re.findall(r'\bid="([^"]+)"', page)
    assert len({*places}) == len(places)
    links = {*re.findall(r'href="#([^"]+)"', page)}
    assert links <= {*places}
    assert {"tag-play", "schemas", "schema-PluteView", "schema-GameInput"} <= links


def test_every_link_to_a_problem_leads_to_its_page(page, stranger):
    for address in {*re.findall(r'href="(/v1/problems/[^"]+)"', page)}:
        assert stranger.get(address).status_code == 200, address


def test_pictures_and_pages_in_examples_are_text(page):
    assert "&lt;svg" in page
    assert "<svg" not in page
    assert page.count("<!doctype html>") == 1


def test_prose_marks_code_and_escapes_the_rest():
    assert prose("`a<b` and ``c`` & d") == "<code>a&lt;b</code> and <code>c</code> &amp; d"


def test_short_json_stays_in_a_line_and_references_are_links():
    assert code({"a": [1, 2], "b": None}) == "{&#34;a&#34;: [1, 2], &#34;b&#34;: null}"
    assert '<a href="#schema-View">#/components/schemas/View</a>' in code({"$ref": "#/components/schemas/View"})
    long = {"list": ["x" * 60, {"y": "z" * 60}], "none": []}
    assert json.loads(html.unescape(code(long))) == long
    assert code(long).count("\n") == 6
