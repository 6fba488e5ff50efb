"""Reading games: views at any version, logs, texts, and lists of games."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from operator import attrgetter
from typing import Any, get_args

import orjson

from domain.game.aggregate import Game, Status
from domain.game.time_control import Speed
from domain.log.record import Record
from domain.registry import RULESETS
from domain.sentences.message import Text
from domain.table import Seat
from service.accounts.players import Caller
from service.common.errors import AtVersion, Forbidden, Stale, Unprocessable, check_reached, no_such_game, refusal
from service.games.access import (
    IsInvited,
    Wanted,
    check_may_read,
    check_opens_everything,
    check_scope,
    held_seat,
    no_invitations,
    own_seat,
    reader_seat,
    seats_of,
    viewer_seat,
)
from service.games.commands import check_decision
from service.games.projections import representations
from service.games.projections.auditing import AuditResource, audit
from service.games.projections.resources import EventPage
from service.games.repository import GameRepository
from service.store.game_index import IndexedGame
from service.store.game_lists import GameLists, Page, Part

_PAGE = 100
_RECENT = 64
"""How many events are read at first to find a seat's last move."""
STATUSES: tuple[Status, ...] = get_args(Status)
_LISTED = tuple(status for status in STATUSES if status != "aborted")
"""The statuses that the lobby lists unless one is requested: aborted games were mostly never played."""


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter for lists of games: at least so many ``open_seats``, and a ``player`` who has a part in them."""

    status: Status | None = None
    ruleset: str | None = None
    speed: Speed | None = None
    open_seats: int = 0
    player: str | None = None

    def beside_lists(self) -> "Filter":
        """Return the remaining tests for lists that contain only games of the right status and ruleset."""
        return replace(self, status=None, ruleset=None)

    def test_of_public(self, statuses: Collection[Status]) -> Callable[[bytes], bool]:
        """Return the test for public games of these statuses, for a list that also contains private ones."""

        def passes(summary: bytes) -> bool:
            game = orjson.loads(summary)
            return game["visibility"] == "public" and game["status"] in statuses and self._fits(game)

        return passes

    def test(self) -> Callable[[bytes], bool] | None:
        """Return the test of a game's public data as lists store it; None if there is nothing to test."""
        return None if self == Filter() else lambda summary: self._fits(orjson.loads(summary))

    def _fits(self, game: Mapping[str, Any]) -> bool:
        return (
            self.status in (None, game["status"])
            and self.ruleset in (None, game["ruleset"])
            and self.speed in (None, game["speed"])
            and self.open_seats <= _open_to_anyone(game)
        )


def _open_to_anyone(game: Mapping[str, Any]) -> int:
    """Count the seats that a stranger can take; those of a rematch are reserved for the players of the old game."""
    is_rematch = game.get("rematch_of") is not None
    return 0 if is_rematch else sum(seat["player"] is seat["bot"] is None for seat in game["seats"])


