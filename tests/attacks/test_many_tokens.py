"""A player creates tokens without end; another, with 10,000 tokens from before the limit, lists them."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import orjson
import pytest

from service.accounts.limits import DEFAULTS
from service.store import keys
from tests.support.people import assert_limited, limited

MOST = DEFAULTS["tokens"]
BEFORE = 10_000
WALKED = 2_500


@pytest.fixture
def server(redis_url):
    """A service with the default limits."""
    with limited(redis_url, DEFAULTS) as server:
        yield server


@pytest.fixture
def hoarder(server):
    """A player with 10,000 tokens, made when nothing was in the way."""
    return hoarding(server, BEFORE)


def hoarding(server, number: int):
    """Create a player, and put more tokens beside the first than any client can make."""
    ada = server.newcomer("Ada")
    record = orjson.dumps({"scopes": ["games:read"], "label": "x" * 64, "created_at": "2026-01-01T00:00:00.000Z"})
    digests = [sha256(str(each).encode()).hexdigest() for each in range(number)]
    server.redis.hset(keys.tokens(ada.id), mapping=dict.fromkeys(digests, record))
    return ada


def pages(person, limit: int) -> list[Sequence[dict[str, object]]]:
    """Read the list to its end by the links that each page gives."""
    found, path = [], f"/v1/me/tokens?limit={limit}"
    while path:
        page = person.get(path)
        assert len(page.json["items"]) <= limit
        found.append(page.json["items"])
        link = page.headers.get("Link")
        assert (link is None) == (page.json["next_cursor"] is None)
        path = link and link.removesuffix('>; rel="next"')[1:]
    return found


def test_nobody_has_more_tokens_than_are_allowed_however_many_ask_at_once(server):
    ada = server.newcomer("Ada")
    with ThreadPoolExecutor(8) as executor:
        answers = list(executor.map(lambda _: ada.post("/v1/me/tokens", {}), range(MOST + 40)))
    refused = [answer for answer in answers if answer.status_code != 201]
    assert len(refused) == 41  # the first token came with the player
    for answer in refused:
        assert_limited(answer, "tokens")
    assert server.redis.hlen(keys.tokens(ada.id)) == MOST


def test_a_revoked_token_makes_room_for_another(server):
    ada = server.newcomer("Ada")
    made = [ada.post("/v1/me/tokens", {}).json for _ in range(MOST - 1)]
    assert_limited(ada.post("/v1/me/tokens", {}), "tokens")
    assert ada.delete(f"/v1/me/tokens/{made[5]['id']}").status_code == 204
    assert ada.post("/v1/me/tokens", {}).status_code == 201
    assert_limited(ada.post("/v1/me/tokens", {}), "tokens")


def test_a_page_of_ten_thousand_tokens_is_as_long_as_any(hoarder):
    first = hoarder.get("/v1/me/tokens")
    assert len(first.json["items"]) == 50
    assert len(first.data) < 16_000


def test_thousands_of_tokens_are_listed_in_pages_each_once_and_the_oldest_first(server):
    """A walk costs the square of their number, so it is of a quarter of them."""
    found = [token for page in pages(hoarding(server, WALKED), 100) for token in page]
    assert len(found) == len({token["id"] for token in found}) == WALKED + 1
    assert found == sorted(found, key=lambda token: (token["created_at"], token["id"]))


def test_anyone_who_has_too_many_tokens_can_revoke_any_of_them_and_delete_the_account(server, hoarder):
    *many, _in_use = server.players.tokens(hoarder.id, None, BEFORE + 1)[0]
    for doomed in (many[0].id, many[50].id, many[-1].id):
        assert hoarder.delete(f"/v1/me/tokens/{doomed}").status_code == 204
        assert hoarder.delete(f"/v1/me/tokens/{doomed}").status_code == 404
    assert server.redis.hlen(keys.tokens(hoarder.id)) == BEFORE + 1 - 3
    assert_limited(hoarder.post("/v1/me/tokens", {}), "tokens")
    assert hoarder.delete(f"/v1/me?confirm={hoarder.id}").status_code == 204
    assert server.contents() == {}


def test_a_pattern_revokes_nothing(server, hoarder):
    for token in ("tk_*", "tk_" + 16 * "%3F", "tk_[0-9]", "tk_", "*", "x"):
        assert hoarder.delete(f"/v1/me/tokens/{token}").status_code == 404, token
        assert server.redis.hlen(keys.tokens(hoarder.id)) == BEFORE + 1, token


def test_a_page_that_does_not_exist_is_refused(hoarder):
    for query in ("limit=101", "limit=0", "cursor=x", "cursor=Z21fMSBnbV8x", "more=1"):
        assert hoarder.get(f"/v1/me/tokens?{query}").status_code == 400, query
