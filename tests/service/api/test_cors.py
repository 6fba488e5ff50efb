"""What a browser needs to let a page of another origin call the service, and what it gets if that is forbidden."""

import pytest

from service.api import create_app
from service.config.settings import Settings

PAGE = "https://play.example"
PREFLIGHT = {
    "Origin": PAGE,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
}


@pytest.fixture
def restricted(server):
    """The same service, for pages of one origin."""
    origins = Settings.from_environment({"PLATEAU_CORS_ORIGINS": PAGE}).cors_origins
    return create_app(server.app.extensions["plateau"], origins).test_client()


def listed(answer, name):
    return {each.strip() for each in answer.headers[name].split(",")}


def allowances(answer):
    return [name for name, _ in answer.headers if name.startswith("Access-Control-")]


@pytest.mark.parametrize("path", ["/v1/games/gm_0/actions", "/v1/players", "/v1/nowhere", "/nowhere"])
def test_a_preflight_allows_everything_that_the_interface_takes(server, path):
    answer = server.app.test_client().options(path, headers=PREFLIGHT)
    assert (answer.status_code, answer.data) == (204, b"")
    assert "Content-Type" not in answer.headers
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert listed(answer, "Access-Control-Allow-Methods") >= {"GET", "POST", "PUT", "PATCH", "DELETE"}
    assert listed(answer, "Access-Control-Allow-Headers") == {
        "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match",
        "Last-Event-ID", "Cache-Control", "Pragma", "X-Requested-With", "traceparent", "tracestate", "baggage", "*",
    }  # fmt: skip
    assert int(answer.headers["Access-Control-Max-Age"]) == 7200
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_the_headers_that_requests_can_carry_are_all_allowed(server, contract):
    documented = {
        parameter["name"]
        for methods in contract.document["paths"].values()
        for operation in methods.values()
        for parameter in operation["parameters"]
        if parameter["in"] == "header"
    }
    answer = server.app.test_client().options("/v1/games", headers=PREFLIGHT)
    assert documented < listed(answer, "Access-Control-Allow-Headers")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/v1/games", 200), ("GET", "/nowhere", 404), ("POST", "/v1/rulesets", 405), ("GET", "/v1/me", 401)],
)
def test_a_page_can_read_every_response_and_what_its_headers_say(stranger, method, path, status):
    answer = stranger.ask(method, path, headers={"Origin": PAGE})
    assert answer.status_code == status
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    exposed = listed(answer, "Access-Control-Expose-Headers")
    assert exposed >= {"ETag", "Link", "Location", "Retry-After", "RateLimit", "RateLimit-Policy", "X-Request-Id"}
    assert {"Access-Control-Allow-Methods", "Access-Control-Max-Age"}.isdisjoint(answer.headers.keys())
    if status == 405:
        assert "Allow" in exposed & set(answer.headers.keys())
    if status == 401:
        assert "WWW-Authenticate" in exposed & set(answer.headers.keys())


SAFE = {"Cache-Control", "Content-Language", "Content-Length", "Content-Type", "Expires", "Last-Modified", "Pragma"}
"""What a page can always read (the Fetch standard)."""


def test_a_page_can_read_every_header_that_is_documented_and_the_date(stranger, contract):
    answer = stranger.get("/v1/games", Origin=PAGE)
    readable = listed(answer, "Access-Control-Expose-Headers") | SAFE
    assert {*contract.document["components"]["headers"], "Date"} <= readable


def test_anyone_who_names_no_origin_gets_no_such_headers(stranger):
    answer = stranger.get("/v1/games")
    assert not allowances(answer)


def test_of_certain_origins_only_those_are_allowed(restricted):
    for path in ("/v1/games", "/nowhere"):
        answer = restricted.get(path, headers={"Origin": PAGE})
        assert answer.headers["Access-Control-Allow-Origin"] == PAGE
    preflight = restricted.options("/v1/games", headers=PREFLIGHT)
    assert preflight.headers["Access-Control-Allow-Origin"] == PAGE
    for origin in ("https://play.example.org", "https://play.example:8443", "http://play.example", "null"):
        for refused in (
            restricted.get("/v1/games", headers={"Origin": origin}),
            restricted.options("/v1/games", headers=PREFLIGHT | {"Origin": origin}),
        ):
            assert not allowances(refused)


def test_where_the_response_depends_on_the_origin_caches_learn_it(restricted, stranger):
    for headers in ({}, {"Origin": PAGE}):
        assert "Origin" in listed(restricted.get("/v1/games", headers=headers), "Vary")
    assert "Origin" not in listed(stranger.get("/v1/games", Origin=PAGE), "Vary")


def test_without_origins_no_page_can_call(server):
    origins = Settings.from_environment({"PLATEAU_CORS_ORIGINS": "none"}).cors_origins
    client = create_app(server.app.extensions["plateau"], origins).test_client()
    for answer in (client.get("/v1/games", headers={"Origin": PAGE}), client.options("/v1/games", headers=PREFLIGHT)):
        assert not allowances(answer)


def test_options_names_the_methods_of_a_path(server):
    answer = server.app.test_client().options("/v1/me")
    assert (answer.status_code, answer.data) == (204, b"")
    assert listed(answer, "Allow") == {"GET", "HEAD", "PATCH", "DELETE", "OPTIONS"}
    assert server.app.test_client().options("/nowhere").status_code == 404


def test_preflights_count_against_the_limit_on_requests(server):
    server.keep_limits(requests=3)
    client = server.app.test_client()
    headers = PREFLIGHT | {"Authorization": "Bearer plt_invented"}
    statuses = [client.options("/v1/me", headers=headers).status_code for _ in range(5)]
    assert statuses == [204, 204, 204, 429, 429]
