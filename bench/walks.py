"""How far one request walks: the project's files that it passes through, and how often it moves between them.

    python -m bench.walks [--path] [--quick]

There are three walks in a game of Le Plateau with four seats and the default clock: an accepted card (``POST
…/actions``, through the WSGI app), the view that the next seat then requests (``GET …/view``), and a bot's card (the
job as a worker handles it, and the commit at the moment that the pace of the table sets). When the cards are played,
the trick has one card, so nothing ends.

Only files of ``domain``, ``service`` and ``workers`` count, and only on the thread that does the work; the bot's policy
runs in a process of its own. A file is entered when one of its functions is called. A move is a call or a return that
continues in another file. Libraries are skipped: a function that Flask calls counts as called by Flask's caller.
Neither the way in nor the way out is a move. A generator is called whenever it resumes, and returns when it yields. As
in a running service, the game, the tokens and the form of the card are cached. ``--path`` lists the files in order.
``--quick`` changes nothing.
"""

import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any
from unittest.mock import patch

from flask.testing import FlaskClient

import domain
from bench.servers import engine
from service.config.settings import Settings
from service.games.repository import GameRepository
from service.jobs.job_queue import RqQueue
from service.runtime.wiring import wire
from service.store.event_store import EventStore
from service.store.heartbeat import Heartbeat
from service.store.redis.connections import connect
from workers.held_moves import HeldMoves
from workers.processes import turn_worker_on

ROOT = Path(domain.__file__).parents[1]
PACKAGES = ("domain", "service", "workers")
BOT = 1
PATH = "--path"


@dataclass
class Walk:
    """The files in order, each different from the last one, and how many of the moves were calls."""

    path: list[str] = field(default_factory=list)
    calls: int = 0

    @property
    def files(self) -> int:
        """Count the different files."""
        return len(set(self.path))

    @property
    def moves(self) -> int:
        """Count the moves from one file to another."""
        return len(self.path) - 1

    def to(self, file: str | None, *, by_call: bool) -> None:
        """Continue in a file of the project; None is any other file."""
        if file is not None and self.path[-1:] != [file]:
            self.calls += by_call and bool(self.path)
            self.path.append(file)


@contextmanager
def walking(walk: Walk) -> Iterator[None]:
    """Record every call and return on this thread until the block ends."""
    names: dict[CodeType, str | None] = {}

    def name(frame: FrameType) -> str | None:
        code = frame.f_code
        if code not in names:
            names[code] = _name(code.co_filename)
        return names[code]

    def caller(frame: FrameType) -> str | None:
        """Return the nearest file of the project among the callers."""
        above = frame.f_back
        while above is not None and name(above) is None:
            above = above.f_back
        return None if above is None else name(above)

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            walk.to(name(frame), by_call=True)
        elif event == "return" and name(frame) is not None:
            walk.to(caller(frame), by_call=False)

    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)


def _name(file: str) -> str | None:
    """Return the path of a file in the project, None for a library."""
    path = Path(file)
    if not path.is_relative_to(ROOT):
        return None
    inside = path.relative_to(ROOT)
    return str(inside) if inside.parts[0] in PACKAGES else None