class Reader:
    """Read the games of one store; each method sees the latest log, in one round trip."""

    def __init__(self, repository: GameRepository, is_invited: IsInvited = no_invitations) -> None:
        self._repository = repository
        self._is_invited = is_invited
        self._store = repository.store
        self._lists = GameLists(repository.store)

    def current(self, game_id: str) -> Game:
        return self._repository.fresh(game_id)

    def show(self, game_id: str, caller: Caller | None, known: int | None = None) -> Game:
        """Return a game that the caller may read; a cached one is enough if it is at the version ``known`` or later."""
        cached = None if known is None else self._repository.cached(game_id)
        game = cached if cached and known and cached.version >= known else self._repository.fresh(game_id)
        check_may_read(game, caller, self._is_invited)
        return game

    def check_visible_unread(self, game_id: str, player: str | None) -> None:
        """Reject a player without a part in a private game whose log cannot be read; the lists tell who has a part."""
        game = self._store.public_data([game_id])[game_id]
        if not game or game["visibility"] != "private":
            return
        if player is None or player not in (game["creator"], *(seat["player"] for seat in game["seats"])):
            raise no_such_game()

    def look(
        self, game_id: str, caller: Caller | None, wanted: Wanted, at: int | None, *, everything: bool = False
    ) -> tuple[Game, Seat | None]:
        """Return a game, now or at a version, and the seat (None: a spectator) to view it from.

        ``everything`` opens all that is hidden, which is allowed only once the game is over.
        """
        game = self.show(game_id, caller)
        if everything:
            check_opens_everything(game)
        if at is not None:
            check_reached(game, at)
        viewer = viewer_seat(game, caller, wanted)
        if at is None or at == game.version:
            return game, viewer
        past = self._repository.at(game, at)
        return past, own_seat(past, caller) if wanted is None else viewer

    def look_with_plans(
        self, game_id: str, caller: Caller | None, wanted: Wanted
    ) -> tuple[Game, Seat | None, Mapping[Seat, bytes]]:
        """Return a game as it is now, as ``look`` does, and the stored plans of the caller's seats if it is cached."""
        cached = self._repository.cached(game_id)
        game, plans = self._repository.fresh_with_plans(game_id, seats_of(cached, caller) if cached else ())
        check_may_read(game, caller, self._is_invited)
        return game, viewer_seat(game, caller, wanted), plans

    def follow(self, game_id: str, caller: Caller, seat: Seat, known: int) -> tuple[Game, Seat | None]:
        game = self.show(game_id, caller, known)
        return game, viewer_seat(game, caller, seat)

    def legal_actions(
        self, game_id: str, caller: Caller, wanted: Seat | None, decision: str | None = None
    ) -> tuple[Game, Seat, Sequence[Any]]:
        """List the current legal actions of one of the caller's seats; reject a ``decision`` that is not pending."""
        game = self.show(game_id, caller)
        seat = held_seat(game, caller, wanted)
        if decision is not None:
            try:
                check_decision(game, seat, decision, "stale-cursor")
            except Stale as refusal:
                raise AtVersion(refusal, game) from refusal
        return game, seat, game.ruleset.legal_actions(game.state, seat) if game.decides(seat) else ()

    def open_log(
        self, game_id: str, caller: Caller | None, wanted: Wanted, known: int | None = None
    ) -> tuple[Game, Seat | None]:
        """Return a game and the seat (None: a spectator) from which the caller reads its log; ``known`` as in show."""
        game = self.show(game_id, caller, known)
        return game, reader_seat(game, caller, wanted)

    def last_move(self, game: Game, viewer: Seat | None) -> int:
        """Return the version of the last event by which a seat itself acted; 0 if it has not."""
        if viewer is None:
            raise Forbidden("not-seated", refusal("not-seated.since"))
        many = _RECENT
        while True:
            after = max(0, game.version - many)
            records = self._repository.records(game, after, game.version - after)
            cut = records[0].request if after else None
            whole = (record for record in records if record.request != cut)
            last = max(_own_moves(whole, viewer), default=0)
            if last or not after:
                return last
            many *= 8

    def events(self, game: Game, viewer: Seat | None, after: int, limit: int) -> EventPage:
        return representations.event_page(game, viewer, self.records(game, after, limit))

    def records(self, game: Game, after: int, limit: int) -> list[Record]:
        records = self._repository.records(game, after, limit)
        return [record for record in records if record.version <= game.version]

    def export(self, game: Game, viewer: Seat | None) -> str:
        if game.ruleset.notation is None:
            raise Unprocessable("unsupported", refusal("unsupported.notation", game=Text(game.ruleset.name)))
        records = self._repository.records(game, limit=game.version)
        return representations.text(game, viewer, records)

    def audit(self, game: Game, viewer: Seat | None) -> AuditResource:
        return audit(game, viewer, self._repository.records(game, limit=game.version))

    def games_of(self, caller: Caller, wanted: Filter, after: str | None, limit: int, *, to_act: bool) -> Page:
        """List a player's games, newest first, or those in which it is their turn, the most urgent first."""
        check_scope(caller, "games:read")
        part = Part(after, limit, wanted.test())
        return (self._lists.turns_of if to_act else self._lists.of_player)(caller.player, part)

    def pages_of(self, caller: Caller) -> Iterator[Sequence[IndexedGame]]:
        last: str | None = None
        while True:
            page = self.games_of(caller, Filter(), last, _PAGE, to_act=False)
            yield page.games
            if (last := page.last) is None:
                return

    def lobby(self, wanted: Filter, after: str | None, limit: int, *, newest_first: bool = True) -> Page:
        statuses = [wanted.status] if wanted.status else _LISTED
        rulesets = [wanted.ruleset] if wanted.ruleset else list(RULESETS)
        if wanted.player is not None:
            part = Part(after, limit, wanted.test_of_public(statuses))
            return self._lists.of_player(wanted.player, part, newest_first=newest_first)
        part = Part(after, limit, wanted.beside_lists().test())
        return self._lists.public(statuses, rulesets, part, newest_first=newest_first)


def _own_moves(records: Iterable[Record], seat: Seat) -> Iterable[int]:
    """List the versions of the events by which a seat itself acted.

    They begin their request. The events that the rules then force can name the seat too, and what a bot did when the
    seat's time was up follows the event that says so; neither is a move of the seat. Only the request that creates a
    game can contain several moves: those that a fork repeats.
    """
    for _, of_request in groupby(records, key=attrgetter("request")):
        first, *rest = of_request
        if first.type == "game_created":
            yield from (record.version for record in rest if record.seat == seat)
        else:
            own = takewhile(lambda record: record.seat == seat and record.type != "turn_timed_out", [first, *rest])
            yield from (record.version for record in own)
