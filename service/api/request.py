"""The request being answered, with what this service notes of it."""

import random
import time
from typing import Any, cast

from flask import Request, request


class Asked(Request):
    """A request, the name it goes by in answers and logs, and what has been found out about it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.began = time.perf_counter()
        self.id = f"req_{random.getrandbits(64):016x}"
        self.raw = b""
        self.body: dict[str, Any] = {}
        self.player: str | None = None


def asked() -> Asked:
    """Give the request itself: what is asked of Flask's proxy is looked up anew each time."""
    return cast("Asked", request._get_current_object())  # type: ignore[attr-defined]  # noqa: SLF001 - as documented
