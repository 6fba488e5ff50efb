"""The lists of games, in pages: the lobby, a player's games, and the games in which it is their turn.

A page can be filtered by the public data of games. A request reads a bounded number of games, so a page can have fewer
games than its limit, and still be followed by another.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from service.store.event_store import EventStore
from service.store.game_index import IndexedGame, game_of, listed_turn
from service.store.scripts import script

MOST_SCANNED = 1000
"""The most games that a request reads."""

_SCANNED_AT_ONCE = 200
_LEAST_READ = 100
"""The least number of members that a filtered page reads from each list."""


@dataclass(frozen=True, slots=True)
class Part:
    """The part of a list to read: at most ``limit`` games after a member, for which ``keep`` returns true."""

    after: str | None = None
    limit: int = 100
    keep: Callable[[bytes], bool] | None = None

    @property
    def size(self) -> int:
        """Return how many members to read from each of the merged lists."""
        return self.limit + 1 if self.keep is None else max(self.limit + 1, _LEAST_READ)


@dataclass(frozen=True, slots=True)
class Page:
    """Games in order, and the member to continue after, None at the end of the list."""

    games: Sequence[IndexedGame]
    last: str | None


class GameLists:
    """The lists of games of one store; each is spread over all shards."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._redis, self._shards = store.client, store.all_shards
        self._turns = script(store.client, __name__, "turns")

    def public(
        self, statuses: Sequence[str], rulesets: Sequence[str], part: Part, *, newest_first: bool = True
    ) -> Page:
        """List public games by time of creation."""
        lobbies = [shard.lobby(*each) for shard in self._shards for each in product(statuses, rulesets)]
        page, last = self._by_time(lobbies, part, newest_first=newest_first)
        return Page([IndexedGame(member, summary, is_to_act=False, until=None) for member, summary in page], last)

    def of_player(self, player: str, part: Part, *, newest_first: bool = True) -> Page:
        """List the games that a player has a part in, by time of creation."""
        mine = [shard.games_of(player) for shard in self._shards]
        page, last = self._by_time(mine, part, newest_first=newest_first)
        pipe = self._redis.pipeline(transaction=False)
        for member, _ in page:
            pipe.zscore(self._store.shard(game_of(member)).turns_of(player), game_of(member))
        scores = pipe.execute()
        return Page([listed_turn(*each, score) for each, score in zip(page, scores, strict=True)], last)

    def turns_of(self, player: str, part: Part) -> Page:
        """List the games in which it is a player's turn, most urgent first."""
        score, _, game = (part.after or "0 ").partition(" ")
        pipe = self._redis.pipeline(transaction=False)
        for shard in self._shards:
            self._turns(keys=[shard.turns_of(player)], args=[int(score), game, part.size], client=pipe)
        lists = [
            [f"{int(at):016} {game.decode()}" for game, at in zip(turns[::2], turns[1::2], strict=True)]
            for turns in pipe.execute()
        ]
        page, last = self._page(lists, part, descending=False)
        return Page([listed_turn(member, summary, int(member[:16])) for member, summary in page], last)

    def _by_time(
        self, lists: Sequence[str], part: Part, *, newest_first: bool
    ) -> tuple[list[tuple[str, bytes]], str | None]:
        after = f"({part.after}" if part.after else None
        pipe = self._redis.pipeline(transaction=False)
        for key in lists:
            if newest_first:
                pipe.zrevrangebylex(key, after or "+", "-", 0, part.size)
            else:
                pipe.zrangebylex(key, after or "-", "+", 0, part.size)
        members = [[member.decode() for member in reply] for reply in pipe.execute()]
        return self._page(members, part, descending=newest_first)

    def _page(
        self, lists: Iterable[list[str]], part: Part, *, descending: bool
    ) -> tuple[list[tuple[str, bytes]], str | None]:
        """Return the members of a page with their summaries, and the member to continue after."""
        members, goes_on = _merged(lists, part.size, descending=descending)
        page: list[tuple[str, bytes]] = []
        scanned = 0
        step = part.limit if part.keep is None else _SCANNED_AT_ONCE
        in_reach = members[:MOST_SCANNED]
        while scanned < len(in_reach) and len(page) < part.limit:
            some = in_reach[scanned : scanned + step]
            for member, summary in zip(some, self._store.summaries(map(game_of, some)), strict=True):
                scanned += 1
                if part.keep is None or part.keep(summary):
                    page.append((member, summary))
                if len(page) == part.limit:
                    break
        return page, members[scanned - 1] if scanned < len(members) or (goes_on and members) else None


def _merged(lists: Iterable[list[str]], size: int, *, descending: bool) -> tuple[list[str], bool]:
    """Merge the beginnings of lists, up to where a list with ``size`` members may continue; return whether one may."""
    beginnings = list(lists)
    members = sorted((member for beginning in beginnings for member in beginning), reverse=descending)
    ends = [beginning[-1] for beginning in beginnings if len(beginning) >= size]
    if not ends:
        return members, False
    end = max(ends) if descending else min(ends)
    return [member for member in members if (member >= end if descending else member <= end)], True
