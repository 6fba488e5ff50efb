"""Hearing that something has happened in a game, in a thread beside the player's prompt."""

import random
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from service.cli.client import Refused, Service, Unreachable

_WAIT = 25
_FIRST_PAUSE = 0.3
_LONGEST_PAUSE = 10.0
_WITHOUT_STREAMS = 300.0


class Follower:
    """Follows a game, and says when it has come to a new version, or when the service is lost and found again.

    It also says when a player has said something after the phrase with the id ``phrase``: ``said`` has the phrases that
    were not taken out yet. ``heard`` is called in a separate thread. A stream that is cut is opened again after its
    last item. If streams bring nothing, requests that wait replace them.
    """

    def __init__(
        self, service: Service, events: str, version: int, heard: Callable[[], None], phrase: str = "0"
    ) -> None:
        self.version = version
        self.phrase = phrase
        self.said = deque[Any]()
        self.is_lost = False
        self.refusal: Refused | None = None
        self._service = service
        self._events = events
        self._heard = heard
        self._ended = threading.Event()
        self._stream_at = 0.0
        self._failures = 0
        threading.Thread(target=self._follow, daemon=True).start()

    def stop(self) -> None:
        self._ended.set()

    def _follow(self) -> None:
        while not self._ended.is_set():
            try:
                if time.monotonic() >= self._stream_at:
                    self._stream()
                else:
                    self._page()
            except Unreachable:
                self._lost()
            except Refused as refusal:
                if not refusal.passes:
                    self.refusal = refusal
                    self._tell()
                    return
                self._stream_at = time.monotonic() + _WITHOUT_STREAMS
                self._pause()

    def _stream(self) -> None:
        self._stream_at = time.monotonic() + _WITHOUT_STREAMS
        with self._service.lines(f"{self._events}&{self._place}") as items:
            for item in items:
                self._stream_at = 0.0
                self._found()
                if item.get("end", {}).get("code") == "game-went-back":
                    self._stream_at = time.monotonic() + _WITHOUT_STREAMS
                    return  # the page that comes next is refused with what to do
                if self._ended.is_set() or "end" in item:
                    self._ended.set()
                    return
                if "phrase" in item:
                    self._spoke(item["phrase"])
                self._came(item.get("version", 0))
        self._pause()

    def _page(self) -> None:
        page = self._service.ask("GET", f"{self._events}&{self._place}&wait={_WAIT}")
        self._found()
        for each in page.get("phrases", ()):
            self._spoke(each)
        if page["events"]:
            self._came(page["events"][-1]["version"])
        elif page["next"] is None:
            self._pause()

    @property
    def _place(self) -> str:
        return f"after={self.version}&phrases={self.phrase}"

    def _spoke(self, phrase: Any) -> None:
        self.phrase = phrase["id"]
        self.said.append(phrase)
        self._tell()

    def _came(self, version: int) -> None:
        if version > self.version:
            self.version = version
            self._tell()

    def _lost(self) -> None:
        self._failures += 1
        if self._failures > 1 and not self.is_lost:
            self.is_lost = True
            self._tell()
        self._pause()

    def _found(self) -> None:
        self._failures = 0
        if self.is_lost:
            self.is_lost = False
            self._tell()

    def _pause(self) -> None:
        longest = min(_FIRST_PAUSE * 2 ** min(self._failures, 6), _LONGEST_PAUSE)
        self._ended.wait(longest * random.uniform(0.5, 1))  # noqa: S311 - spreads clients

    def _tell(self) -> None:
        if not self._ended.is_set():
            self._heard()
