"""Following a game: its log as a viewer can read it, and optionally the view after each batch of events."""

import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial

import orjson

from domain.game.aggregate import Game
from domain.log.record import Record
from domain.sentences.catalogue import ORIGINAL
from domain.table import Seat
from service.accounts.players import Caller, Players
from service.common import greenlets
from service.common.errors import Unauthenticated, check_reached, refusal
from service.games.access import Wanted
from service.games.plans.planning import Planning
from service.games.projections import representations
from service.games.projections.naming import Nameplates, nameplates
from service.games.projections.narrating import all_nameplates, in_words, put_sentences
from service.games.reading import Reader
from service.games.repository import LongRequest, Pay, counted_reading, head_of, is_counted
from service.games.talking import Talking, topic_of
from service.streams.source import EVENT, Batch, Item, Source
from service.transparency.key_ring import Receipts

_IN_BATCH = 100
"""The most events of a batch, equal to that of a page."""
_BATCHES_KEPT, _VIEWS_KEPT, _READ_KEPT = 128, 64, 32
"""How many batches and views are cached for followers of the same game from the same seat, and records for all."""


_MOST_REST = 0.05
"""The most seconds that a thread rests after a long read."""

_NO_NAMES = Nameplates({}, {}, {}, "")


@dataclass(frozen=True, slots=True)
class _Sight:
    """What determines a batch or a view: the game at a version, the viewer, the version before it, names and plan."""

    game: Game = field(compare=False)
    head: str
    viewer: Seat | None
    after: int = 0
    plates: Nameplates = field(default=_NO_NAMES, compare=False)
    names: str = ""
    language: str | None = None
    planned: bool = False


@dataclass(frozen=True, slots=True)
class Beside:
    """What a client requests beside events: sentences in a language, views, phrases after a given one, receipts."""

    language: str | None = None
    view: bool = False
    phrases: str | None = None
    receipts: bool = False


_NOTHING = Beside()


def _pay_nothing(_events: int) -> None:
    pass


class GameFollowing:
    """Creates the sources of games. What many clients follow from the same seat is rendered once."""

    def __init__(
        self, reader: Reader, planning: Planning, players: Players, talking: Talking, receipts: Receipts
    ) -> None:
        self.reader = reader
        self.planning = planning
        self.players = players
        self.talking = talking
        self.receipts = receipts
        self.items = lru_cache(_BATCHES_KEPT)(self._items)
        self.view = lru_cache(_VIEWS_KEPT)(self._view)
        self._records = lru_cache(_READ_KEPT)(self._read)

    def source(
        self,
        game_id: str,
        caller: Caller | None,
        wanted: Wanted,
        beside: Beside = _NOTHING,
        pay: Pay = _pay_nothing,
    ) -> "GameSource":
        """Return the source of a game for a caller, as the requested viewer; ``pay`` counts reads of long logs."""
        return GameSource(self, game_id, caller, wanted, beside, pay)

    def _items(self, sight: _Sight) -> Sequence[Item]:
        """Return the next events, by the same function as pages."""
        records = self._records(replace(sight, viewer=None, names="", language=None))
        events = representations.events(sight.game, sight.viewer, records)
        if sight.language is not None:
            put_sentences(events, sight.game, self.players.people, sight.language)
        return [Item(str(event["version"]), EVENT, orjson.dumps(event)) for event in events]

    def _read(self, sight: _Sight) -> Sequence[Record]:
        """Read the records of a batch, which all viewers share."""
        return self.reader.records(sight.game, sight.after, _IN_BATCH)

    def _view(self, sight: _Sight) -> bytes:
        """Return the view, by the same function as elsewhere."""
        shown = representations.view(sight.game, sight.viewer)
        return orjson.dumps(in_words(shown, sight.game, sight.plates, sight.language, planned=sight.planned))


