"""A day of a daily set: players open its deals and play them against bots, until it closes; then everything is checked.

    python -m bench.day [--players 100] [--deals 12] [--ruleset plute] [--kills 0] [--threads 8] [--seed 1] [--quick]

The clock of all processes and of the store is moved, so that the day passes in minutes. With ``--kills``, web
processes, workers, the dispatcher and the store are killed so many times: while the set is created and sealed, while it
is open, and while it closes. Then nothing that was acknowledged may be missing, each player has one game of each deal,
each game has ended once, and the set was created, sealed and closed once, with the results that follow from its games.
The exit code is 1 if anything is wrong. Figures mean something only without kills.
"""

import argparse
import hashlib
import os
import random
import statistics
import struct
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from uuid import UUID

from bench.chaos.actors import settled
from bench.chaos.checker import Notes, check
from bench.chaos.faults import Scene, kill_dispatcher, kill_redis, kill_web, kill_worker
from bench.chaos.http_client import CUT, Caller
from bench.chaos.service import Service
from bench.chaos.settings import Single
from bench.processor import seconds_by_program
from bench.sizes import QUICK
from domain.deal_sets.deal_set import DealSet
from domain.deal_sets.schedule import Schedule
from domain.game import history
from domain.game.durations import SECOND, instant
from domain.game.luck import deal_scores
from service.common.wall_clock import now
from service.deal_sets.daily import set_id_of
from service.deal_sets.results import results_of, written
from service.deal_sets.store import Opened, SetStore
from service.games.commit import PLAYER
from service.store.event_store import EventStore
from service.store.redis.connections import connect

_HEADS_SECONDS = 10
_BEFORE_SECONDS = 40
"""How long before the set opens the day begins: it is created twice the time between two roots before it opens."""
_PATIENCE = 120
_FAULTS = (kill_web, kill_worker, kill_dispatcher, kill_redis)
_PARTS = 4
"""In so many parts of the day, players play and processes are killed; in between, hours pass."""

_CLOCK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
static long skew(void) {
    static volatile long *skew;
    if (!skew) {
        int file = open(getenv("BENCH_SKEW"), O_RDONLY);
        skew = mmap(0, sizeof(long), PROT_READ, MAP_SHARED, file, 0);
    }
    return *skew;
}
int clock_gettime(clockid_t clock, struct timespec *at) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(clock, at);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) at->tv_sec += skew();
    return failed;
}
int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    struct timespec now;
    int failed = clock_gettime(CLOCK_REALTIME, &now);
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return failed;
}
time_t time(time_t *to) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (to) *to = now.tv_sec;
    return now.tv_sec;
}
"""
"""C code that moves the clock of each process that loads it by the seconds in a file; compiled for each run."""


class Clock:
    """The time of everything that is started while ``LD_PRELOAD`` names it."""

    def __init__(self, folder: Path) -> None:
        library, self._skew = folder / "clock.so", folder / "skew"
        compiling = ["gcc", "-shared", "-fPIC", "-O1", "-x", "c", "-", "-o", str(library), "-ldl"]
        subprocess.run(compiling, input=_CLOCK.encode(), check=True)
        self._ahead = 0
        self.set(int(time.time()))
        os.environ |= {"LD_PRELOAD": str(library), "BENCH_SKEW": str(self._skew)}

    def set(self, at: int) -> None:
        """Move it to a time, in seconds since 1970."""
        self._ahead = at - int(time.time())
        with self._skew.open("r+b" if self._skew.exists() else "wb") as file:  # processes have mapped it
            file.write(struct.pack("l", self._ahead))

    def now(self) -> float:
        return time.time() + self._ahead


@dataclass
class Reached:
    """What the players were told: the games of each, by the number of the deal, and how long opening took, in s."""

    games: dict[tuple[str, int], Notes] = field(default_factory=dict)
    opening: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


class Player(threading.Thread):
    """Plays one player of the line after the other, until there are none or the set has closed."""

    def __init__(
        self, port: int, line: "SimpleQueue[tuple[str, str]]", path: str, deals: int, reached: Reached, number: int
    ) -> None:
        super().__init__(daemon=True)
        self._port, self._line, self._path, self._deals, self._reached = port, line, path, deals, reached
        self._rng = random.Random(f"{path} {number}")

    def run(self) -> None:
        with suppress(Empty):
            while self._play(*self._line.get_nowait()):
                pass

    def _play(self, player: str, token: str) -> bool:
        """Play the deals of a player; return whether the set is still open."""
        caller = Caller(self._port, token)
        for number in range(1, self._deals + 1):
            began = time.perf_counter()
            status, game = settled(caller, self._path, {}, self._key())
            if status == 409 and game["code"] == "set-closed":
                return False
            if status != 201:
                self._reached.refused.append(f"opening: {status} {game}")
                return True
            self._reached.opening.append(time.perf_counter() - began)
            notes = self._reached.games[player, number] = Notes(game["id"])
            while not self._is_over(caller, notes):
                time.sleep(0.01)
        return True

    def _is_over(self, caller: Caller, notes: Notes) -> bool:
        """Act if it is the player's turn; return whether the game is over."""
        with suppress(*CUT):
            status, view = caller.ask(f"/v1/games/{notes.game_id}/view")
            if status != 200:
                return False
            if view["game"]["status"] in ("finished", "aborted"):
                return True
            if PLAYER in view["to_act"]:
                self._act(caller, notes)
        return False

    def _act(self, caller: Caller, notes: Notes) -> None:
        status, listed = caller.ask(f"/v1/games/{notes.game_id}/legal-actions?limit=50")
        if status != 200 or not listed["actions"]:
            return
        action = self._rng.choice(listed["actions"])
        status, response = settled(caller, f"/v1/games/{notes.game_id}/actions", action, self._key())
        if status == 201:
            notes.acknowledged.append([(event["version"], event["hash"]) for event in response["events"]])
        elif status != 409:  # the game has ended with the set
            self._reached.refused.append(f"{notes.game_id}: {status} {response}")

    def _key(self) -> str:
        return str(UUID(int=self._rng.getrandbits(128)))


