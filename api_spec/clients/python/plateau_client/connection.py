"""Requests over HTTP, repeated where that is safe."""

import math
import random
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, Self

import httpx

from plateau_client.problems import PlateauError, RateLimited, Unavailable, error_of
from plateau_client.types import Problem
from plateau_client.version import VERSION

Query = Mapping[str, str | int | None]

_LINES: Final = "application/x-ndjson"
_PATIENCE: Final = 30.0
_FIRST_PAUSE: Final = 0.05
_SILENCE: Final = 25.0
"""The maximum silence of a stream: the service sends a heartbeat every 15 seconds."""
_PASSING: Final = (0, 502, 503, 504)
_UNSENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


def new_key() -> str:
    """Generate an Idempotency-Key."""
    return uuid.uuid4().hex


def matching(head: str | None) -> Mapping[str, str]:
    """Return the header that binds a request to a head of the game, if there is one."""
    return {} if head is None else {"If-Match": f'"{head}"'}


class Connection:
    """Sends requests to a service, as a player or anonymously, and raises every error as a PlateauError.

    It repeats a request on which the service has certainly not acted (no connection, 429). A read, or a write with a
    key, it also repeats after no response or a passing failure (502, 503, 504). It gives up after `retries`, or when it
    would wait for more than half a minute in all.
    """

    seeds: dict[str, str]
    """By commitment, the seeds that you committed to. Fill it to open them from another process."""

    def __init__(
        self, url: str, token: str | None = None, *, http: httpx.Client | None = None, retries: int = 4
    ) -> None:
        self.url = url.rstrip("/")
        self.token = token
        self.retries = retries
        self.seeds = {}
        self._http = http or httpx.Client(timeout=_PATIENCE)
        self._headers = {"User-Agent": f"plateau-client/{VERSION}"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def request(
        self, method: str, path: str, body: object = None, *, query: Query | None = None, key: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:  # fmt: skip
        """Send any request of the interface and return the response: a success, or 304.

        The path can have a query string; `query` adds to it, and replaces what has the same name. A read is repeated if
        its response is lost, and so is a write with a `key`; `new_key` generates one.
        """
        every = self._headers | ({"Idempotency-Key": key} if key else {}) | dict(headers or {})
        request = self._http.build_request(method, self._address(path, query), json=body, headers=every)
        return self._sent(request, repeatable=method == "GET" or key is not None)

    @contextmanager
    def lines(self, path: str, query: Query) -> Iterator[Iterator[str]]:
        """Open a stream, once, and read its lines as they come; an empty line is a heartbeat.

        Errors are those of httpx.
        """
        headers = {**self._headers, "Accept": _LINES, "Accept-Encoding": "identity"}  # what is compressed can get stuck
        timeout = httpx.Timeout(_PATIENCE, read=_SILENCE)
        request = self._http.build_request("GET", self._address(path, query), headers=headers, timeout=timeout)
        response = self._http.send(request, stream=True)
        try:
            if not response.is_success or not response.headers.get("Content-Type", "").startswith(_LINES):
                response.read()
                raise _error(response)
            yield response.iter_lines()
        finally:
            response.close()

    @property
    def longest_wait(self) -> float:
        """The number of seconds that the service can take to respond, some less than the connection allows."""
        allowed = self._http.timeout.read
        return math.inf if allowed is None else max(0.0, allowed - 5)

    def items(self, path: str, **query: str | int | None) -> Iterator[Any]:
        """Read a list from its first page to its last, a page at a time."""
        cursor: str | None = None
        while True:
            page = self.request("GET", path, query=query | {"cursor": cursor}).json()
            yield from page["items"]
            cursor = page.get("next_cursor")
            if cursor is None:
                return

    def with_token(self, token: str) -> Self:
        """Return the same for another token, over the same connections."""
        return type(self)(self.url, token, http=self._http, retries=self.retries)

    def close(self) -> None:
        """Close the connections to the service."""
        self._http.close()

    def _address(self, path: str, query: Query | None) -> httpx.URL:
        """Return the URL of a path; httpx alone would put `params` in the place of the query string of the path."""
        return httpx.URL(self.url + path).copy_merge_params(_given(query))

    def _sent(self, request: httpx.Request, *, repeatable: bool) -> httpx.Response:
        deadline = time.monotonic() + _PATIENCE
        number = 0
        while not isinstance(result := self._tried(request), httpx.Response):
            number += 1
            wait = max(result.after, _FIRST_PAUSE * 2**number * random.uniform(0.5, 1))  # noqa: S311 - spreads clients
            late = number > self.retries or time.monotonic() + wait > deadline
            if late or not is_passing(result, repeatable=repeatable):
                raise result
            time.sleep(wait)
        return result

    def _tried(self, request: httpx.Request) -> httpx.Response | PlateauError:
        try:
            response = self._http.send(request)
        except httpx.TransportError as error:
            return _no_response(error)
        return response if response.is_success or response.status_code == httpx.codes.NOT_MODIFIED else _error(response)


def is_passing(error: PlateauError, *, repeatable: bool = True) -> bool:
    """Return whether repeating a failed request is safe and can help."""
    if isinstance(error, Unavailable):
        return isinstance(error.__cause__, _UNSENT) or (repeatable and error.status in _PASSING)
    return isinstance(error, RateLimited)


def _given(query: Query | None) -> dict[str, str | int]:
    return {name: value for name, value in (query or {}).items() if value is not None}


def _no_response(cause: httpx.TransportError) -> PlateauError:
    detail = f"{cause.request.url} did not respond: {cause}"
    error = error_of(_made_up("No response", 0, detail, "no-response"))
    error.__cause__ = cause
    return error


def _error(response: httpx.Response) -> PlateauError:
    """Return the error for a response; a proxy can send one that is not a problem document."""
    after = response.headers.get("Retry-After", "")
    try:
        problem: Problem = response.json()
        return error_of(problem, float(after) if after.isdigit() else 0.0)
    except (ValueError, TypeError, KeyError):
        status = response.status_code
        detail = f"{response.url} responded with {status} {response.reason_phrase}"
        return error_of(_made_up(response.reason_phrase, status, detail, f"http-{status}"))


def _made_up(title: str, status: int, detail: str, code: str) -> Problem:
    return {"type": "about:blank", "title": title, "status": status, "detail": detail, "instance": "", "code": code}
