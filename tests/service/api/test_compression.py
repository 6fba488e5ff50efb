"""Responses in gzip: who gets them, that they hold the same, and that their ETags work wherever the plain ones do."""

import gzip

import pytest

GZIP = {"Accept-Encoding": "gzip, deflate, br"}


@pytest.fixture
def ask(server, ada):
    """Ask with Ada's token."""

    def send(method, path, app=server.app, body=None, **headers):
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        token = {"Authorization": f"Bearer {ada.token}"}
        return app.test_client().open(path, method=method, json=body, headers=token | sent)

    return send


@pytest.fixture(params=["view", "board.svg", "export?format=text", "events?limit=1000"])
def path(finished, request):
    """Where long responses of different types are."""
    return f"{finished.path}/{request.param}"


def test_a_long_response_is_compressed_for_whoever_accepts_gzip(ask, path):
    plain, packed = ask("GET", path), ask("GET", path, **GZIP)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) == len(packed.data) < 0.6 * len(plain.data)
    assert gzip.decompress(packed.data) == plain.data
    for name in ("Content-Type", "Vary", "Cache-Control"):
        assert packed.headers.getlist(name) == plain.headers.getlist(name)
    assert "Accept-Encoding" in plain.headers["Vary"]


@pytest.mark.parametrize("path", ["/docs", "/openapi.json", "/v1/rulesets/le-plateau", "/v1/problems/limit"])
def test_documents_are_compressed_too(reading, path):
    client = reading.app.test_client()
    plain, packed = client.get(path), client.get(path, headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.data) == plain.data


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip", "gzip"), ("GZIP", "gzip"), ("br;q=1, gzip;q=0.2", "gzip"), ("*", "gzip"),
        ("identity;q=0.1, gzip", "gzip"),
        ("", None), ("br, zstd", None), ("gzip;q=0", None), ("br, gzip;q=0.0", None), ("identity, gzip;q=0.5", None),
        ("*;q=0", None), ("gzip;q=0, *", None),
    ],
)  # fmt: skip
def test_only_what_a_client_accepts_is_sent(ask, sandbox, accepted, encoding):
    answer = ask("GET", f"{sandbox.path}/view", Accept_Encoding=accepted)
    assert answer.status_code == 200
    assert answer.headers.get("Content-Encoding") == encoding


def test_short_responses_and_tokens_are_not_compressed(ask, sandbox):
    for answer in (
        ask("GET", "/healthz", **GZIP),
        ask("GET", f"{sandbox.path}/nowhere", **GZIP),
        ask("POST", "/v1/players", body={"name": "\U0001f469‍\U0001f680" * 20}, **GZIP),
        ask("POST", "/v1/me/tokens", body={"label": "\U0001f469‍\U0001f680" * 20}, **GZIP),
    ):
        assert answer.is_json
        assert "Content-Encoding" not in answer.headers


def test_head_has_the_headers_of_get(ask, sandbox):
    shown, headers = (ask(method, f"{sandbox.path}/view", **GZIP) for method in ("GET", "HEAD"))
    assert headers.data == b""
    for name in ("Content-Encoding", "ETag", "Vary"):
        assert headers.headers[name] == shown.headers[name]


def test_the_etag_of_a_compressed_response_is_as_good_as_the_plain_one(ask, sandbox):
    path = f"{sandbox.path}/view"
    plain, packed = ask("GET", path).headers["ETag"], ask("GET", path, **GZIP).headers["ETag"]
    assert plain.startswith(f'"{sandbox.version}-')
    assert packed == f'{plain[:-1]}:gzip"'
    for known in (plain, packed):
        for headers in ({}, GZIP):
            for form in (known, f"W/{known}", f'"1", {known}'):
                again = ask("GET", path, If_None_Match=form, **headers)
                assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", known)
                assert "Content-Encoding" not in again.headers
    assert ask("GET", path, If_None_Match=f'"{sandbox.version - 1}:gzip"', **GZIP).status_code == 200


@pytest.mark.parametrize("form", ['"{}"', '"{}:gzip"', 'W/"{}"', 'W/"{}-0a1b2c3d:gzip"', '"{}-0a1b2c3d"'])
def test_an_action_may_name_the_etag_of_the_view_that_it_is_for(ask, sandbox, form):
    act = f"{sandbox.path}/actions"
    assert ask("POST", act, body={"type": "pass"}, If_Match=form.format(sandbox.version)).status_code == 201
    late = ask("POST", act, body={"type": "pass"}, If_Match=form.format(sandbox.version - 1))
    assert (late.status_code, late.json["code"]) == (412, "stale-version")
