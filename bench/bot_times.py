"""Whether the times of a bot's moves tell if it had a choice: an attacker's guesses, beside guessing the same always.

    python -m bench.bot_times [seconds a level] [tables]

At each table of French Tarot, a player who passes and plays at once sits with three bots of one level; the table chose
``bot_pace`` 0. The attacker knows, for one half of the bots' moves, how long after the event before they came, and
whether there was a choice; it takes the bound on the time that tells both apart best, and guesses the other half.
"""

import random
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from bench.servers import ask, engine, running, unlimited
from bench.sizes import size
from domain.game import history
from domain.game.durations import instant
from domain.log.record import Record
from service.bots import BOTS
from service.store.event_store import EventStore
from service.store.redis.connections import connect
from tests.ports import free_port

_RULESET, _SEATS = "french-tarot", 4
_SURE = 1.96
"""How many standard errors an interval of 95 % has on each side."""


class Move(NamedTuple):
    """A bot's move: how many ms after the event before it came, and whether the bot had a choice."""

    ms: int
    had_choice: bool


def play(port: int, level: str, until: float, played: list[str]) -> None:
    """Play games at one table after the other, and note their ids."""
    token, rng = ask(port, "/v1/players", {"name": "Ada"})["token"], random.Random(len(played))
    while time.monotonic() < until:
        seats = [{"player": "me"}, *[{"bot": level}] * (_SEATS - 1)]
        wish = {"ruleset": _RULESET, "seats": seats, "bot_pace": 0, "clock": None, "options": {"deals": 4}}
        game = f"/v1/games/{ask(port, '/v1/games', wish, token)['id']}"
        played.append(game.rpartition("/")[2])
        version, is_over = 0, False
        while not is_over and time.monotonic() < until:
            page = ask(port, f"{game}/events?after={version}&wait=1&with=view", None, token)
            view = page["view"]
            version, is_over = view["version"], view["game"]["status"] == "finished"
            listed = view.get("legal_actions", {}).get("actions")
            if listed:
                passing = [action for action in listed if action["type"] == "pass"]
                ask(port, f"{game}/actions", rng.choice(passing or listed), token)


def moves(records: Sequence[Record]) -> Iterator[Move]:
    """List the moves of bots in a log."""
    game = None
    for _, group in groupby(records, lambda record: record.request):
        written = [*group]
        seat = written[0].seat
        if game is not None and seat is not None and seat in game.pending and game.bot_of(seat):
            legal = game.ruleset.legal_actions(game.state, seat)
            yield Move(instant(written[0].at) - instant(game.at), len([*islice(legal, 2)]) > 1)
        game = history.fold(written, game)


def guessed(known: Sequence[Move], others: Sequence[Move]) -> int:
    """Return how many of the others the attacker guesses, who knows some."""
    bounds = sorted({move.ms for move in known})
    rules = [(bound, above) for bound in [0, *bounds] for above in (True, False)]

    def right(rule: tuple[int, bool], judged: Sequence[Move]) -> int:
        bound, above = rule
        return sum(((move.ms >= bound) == above) == move.had_choice for move in judged)

    return right(max(rules, key=lambda rule: right(rule, known)), others)


def measure(level: str, target: str, port: int, seconds: float, tables: int) -> None:
    """Play with one level of bots, and print what an attacker can guess."""
    played: list[str] = []
    until = time.monotonic() + seconds
    threads = [threading.Thread(target=play, args=(port, level, until, played)) for _ in range(tables)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with connect(target) as client:
        store = EventStore(client)
        found = [move for game in played for move in moves(store.read(game))]
    random.Random(1).shuffle(found)
    known, others = found[::2], found[1::2]
    if not others:
        sys.exit(f"{level}: no bot has moved; play for longer")
    choices = sum(move.had_choice for move in others)
    guess, attack = (each / len(others) for each in (max(choices, len(others) - choices), guessed(known, others)))
    margin = _SURE * sqrt(guess * (1 - guess) / len(others))
    spread = [sorted(move.ms for move in found)[int(part * (len(found) - 1))] for part in (0.05, 0.5, 0.95)]
    print(
        f"{level:14} {len(found):5} moves  after {spread[0]}, {spread[1]}, {spread[2]} ms (5, 50, 95 %)  "
        f"guessed {100 * attack:.1f} %, always the same {100 * guess:.1f} ± {100 * margin:.1f} %",
        flush=True,
    )


def main() -> None:
    """Measure every level that plays the game."""
    seconds, tables = size(0, 40.0, 4.0), size(1, 4, 2)
    levels = [name for name, bot in BOTS.items() if bot.plays(_RULESET)]
    with engine() as target:
        port = free_port()
        settings = {**unlimited(), "REDIS_URL": target, "PLATEAU_PORT": str(port), "PLATEAU_ALLOW_UNSAFE_REDIS": "1"}
        with running([[str(Path(sys.executable).with_name("plateau")), "serve"]], settings, port):
            for level in levels:
                measure(level, target, port, seconds, tables)


if __name__ == "__main__":
    main()
