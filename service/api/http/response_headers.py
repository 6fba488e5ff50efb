"""The headers of responses, as the spec describes them."""

from collections.abc import Mapping
from typing import Any

from service.api.http.endpoint import Operation
from service.api.http.parameters import IF_NONE_MATCH

RECEIPT = ("Plateau-Receipt",)
"""The server's signature of the game that a response shows or that a request changed."""
ROOM = ("RateLimit", "RateLimit-Policy")
"""The remaining room of a limit."""

_ALWAYS = ("X-Request-Id",)
_OF_PROBLEMS: Mapping[int, tuple[str, ...]] = {
    401: ("WWW-Authenticate",),
    429: ("Retry-After", *ROOM),
    503: ("Retry-After",),
}


def _header(description: str, kind: str = "string", *, always: bool = True) -> dict[str, Any]:
    return {"description": description, "schema": {"type": kind}} | ({"required": True} if always else {})


HEADERS: Mapping[str, Mapping[str, Any]] = {
    "X-Request-Id": _header("The id of the request, for questions about it."),
    "ETag": _header(
        "Names the state that is shown, in quotes. Send it back as it is: in If-None-Match, or with an action in "
        "If-Match."
    ),
    "Location": _header("The address of what was created."),
    "Link": _header('The next page, with rel="next"; absent on the last page.', always=False),
    "Plateau-Receipt": _header(
        "What the server signs of the version of the game that is shown, or that the request led to, as a JSON object: "
        "`game`, `version`, `hash`, `at`, `key_id` and `signature`. A repeated request gets the same. Absent from "
        "streams.",
        always=False,
    ),
    "Retry-After": _header("In how many seconds to try again, if that can help.", "integer", always=False),
    "Content-Language": _header(
        "The language of `title` and `detail`: that of `lang`, or the best one by `Accept-Language`."
    ),
    "WWW-Authenticate": _header("The scheme of the tokens: Bearer."),
    "RateLimit": _header("What is left of a limit, and when there is more (IETF draft).", always=False),
    "RateLimit-Policy": _header("The limit and its period (IETF draft).", always=False),
}
"""The components; headers that only some responses have are not required."""


_NOT_OF_STREAMS = _header("Names the state that is shown, as elsewhere; a stream has none.", always=False)


def headers_of(described: Operation, status: int) -> dict[str, Any]:
    """Refer to the headers of an operation's response: those that it declares, and those that follow from the rest."""
    names = [*_ALWAYS, *described.headers.get(status, ()), *_OF_PROBLEMS.get(status, ())]
    if status >= 400:
        names.append("Content-Language")
    if status in (200, 304) and IF_NONE_MATCH in described.parameters:
        names.append("ETag")
    if status in (200, 304) and "cursor" in described.queries:
        names.append("Link")
    refs = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
    forms = described.answers.get(status, ())
    is_streamed = isinstance(forms, tuple) and "text/event-stream" in forms
    return refs | {"ETag": _NOT_OF_STREAMS} if is_streamed and "ETag" in refs else refs
