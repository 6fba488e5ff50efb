"""The use cases of a game: create, join, leave, act, view, read. The one way in, and the one way out.

A write is prepared and decided on the cached game; if that is accepted, one append settles it in a single round trip.
A refusal is final only after a trip that has read the rest of the log, and the answer kept for the request: the cache
may be behind, and a repeated request must get its first answer, not be told that it comes too late.
"""

import hmac
import logging
import random
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from domain.errors import IllegalAction, InvalidOptions
from domain.game import aggregate, seating, timeouts
from domain.game.aggregate import Game, Status, WrongMoment
from domain.game.seating import NewGame
from domain.game.time_control import LEAST_MOVE
from domain.log.record import Record
from domain.registry import RULESETS
from domain.table import Seat
from service.accounts.limits import FREE, Unlimited
from service.accounts.players import Caller
from service.errors import Fault, Limited, Malformed, Refusal, Stale, Unprocessable
from service.games import representations
from service.games.access import Wanted, check_scope, check_visible, held_seat, own_seat, reader_seat, viewer_seat
from service.games.commands import (
    Act,
    Claim,
    GameSpec,
    Key,
    Order,
    Petition,
    Prepared,
    Propose,
    Resign,
    Vote,
    Write,
    check_cursor,
    check_moment,
    toll_of_game,
)
from service.games.commit import Kept, appending, kept_under
from service.games.repository import GameRepository
from service.games.seat_commands import HandOver, Join, Leave, SeatWish
from service.store.codec import Answer, dump, recalled
from service.store.event_store import Append, Conflict, EventStore, Remembered
from service.store.game_index import Listed

STATUSES: tuple[Status, ...] = ("open", "active", "paused", "finished", "aborted")
_log = logging.getLogger(__name__)
_REFUSALS = (Refusal, WrongMoment, IllegalAction, InvalidOptions)


class AtVersion(Exception):
    """A refusal by a game as it stands, and the game: its version may be told, for its caller may see it."""

    def __init__(self, refusal: Exception, game: Game) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
        self.game_id = game.id
        self.version = game.version


