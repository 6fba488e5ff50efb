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
from dataclasses import dataclass
from hashlib import sha256

from domain import game as lifecycle
from domain.game import Game, NewGame, Status, WrongMoment
from domain.log import Record
from domain.plain import Plain
from domain.registry import RULESETS
from domain.ruleset import IllegalAction, InvalidOptions, Seat
from service import resources
from service.access import Wanted, check_scope, check_visible, held_seat, own_seat, reader_seat, viewer_seat
from service.cache import GameCache
from service.codec import Answer, dump, recalled, remembered
from service.players import Caller
from service.refusals import Fault, Malformed, Refusal, Unprocessable, no_such_game
from service.store import Append, Conflict, EventStore, Listing, Remembered, member_of
from service.writes import (
    Act,
    GameSpec,
    Join,
    Key,
    Leave,
    Order,
    Petition,
    Prepared,
    Propose,
    Resign,
    SeatWish,
    Vote,
    Write,
    check_moment,
)

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
    """All games kept in one store."""

    def __init__(self, store: EventStore, now: Callable[[], str]) -> None:
        self._store = store
        self._now = now
        self._cache = GameCache()

    # -- writing ------------------------------------------------------------------------------------------------

    def create(self, caller: Caller, read: Callable[[], GameSpec], key: Key | None) -> tuple[str, Answer]:
        """Set up a game; answer its id and the answer. A key makes the same game, and only once."""
        check_scope(caller, "games:create")
        spec, request = read(), _request_id()
        try:
            if spec.unsupported:
                raise Unprocessable("unsupported", "; ".join(spec.unsupported))
            new = _new_game(self._new_id(caller, key), caller, spec)
            step = lifecycle.create(new, secrets.token_bytes(32))
        except (InvalidOptions, Unprocessable):
            made = self._made_before(caller, key)
            if made is None:
                raise
            return made
        records, game = lifecycle.record(None, step, self._now(), request)
        answer = Answer(201, dump(resources.game_at_version(game)))
        match self._store.append(_append(None, game, records, _Kept(caller, key, answer))):
            case Remembered(kept):
                return new.id, _first_answer(kept, key)
            case Conflict(_, missing) if not _is_own(missing, request):
                raise _key_reused()
            case _:
                self._cache.keep(game)
                return new.id, answer

    def join(self, game_id: str, caller: Caller, read: Callable[[], SeatWish]) -> Answer:
        """Take a seat."""
        return self._write(game_id, Join(caller, read))

    def leave(self, game_id: str, caller: Caller, seat: Seat, check_form: Callable[[], object] = lambda: None) -> None:
        """Leave a seat before the start; ``check_form`` refuses a request that is not of the documented form."""
        self._write(game_id, Leave(caller, SeatWish(seat, None, None), check_form))

    def act(self, game_id: str, caller: Caller, read: Callable[[], Order]) -> Answer:
        """Carry out an action."""
        return self._write(game_id, Act(caller, read))

    def propose(self, game_id: str, caller: Caller, read: Callable[[], Petition]) -> Answer:
        """Propose something to all seats."""
        return self._write(game_id, Propose(caller, read))

    def vote(self, game_id: str, caller: Caller, read: Callable[[], Petition]) -> Answer:
        """Answer a proposal."""
        return self._write(game_id, Vote(caller, read))

    def resign(self, game_id: str, caller: Caller, read: Callable[[], Petition]) -> Answer:
        """Give up."""
        return self._write(game_id, Resign(caller, read))

    def try_out(self, game_id: str, caller: Caller, read: Callable[[], Order]) -> resources.DryRun:
        """Say whether an action would be accepted; nothing is settled, and nothing is told that acting would tell."""
        game = self._fresh(game_id)
        ready = Act(caller, read).prepare(game)
        try:
            check_moment(game, ready)
            lifecycle.decide(game, ready.seat, ready.action)
        except _REFUSALS as refusal:
            raise AtVersion(refusal, game) from refusal
        return {"legal": True}

    def _new_id(self, caller: Caller, key: Key | None) -> str:
        """Name a new game: by the key, so that it is made once, under a secret, so that nobody can guess the name."""
        if key is None:
            return f"gm_{secrets.token_hex(10)}"
        return f"gm_{hmac.digest(self._store.naming_secret(), _kept_under(caller, key).encode(), 'sha256').hex()[:20]}"

    def _made_before(self, caller: Caller, key: Key | None) -> tuple[str, Answer] | None:
        """Give the game that was made under a key, with the first answer; None if there is none."""
        if key is None:
            return None
        game_id = self._new_id(caller, key)
        kept, _ = self._store.look_up(game_id, 0, _kept_under(caller, key))
        return None if kept is None else (game_id, _first_answer(kept, key))

    def _write(self, game_id: str, write: Write) -> Answer:
        request = _request_id()
        game, prepared = self._prepared(game_id, write)
        while True:
            key = prepared.key
            try:
                step = write.decide(game, prepared)
            except _REFUSALS as refusal:
                kept, now = self._looked_up(game, write.caller, key)
                if kept is not None:
                    return _first_answer(kept, key)
                if now.head == game.head:
                    raise AtVersion(refusal, game) from refusal
                game = now
            else:
                records, after = lifecycle.record(game, step, max(self._now(), game.at), request)
                answer = Answer(201, dump(write.answer(after, prepared, records)))
                match self._store.append(_append(game, after, records, _Kept(write.caller, key, answer))):
                    case Remembered(kept):
                        return _first_answer(kept, key)
                    case Conflict(_, missing) if not _is_own(missing, request):
                        game = self._caught_up(game, missing)
                    case _:
                        self._cache.keep(after)
                        return answer
            prepared = write.prepare(game)

    def _prepared(self, game_id: str, write: Write) -> tuple[Game, Prepared]:
        """Prepare a write on the cached game; if that is refused, or nothing is cached, on the game as it is now."""
        cached = self._cache.find(game_id)
        if cached is not None:
            try:
                return cached, write.prepare(cached)
            except _REFUSALS:
                _log.debug("refused on the cached version %d of %s: reading on", cached.version, game_id)
        game = self._fresh(game_id)
        return game, write.prepare(game)

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
        past = lifecycle.fold_to(self._store.read(game_id, limit=at + 1), at)
        return past, own_seat(past, caller) if wanted is None else viewer

    def legal_actions(
        self, game_id: str, caller: Caller, wanted: Seat | None
    ) -> tuple[Game, Seat, Sequence[dict[str, Plain]]]:
        """List every legal action of a seat of the caller's, for the game as it is now."""
        game = self._visible(game_id, caller)
        seat = held_seat(game, caller, wanted)
        actions = game.ruleset.legal_actions(game.state, seat) if seat in game.pending else ()
        return game, seat, [resources.action_data(game.ruleset, action) for action in actions]

    def events(
        self, game_id: str, caller: Caller | None, wanted: Wanted, after: int, limit: int
    ) -> resources.EventPage:
        """Show a page of the log to a viewer."""
        game = self._visible(game_id, caller)
        viewer = reader_seat(game, caller, wanted)
        records = self._store.read(game_id, after, limit)
        return resources.event_page(game, viewer, [r for r in records if r.version <= game.version])

    def export(self, game_id: str, caller: Caller | None, wanted: Wanted) -> tuple[Game, str]:
        """Write a game as text, with what a viewer may know of its log."""
        game = self._visible(game_id, caller)
        viewer = reader_seat(game, caller, wanted)
        if game.ruleset.NOTATION is None:
            raise Unprocessable("unsupported", f"there is no text form of {game.ruleset.NAME} yet")
        records = self._store.read(game_id, limit=game.version)
        return game, resources.text(game, viewer, records)

    def list(
        self, status: Status | None, ruleset: str | None, before: str | None, limit: int
    ) -> tuple[list[bytes], str | None]:
        """List public games, newest first; answer their data and, if there are more, the member to go on from."""
        statuses = [status] if status else STATUSES
        rulesets = [ruleset] if ruleset else list(RULESETS)
        found = self._store.listed(statuses, rulesets, before, limit + 1)
        page = found[:limit]
        return [summary for _, summary in page], page[-1][0] if len(found) > limit else None

    # -- the log and its cache ----------------------------------------------------------------------------------

    def _visible(self, game_id: str, caller: Caller | None) -> Game:
        game = self._fresh(game_id)
        check_visible(game, caller)
        if caller is not None:
            check_scope(caller, "games:read")
        return game

    def _fresh(self, game_id: str) -> Game:
        """Give the game as the log has it now, in one trip."""
        cached = self._cache.find(game_id)
        if cached is not None:
            return self._continued(cached, self._store.read(game_id, cached.version - 1))
        return self._read_whole(game_id)

    def _looked_up(self, game: Game, caller: Caller, key: Key | None) -> tuple[bytes | None, Game]:
        """Read what is kept for the request, and the game as it is now, in one trip."""
        kept, records = self._store.look_up(game.id, game.version - 1, _kept_under(caller, key))
        return kept, self._continued(game, records)

    def _continued(self, known: Game, records: Sequence[Record]) -> Game:
        """Go on from a known game with the records from its last version on; a log that lost that version is reread."""
        if records and records[0].hash == known.head:
            return self._grown(known, records[1:])
        self._cache.drop(known.id)
        return self._read_whole(known.id)

    def _read_whole(self, game_id: str) -> Game:
        records = self._store.read(game_id)
        if not records:
            raise no_such_game()
        return self._grown(None, records)

    def _grown(self, game: Game | None, records: Sequence[Record]) -> Game:
        if game is not None and not records:
            return game
        game = lifecycle.fold(records, game)
        self._cache.keep(game)
        return game

    def _caught_up(self, game: Game, missing: Sequence[Record]) -> Game:
        """Go on with the records that a conflict brought; if it brought none, the log is not the one known here."""
        if missing:
            return self._grown(game, missing)
        self._cache.drop(game.id)
        return self._read_whole(game.id)


