"""What only a real web server can show: bodies in chunks, and headers as they go over the wire."""

import gzip
import http.client
import json
from urllib.parse import urlsplit

import pytest


@pytest.fixture
def address(service):
    """Where a whole service listens."""
    return urlsplit(service.url).netloc


def post(address, body):
    """POST a new player; a body given in pieces goes out in chunks, without its length."""
    connection = http.client.HTTPConnection(address, timeout=30)
    try:
        connection.request("POST", "/v1/players", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read()), answer.headers
    finally:
        connection.close()


def test_a_body_in_chunks_is_read(address):
    status, answer, _ = post(address, iter([b'{"na', b'me": "A', b'da"}']))
    assert (status, answer["name"]) == (201, "Ada")


def test_a_body_in_chunks_of_64_kib_is_read(address):
    status, answer, _ = post(address, iter([b'{"name": "Ada"}', b" " * (64 * 1024 - 15)]))
    assert (status, answer["name"]) == (201, "Ada")


def test_a_body_over_64_kib_is_refused_in_chunks_and_in_one_piece(address):
    body = b'{"name": "Ada"}'.ljust(64 * 1024 + 1)
    for sent in (body, iter([body])):
        status, answer, headers = post(address, sent)
        assert (status, answer["code"]) == (413, "too-large")
        assert headers["Content-Type"] == "application/problem+json"


def test_a_problem_is_the_same_over_the_wire(address):
    status, answer, headers = post(address, b"{")
    assert (status, answer["code"]) == (400, "not-json")
    assert answer["instance"] == headers["X-Request-Id"]
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", ["/metrics", "/docs", "/healthz", "/v1/games"])
def test_a_path_has_one_spelling(address, path):
    def status(spelling):
        connection = http.client.HTTPConnection(address, timeout=30)
        try:
            connection.request("GET", spelling)
            answer = connection.getresponse()
            answer.read()
            return answer.status
        finally:
            connection.close()

    escaped = f"{path[:-1]}%{ord(path[-1]):02X}"
    others = [f"{path}/", f"/{path}", f"//{path}", f"/.{path}", f"{path}%2F", f"{path}//", escaped, path.upper()]
    assert status(path) == 200
    assert {other: status(other) for other in others} == dict.fromkeys(others, 404)


def test_a_long_response_goes_out_compressed(address):
    connection = http.client.HTTPConnection(address, timeout=30)
    try:
        connection.request("GET", "/openapi.json", headers={"Accept-Encoding": "gzip"})
        answer = connection.getresponse()
        sent = answer.read()
        assert answer.headers["Content-Encoding"] == "gzip"
        assert int(answer.headers["Content-Length"]) == len(sent)
        assert json.loads(gzip.decompress(sent))["openapi"].startswith("3.1")
    finally:
        connection.close()
