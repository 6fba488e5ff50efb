"""The desk: the only way to change a game, for players, bots and the service itself.

A command is decided on the cached game. If it is accepted, one append commits it in a single round trip. The cache can
be outdated, so a refusal is final only after a round trip that has read the rest of the log and any stored response: a
repeated request must get its first response, not a refusal for being late.
"""

import hmac
import logging
import random
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from domain.errors import IllegalAction, InvalidOptions
from domain.game import aggregate, seating, timeouts
from domain.game.aggregate import Game, WrongMoment
from domain.game.durations import instant
from domain.game.events import Clock, Visibility
from domain.game.seating import NewGame
from domain.game.time_control import LEAST_MOVE
from domain.log.record import Record
from domain.ruleset import AnyRuleset
from domain.serialization import Plain
from domain.table import Seat
from service.accounts.limits import FREE, PLACES, Toll, Unlimited
from service.accounts.players import Caller
from service.errors import Limited, Refusal, Unprocessable
from service.games import representations
from service.games.access import check_scope
from service.games.commands import Act, Command, Key
from service.games.commit import Kept, append_for, kept_under
from service.games.repository import GameRepository
from service.store.codec import Answer, dump, recalled
from service.store.event_store import Append, Conflict, Remembered

_log = logging.getLogger(__name__)
_REFUSALS = (Refusal, WrongMoment, IllegalAction, InvalidOptions)


class AtVersion(Exception):
    """A refusal, with the game that refused: the response carries its version, since the caller can see the game."""

    def __init__(self, refusal: Exception, game: Game) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
        self.game_id = game.id
        self.version = game.version


@dataclass(frozen=True, slots=True, kw_only=True)
class Create:
    """Create a game: for each seat, whether the creator takes it or it is open, and which seats get bots."""

    caller: Caller
    ruleset: AnyRuleset
    options: Mapping[str, Plain]
    mine: tuple[bool, ...]
    visibility: Visibility
    sandbox: bool
    bots: tuple[tuple[Seat, str], ...] = ()
    clock: Clock | None = None
    key: Key | None = None
    address: str = ""
    """The client's address; "" where no limit counts it."""