def _is_own(missing: Sequence[Record], request: str) -> bool:
    """Say whether what stands in the log already is this very request, whose reply was lost on the way."""
    return bool(missing) and missing[0].request == request


def _request_id() -> str:
    """Name a request, so that it is known again in the log: unlike all others, not secret."""
    return f"{random.getrandbits(64):016x}"


def _kept_under(caller: Caller, key: Key | None) -> str:
    return sha256(f"{caller.player} {key.name}".encode()).hexdigest() if key else ""


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
        options=spec.ruleset.options(spec.options, seats) if seats in spec.ruleset.SEATS else None,
        visibility=spec.visibility,
        sandbox=spec.sandbox,
        creator=caller.player,
        sitters=tuple(caller.player if mine else None for mine in spec.mine),
    )


@dataclass(frozen=True, slots=True)
class _Kept:
    """Whose request it was, under which key, and the answer to remember."""

    caller: Caller
    key: Key | None
    answer: Answer


def _append(before: Game | None, after: Game, records: Sequence[Record], kept: _Kept) -> Append:
    return Append(
        game_id=after.id,
        expected=before.version if before else 0,
        records=records,
        head=before.head if before else "",
        request_key=_kept_under(kept.caller, kept.key),
        answer=remembered(kept.key.fingerprint, kept.answer) if kept.key else b"",
        listing=_listing(before, after),
    )


def _listing(before: Game | None, after: Game) -> Listing | None:
    """Say what changes in the lobby; only public games are listed, and only seats and status show there."""
    if after.visibility != "public":
        return None
    if before and (before.status, before.sitters) == (after.status, after.sitters):
        return None
    return Listing(
        summary=dump(resources.game_resource(after)),
        member=member_of(after.created_at, after.id),
        ruleset=after.ruleset.ID,
        left=before.status if before else after.status,
        entered=after.status,
    )
