"""Bots and clocks: how soon a bot answers, how many games bots play, what the processes weigh, what a sweep costs.

    python -m bench.bots

Dispatcher, workers, Redis and the bench share the machine.
"""

import random
import time
from pathlib import Path
from typing import cast

from bench.crew import CALLER, begin, crew, use_cases
from bench.servers import engine
from domain.game import Game
from service import keys
from service.connections import connect
from service.deadlines import Deadlines
from service.games import Games
from service.pulse import Pulse
from service.writes import Order
from workers.clock import Clock
from workers.in_process import LocalQueue

RULESET = "le-plateau"
MOVES, SECONDS, DEADLINES = 300, 30, 10_000


def main() -> None:
    """Measure all of it."""
    with engine() as url:
        with crew(url) as members:
            _latency(url)
            _games(url)
            for member in members:
                for name, megabytes in _weights(member.pid, member.command):
                    print(f"  memory     {name:10} {megabytes:5.1f} MB resident")
        _sweep(url)


def _latency(url: str) -> None:
    """Play against idle bots, and time each answer from the moment when the action was accepted."""
    _, games = use_cases(url)
    rng, took = random.Random(1), list[float]()
    while len(took) < MOVES:
        game_id = begin(games, [False, True, True], ruleset=RULESET)
        while len(took) < MOVES and not (game := _my_turn(games, game_id)).is_over:
            action = rng.choice(list(game.ruleset.legal_actions(game.state, 0)))
            order = Order(lambda _, action=action: (action, None), 0, None, None)  # type: ignore[misc]
            games.act(game_id, CALLER, lambda order=order: order)  # type: ignore[misc]
            accepted, known = time.perf_counter(), games.known(game_id)
            assert known is not None
            if known.pending and 0 not in known.pending:
                while games.current(game_id).version == known.version:
                    time.sleep(0.0005)
                took.append((time.perf_counter() - accepted) * 1000)
    took.sort()
    print(f"  answer     p50 {took[len(took) // 2]:.1f} ms  p99 {took[len(took) * 99 // 100]:.1f} ms  (of {len(took)})")


def _my_turn(games: Games, game_id: str) -> Game:
    while True:
        game = games.current(game_id)
        if game.is_over or 0 in game.pending:
            return game
        time.sleep(0.0005)


def _games(url: str) -> None:
    """Let bots alone play for a while, always eight games at once."""
    _, games = use_cases(url)
    running = {begin(games, [True] * 3, ruleset=RULESET) for _ in range(8)}
    began, ended, events = time.monotonic(), 0, 0
    while time.monotonic() - began < SECONDS:
        time.sleep(0.2)
        over = {game_id for game_id in running if games.current(game_id).is_over}
        ended += len(over)
        events += sum(games.current(game_id).version for game_id in over)
        running = running - over | {begin(games, [True] * 3, ruleset=RULESET) for _ in over}
    minutes = (time.monotonic() - began) / 60
    print(f"  bot games  {ended / minutes:.0f} a minute on two workers, {events / max(1, ended):.0f} events each")


def _weights(pid: int, name: str) -> list[tuple[str, float]]:
    """Give the resident memory of a process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [(name, _resident(pid)), *(("its bots", _resident(int(child))) for child in children)]


def _resident(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def _sweep(url: str) -> None:
    """Sweep when nothing of ten thousand deadlines is due, then when all are."""
    client = connect(url)
    _, games = use_cases(url)
    pipe = client.pipeline(transaction=False)
    template = games.current(begin(games, [False] * 3, ruleset=RULESET))
    later = int(time.time() * 1000) + 3_600_000
    for number in range(DEADLINES):
        game_id = f"gm_{number:020x}"
        shard = keys.Shard(keys.shard_of(game_id, 16))
        pipe.zadd(shard.deadlines, {game_id: later})
        pipe.xadd(keys.GameKeys(game_id, shard).events, {"e": template.id}, id="1-0")
    pipe.execute()
    jobs = LocalQueue()
    clock = Clock(Deadlines(client, 16, 12_000), jobs, Pulse(client))
    began = time.perf_counter()
    for _ in range(200):
        clock.sweep()
    idle = (time.perf_counter() - began) * 1000 / 200
    for number in range(16):
        deadlines = keys.Shard(number).deadlines
        client.zadd(deadlines, {game.decode(): 1 for game in cast("list[bytes]", client.zrange(deadlines, 0, -1))})
    began, taken = time.perf_counter(), 0
    while found := clock.sweep():
        taken += found
        while jobs.waiting():
            jobs.take()
    busy = (time.perf_counter() - began) * 1000
    print(f"  sweep      {idle:.2f} ms when none of {DEADLINES:,} is due; {busy:.0f} ms to take all {taken:,}")


if __name__ == "__main__":
    main()
