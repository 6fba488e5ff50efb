"""A client of a running service over HTTP, for the commands that show games and play them.

``plateau-client``, the package for programs, is a distribution of its own, which a server is installed without.
"""

import http.client
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import orjson

from domain.serialization import Plain

_PATIENCE = 30.0
_SILENCE = 25.0
"""How long a stream can bring nothing: the service shows every 15 seconds that it is alive."""
_LINES = "application/x-ndjson"
EVENTS_A_PAGE = 1000
MOST_PAGES = 1000
MOST_BYTES = 2**26
LONGEST_LINE = 2**22
"""Bounds of what a service can make this program read: pages of events, bytes of a body, bytes of a line."""
EXPORTS: Mapping[str, str] = {
    "text": "text/plain",
    "audit": "application/json",
    "bundle": "application/jsonl",
    "html": "text/html",
}
"""The formats of an export, and their types."""
_CONNECTIONS = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}


class Refused(Exception):
    """The service rejected the request; the message states why.

    ``detail`` is the sentence for people; ``status`` and ``code`` are those of the problem.
    """

    def __init__(self, message: str, detail: str = "", status: int = 0, code: str = "") -> None:
        super().__init__(message)
        self.detail = detail or message
        self.status = status
        self.code = code

    @property
    def passes(self) -> bool:
        """Whether the same request can succeed a little later."""
        return self.status == http.client.TOO_MANY_REQUESTS or self.status >= http.client.INTERNAL_SERVER_ERROR


class Unreachable(Exception):
    """The service does not answer."""