class Desk:
    """Handle commands for all games of one store.

    A bot's turn is checked again shortly after ``bot_seconds``. ``downtimes`` lists when the service was down, from and
    until in ms; the time that clocks ran meanwhile is credited before anything else is written. It is called only if a
    clock runs. ``least_move`` is the minimum time for a move, in ms, that the clock of a new game can give.
    """

    def __init__(
        self,
        repository: GameRepository,
        now: Callable[[], str],
        bot_seconds: int = 10,
        downtimes: Callable[[], Sequence[tuple[int, int]]] = tuple,
        limiter: Unlimited | None = None,
        least_move: int = LEAST_MOVE,
    ) -> None:
        self._repository = repository
        self._store = repository.store
        self._now = now
        self._limiter = limiter or Unlimited()
        self._bot_ms = 1000 * (bot_seconds + 2)
        self._downtimes = downtimes
        self._least_move = least_move

    def now(self) -> int:
        """Return the time with which the desk stamps commits, in ms since 1970."""
        return instant(self._now())

    def enter(self, game_id: str, admits: Callable[[Game], object]) -> Game:
        """Return a game to read a request against, once ``admits`` accepts the caller.

        This is the cached game, unless it refuses: then it is the current game, whose refusal is final.
        """
        cached = self._repository.cached(game_id)
        if cached is not None:
            try:
                admits(cached)
            except _REFUSALS:
                _log.debug("refused on the cached version %d of %s: reading on", cached.version, game_id)
            else:
                return cached
        game = self._repository.fresh(game_id)
        admits(game)
        return game

    def do(self, game: Game, command: Command, *, follow_up: bool = False) -> Answer:
        """Decide and commit a command, exactly once, and return the response.

        With ``follow_up``, the caller also plays the next bot turn, so no job is queued.
        """
        request, charged = _request_id(), False
        while True:
            game, admitted = self._admitted(game, command)
            game = self._credited(game)
            try:
                step = command.decide(game, admitted)
                charged = charged or self._charge(command, game)
            except _REFUSALS as refusal:
                kept, now = self._repository.looked_up(game, kept_under(command.caller, command.key))
                if kept is not None:
                    return _first_answer(kept, command.key)
                if now.head == game.head:
                    raise AtVersion(refusal, game) from refusal
                game = now
                continue
            records, after = aggregate.record(game, step, max(self._now(), game.at), request)
            answer = Answer(command.STATUS, dump(command.shown(after, admitted, records)))
            append = self._append(game, after, records, Kept(command.caller, command.key, answer))
            match self._store.append(replace(append, has_work=False) if follow_up else append):
                case Remembered(kept):
                    return _first_answer(kept, command.key)
                case Conflict(_, missing) if not _is_own(missing, request):
                    game = self._repository.caught_up(game, missing)
                case _:
                    self._repository.keep(after)
                    return answer

    def try_out(self, game_id: str, command: Act) -> representations.DryRun:
        """Check whether an action would be accepted; settle nothing, and reveal nothing that acting would reveal."""
        game = self._repository.fresh(game_id)
        seat = command.admit(game)
        try:
            command.check_moment(game, seat)
            aggregate.decide(game, seat, command.action)
        except _REFUSALS as refusal:
            raise AtVersion(refusal, game) from refusal
        return {"legal": True}

    def create(self, wanted: Create) -> tuple[str, Answer]:
        """Create a game; return its id and the response. A key creates the same game, and only once."""
        check_scope(wanted.caller, "games:create")
        caller, key, request = wanted.caller, wanted.key, _request_id()
        try:
            new = _new_game(self._new_id(caller, key), wanted)
            step = seating.create(new, secrets.token_bytes(32), self._least_move)
            self._limiter.charge(_toll_of_game(step[1], wanted.address), caller.player, new.id)
        except (InvalidOptions, Limited):
            made = self._made_before(caller, key)
            if made is None:
                raise
            return made
        records, game = aggregate.record(None, step, self._now(), request)
        answer = Answer(201, dump(representations.game_at_version(game)))
        match self._store.append(self._append(None, game, records, Kept(caller, key, answer))):
            case Remembered(kept):
                return new.id, _first_answer(kept, key)
            case Conflict(_, missing) if not _is_own(missing, request):
                raise _key_reused()
            case _:
                self._repository.keep(game)
                return new.id, answer

    def _admitted(self, game: Game, command: Command) -> tuple[Game, Seat | None]:
        """Admit a command to the cached game, or else to the current one."""
        try:
            return game, command.admit(game)
        except _REFUSALS:
            now = self._repository.fresh(game.id)
            return now, command.admit(now)

    def _charge(self, command: Command, game: Game) -> bool:
        """Count a command that the game would accept against its limits."""
        toll = command.toll(game)
        if toll is not FREE:
            self._limiter.charge(toll, command.caller.player, game.id)
        return True

    def _credited(self, game: Game) -> Game:
        """First of all, credit the time for which clocks of the game ran while the service was down."""
        while game.times.since and timeouts.owed(game, known := self._downtimes()):
            request = _request_id()
            step = timeouts.credit(game, known)
            records, after = aggregate.record(game, step, max(self._now(), game.at), request)
            match self._store.append(self._append(game, after, records, None)):
                case Conflict(_, missing) if not _is_own(missing, request):
                    game = self._repository.caught_up(game, missing)
                case _:
                    self._repository.keep(after)
                    game = after
        return game

    def _append(self, before: Game | None, after: Game, records: Sequence[Record], kept: Kept | None) -> Append:
        return append_for(before, after, records, self._bot_ms, kept)

    def _new_id(self, caller: Caller, key: Key | None) -> str:
        """Return the id of a new game: derived from the key, if any, so that it is created once, and hard to guess."""
        if key is None:
            return f"gm_{secrets.token_hex(10)}"
        return f"gm_{hmac.digest(self._store.naming_secret(), kept_under(caller, key).encode(), 'sha256').hex()[:20]}"

    def _made_before(self, caller: Caller, key: Key | None) -> tuple[str, Answer] | None:
        """Return the game that was created under a key, with its first response; None if there is none."""
        if key is None:
            return None
        game_id = self._new_id(caller, key)
        kept, _ = self._store.look_up(game_id, 0, kept_under(caller, key))
        return None if kept is None else (game_id, _first_answer(kept, key))


def _is_own(missing: Sequence[Record], request: str) -> bool:
    """Return whether the log already holds this very request, whose reply was lost."""
    return bool(missing) and missing[0].request == request


def _request_id() -> str:
    """Return a name by which the log recognizes a request: unique, not secret."""
    return f"{random.getrandbits(64):016x}"


def _first_answer(kept: bytes, key: Key | None) -> Answer:
    fingerprint, answer = recalled(kept)
    if key is None or fingerprint != key.fingerprint:
        raise _key_reused()
    return answer


def _key_reused() -> Unprocessable:
    return Unprocessable("key-reused", "this Idempotency-Key was used for a different request; use a new one")


def _toll_of_game(game: Game, address: str) -> Toll:
    rates = [("new-games", game.creator)] + ([("new-games-from-address", address)] if address else [])
    runs = game.clock is not None or any(sitter and sitter.bot for sitter in game.sitters)
    takes = {"open-games": game.status == "open", "running-games": runs and not game.is_over}
    return Toll(rates, [place for place in PLACES if takes[place]])


def _new_game(game_id: str, wanted: Create) -> NewGame:
    seats, rules = len(wanted.mine), wanted.ruleset
    return NewGame(
        id=game_id,
        ruleset=rules,
        options=rules.options.complete(wanted.options, seats) if seats in rules.seats else None,
        visibility=wanted.visibility,
        sandbox=wanted.sandbox,
        creator=wanted.caller.player,
        sitters=tuple(wanted.caller.player if mine else None for mine in wanted.mine),
        bots=wanted.bots,
        clock=wanted.clock,
    )