class Games:
    """All games kept in one store.

    A bot's turn is looked at again ``bot_seconds`` and a little after it began. ``downtimes`` says when the service was
    down, from and until in ms; what clocks ran meanwhile is given back before anything else is written. It is asked
    only where a clock runs. ``least_move`` is the least time for a move, in ms, that a new game's clock can give.
    """

    def __init__(
        self,
        store: EventStore,
        now: Callable[[], str],
        bot_seconds: int = 10,
        downtimes: Callable[[], Sequence[tuple[int, int]]] = tuple,
        limiter: Unlimited | None = None,
        least_move: int = LEAST_MOVE,
    ) -> None:
        self._store = store
        self._now = now
        self._limiter = limiter or Unlimited()
        self._bot_ms = 1000 * (bot_seconds + 2)
        self._downtimes = downtimes
        self._least_move = least_move
        self._known = GameRepository(store)

    # -- writing ------------------------------------------------------------------------------------------------

    def create(
        self, caller: Caller, read: Callable[[], GameSpec], key: Key | None, address: str = ""
    ) -> tuple[str, Answer]:
        """Set up a game; answer its id and the answer. A key makes the same game, and only once."""
        check_scope(caller, "games:create")
        spec, request = read(), _request_id()
        try:
            new = _new_game(self._new_id(caller, key), caller, spec)
            step = seating.create(new, secrets.token_bytes(32), self._least_move)
            self._limiter.charge(toll_of_game(step[1], address), caller.player, new.id)
        except (InvalidOptions, Limited):
            made = self._made_before(caller, key)
            if made is None:
                raise
            return made
        records, game = aggregate.record(None, step, self._now(), request)
        answer = Answer(201, dump(representations.game_at_version(game)))
        match self._store.append(self._appending(None, game, records, Kept(caller, key, answer))):
            case Remembered(kept):
                return new.id, _first_answer(kept, key)
            case Conflict(_, missing) if not _is_own(missing, request):
                raise _key_reused()
            case _:
                self._known.keep(game)
                return new.id, answer

    def join(self, game_id: str, caller: Caller, read: Callable[[], SeatWish], address: str = "") -> Answer:
        """Take a seat."""
        return self.write(game_id, Join(caller, read, address))

    def leave(self, game_id: str, caller: Caller, seat: Seat, check_form: Callable[[], object] = lambda: None) -> None:
        """Leave a seat before the start; ``check_form`` refuses a request that is not of the documented form."""
        self.write(game_id, Leave(caller, SeatWish(seat, None, None), check_form))

    def act(self, game_id: str, caller: Caller, read: Callable[[], Order], *, goes_on: bool = False) -> Answer:
        """Carry out an action; who ``goes_on`` sees to the next bot's turn as well, so that no one else has to."""
        return self.write(game_id, Act(caller, read), goes_on=goes_on)

    def propose(self, game_id: str, caller: Caller, read: Callable[[], Petition]) -> Answer:
        """Propose something to all seats."""
        return self.write(game_id, Propose(caller, read))

    def vote(self, game_id: str, caller: Caller, read: Callable[[], Petition]) -> Answer:
        """Answer a proposal."""
        return self.write(game_id, Vote(caller, read))

    def resign(self, game_id: str, caller: Caller, read: Callable[[], Petition]) -> Answer:
        """Give up."""
        return self.write(game_id, Resign(caller, read))

    def hand_over(self, game_id: str, caller: Caller, seat: Seat, read: Callable[[], str]) -> Answer:
        """Put a bot on a seat."""
        return self.write(game_id, HandOver(caller, seat, read))

    def claim(self, game_id: str, caller: Caller, read: Callable[[], Petition]) -> Answer:
        """Claim that the time of another seat is up."""
        return self.write(game_id, Claim(caller, read, self._now))

    def try_out(self, game_id: str, caller: Caller, read: Callable[[], Order]) -> representations.DryRun:
        """Say whether an action would be accepted; nothing is settled, and nothing is told that acting would tell."""
        game = self._known.fresh(game_id)
        ready = Act(caller, read).prepare(game)
        try:
            check_moment(game, ready)
            aggregate.decide(game, ready.seat, ready.action)
        except _REFUSALS as refusal:
            raise AtVersion(refusal, game) from refusal
        return {"legal": True}

    def _new_id(self, caller: Caller, key: Key | None) -> str:
        """Name a new game: by the key, so that it is made once, under a secret, so that nobody can guess the name."""
        if key is None:
            return f"gm_{secrets.token_hex(10)}"
        return f"gm_{hmac.digest(self._store.naming_secret(), kept_under(caller, key).encode(), 'sha256').hex()[:20]}"

    def _made_before(self, caller: Caller, key: Key | None) -> tuple[str, Answer] | None:
        """Give the game that was made under a key, with the first answer; None if there is none."""
        if key is None:
            return None
        game_id = self._new_id(caller, key)
        kept, _ = self._store.look_up(game_id, 0, kept_under(caller, key))
        return None if kept is None else (game_id, _first_answer(kept, key))

    def write(self, game_id: str, write: Write, *, goes_on: bool = False) -> Answer:
        """Carry out any write, exactly once."""
        request = _request_id()
        game, prepared = self._prepared(game_id, write)
        charged = False
        while True:
            key = prepared.key
            game = self._credited(game)
            try:
                step = write.decide(game, prepared)
                charged = charged or self._charge(write, game, prepared)
            except _REFUSALS as refusal:
                kept, now = self._known.looked_up(game, kept_under(write.caller, key))
                if kept is not None:
                    return _first_answer(kept, key)
                if now.head == game.head:
                    raise AtVersion(refusal, game) from refusal
                game = now
            else:
                records, after = aggregate.record(game, step, max(self._now(), game.at), request)
                answer = Answer(write.STATUS, dump(write.answer(after, prepared, records)))
                append = self._appending(game, after, records, Kept(write.caller, key, answer))
                match self._store.append(replace(append, has_work=False) if goes_on else append):
                    case Remembered(kept):
                        return _first_answer(kept, key)
                    case Conflict(_, missing) if not _is_own(missing, request):
                        game = self._known.caught_up(game, missing)
                    case _:
                        self._known.keep(after)
                        return answer
            prepared = write.prepare(game)

    def _charge(self, write: Write, game: Game, prepared: Prepared) -> bool:
        """Count a write that the game would accept against its limits, once."""
        toll = write.toll(game, prepared)
        if toll is not FREE:
            self._limiter.charge(toll, write.caller.player, game.id)
        return True

    def _credited(self, game: Game) -> Game:
        """Give back, first of all, the time during which the service was down, and which this game's clocks ran."""
        while game.times.since and timeouts.owed(game, known := self._downtimes()):
            request = _request_id()
            step = timeouts.credit(game, known)
            records, after = aggregate.record(game, step, max(self._now(), game.at), request)
            match self._store.append(self._appending(game, after, records, None)):
                case Conflict(_, missing) if not _is_own(missing, request):
                    game = self._known.caught_up(game, missing)
                case _:
                    self._known.keep(after)
                    game = after
        return game

    def _appending(self, before: Game | None, after: Game, records: Sequence[Record], kept: Kept | None) -> Append:
        return appending(before, after, records, self._bot_ms, kept)

    def _prepared(self, game_id: str, write: Write) -> tuple[Game, Prepared]:
        """Prepare a write on the cached game; if that is refused, or nothing is cached, on the game as it is now."""
        cached = self._known.find(game_id)
        if cached is not None:
            try:
                return cached, write.prepare(cached)
            except _REFUSALS:
                _log.debug("refused on the cached version %d of %s: reading on", cached.version, game_id)
        game = self._known.fresh(game_id)
        return game, write.prepare(game)

    def current(self, game_id: str) -> Game:
        """Give a game as it is now, to the service itself; nobody is asked who they are."""
        return self._known.fresh(game_id)

    def known(self, game_id: str) -> Game | None:
        """Give a game as it was last known here, to the service itself."""
        return self._known.find(game_id)

    # -- reading ------------------------------------------------------------------------------------------------

    def show(self, game_id: str, caller: Caller | None) -> Game:
        """Give a game to a reader of its public data."""
        return self._visible(game_id, caller)

    def look(self, game_id: str, caller: Caller | None, wanted: Wanted, at: int | None) -> tuple[Game, Seat | None]:
        """Give a game, now or as it was at a version, and the seat (None: a spectator) through whose eyes to see it."""
        game = self._visible(game_id, caller)
        if at is not None and at > game.version:
            raise Malformed([Fault("?at", "no-such-version", f"at: {at} is to come; the game is at {game.version}")])
        viewer = viewer_seat(game, caller, wanted)
        if at is None or at == game.version:
            return game, viewer
        past = aggregate.fold_to(self._known.records(game, limit=at + 1), at)
        return past, own_seat(past, caller) if wanted is None else viewer

    def legal_actions(
        self, game_id: str, caller: Caller, wanted: Seat | None, decision: str | None = None
    ) -> tuple[Game, Seat, Sequence[Any]]:
        """List every legal action of a seat of the caller's now, if need be for a decision that must be pending."""
        game = self._visible(game_id, caller)
        seat = held_seat(game, caller, wanted)
        if decision is not None:
            try:
                check_cursor(game, seat, decision)
            except Stale as refusal:
                raise AtVersion(refusal, game) from refusal
        return game, seat, game.ruleset.legal_actions(game.state, seat) if seat in game.pending else ()

    def events(
        self, game_id: str, caller: Caller | None, wanted: Wanted, after: int, limit: int
    ) -> representations.EventPage:
        """Show a page of the log to a viewer."""
        game = self._visible(game_id, caller)
        viewer = reader_seat(game, caller, wanted)
        records = self._known.records(game, after, limit)
        return representations.event_page(game, viewer, [r for r in records if r.version <= game.version])

    def export(self, game_id: str, caller: Caller | None, wanted: Wanted) -> tuple[Game, str]:
        """Write a game as text, with what a viewer may know of its log."""
        game = self._visible(game_id, caller)
        viewer = reader_seat(game, caller, wanted)
        if game.ruleset.notation is None:
            raise Unprocessable("unsupported", f"there is no text form of {game.ruleset.name} yet")
        records = self._known.records(game, limit=game.version)
        return game, representations.text(game, viewer, records)

    def mine(self, caller: Caller, after: str | None, limit: int, *, to_act: bool) -> tuple[list[Listed], str | None]:
        """List a player's games, newest first, or those in which it is their turn, the most urgent first."""
        check_scope(caller, "games:read")
        found = (self._store.turns_of if to_act else self._store.games_of)(caller.player, after, limit + 1)
        page = found[:limit]
        return page, page[-1].member if len(found) > limit else None

    def list(
        self, status: Status | None, ruleset: str | None, before: str | None, limit: int
    ) -> tuple[list[bytes], str | None]:
        """List public games, newest first; answer their data and, if there are more, the member to go on from."""
        statuses = [status] if status else STATUSES
        rulesets = [ruleset] if ruleset else list(RULESETS)
        found = self._store.listed(statuses, rulesets, before, limit + 1)
        page = found[:limit]
        return [summary for _, summary in page], page[-1][0] if len(found) > limit else None

    def _visible(self, game_id: str, caller: Caller | None) -> Game:
        game = self._known.fresh(game_id)
        check_visible(game, caller)
        if caller is not None:
            check_scope(caller, "games:read")
        return game


def _is_own(missing: Sequence[Record], request: str) -> bool:
    """Say whether what stands in the log already is this very request, whose reply was lost on the way."""
    return bool(missing) and missing[0].request == request


def _request_id() -> str:
    """Name a request, so that it is known again in the log: unlike all others, not secret."""
    return f"{random.getrandbits(64):016x}"


def _first_answer(kept: bytes, key: Key | None) -> Answer:
    fingerprint, answer = recalled(kept)
    if key is None or fingerprint != key.fingerprint:
        raise _key_reused()
    return answer


def _key_reused() -> Unprocessable:
    return Unprocessable("key-reused", "this Idempotency-Key came with another request before; use a fresh one")


def _new_game(game_id: str, caller: Caller, spec: GameSpec) -> NewGame:
    seats = len(spec.mine)
    return NewGame(
        id=game_id,
        ruleset=spec.ruleset,
        options=spec.ruleset.options.complete(spec.options, seats) if seats in spec.ruleset.seats else None,
        visibility=spec.visibility,
        sandbox=spec.sandbox,
        creator=caller.player,
        sitters=tuple(caller.player if mine else None for mine in spec.mine),
        bots=spec.bots,
        clock=spec.clock,
    )
