"""The players: people who repeat each request until it is answered, and games without people."""

import random
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from uuid import UUID

from bench.chaos.checker import Notes
from bench.chaos.http_client import CUT, Caller
from domain.game.durations import SECOND

_PACE_SECONDS, _AGAIN_SECONDS = 0.03, 0.05
_MOVE_MS = SECOND

ME, BOT = {"player": "me"}, {"bot": "random"}
_GAME: Mapping[str, Any] = {"ruleset": "le-plateau", "options": {"hands": 60}, "visibility": "unlisted"}
SANDBOX: Mapping[str, Any] = {**_GAME, "sandbox": True, "seats": [ME] * 3}
WITH_BOTS = {**_GAME, "seats": [ME, BOT, BOT]}
BOTS_ALONE = {**_GAME, "seats": [BOT] * 3}
CLOCKED = {**SANDBOX, "clock": {"per_move": "PT1S", "on_timeout": "bot", "bot": "random"}}


def settled(caller: Caller, path: str, body: Any, key: str) -> tuple[int, Any]:
    """Post until there is a final answer: the request is accepted or rejected."""
    while True:
        with suppress(*CUT):
            status, said = caller.ask(path, body, key)
            if status < 500 and status != 429:
                return status, said
        time.sleep(_AGAIN_SECONDS)


class Table:
    """One game, and what its clients were shown."""

    def __init__(self, port: int, token: str, wanted: Mapping[str, Any], seed: int) -> None:
        self._caller = Caller(port, token)
        self._rng = random.Random(seed)
        self._wanted = wanted
        self._path = ""
        self.notes = Notes("")
        self.version = 0

    def begin(self) -> None:
        """Create the game."""
        status, made = settled(self._caller, "/v1/games", self._wanted, self._key())
        if status >= 400:
            raise SystemExit(f"the game is refused: {made}")
        self._path = f"/v1/games/{made['id']}"
        self.notes = Notes(made["id"], move_ms=_MOVE_MS if "clock" in self._wanted else None)
        self.look()

    def look(self) -> None:
        """Note where the game is, if it can be seen."""
        with suppress(*CUT):
            status, game = self._caller.ask(self._path)
            if status == 200:
                self.version = game["version"]
                self.notes.seen.add((game["version"], game["head"]))

    def end(self) -> None:
        """End the game as the operator, so that it does not slow down later cycles."""
        path = self._path.replace("/v1/", "/v1/admin/")
        settled(self._caller, f"{path}/acts", {"act": "abort", "reason": "The cycle is over."}, self._key())

    def progress(self) -> int:
        """Return how far the game has come, for comparison with another such number."""
        self.look()
        return self.version

    def _key(self) -> str:
        return str(UUID(int=self._rng.getrandbits(128)))


class Person(Table):
    """A person who plays all seats of a sandbox, or one seat beside bots, in a thread of their own."""

    def __init__(self, port: int, token: str, wanted: Mapping[str, Any], seed: int) -> None:
        super().__init__(port, token, wanted, seed)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._last = time.monotonic()
        self.outage = 0.0
        self.refused: list[str] = []

    def begin(self) -> None:
        """Create the game, and begin to play it."""
        super().begin()
        self.notes.is_alone = self._wanted is SANDBOX
        self._last = time.monotonic()
        self._thread.start()

    def progress(self) -> int:
        """Count the accepted requests."""
        return len(self.notes.acknowledged)

    def mark(self) -> None:
        """Count outages from now on."""
        self.outage, self._last = 0.0, time.monotonic()

    def stop(self, patience: float) -> bool:
        """Send no new requests; return whether the last one is answered in time."""
        self._stopped.set()
        self._thread.join(patience)
        return not self._thread.is_alive()

    def _play(self) -> None:
        while not self._stopped.is_set():
            with suppress(*CUT):
                self._move()
            time.sleep(_PACE_SECONDS)

    def _move(self) -> None:
        seat = "" if self._wanted is SANDBOX else "as=0&"
        status, listed = self._caller.ask(f"{self._path}/legal-actions?{seat}limit=50")
        if status != 200 or not listed["actions"]:
            return
        chosen = self._rng.choice(listed["actions"])
        status, said = settled(self._caller, f"{self._path}/actions?as={listed['seat']}", chosen, self._key())
        if status >= 400:
            self.refused.append(said.get("code", str(status)))
            return
        self.notes.acknowledged.append([(event["version"], event["hash"]) for event in said["events"]])
        self.outage, self._last = max(self.outage, time.monotonic() - self._last), time.monotonic()
        if self._rng.randrange(4) == 0:
            self.look()