class Table:
    """A game over HTTP, in this process, in which all players choose the first legal action."""

    def __init__(self, client: FlaskClient, seats: int = 4, bot: int | None = None) -> None:
        self._client = client
        self._tokens = [self._ask("POST", "/v1/players", {"name": f"Seat {seat}"})["token"] for seat in range(seats)]
        wish = [{"bot": "random"} if seat == bot else {"open": True} for seat in range(seats)]
        made = self._ask("POST", "/v1/games", {"ruleset": "le-plateau", "seats": wish}, self._tokens[0])
        self.id = str(made["id"])
        for seat in range(seats):
            if seat != bot:
                self._ask("POST", f"/v1/games/{self.id}/seats", {"seat": seat}, self._tokens[seat])

    def _ask(self, method: str, path: str, body: object = None, token: str = "") -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self._client.open(path, method=method, json=body, headers=headers)
        if answer.status_code >= 400:
            raise SystemExit(f"refused: {answer.text}")
        return answer.get_json()

    def view(self, seat: int) -> Any:
        """Return a seat's view."""
        return self._ask("GET", f"/v1/games/{self.id}/view", token=self._tokens[seat])

    def act(self, seat: int, action: object, query: str = "") -> None:
        """Act for a seat."""
        self._ask("POST", f"/v1/games/{self.id}/actions{query}", action, self._tokens[seat])

    def usual(self, seat: int) -> Any:
        """Choose the first legal action of a seat, but pass once there is a bid, so that cards are played."""
        actions = self._ask("GET", f"/v1/games/{self.id}/legal-actions", token=self._tokens[seat])["actions"]
        passes = [action for action in actions if action["type"] == "pass"]
        return passes[0] if passes and self.view(seat)["state"]["bids"] else actions[0]

    def play_until(self, is_time: Callable[[Any], bool], move_bot: Callable[[str], None] = lambda _: None) -> int:
        """Play until a view meets a condition; return the seat to act."""
        while not is_time(view := self.view(0)):
            (seat,) = view["to_act"]
            if view["game"]["seats"][seat]["bot"]:
                move_bot(self.id)
            else:
                self.act(seat, self.usual(seat))
        return int(view["to_act"][0])


def in_a_trick(view: Any) -> bool:
    """Return whether the trick has one card, so that the next one ends nothing."""
    trick = view["state"]["trick"]
    return trick is not None and len(trick["cards"]) == 1


def walks() -> Iterator[tuple[str, Walk]]:
    """Walk each way once everything that it needs is cached."""
    with engine() as url:
        settings = Settings(redis_url=url)
        client = wire(settings).test_client()
        table = Table(client)
        seat = table.play_until(in_a_trick)
        card = table.usual(seat)
        table.act(seat, card, "?dry_run=true")
        yield "accepted card", walked(lambda: table.act(seat, card))
        (following,) = table.view(seat)["to_act"]
        yield "view", walked(lambda: table.view(following))
        with worker(url, settings) as (repository, handle):
            with_bot = Table(client, bot=BOT)
            with_bot.play_until(lambda view: in_a_trick(view) and view["to_act"] == [BOT], handle)
            repository.fresh(with_bot.id)
            yield "bot's move", walked(lambda: handle(with_bot.id))


@contextmanager
def worker(url: str, settings: Settings) -> Iterator[tuple[GameRepository, Callable[[str], None]]]:
    """Yield a worker's repository, and the function that handles one job; its policy process is running."""
    redis = connect(url)
    queue, repository = RqQueue(redis, settings.bot_seconds), GameRepository(EventStore(redis, settings.shards))
    with patch.object(HeldMoves, "start"):  # a thread would commit what is held
        turn_worker = turn_worker_on(redis, settings, repository, Heartbeat(redis), queue)

    def handle(game_id: str) -> None:
        """Let the bot choose, and commit the move at its moment."""
        turn_worker.handle(game_id, None)
        for held in turn_worker.held.waiting:
            time.sleep(max(0, held.moment / 1000 - time.time()) + 0.05)
        turn_worker.held.release()

    try:
        yield repository, handle
    finally:
        turn_worker.stop(queue)


def walked(do: Callable[[], object]) -> Walk:
    """Walk one way."""
    walk = Walk()
    with walking(walk):
        do()
    return walk


def shown(path: list[str]) -> Iterator[str]:
    """List the files of a walk in order."""
    for number, file in enumerate(path, 1):
        yield f"    {number:4} {file}"


def main() -> None:
    """Walk, and print a table; the cards, and the bot's choice, are the same every time."""
    chance = random.Random(1)
    with patch("secrets.token_bytes", chance.randbytes), patch("secrets.randbits", chance.getrandbits):
        for name, walk in walks():
            print(f"  {name:14} {walk.files:3} files {walk.moves:4} moves, {walk.calls:4} of them calls", flush=True)
            if PATH in sys.argv:
                print("\n".join(shown(walk.path)))


if __name__ == "__main__":
    main()
