"""One cycle: games begin, a component fails, all games continue, and every history is checked."""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import redis

from bench.chaos.actors import BOTS_ALONE, CLOCKED, SANDBOX, WITH_BOTS, Person, Table
from bench.chaos.checker import Findings, Notes, check
from bench.chaos.faults import Fault, Scene
from bench.chaos.service import Service
from bench.chaos.settings import Setting
from domain.log.record import Record
from service.accounts.players import GUEST_SCOPES, Players
from service.common import wall_clock
from service.common.errors import NotFound
from service.store.event_store import EventStore, LogDamaged, StoreUnavailable
from service.store.redis.connections import connect

_PATIENCE = 90
_MORE = 2
"""The accepted requests, or events, by which a game shows that it continues."""


@dataclass
class Outcome:
    """The result of one cycle. ``outage`` is the longest time for which a person waited, in seconds."""

    setting: str
    fault: str
    games: int = 0
    acknowledged: int = 0
    refused: int = 0
    timeouts: int = 0
    failed_over: bool = False
    lost: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    outage: float = 0.0
    is_whole: bool = True
    """Whether all servers recovered."""


class Stage:
    """A setting with a service on it, on which one cycle follows the other."""

    def __init__(self, setting: Setting, folder: Path, seed: int, of_each: int) -> None:
        self.setting = setting
        self.service = Service(folder, setting, of_each)
        self._store = EventStore(connect(setting.url))
        self._rng = random.Random(seed)
        self._token = _operator(self._store.client)
        self._all: list[tuple[Notes, Findings]] = []

    def cycle(self, fault: Fault) -> Outcome:
        """Let one component fail while games continue; if a server does not recover, nothing is checked."""
        out = Outcome(self.setting.name, fault.__name__)
        people = [self._person(SANDBOX), self._person(SANDBOX), self._person(WITH_BOTS)]
        tables = [*people, self._table(BOTS_ALONE), self._table(CLOCKED)]
        for table in tables:
            table.begin()
        self._await_more(tables, out, "before the fault")
        before = self.setting.changes()
        for person in people:
            person.mark()
        game_id = self._rng.choice(tables).notes.game_id
        if not self._until_whole(partial(fault, Scene(self.setting, self.service, game_id, self._rng)), out):
            return out
        self._await_more(tables, out, "after the fault")
        if not self._until_whole(None, out):  # a server can end some time after its disk was full
            return out
        for person in people:
            if not person.stop(_PATIENCE):
                out.wrong.append(f"{person.notes.game_id}: a request is not answered")
            out.refused += len(person.refused)
        out.failed_over = self.setting.changes() != before
        self._judge(tables, out)
        out.acknowledged = sum(len(person.notes.acknowledged) for person in people)
        out.outage = max(person.outage for person in people)
        return out

    def last_look(self) -> Outcome:
        """Check the histories of all cycles once more, after the last one."""
        out = Outcome(self.setting.name, "all, at the end")
        for notes, then in self._all:
            now = check(notes, self._log(notes, out))
            out.wrong += [*now.wrong, *({*now.lost, *now.gone} - {*then.lost, *then.gone})]
        out.games = len(self._all)
        return out

    def close(self) -> None:
        """Stop the service and the servers."""
        self.service.stop()
        self.setting.stop()

    def _person(self, wanted: Mapping[str, Any]) -> Person:
        return Person(self.service.line.port, self._token, wanted, self._rng.getrandbits(32))

    def _table(self, wanted: Mapping[str, Any]) -> Table:
        return Table(self.service.line.port, self._token, wanted, self._rng.getrandbits(32))

    def _await_more(self, tables: list[Table], out: Outcome, when: str) -> None:
        """Wait until every game has continued."""
        for table, reached in [(table, table.progress()) for table in tables]:
            if not self.service.wait(partial(_has_continued, table, reached), _PATIENCE):
                out.wrong.append(f"{table.notes.game_id}: it does not go on {when}")

    def _until_whole(self, harm: Callable[[], None] | None, out: Outcome) -> bool:
        """Cause a failure, if one is given, and wait until the servers have recovered; return whether they have."""
        try:
            if harm is not None:
                harm()
            self.setting.wait_until_whole()
        except (AssertionError, redis.RedisError) as error:
            out.is_whole = False
            out.wrong.append(f"the servers are not whole again: {type(error).__name__}: {error}")
        return out.is_whole

    def _judge(self, tables: list[Table], out: Outcome) -> None:
        """Check all histories; allowed losses of a fail-over are not faults."""
        for table in tables:
            log = self._log(table.notes, out)
            found = check(table.notes, log)
            out.timeouts += sum(record.type == "turn_timed_out" for record in log)
            out.lost += found.lost
            out.gone += found.gone
            out.wrong += found.wrong
            table.end()
            table.notes.is_alone = False
            self._all.append((table.notes, found))
        out.games = len(tables)
        if not out.failed_over:
            out.wrong += out.lost + out.gone
        elif self.setting.replicas:
            out.wrong += out.lost

    def _log(self, notes: Notes, out: Outcome) -> list[Record]:
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                return self._store.read(notes.game_id)
            except NotFound:
                return []
            except LogDamaged as error:
                out.wrong.append(str(error))
                return []
            except StoreUnavailable:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)


def _has_continued(table: Table, reached: int) -> bool:
    return table.progress() >= reached + _MORE


def _operator(client: redis.Redis) -> str:
    """Create a player who is also an operator; return the token."""
    players = Players(client, wall_clock.now)
    try:
        made = players.create_token(players.register("Chaos").id, (*GUEST_SCOPES, "admin"), "chaos")
    finally:
        players.close()
    if made is None:
        raise SystemExit("the player of the chaos has gone")
    return made[1]
