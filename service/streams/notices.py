"""Following a player: the notices of all their games, as they come."""

from collections.abc import Collection, Sequence

import orjson

from service.accounts.players import Caller, Players
from service.common.errors import Unauthenticated, refusal
from service.games.access import check_scope
from service.inbox.notice_log import NoticeLog, place
from service.inbox.notices import Kind
from service.inbox.resources import shown
from service.streams.source import EVENT, Batch, Item, Source

_IN_BATCH = 100
"""The most notices of a batch, equal to that of a page."""


class NoticeSource(Source):
    """The notices of one caller, all or only those of some kinds; cursors are those of the inbox."""

    def __init__(self, log: NoticeLog, players: Players, caller: Caller, kinds: Collection[Kind] | None = None) -> None:
        self._kinds = kinds
        self._log = log
        self._players = players
        self._caller = caller

    @property
    def topics(self) -> Sequence[str]:
        """Return the player."""
        return (self._caller.player,)

    @property
    def player(self) -> str:
        return self._caller.player

    def read(self, after: str, heard: str | None) -> Batch:
        """Return the next notices, as pages show them, while the token is valid for them."""
        caller = self._players.caller_now(self._caller.player, self._caller.token)
        if caller is None:
            raise Unauthenticated("invalid-token", refusal("invalid-token"))
        check_scope(caller, "games:read")
        if heard is not None and place(heard) <= place(after):
            return Batch((), after)
        notices = self._log.read(caller.player, after, _IN_BATCH + 1)
        page = notices[:_IN_BATCH]
        requested = [notice for notice in page if self._kinds is None or notice.kind in self._kinds]
        items = [Item(notice["id"], EVENT, orjson.dumps(notice)) for notice in shown(requested, self._players.names)]
        return Batch(items, page[-1].cursor if page else after, len(notices) > _IN_BATCH)
