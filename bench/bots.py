"""Bots and clocks: response time of bots, games a minute, memory of the processes, time of a sweep.

    python -m bench.bots [--quick]

Dispatcher, workers, Redis and the bench share the machine.
"""

import time
from pathlib import Path
from typing import cast

from bench.answers import answers
from bench.processes import begin, desk_and_reader, dispatcher_and_workers
from bench.servers import engine
from bench.sizes import is_quick
from service.store import keys
from service.store.connections import connect
from service.store.deadlines import Deadlines
from service.store.heartbeat import Heartbeat
from workers.in_process import LocalQueue
from workers.sweeper import Sweeper

RULESET = "le-plateau"
MOVES, SECONDS, DEADLINES = (10, 2, 100) if is_quick() else (300, 30, 10_000)


def main() -> None:
    """Run all four measurements."""
    with engine() as url:
        with dispatcher_and_workers(url) as processes:
            _latency(url)
            _games(url)
            for process in processes:
                for name, megabytes in _weights(process.pid, process.command):
                    print(f"  memory     {name:10} {megabytes:5.1f} MB resident")
        _sweep(url)


def _latency(url: str) -> None:
    """Play against idle bots."""
    took = answers(url, MOVES, ruleset=RULESET)
    print(f"  answer     p50 {took[len(took) // 2]:.1f} ms  p99 {took[len(took) * 99 // 100]:.1f} ms  (of {len(took)})")


def _games(url: str) -> None:
    """Let bots alone play for a while, always eight games at once."""
    desk, reader = desk_and_reader(url)
    running = {begin(desk, [True] * 3, ruleset=RULESET) for _ in range(8)}
    began, ended, events = time.monotonic(), 0, 0
    while time.monotonic() - began < SECONDS:
        time.sleep(0.2)
        over = {game_id for game_id in running if reader.current(game_id).is_over}
        ended += len(over)
        events += sum(reader.current(game_id).version for game_id in over)
        running = running - over | {begin(desk, [True] * 3, ruleset=RULESET) for _ in over}
    minutes = (time.monotonic() - began) / 60
    print(f"  bot games  {ended / minutes:.0f} a minute on two workers, {events / max(1, ended):.0f} events each")


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
