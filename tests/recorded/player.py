"""A player who can play at every release: what the interface has had since the first one, by the standard library."""

import json
import random
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from copy import copy
from typing import Any

from tests.support.server import PATIENCE, wait_until

_PAGE = 1000
_TOO_LATE = (409, 412)


class Refused(Exception):
    """The service refused a request; ``status`` and ``problem`` are what it said."""

    def __init__(self, status: int, problem: Any) -> None:
        super().__init__(f"{status}: {problem}")
        self.status = status
        self.problem = problem


class TooLate(Refused):
    """The moment for what was asked is over: somebody else was first."""


class Player:
    """A player with a token, at the address of any process of a service."""

    def __init__(self, url: str, name: str) -> None:
        self.url = url
        self.token = ""
        made = self.ask("POST", "/v1/players", {"name": name})
        self.id: str = made["id"]
        self.token = made["token"]

    def at(self, url: str) -> "Player":
        """Return the same player at another process."""
        there = copy(self)
        there.url = url
        return there

    def holding(self, token: str) -> "Player":
        """Return the same player with another token."""
        other = copy(self)
        other.token = token
        return other

    def as_nobody(self) -> "Player":
        """Return somebody at the same process who has no token."""
        return self.holding("")

    def ask(self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None) -> Any:
        """Send a request, and return what the response has as JSON; raise ``Refused``."""
        sent = {"Content-Type": "application/json", **(headers or {})}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}{path}", data, sent, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                return json.loads(response.read() or b"null")
        except urllib.error.HTTPError as refusal:
            with refusal:
                kind = TooLate if refusal.code in _TOO_LATE else Refused
                raise kind(refusal.code, json.loads(refusal.read() or b"null")) from None

    def text(self, path: str) -> str:
        """Return what is at a path as text."""
        with urllib.request.urlopen(f"{self.url}{path}", timeout=PATIENCE) as response:
            found: str = response.read().decode()
            return found

    def view(self, game: str, seat: int | None = None) -> Any:
        """Return what the player sees of a game, from one of their seats if they have several."""
        return self.ask("GET", f"/v1/games/{game}/view{as_seat(seat)}")

    def events(self, game: str, seat: int | None = None) -> list[Any]:
        """Return the whole log of a game, as the player sees it, from one of their seats if they have several."""
        found: list[Any] = []
        while True:
            where = as_seat(seat).replace("?", "&")
            page = self.ask("GET", f"/v1/games/{game}/events?limit={_PAGE}&after={len(found)}{where}")["events"]
            found += page
            if len(page) < _PAGE:
                return found

    def act(self, game: str, seat: int, dice: random.Random, key: str = "") -> tuple[Any, Any]:
        """Take one of the legal actions of a seat by chance; return the request and the response."""
        view = self.view(game, seat)
        listed = self.ask("GET", f"/v1/games/{game}/legal-actions{as_seat(seat)}")["actions"]
        if not listed or view.get("decision") is None:
            raise TooLate(409, "no legal action is left")
        action = dice.choice(listed) | {"decision_id": view["decision"]["id"]}
        return action, self.send(game, seat, action, key)

    def send(self, game: str, seat: int, action: Any, key: str = "") -> Any:
        """Send an action, perhaps with a key, and return the response."""
        headers = {"Idempotency-Key": key} if key else {}
        return self.ask("POST", f"/v1/games/{game}/actions{as_seat(seat)}", action, headers)


def as_seat(seat: int | None) -> str:
    """Return the query that says for which seat a request is."""
    return "" if seat is None else f"?as={seat}"


def play(game: str, players: Mapping[int, Player], dice: random.Random, actions: int) -> int:
    """Let the players of some seats act, while bots act for the others; return how many actions were taken.

    That is fewer than asked for if the game is over before.
    """
    anyone = next(iter(players.values()))
    taken = 0

    def has_acted() -> bool:
        """Act for a seat that can; a bot can take the moment from it, where several seats can act."""
        nonlocal taken
        view = anyone.view(game)
        if view["game"]["status"] != "active":
            return True
        for seat in sorted(players.keys() & set(view["to_act"])):
            with suppress(TooLate):
                players[seat].act(game, seat, dice)
                taken += 1
                return True
        return False

    while taken < actions:
        before = taken
        wait_until(has_acted, f"the turn of a player in {game}")
        if taken == before:
            break
    return taken