class GameSource(Source):
    """A game as one caller follows it.

    Cursors are versions. With phrases, the cursor of the last phrase follows after a colon, and the source does not end
    with the game, because its players continue talking.
    """

    def __init__(
        self,
        following: GameFollowing,
        game_id: str,
        caller: Caller | None,
        wanted: Wanted,
        beside: Beside,
        pay: Pay,
    ) -> None:
        self._following, self._pay = following, pay
        self._game_id = game_id
        self._caller = caller
        self._wanted = wanted
        self._language, self._with_view, self._phrases = beside.language, beside.view, beside.phrases
        self._owes_view = beside.view
        self._with_receipts = self._owes_receipt = beside.receipts
        self._alike = (game_id, caller, wanted, beside)

    @property
    def topics(self) -> Sequence[str]:
        """Return the game, and its phrases if they were requested."""
        return (self._game_id,) if self._phrases is None else (self._game_id, topic_of(self._game_id))

    @property
    def player(self) -> str | None:
        return None if self._caller is None else self._caller.player

    @property
    def shared(self) -> Hashable:
        """Return the caller and the request once the first view and receipt are sent: equal sources then read alike."""
        return self if self._owes_view or self._owes_receipt else self._alike

    def can_continue(self, game: Game) -> bool:
        """Return whether an event or a phrase can still follow in a game."""
        return not game.is_over or (self._phrases is not None and game.status == "finished")

    def read(self, after: str, heard: str | None) -> Batch:
        """Return the next events as the viewer can see them now, and the view once there are no more.

        A long read leaves the event loop for a thread.
        """
        if is_counted():  # by the request that opens the stream
            return self._read(after, heard)
        try:
            with counted_reading(self._pay, is_in_turn=greenlets.current() is None):
                return self._read(after, heard)
        except LongRequest:
            return greenlets.in_thread(partial(self._read_in_turn, after, heard), greenlets.COMPUTING)

    def _read_in_turn(self, after: str, heard: str | None) -> Batch:
        """Read a long log; then the thread rests for as long, as after a long request, so that others have turns."""
        began = time.perf_counter()
        with counted_reading(self._pay, is_in_turn=True):
            batch = self._read(after, heard)
        time.sleep(min(_MOST_REST, time.perf_counter() - began))
        return batch

    def _read(self, after: str, heard: str | None) -> Batch:
        following = self._following
        version, _, said = after.partition(":")
        is_of_phrases = heard is not None and not heard.isdigit()
        known = None if heard is None else int(version if is_of_phrases else heard)
        game, viewer = following.reader.open_log(self._game_id, self._caller_now(), self._wanted, known)
        since = int(version)
        check_reached(game, since)
        items = self._items(game, viewer, since) if since < game.version else ()
        cursor = items[-1].cursor if items else str(since)
        is_all = cursor == str(game.version)
        if self._with_view and is_all and (items or self._owes_view):
            items, self._owes_view = [*items, self._view(game, viewer)], False
        if self._with_receipts and is_all and (items or self._owes_receipt):
            receipt = following.receipts.of(head_of(game)).encode()
            items, self._owes_receipt = [*items, Item(cursor, "receipt", receipt)], False
        end = {"code": "game-over", "status": game.status} if is_all and not self.can_continue(game) else None
        if self._phrases is not None:
            said = said or self._phrases
            spoken = self._spoken(game, cursor, said) if heard is None or is_of_phrases else ()
            cursor = spoken[-1].cursor if spoken else f"{cursor}:{said}"
            items = [*(item._replace(cursor=f"{item.cursor}:{said}") for item in items), *spoken]
        return Batch(items, cursor, not is_all, end)

    def _spoken(self, game: Game, version: str, after: str) -> Sequence[Item]:
        """Return the phrases after a given one."""
        heard = self._following.talking.heard(game, after, self._language or ORIGINAL)
        return [Item(f"{version}:{each['id']}", "phrase", orjson.dumps(each)) for each in heard]

    def _caller_now(self) -> Caller | None:
        """Return the caller, unless the token was revoked."""
        if self._caller is None:
            return None
        caller = self._following.players.caller_now(self._caller.player, self._caller.token)
        if caller is None:
            raise Unauthenticated("invalid-token", refusal("invalid-token"))
        return caller

    def _items(self, game: Game, viewer: Seat | None, after: int) -> Sequence[Item]:
        """Return the next events; their sentences contain names, so names are part of the cache's key."""
        if self._language is None:
            return self._following.items(_Sight(game, game.head, viewer, after))
        names = all_nameplates(game, self._following.players.people).digest
        return self._following.items(_Sight(game, game.head, viewer, after, names=names, language=self._language))

    def _view(self, game: Game, viewer: Seat | None) -> Item:
        plates = nameplates(game, self._following.players.people)
        planned = self._following.planning.takes_turn(game, viewer)
        sight = _Sight(game, game.head, viewer, 0, plates, plates.digest, self._language, planned)
        data = self._following.view(sight)
        return Item(str(game.version), "view", data)
