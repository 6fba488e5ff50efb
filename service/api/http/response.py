"""Responses: JSON, pages of lists, pictures, and versions as ETags."""

from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlencode

import orjson
from flask import Response, request

from domain.game.aggregate import Game
from domain.table import Seat
from service.accounts.limits import Room
from service.api.http.request import services
from service.games.repository import head_of
from service.store.codec import Answer, Head

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment
    from werkzeug.datastructures import Headers


COMPRESSED = ":gzip"
"""The end of the ETag of a compressed response."""
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_PAGE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


_SPECTATOR = "f"
"""Represents all viewers without a seat in an ETag; seats are hexadecimal digits, too."""


class ApiResponse(Response):
    """A response that copies its headers only if Werkzeug has something to change in them."""

    def get_wsgi_headers(self, environ: "WSGIEnvironment") -> "Headers":
        is_settled = self.status_code in (200, 201) and "Location" not in self.headers
        return self.headers if is_settled else super().get_wsgi_headers(environ)


def answer(data: Any, status: int = 200) -> Response:
    return ApiResponse(orjson.dumps(data), status=status, content_type="application/json")


def kept_answer(kept: Answer) -> Response:
    """Respond with the exact bytes of a command's response, and with a receipt for its events."""
    return receipted(ApiResponse(kept.body, status=kept.status, content_type="application/json"), kept.head)


def receipted(response: Response, head: Head | None) -> Response:
    """Add the receipt for a version of a game to a response that shows it or wrote it."""
    if head is not None:
        response.headers["Plateau-Receipt"] = services().receipts.of(head)
    return response


def no_content() -> Response:
    response = Response(status=204)
    del response.headers["Content-Type"]
    return response


def picture(svg: str) -> Response:
    """Respond with a picture that cannot run anything in a browser."""
    response = Response(svg, content_type="image/svg+xml; charset=utf-8")
    response.headers["Content-Security-Policy"] = PICTURE_POLICY
    return response


def page(html: str | bytes, status: int = 200) -> Response:
    """Respond with a page for people that cannot run or load anything, or be framed."""
    response = Response(html, status, content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = _PAGE_POLICY
    return response


def in_lines(parts: Iterable[Any]) -> Response:
    return Response(b"".join(orjson.dumps(part) + b"\n" for part in parts), content_type="application/jsonl")


def saved(page: bytes, name: str) -> Response:
    """Respond with a page to be saved under a name; it runs no scripts if a browser shows it anyway."""
    response = Response(page, content_type="text/html; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response


def _unchanged(tag: str) -> Response | None:
    """Return 304 if the client already has what this ETag names, compressed or not, by If-None-Match."""
    if "HTTP_IF_NONE_MATCH" not in request.environ:
        return None
    known = next((form for form in (tag, tag + COMPRESSED) if request.if_none_match.contains_weak(form)), None)
    return None if known is None else _tagged(Response(status=304), known)


def _tagged(response: Response, tag: str) -> Response:
    response.headers["ETag"] = f'"{tag}"'
    return response


def versioned(
    game: Game, viewer: Seat | Literal["anyone"] | None, shown: Callable[[], Response], names: str = ""
) -> Response:
    """Show something of a game, unless the client already has it.

    The ETag is the version, who sees it (a seat, None for spectators, or "anyone" if all see the same), and a digest of
    the names, if there are any: after a change of names, the caller must not get 304. The response has the receipt for
    that version.
    """
    seen_by = "" if viewer == "anyone" else _SPECTATOR if viewer is None else f"{viewer:x}"
    tag = f"{game.version}-{seen_by}{names}" if seen_by or names else str(game.version)
    return _unchanged(tag) or receipted(_tagged(shown(), tag), head_of(game))


def hashed(response: Response) -> Response:
    """Make the ETag of a response from its content, and respond with 304 to a client that already has it."""
    tag = _digest(response)
    return _unchanged(tag) or _tagged(response, tag)


def stamped(response: Response) -> Response:
    """Make the ETag of a response from its content, for the response to a write."""
    return _tagged(response, _digest(response))


def is_matched(response: Response) -> bool:
    """Return whether If-Match names what a response would show; without the header, everything matches."""
    wanted, tag = request.if_match, _digest(response)
    return not wanted or any(wanted.contains_weak(form) for form in (tag, tag + COMPRESSED))


def _digest(response: Response) -> str:
    return blake2b(response.get_data(), digest_size=8).hexdigest()


def kept_to_oneself(response: Response) -> Response:
    """Keep the content of a secret link out of caches, and the link itself out of the headers of later requests."""
    response.headers["Cache-Control"] = "no-store"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def page_of(items: Sequence[Any], last: str | None) -> Response:
    """Respond with a page of a list; ``last`` is the member to continue after, None at the end."""
    cursor = None if last is None else encoded_cursor(last)
    return linked(hashed(answer({"items": items, "next_cursor": cursor})), cursor)


def encoded_cursor(member: str) -> str:
    return urlsafe_b64encode(member.encode()).decode()


def linked(response: Response, cursor: str | None) -> Response:
    if cursor is not None:
        here = {**request.args.to_dict(), "cursor": cursor}
        response.headers["Link"] = f'<{request.path}?{urlencode(here)}>; rel="next"'
    return response


def rate_headers(room: Room) -> dict[str, str]:
    """Return the headers that describe a rate, as in the IETF's draft."""
    return {
        "RateLimit-Policy": f'"{room.bucket}";q={room.most};w={room.period}',
        "RateLimit": f'"{room.bucket}";r={room.left};t={room.after}',
    }


def roomed(response: Response, room: Room | None) -> Response:
    """Add the remaining room of the limit against which the request counted."""
    if room is not None:
        response.headers.update(rate_headers(room))
    return response