def main() -> int:
    """Let the day pass, print the figures, and return the exit code."""
    arguments = _parser().parse_args()
    if arguments.quick:
        arguments.players, arguments.deals, arguments.kills = 2, 1, 1
    with TemporaryDirectory(prefix="plateau-day-") as folder:
        day = Day(Path(folder), arguments)
        try:
            day.pass_by()
            wrong = day.judge()
        finally:
            day.stop()
    for line in wrong:
        print(f"WRONG {line}")
    print(f"{arguments.ruleset}: {arguments.kills} kills, {len(wrong)} violations")
    return int(bool(wrong))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.day")
    parser.add_argument("--players", type=int, default=100)
    parser.add_argument("--deals", type=int, default=12)
    parser.add_argument("--ruleset", default="plute")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--threads", type=int, default=8, help="how many players play at once")
    parser.add_argument("--seed", type=int, default=1, help="what is killed when")
    parser.add_argument(QUICK, action="store_true", help="two players, one deal, one kill")
    return parser


class Day:
    """The service, its clock, its players, and what they were told."""

    def __init__(self, folder: Path, arguments: argparse.Namespace) -> None:
        self._arguments = arguments
        self._rng = random.Random(arguments.seed)
        self._clock = Clock(folder)
        self._date = date.fromisoformat(now()[:10]) + timedelta(days=1)
        self._opens, self._closes = (at(self._date) // SECOND for at in (Schedule().opens, Schedule().closes))
        self._clock.set(self._opens - _BEFORE_SECONDS)
        self._servers = Single(folder / "data")
        daily = f"games={arguments.ruleset},deals={arguments.deals}"
        settings = {"PLATEAU_DAILY": daily, "PLATEAU_HEADS_SECONDS": str(_HEADS_SECONDS), "PLATEAU_BOT_PACE_MS": "0"}
        self._service = Service(folder, self._servers, 2, settings)
        self._store = EventStore(connect(self._servers.url))
        self._sets = SetStore(self._store)
        self._reached = Reached()
        self._kills: Counter[str] = Counter()
        self._players: list[Player] = []

    def pass_by(self) -> None:
        """Let the set be created, sealed, played and closed, and processes be killed all the time."""
        line = SimpleQueue[tuple[str, str]]()
        for number in range(self._arguments.players):
            _, player = settled(Caller(self._service.line.port), "/v1/players", {"name": f"Player {number}"}, "")
            line.put((player["id"], player["token"]))
        self._kill(self._arguments.kills // 10)
        self._await(lambda: self._clock.now() >= self._opens and self._one().sealed is not None, "the sealed set")
        before, memory = seconds_by_program(), self._memory()
        path = f"/v1/daily/{self._arguments.ruleset}/{self._date}/deals"
        port, deals = self._service.line.port, self._arguments.deals
        self._players += [Player(port, line, path, deals, self._reached, n) for n in range(self._arguments.threads)]
        for player in self._players:
            player.start()
        for part in range(1, _PARTS):
            self._kill(self._arguments.kills // _PARTS)
            self._clock.set(self._opens + part * (self._closes - self._opens) // _PARTS)
        if not self._arguments.kills:
            for player in self._players:
                player.join()
            self._show(before, memory)
        self._clock.set(self._closes - 5)
        self._kill(self._arguments.kills - self._kills.total())
        self._await(lambda: self._one().closed is not None, "the end of the set")
        print(f"closed {self._closed_after():.1f} s after the end of the day")
        for player in self._players:
            player.join(_PATIENCE)
            self._reached.refused += ["a player still waits for a response"] if player.is_alive() else []
        self._await(lambda: all(table.is_over for table in self._tables()), "the end of all games")

    def stop(self) -> None:
        """End everything."""
        self._service.stop()
        self._servers.stop()

    def judge(self) -> list[str]:
        """Compare the log of the set, and that of each game, with what the players were told."""
        one, reached = self._one(), self._reached
        types = [record.type for record in self._sets.records(one.id)]
        wrong = [*reached.refused]
        if types != ["set_created", "set_sealed", "set_closed"]:
            wrong.append(f"the log of the set has {', '.join(types)}")
        tables = self._tables()
        opened = {(each.table.player, each.table.number): each.table.game for each in tables}
        opened_games = {place: notes.game_id for place, notes in reached.games.items()}
        if {place: game for place, game in opened.items() if place[0] != one.id} != opened_games:
            wrong.append(f"{len(opened_games)} deals were opened by players, and {len(opened)} tables are in the store")
        for notes in reached.games.values():
            findings = check(notes, self._store.read(notes.game_id))
            wrong += [*findings.lost, *findings.gone, *findings.wrong]
        wrong += [line for each in tables for line in self._wrong_at(one, each)]
        if (
            one.closed is None
            or hashlib.sha256(written(one, results_of(one, tables))).hexdigest() != one.closed.results
        ):
            wrong.append("the results are not those of which the log of the set has the hash")
        acknowledged = sum(len(notes.acknowledged) for notes in reached.games.values())
        unfinished = sum(each.table.score is None for each in tables)
        print(
            f"{len(opened_games)} deals opened, {unfinished} tables not finished, {acknowledged:,} actions acknowledged"
        )
        print(f"killed {', '.join(f'{name} {number}' for name, number in self._kills.items()) or 'nothing'}")
        return wrong

    def _wrong_at(self, one: DealSet, table: Opened) -> Iterator[str]:
        """Check that a game has ended once, and that its score is what the results have."""
        records = self._store.read(table.table.game)
        ends = [record.type for record in records if record.type in ("game_finished", "game_aborted")]
        if len(ends) != 1:
            yield f"{table.table.game} has {len(ends)} ends"
            return
        game = history.fold(records)
        in_time = ends == ["game_finished"] and instant(game.at) < one.closes
        score = sum(scores[PLAYER] for scores in deal_scores(game)) if in_time else None
        if table.table.score != score:
            yield f"{table.table.game} has the score {score}, and {table.table.score} in the results"

    def _show(self, before: Mapping[str, float], memory: int) -> None:
        """Print how long opening took, and the processor time and the memory of each player."""
        took, number = sorted(1000 * each for each in self._reached.opening), self._arguments.players
        spent = {name: seconds - before.get(name, 0.0) for name, seconds in seconds_by_program().items()}
        of_store = sum(seconds for name, seconds in spent.items() if name.startswith("valkey"))
        of_service, memory = sum(spent.values()) - of_store, self._memory() - memory
        print(
            f"{number} players, {len(took)} deals: opening p50 {statistics.median(took):.1f} ms, p99 "
            f"{took[len(took) * 99 // 100]:.1f} ms; a player {of_service / number:.2f} s of processor time, "
            f"{of_store / number:.2f} s in the store, {memory / number / 1024:.0f} KB"
        )

    def _kill(self, number: int) -> None:
        """Kill so many processes, one after the other, each once players have made progress."""
        for _ in range(number):
            fault = self._rng.choice(_FAULTS)
            fault(Scene(self._servers, self._service, "", self._rng))
            self._kills[fault.__name__] += 1
            self._servers.wait_until_whole()
            self._await(partial(self._has_continued, self._progress()), "players who can play")

    def _has_continued(self, before: int) -> bool:
        """Return whether players have made progress, or none plays because the set is not open."""
        return self._progress() > before or not any(player.is_alive() for player in self._players)

    def _progress(self) -> int:
        """Count what players were told."""
        return len(self._reached.opening) + sum(len(each.acknowledged) for each in [*self._reached.games.values()])

    def _await(self, is_done: Callable[[], bool], what: str) -> None:
        if not self._service.wait(is_done, _PATIENCE):
            raise SystemExit(f"still waiting for {what} after {_PATIENCE} s")

    def _one(self) -> DealSet:
        """Return the set; one that does not exist yet is awaited."""
        found = self._sets.find(set_id_of(self._store, self._arguments.ruleset, self._date))
        while found is None:
            self._service.keep_alive()
            time.sleep(0.1)
            found = self._sets.find(set_id_of(self._store, self._arguments.ruleset, self._date))
        return found

    def _tables(self) -> list[Opened]:
        return self._sets.tables(self._one().id)

    def _closed_after(self) -> float:
        return (instant(self._sets.records(self._one().id)[-1].at) - self._one().closes) / SECOND

    def _memory(self) -> int:
        return int(self._store.client.info("memory")["used_memory"])


if __name__ == "__main__":
    sys.exit(main())
