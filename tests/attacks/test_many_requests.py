"""One client sends requests without end, with a token, without one, and with invented tokens."""

import time

import pytest

from service.accounts.limits import LIMITS
from tests.support.people import assert_limited, limited

MOST = 20


def hammer(request, bucket):
    """Send many requests; check that no more succeed than the limit allows."""
    began = time.monotonic()
    answers = [request() for _ in range(3 * MOST)]
    refilled = (time.monotonic() - began) * MOST / LIMITS[bucket].seconds
    refused = [answer for answer in answers if answer.status_code == 429]
    assert MOST <= len(answers) - len(refused) <= MOST + refilled + 1
    for answer in refused:
        assert_limited(answer, bucket)


@pytest.fixture
def server(redis_url):
    """A service that allows few requests at once."""
    with limited(redis_url, {"requests": MOST}) as server:
        yield server


def test_a_player_is_held_up_and_no_other_is(server):
    ada, bob = server.newcomer("Ada"), server.newcomer("Bob")
    other = ada.holding(ada.post("/v1/me/tokens", {}).json["token"])
    server.keep_limits(requests=MOST)
    hammer(lambda: ada.get("/v1/me"), "requests")
    assert 429 in [other.get("/v1/me").status_code for _ in range(3)]
    assert bob.get("/v1/me").status_code == 200
    assert server.stranger().get("/v1/games").status_code == 200


def test_a_client_without_a_token_is_held_up_by_its_address(server):
    ada = server.newcomer("Ada")
    server.keep_limits(requests=MOST)
    hammer(lambda: server.stranger().get("/v1/games"), "requests")
    assert ada.get("/v1/games").status_code == 200
    elsewhere = {"environ_overrides": {"REMOTE_ADDR": "192.0.2.2"}}
    assert server.stranger().ask("GET", "/v1/games", **elsewhere).status_code == 200


def test_a_client_that_tries_tokens_is_held_up_and_anyone_who_has_one_is_not(server):
    ada = server.newcomer("Ada")
    server.keep_limits(requests=MOST)
    hammer(lambda: server.stranger("plt_a_b").get("/v1/me"), "requests")
    assert ada.get("/v1/me").status_code == 200
    assert 429 in [server.stranger().get("/v1/games").status_code for _ in range(MOST)]


def test_a_player_who_writes_without_end_is_held_up_and_can_still_read(server):
    ada, bob = server.newcomer("Ada"), server.newcomer("Bob")
    server.keep_limits(writes=MOST)
    hammer(lambda: ada.patch("/v1/me", {"name": "Ada"}), "writes")
    assert ada.get("/v1/me").status_code == 200
    assert bob.patch("/v1/me", {"name": "Bob"}).status_code == 200


def test_an_address_that_writes_without_end_is_held_up_no_matter_who_it_claims_to_be(server):
    ada = server.newcomer("Ada")
    server.keep_limits(writes_from_address=MOST)
    answers = [server.stranger().post("/v1/players", {"name": "Eve"}) for _ in range(MOST)]
    assert [answer.status_code for answer in answers] == [201] * MOST
    for person in (server.stranger(), server.stranger("plt_a_b"), ada):
        tries = (person.post("/v1/games", {}) for _ in range(MOST))  # a slow machine leaves time for a write more
        assert_limited(next(answer for answer in tries if answer.status_code == 429), "writes-from-address")
    assert ada.get("/v1/me").status_code == 200
    elsewhere = {"environ_overrides": {"REMOTE_ADDR": "192.0.2.2"}}
    assert ada.ask("PATCH", "/v1/me", {"name": "Ada"}, **elsewhere).status_code == 200


def test_health_is_answered_to_a_client_that_is_held_up(server):
    server.keep_limits(requests=MOST)
    hammer(lambda: server.stranger().get("/v1/games"), "requests")
    assert [server.stranger().get(path).status_code for path in ("/healthz", "/readyz")] == [200] * 2


@pytest.mark.sampled
@pytest.mark.parametrize("token", [None, pytest.param("plt_a_b", marks=pytest.mark.long)])
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/docs"),
        ("GET", "/metrics"),
        ("GET", "/openapi.json"),
        ("GET", "/v1/rulesets"),
        ("GET", "/v1/rulesets/le-plateau"),
        ("GET", "/v1/problems/limit"),
        ("GET", "/v1/no-such-page"),
        ("PUT", "/v1/games"),
        ("POST", "/v1/games"),
    ],
)
def test_whatever_needs_no_token_or_is_refused_before_it_is_read_counts_by_address(server, method, path, token):
    ada = server.newcomer("Ada")
    server.keep_limits(requests=MOST)
    hammer(lambda: server.stranger(token).ask(method, path, b"{" if method == "POST" else None), "requests")
    assert ada.get("/v1/me").status_code == 200
