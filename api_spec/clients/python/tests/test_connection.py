"""What a connection does with responses that no test can make a service give: failures between here and there."""

from collections.abc import Iterator

import httpx
import pytest
from plateau_client import Client, PlateauError, RateLimited, Refused, Unavailable, WrongMoment

PROBLEM = {"type": "/v1/problems/x", "title": "X", "detail": "It is so.", "instance": "req_1", "code": "so-it-is"}
PLAYER = {"id": "pl_1", "name": "Ada", "kind": "guest", "created_at": "2026-01-01T00:00:00.000Z", "token": "secret"}


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the connection has waited, without waiting."""
    waited: list[float] = []
    monkeypatch.setattr("plateau_client.connection.time.sleep", waited.append)
    return waited


def client(*responses: httpx.Response | Exception) -> tuple[Client, list[httpx.Request]]:
    """A client to which each request gets the next of these responses, and the requests that it has sent."""
    left: Iterator[httpx.Response | Exception] = iter(responses)
    sent: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        response = next(left)
        if isinstance(response, Exception):
            raise response
        return response

    return Client("http://plateau/", "secret", http=httpx.Client(transport=httpx.MockTransport(respond))), sent


def problem(status: int, **headers: str) -> httpx.Response:
    return httpx.Response(status, json=PROBLEM | {"status": status}, headers=headers)


def test_a_request_carries_the_token_and_the_version_of_the_package():
    ada, sent = client(httpx.Response(200, json=PLAYER))
    assert ada.me()["name"] == "Ada"
    assert sent[0].url == "http://plateau/v1/me"
    assert sent[0].headers["Authorization"] == "Bearer secret"
    assert sent[0].headers["User-Agent"].startswith("plateau-client/")


@pytest.mark.parametrize(
    ("path", "query", "sent_query"),
    [
        ("/v1/games?limit=1", None, "limit=1"),
        ("/v1/games?limit=1", {}, "limit=1"),
        ("/v1/games?limit=1", {"status": "open", "cursor": None}, "limit=1&status=open"),
        ("/v1/games?limit=1&status=open", {"limit": 2}, "limit=2&status=open"),
        ("/v1/games?type=a&type=b", {"limit": 2}, "type=a&type=b&limit=2"),
        ("/v1/games", {"limit": 1}, "limit=1"),
        ("/v1/games", None, ""),
    ],
)
def test_the_query_string_of_a_path_is_sent_beside_the_query(path, query, sent_query):
    ada, sent = client(httpx.Response(200, json={}))
    ada.request("GET", path, query=query)
    assert (sent[0].url.path, sent[0].url.query.decode()) == ("/v1/games", sent_query)


def test_a_list_of_a_path_with_a_query_string_keeps_it_on_every_page():
    ada, sent = client(
        httpx.Response(200, json={"items": [1], "next_cursor": "c"}), httpx.Response(200, json={"items": [2]})
    )
    assert list(ada.items("/v1/games?limit=1", status="open")) == [1, 2]
    assert [request.url.query.decode() for request in sent] == ["limit=1&status=open", "limit=1&status=open&cursor=c"]


def test_without_repeats_a_reached_limit_is_raised_at_once(waited):
    ada, sent = client(problem(429, **{"Retry-After": "1"}))
    ada.retries = 0
    with pytest.raises(RateLimited):
        ada.me()
    assert (len(sent), waited) == (1, [])


@pytest.mark.parametrize(
    ("status", "kind"), [(400, Refused), (409, WrongMoment), (412, WrongMoment), (422, Refused), (500, Unavailable)]
)
def test_a_problem_becomes_an_error_of_its_kind_and_is_not_repeated(status, kind, waited):
    ada, sent = client(problem(status))
    with pytest.raises(PlateauError) as raised:
        ada.me()
    assert type(raised.value) is kind
    assert (raised.value.status, raised.value.code, raised.value.pointer) == (status, "so-it-is", None)
    assert str(raised.value) == "It is so. (so-it-is)"
    assert len(sent) == 1
    assert waited == []


def test_a_page_of_a_proxy_becomes_an_error_that_names_the_status():
    ada, _ = client(httpx.Response(404, text="<html>no such site"))
    with pytest.raises(Refused, match=r"http://plateau/v1/me responded with 404 Not Found \(http-404\)"):
        ada.me()


@pytest.mark.parametrize(
    "failure", [problem(503), httpx.Response(502, text="<html>"), httpx.ReadError("reset"), httpx.ReadTimeout("late")]
)
@pytest.mark.usefixtures("waited")
def test_a_read_is_repeated_and_so_is_a_write_with_a_key_and_no_other(failure):
    ada, sent = client(failure, httpx.Response(200, json=PLAYER))
    ada.me()
    assert len(sent) == 2
    ada, sent = client(failure, httpx.Response(201, json={"id": "gm_1"}))
    ada.create({"ruleset": "plateau", "seats": []})
    assert sent[0].headers["Idempotency-Key"] == sent[1].headers["Idempotency-Key"]
    assert sent[0].content == sent[1].content
    ada, sent = client(failure)
    with pytest.raises(Unavailable):
        ada.request("POST", "/v1/me/tokens", {})
    assert len(sent) == 1


@pytest.mark.parametrize("unsent", [httpx.ConnectError("refused"), httpx.ConnectTimeout("late"), problem(429)])
@pytest.mark.usefixtures("waited")
def test_a_write_without_a_key_is_repeated_only_if_the_service_has_not_acted_on_it(unsent):
    ada, sent = client(unsent, httpx.Response(201, json={}))
    ada.request("POST", "/v1/me/tokens", {})
    assert len(sent) == 2


def test_it_gives_up_after_some_repeats_with_longer_and_longer_pauses(waited):
    ada, sent = client(*[httpx.ConnectError("refused")] * 5)
    with pytest.raises(Unavailable, match="did not respond: refused") as raised:
        ada.me()
    assert (raised.value.status, raised.value.code) == (0, "no-response")
    assert isinstance(raised.value.__cause__, httpx.ConnectError)
    assert len(sent) == 5
    assert waited == sorted(waited)
    assert 0.2 < sum(waited) < 2


def test_it_waits_as_long_as_the_service_says_but_not_for_long(waited):
    ada, sent = client(problem(429, **{"Retry-After": "7"}), httpx.Response(200, json=PLAYER))
    ada.me()
    assert waited == [7]
    ada, sent = client(problem(429, **{"Retry-After": "3600"}))
    with pytest.raises(RateLimited) as raised:
        ada.me()
    assert raised.value.after == 3600
    assert len(sent) == 1


def test_a_guest_has_the_token_that_the_service_made():
    transport = httpx.MockTransport(lambda _: httpx.Response(201, json=PLAYER))
    with Client.guest("http://plateau", "Ada", http=httpx.Client(transport=transport)) as ada:
        assert ada.token == "secret"
