"""A client that reads games from a running service over HTTP, for the commands that show them."""

import http.client
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode, urlsplit

import orjson

from domain.serialization import Plain

_PATIENCE = 30
_PAGE = 1000
EXPORTS: Mapping[str, str] = {"text": "text/plain", "audit": "application/json", "html": "text/html"}
"""The formats of an export, and their types."""
_CONNECTIONS = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}


class Refused(Exception):
    """The service rejected the request; the message states why."""


class Unreachable(Exception):
    """The service does not answer."""


@dataclass(frozen=True, slots=True)
class Service:
    """A service at an address (http or https), and the token to send."""

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
            raise self._strange("something other than a view")
        return view

    def picture(self, game_id: str, viewer: str | None = None, at: int | None = None) -> bytes:
        """Read the picture of a view as SVG."""
        return self._read(_path(game_id, "board.svg", viewer, at=at), "image/svg+xml")

    def link(self, game_id: str, viewer: str | None = None, at: int | None = None) -> str:
        """Create a link to the picture that a browser can open."""
        body = self._read(_path(game_id, "board-links", viewer), "application/json", "POST")
        try:
            place = orjson.loads(body)["url"]
        except (ValueError, KeyError, TypeError):
            raise self._strange("something other than a link") from None
        return f"{self.url.rstrip('/')}{place}" + (f"&at={at}" if at is not None else "")

    def export(self, game_id: str, viewer: str | None, form: str, language: str) -> bytes:
        """Read a whole game in a format."""
        lang = language if form == "html" else None
        return self._read(_path(game_id, "export", viewer, format=form, lang=lang), EXPORTS[form])

    def told(self, game_id: str, viewer: str | None, language: str, *, since: bool) -> Iterator[Mapping[str, Plain]]:
        """Read the events of a game, with sentences, page by page: all of them, or those since the last move."""
        after: int | None = 0
        while after is not None:
            start = "my-last-move" if since else None
            path = _path(game_id, "events", viewer, after=after, lang=language, since=start, limit=_PAGE)
            try:
                page = orjson.loads(self._read(path, "application/json"))
                events, after = page["events"], page["next"]
                _ = [event["sentence"]["text"] for event in events]
            except (ValueError, KeyError, TypeError):
                raise self._strange("something other than events") from None
            yield from events

    def _read(self, path: str, kind: str, method: str = "GET") -> bytes:
        parts = urlsplit(self.url)
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        connection = _CONNECTIONS[parts.scheme](parts.netloc, timeout=_PATIENCE)
        try:
            connection.request(method, parts.path.rstrip("/") + path, headers=headers)
            answer = connection.getresponse()
            body: bytes = answer.read()
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise Unreachable(f"no service answers at {self.url} ({reason}); start one with: plateau serve") from error
        finally:
            connection.close()
        if answer.status not in (http.client.OK, http.client.CREATED):
            raise self._refusal(answer.status, body)
        if answer.headers.get_content_type() != kind:
            raise self._strange(answer.headers.get_content_type())
        return body

    def _refusal(self, status: int, body: bytes) -> Refused:
        try:
            problem = orjson.loads(body)
            return Refused(f"{problem['detail']} ({status}, {problem['code']})")
        except (ValueError, KeyError, TypeError):
            return self._strange(f"status {status}")

    def _strange(self, what: str) -> Refused:
        return Refused(f"the server at {self.url} is not a Plateau service: it sent {what}")


def _path(game_id: str, what: str, viewer: str | None, **wanted: object) -> str:
    query = urlencode({name: value for name, value in {"as": viewer, **wanted}.items() if value is not None})
    return f"/v1/games/{quote(game_id, safe='')}/{what}" + (f"?{query}" if query else "")
