"""Bots and clocks: response time of bots, games a minute of each bot, memory of the processes, time of a sweep.

    python -m bench.bots [--quick]

Dispatcher, workers, Redis and the bench share the machine. With the extra ``fast-bots``, bots play compiled.
Processor time is that of all of them for a game, and 0 where there is no /proc.
"""

import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from bench.answers import answers
from bench.processes import begin, desk_and_reader, dispatcher_and_workers
from bench.processor import seconds_of_children
from bench.servers import engine
from bench.sizes import is_quick
from service.bots import BOTS
from service.store import keys
from service.store.deadlines import Deadlines
from service.store.heartbeat import Heartbeat
from service.store.redis.connections import connect
from workers.bots import compiled, warming
from workers.in_process import LocalQueue
from workers.sweeper import Sweeper

RULESET = "le-plateau"
MOVES, SECONDS, GAMES, DEADLINES = (10, 2, 2, 100) if is_quick() else (300, 30, 8, 10_000)


def main() -> None:
    """Run all four measurements."""
    with engine() as url, TemporaryDirectory() as data:
        kind = "compiled" if _is_compiled(Path(data)) else "plain"
        with dispatcher_and_workers(url, data=Path(data)) as processes:
            _latency(url)
            for bot in (name for name, bot in BOTS.items() if bot.plays(RULESET)):
                _games(url, bot, kind)
            for process in processes:
                for name, megabytes in _weights(process.pid, process.command):
                    print(f"  memory     {name:10} {megabytes:5.1f} MB resident, {kind}")
        _sweep(url)


def _is_compiled(data: Path) -> bool:
    """Compile for the workers what bots count with, so that they only load it; return whether that can be done."""
    return not is_quick() and warming.place_of(data) is not None and compiled.prepared(data) is not None


def _latency(url: str) -> None:
    """Play against idle bots."""
    took = answers(url, MOVES, ruleset=RULESET)
    print(f"  answer     p50 {took[len(took) // 2]:.1f} ms  p99 {took[len(took) * 99 // 100]:.1f} ms  (of {len(took)})")


def _games(url: str, bot: str, kind: str) -> None:
    """Let bots of one name play for a while, always some games at once, and then end these.

    What was played of games that have not ended in time counts as its share of an ended one.
    """
    desk, reader = desk_and_reader(url)
    ended, events, began, worked = 0, 0, time.monotonic(), seconds_of_children() or 0
    running = {begin(desk, [True] * 3, ruleset=RULESET, bot=bot) for _ in range(GAMES)}
    while time.monotonic() - began < SECONDS or not ended:
        time.sleep(0.2)
        over = {game_id for game_id in running if reader.current(game_id).is_over}
        ended += len(over)
        events += sum(reader.current(game_id).version for game_id in over)
        running = running - over | {begin(desk, [True] * 3, ruleset=RULESET, bot=bot) for _ in over}
    each = events / ended
    games = ended + sum(reader.current(game_id).version for game_id in running) / each
    rate, cost = 60 * games / (time.monotonic() - began), ((seconds_of_children() or 0) - worked) / games
    played = f"{each:.0f} events, {1000 * cost:.0f} ms of processor"
    print(f"  bot games  {bot:14} {rate:.0f} a minute on two workers, {kind}; {played}", flush=True)
    while not all(reader.current(game_id).is_over for game_id in running):
        time.sleep(0.2)


def _weights(pid: int, name: str) -> list[tuple[str, float]]:
    """Return the resident memory of a process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [(name, _resident(pid)), *(("its bots", _resident(int(child))) for child in children)]


def _resident(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def _sweep(url: str) -> None:
    """Sweep when none of ten thousand deadlines is due, then when all are."""
    client = connect(url)
    desk, reader = desk_and_reader(url)
    pipe = client.pipeline(transaction=False)
    template = reader.current(begin(desk, [False] * 3, ruleset=RULESET))
    later = int(time.time() * 1000) + 3_600_000
    for number in range(DEADLINES):
        game_id = f"gm_{number:020x}"
        shard = keys.Shard(keys.shard_of(game_id, 16))
        pipe.zadd(shard.deadlines, {game_id: later})
        pipe.xadd(keys.GameKeys(game_id, shard).events, {"e": template.id}, id="1-0")
    pipe.execute()
    jobs = LocalQueue(client)
    clock = Sweeper(Deadlines(client, 16, 12_000), jobs, Heartbeat(client))
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
        while jobs.take():
            pass
    busy = (time.perf_counter() - began) * 1000
    print(f"  sweep      {idle:.2f} ms when none of {DEADLINES:,} is due; {busy:.0f} ms to take all {taken:,}")


if __name__ == "__main__":
    main()
