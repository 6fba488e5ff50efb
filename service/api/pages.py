"""Lists in pages: what a page answers, and the cursor with which a client asks for the next one."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

from flask import Response, request

from service.api.http import answer


def page_of(items: Sequence[Any], last: str | None) -> Response:
    """Answer a page of a list; ``last`` is the member to go on from, None at the end."""
    cursor = None if last is None else urlsafe_b64encode(last.encode()).decode()
    return linked(answer({"items": items, "next_cursor": cursor}), cursor)


def linked(response: Response, cursor: str | None) -> Response:
    """Link a page of a list to the next one, if there is one."""
    if cursor is not None:
        here = {**request.args.to_dict(), "cursor": cursor}
        response.headers["Link"] = f'<{request.path}?{urlencode(here)}>; rel="next"'
    return response


def cursor_to(kind: str) -> Callable[[str], str]:
    """Make the reader of a cursor in a list of things whose ids begin so; it says where the list is to go on."""

    def read(text: str) -> str:
        try:
            member = urlsafe_b64decode(text.encode("ascii")).decode("ascii")
        except ValueError as error:
            raise ValueError("must be a next_cursor of an earlier page") from error
        if f" {kind}" not in member or len(member) > 64:
            raise ValueError("must be a next_cursor of an earlier page")
        return member

    return read
