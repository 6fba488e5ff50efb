"""A service that keeps limits, on a real store, and how it refuses what exceeds them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from werkzeug.test import TestResponse

from service.accounts.limits import LIMITS
from service.store.redis.connections import connect
from tests.service.api.api_client import Server


@contextmanager
def limited(redis_url: str, limits: Mapping[str, int] | None = None, trusted_proxies: int = 0) -> Iterator[Server]:
    """Run the service in this process on a server of its own, with these limits and no others."""
    with connect(redis_url) as client:
        server = Server(client, limits=limits, trusted_proxies=trusted_proxies)
        yield server
        server.players.close()


def assert_limited(answer: TestResponse, bucket: str) -> None:
    """Fail unless an answer says which limit is reached, and when to try again."""
    assert (answer.status_code, answer.json["code"], answer.json["bucket"]) == (429, "limit-reached", bucket), answer
    wait = int(answer.headers["Retry-After"])
    seconds = LIMITS[bucket].seconds
    assert 1 <= wait <= (seconds or 60)
    if seconds is None:
        assert "RateLimit" not in answer.headers
    else:
        assert answer.headers["RateLimit"] == f'"{bucket}";r=0;t={wait}'
        assert answer.headers["RateLimit-Policy"].endswith(f";w={seconds}")
