"""Forks: sandboxes that begin at a position of another game.

Once a game is over, a fork begins at the true position. During the game, a fork begins at what its creator knows, and
only they can see it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from domain.errors import wrong_moment
from domain.events import Visibility
from domain.game import forks
from domain.game.aggregate import Game
from domain.game.forks import Position
from domain.log.record import Record
from domain.serialization import to_plain
from domain.table import EVERYTHING, Seat, Viewer
from service.accounts.players import Caller, Key
from service.common.errors import Unprocessable, check_reached
from service.games.access import IsInvited, Wanted, check_may_read, check_opens_all, check_scope, own_seat, viewer_seat
from service.games.commands import Create
from service.games.desk import Desk
from service.games.repository import PART, GameRepository, count_read
from service.store.codec import Answer

_READS_OF_A_FORK = 3
"""Repeating an event takes as long as reading so many, because it is also folded, drawn, written and stored."""
_FROM_OPEN_TO_CLOSED = get_args(Visibility)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork:
    """A request for a fork: at which version (None: now), with whose knowledge, and for which caller.

    ``viewer`` None is the caller's own seat or, once the game is over, everything. ``bots`` are the seats for bots; the
    caller holds the others.
    """

    caller: Caller
    at: int | None = None
    viewer: Wanted = None
    visibility: Visibility = "private"
    bots: tuple[tuple[Seat, str], ...] = ()
    key: Key | None = None


@dataclass(eq=False)
class Forking:
    _desk: Desk
    _repository: GameRepository
    _is_invited: IsInvited

    def check_may_fork(self, game: Game, caller: Caller) -> None:
        check_may_read(game, caller, self._is_invited)
        check_opens_all(caller)
        check_scope(caller, "games:create")
        if game.sealed:
            raise wrong_moment("set-open.fork")

    def fork(self, game: Game, wanted: Fork) -> tuple[str, Answer]:
        """Create a fork; return its id and the response. With a key, the fork is created only once."""
        for_bots = {seat for seat, _ in wanted.bots}
        create = Create(
            caller=wanted.caller,
            ruleset=game.ruleset,
            options=to_plain(game.options),
            sitters=tuple(None if seat in for_bots else wanted.caller.player for seat in range(len(game.sitters))),
            visibility=wanted.visibility,
            sandbox=True,
            bots=wanted.bots,
            bot_pace=game.bot_pace,
            key=wanted.key,
            begins=lambda: self._position(game.id, wanted),
        )
        return self._desk.create(create)

    def _position(self, game_id: str, wanted: Fork) -> Position:
        game = self._repository.fresh(game_id)
        _check_visibility(game, wanted.visibility)
        if wanted.at is not None:
            check_reached(game, wanted.at)
        at = wanted.at or game.version
        count_read(_READS_OF_A_FORK * at)
        records = self._records_of_request(game, at)
        then = forks.decision_at(records, at)
        return forks.position(records, then, _eyes(game, then, wanted))

    def _records_of_request(self, game: Game, at: int) -> Sequence[Record]:
        """Read a log up to the end of the request that a version belongs to."""
        last = at
        while True:
            last = min(game.version, last + PART)
            records = self._repository.records(game, limit=last)
            if last == game.version or records[-1].request != records[at - 1].request:
                return records


def _eyes(game: Game, then: Game, wanted: Fork) -> Viewer:
    if wanted.viewer is not None:
        return viewer_seat(game, wanted.caller, wanted.viewer)
    return EVERYTHING if game.is_over else own_seat(then, wanted.caller)


def _check_visibility(game: Game, wanted: Visibility) -> None:
    """Reject a fork that is more visible than its game. A fork of a running game must be private."""
    most: Visibility = game.visibility if game.is_over else "private"
    if _FROM_OPEN_TO_CLOSED.index(wanted) < _FROM_OPEN_TO_CLOSED.index(most):
        why = "is no more visible than its game" if game.is_over else "of a running game is its maker's alone"
        raise Unprocessable("fork-too-visible", f"visibility: a fork {why}; here it must be {most} or less")
