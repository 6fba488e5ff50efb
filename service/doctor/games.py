"""Check every game: its log, as ``plateau verify --all`` does, and the lists that follow from it."""

from collections.abc import Callable, Iterator
from typing import Any

from domain.game.aggregate import Game
from domain.game.timeouts import Patience
from service.common.errors import NotFound
from service.doctor.findings import Finding, wrong
from service.games.indexing import index_of, reindex
from service.games.repository import GameRepository, RulesetMissing
from service.games.store_audit import StoreAudit
from service.store.archive.archived_games import ArchiveMissing
from service.store.codec import version_in
from service.store.event_store import EventStore, NotServed
from service.store.game_index import Rank, game_of, writes_of

_PAGE = 1000
_MEND = "plateau doctor --mend writes it again from the log"
_RESTORE = "restore a backup (plateau restore), and tell those who follow the log of heads; a log cannot be mended"
_AGAIN = 3
_ARCHIVE = "set PLATEAU_ARCHIVE as the service has it"

Entry = tuple[str, str]
"""A key, and a member or field there."""


class GameChecks:
    """Checks the games of a store, while it is used; with ``mends``, lists are made right as well."""

    def __init__(self, store: EventStore, patience: Patience, *, mends: bool = False) -> None:
        self._redis, self._store = store.client, store
        self._repository, self._audit = GameRepository(self._store), StoreAudit(self._store)
        self._patience = patience
        self._mends = mends
        self.games = 0
        """How many games have been checked."""

    def check(self, told: Callable[[int], None] = lambda _: None) -> Iterator[Finding]:
        """Check all games, then all lists; ``told`` hears after each game how many have been checked."""
        for game_id in self._all_games():
            yield from self._game(game_id)
            self.games += 1
            told(self.games)
        yield from self._lists()

    def _all_games(self) -> Iterator[str]:
        for name in self._redis.scan_iter(match="{s*}:game:*:events", count=_PAGE):
            yield name.decode().split(":")[2]
        for shard in self._store.all_shards:
            for game_id, _ in self._redis.hscan_iter(shard.archived, count=_PAGE):
                yield game_id.decode()

    def _game(self, game_id: str) -> Iterator[Finding]:
        try:
            report = self._audit.check(game_id)
            self._repository.fresh(game_id)
        except RulesetMissing as error:
            yield wrong("chains", str(error), "install the package of the ruleset again, and restart the service")
            return
        except ArchiveMissing as error:
            yield wrong("archive", str(error), _ARCHIVE)
            return
        except NotServed as error:
            yield wrong("chains", str(error), _RESTORE)
            return
        except NotFound:
            return  # it has been removed
        if report.fault is not None:
            yield wrong("chains", f"{game_id}: {report.fault}", _RESTORE)
        missing = self._missing(game_id)
        if missing and self._mends:
            reindex(self._repository, self._repository.fresh(game_id), self._patience)
        for key, member in missing:
            yield wrong("lists", f"{game_id} is missing in {key}, as {member}", _mended(mends=self._mends))

    def _missing(self, game_id: str) -> list[Entry]:
        """List the entries that a game lacks; a game with new events is looked at again."""
        for _ in range(_AGAIN):
            game = self._repository.fresh(game_id)
            wanted = self._wanted(game)
            pipe = self._redis.pipeline(transaction=True)
            for key, member in wanted:
                _ask(pipe, key, member)
            own = self._store.all_shards.keys_of(game_id)
            pipe.xrevrange(own.events, "+", "-", count=1)
            pipe.hexists(own.shard.archived, game_id)
            *found, last, is_archived = pipe.execute()
            if is_archived or version_in(last) == game.version:
                return [entry for entry, there in zip(wanted, found, strict=True) if there is None]
        return []  # a game with so many new events is written again with every move

    def _wanted(self, game: Game) -> list[Entry]:
        shard, index = self._store.shard(game.id), index_of(game, self._patience)
        writes = writes_of(shard, game.id, index.listing, index.turns)
        wanted = [
            (key, str(args[0] if command == "HSET" else args[1])) for key, command, *args in writes if command != "ZREM"
        ]
        if index.deadline is not None:
            due = shard.second_looks if index.priority.rank == Rank.ALONE else shard.deadlines
            wanted += [(shard.priorities, game.id), (due, game.id)]
        return wanted

    def _lists(self) -> Iterator[Finding]:
        """Find entries of games that there are not, or that are not to be there."""
        for pattern in ("{s*}:lobby:*", "{s*}:player:*"):  # each look goes through all keys of the store
            for name in self._redis.scan_iter(match=pattern, count=_PAGE):
                yield from self._list(name.decode(), self._members(name.decode()))
        for shard in self._store.all_shards:
            for key in (shard.deadlines, shard.second_looks):
                yield from self._list(key, self._members(key))
            summaries = self._redis.hscan_iter(shard.summaries, count=_PAGE)
            yield from self._list(shard.summaries, (field.decode() for field, _ in summaries))

    def _members(self, key: str) -> Iterator[str]:
        for member, _ in self._redis.zscan_iter(key, count=_PAGE):
            yield member.decode()

    def _list(self, key: str, members: Iterator[str]) -> Iterator[Finding]:
        for member in members:
            game_id = game_of(member) if " " in member else member
            if self._belongs(key, member, game_id) or not self._is_there(key, member):
                continue
            if self._belongs(key, member, game_id):  # it has gone and come back, as a turn does
                continue
            if self._mends:
                self._remove(key, member)
            yield wrong("lists", f"{key} has {member}, which does not follow from a log", _mended(mends=self._mends))

    def _belongs(self, key: str, member: str, game_id: str) -> bool:
        """Return whether an entry follows from a log; one of a damaged log is left alone.

        A deadline can also be that of a plan, so that of any game belongs.
        """
        try:
            game = self._repository.fresh(game_id)
            return key.endswith((":deadlines", ":second-looks")) or (key, member) in self._wanted(game)
        except NotServed:
            return True
        except NotFound:
            return False

    def _is_there(self, key: str, member: str) -> bool:
        """Return whether an entry is still there: an append can have removed it."""
        pipe = self._redis.pipeline(transaction=False)
        _ask(pipe, key, member)
        return pipe.execute()[0] is not None

    def _remove(self, key: str, member: str) -> None:
        if key.endswith(":summaries"):
            self._redis.hdel(key, member)
        else:
            self._redis.zrem(key, member)


def _ask(pipe: Any, key: str, member: str) -> None:
    if key.endswith((":summaries", ":standings")):
        pipe.hget(key, member)
    else:
        pipe.zscore(key, member)


def _mended(*, mends: bool) -> str:
    return "mended" if mends else _MEND