@dataclass(frozen=True, slots=True)
class Service:
    url: str
    token: str | None = field(default=None, repr=False)

    def view(self, game_id: str, viewer: str | None = None, at: int | None = None) -> Mapping[str, Plain]:
        """Read a view of a game: the default view, or that of a seat or 'spectator', now or at a version."""
        body = self._read(_path(game_id, "view", viewer, at=at), "application/json")
        try:
            view = orjson.loads(body)
        except ValueError:
            view = None
        if not (isinstance(view, dict) and {"game", "version", "viewer", "state"} <= view.keys()):
            raise self.strange("something other than a view")
        return view

    def picture(self, game_id: str, viewer: str | None = None, at: int | None = None) -> bytes:
        return self._read(_path(game_id, "board.svg", viewer, at=at), "image/svg+xml")

    def link(self, game_id: str, viewer: str | None = None, at: int | None = None) -> str:
        body = self._read(_path(game_id, "board-links", viewer), "application/json", "POST")
        try:
            place = orjson.loads(body)["url"]
        except (ValueError, KeyError, TypeError):
            raise self.strange("something other than a link") from None
        return f"{self.url.rstrip('/')}{place}" + (f"&at={at}" if at is not None else "")

    def export(self, game_id: str, viewer: str | None, form: str, language: str) -> bytes:
        lang = language if form == "html" else None
        return self._read(_path(game_id, "export", viewer, format=form, lang=lang), EXPORTS[form])

    def told(self, game_id: str, viewer: str | None, language: str, *, since: bool) -> Iterator[Mapping[str, Plain]]:
        """Read the events of a game, with sentences, page by page: all of them, or those since the last move."""
        start, after = "my-last-move" if since else None, 0
        for _ in range(MOST_PAGES):
            path = _path(game_id, "events", viewer, after=after, lang=language, since=start, limit=EVENTS_A_PAGE)
            try:
                page = orjson.loads(self._read(path, "application/json"))
                events, following = page["events"], page["next"]
                _ = [event["sentence"]["text"] for event in events]
                is_last = following is None
                if not is_last and not following > after:
                    raise ValueError
            except (ValueError, KeyError, TypeError):
                raise self.strange("something other than events") from None
            yield from events
            if is_last:
                return
            after = following
        raise self.strange("events without end")

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        key: str | None = None,
        match: str | None = None,
        language: str | None = None,
    ) -> Any:
        """Send any request of the interface, and return the JSON of its response, None if it has none.

        With a ``key``, the request can be sent again, and acts once. With a ``match``, it acts only on what has this
        tag. A refusal is in the ``language``.
        """
        named = {"Idempotency-Key": key, "If-Match": match, "Accept-Language": language}
        with self._sent(method, path, body, {name: text for name, text in named.items() if text}) as answer:
            return self._plain(answer)

    def tagged(self, path: str, language: str) -> tuple[Any, str | None]:
        """Read something, and the tag with which it can be changed if it has not changed."""
        with self._sent("GET", path, headers={"Accept-Language": language}) as answer:
            return self._plain(answer), answer.headers["ETag"]

    def _plain(self, answer: http.client.HTTPResponse) -> Any:
        answered = self._body(answer)
        try:
            return orjson.loads(answered) if answered else None
        except ValueError:
            raise self.strange("something other than JSON") from None

    @contextmanager
    def lines(self, path: str) -> Iterator[Iterator[Plain]]:
        """Open a stream, and read what comes; an empty object shows that it is alive. One that falls silent fails."""
        with self._sent("GET", path, headers={"Accept": _LINES}, patience=_SILENCE) as answer:
            if answer.headers.get_content_type() != _LINES:
                raise self.strange(answer.headers.get_content_type())
            yield map(_item, iter(partial(answer.readline, LONGEST_LINE), b""))

    def _read(self, path: str, kind: str, method: str = "GET") -> bytes:
        with self._sent(method, path) as answer:
            body = self._body(answer)
        if answer.headers.get_content_type() != kind:
            raise self.strange(answer.headers.get_content_type())
        return body

    @contextmanager
    def _sent(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str] | None = None,
        patience: float = _PATIENCE,
    ) -> Iterator[http.client.HTTPResponse]:
        parts = urlsplit(self.url)
        every = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        every |= {"Content-Type": "application/json"} if body is not None else {}
        connection = _CONNECTIONS[parts.scheme](parts.netloc, timeout=patience)
        try:
            sent = None if body is None else orjson.dumps(body)
            connection.request(method, parts.path.rstrip("/") + path, sent, every | {**(headers or {})})
            with connection.getresponse() as answer:
                if not http.client.OK <= answer.status < http.client.MULTIPLE_CHOICES:
                    raise self._refusal(answer.status, self._body(answer))
                yield answer
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise Unreachable(f"no service answers at {self.url} ({reason}); start one with: plateau serve") from error
        finally:
            connection.close()

    def _body(self, answer: http.client.HTTPResponse) -> bytes:
        body: bytes = answer.read(MOST_BYTES + 1)
        if len(body) > MOST_BYTES:
            raise self.strange(f"more than {MOST_BYTES} bytes at once")
        if answer.length:  # read() with a bound does not say that the body was cut
            raise http.client.IncompleteRead(body, answer.length)
        return body

    def _refusal(self, status: int, body: bytes) -> Refused:
        try:
            problem = orjson.loads(body)
            detail, code = problem["detail"], problem["code"]
        except (ValueError, KeyError, TypeError):
            return self.strange(f"status {status}", status)
        return Refused(f"{detail} ({status}, {code})", detail, status, code)

    def strange(self, what: str, status: int = 0) -> Refused:
        """Return the error of a service that sends what no Plateau service does."""
        return Refused(f"the server at {self.url} is not a Plateau service: it sent {what}", status=status)


def _item(line: bytes) -> Plain:
    """Read a line of a stream; one that is not whole was cut, or is too long."""
    try:
        return orjson.loads(line) if line.strip() else {}
    except ValueError:
        raise ConnectionError("the stream was cut") from None


def _path(game_id: str, what: str, viewer: str | None, **wanted: object) -> str:
    query = urlencode({name: value for name, value in {"as": viewer, **wanted}.items() if value is not None})
    return f"/v1/games/{quote(game_id, safe='')}/{what}" + (f"?{query}" if query else "")
