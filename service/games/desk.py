"""The desk: the only way to change a game, for players, bots and the service itself.

A command is decided on the cached game. If it is accepted, one append commits it in a single round trip. The cache can
be outdated, so a refusal is final only after a round trip that has read the rest of the log and any stored response: a
repeated request must get its first response, not a refusal because the moment has passed.
"""

import logging
import random
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import orjson

from domain.chance import Chance
from domain.errors import IllegalAction, InvalidOptions, WrongMoment
from domain.game import aggregate, history, seating, timeouts
from domain.game.aggregate import Decided, Game
from domain.game.durations import instant, moment
from domain.game.forks import Position
from domain.game.seating import NewGame
from domain.game.time_control import LEAST_MOVE
from domain.game.timeouts import ENDLESS, Patience
from domain.log.record import Record
from service.accounts.limits import Toll, Unlimited
from service.accounts.players import Caller, Key
from service.common.errors import AtVersion, Refusal, key_reused
from service.games.access import check_scope
from service.games.commands import Act, Answered, ClaimTimeout, Command, Create, Join, PutBot
from service.games.commit import Kept, append_for, kept_under
from service.games.due_commands import OfService, TakeTurn
from service.games.projections.resources import DryRun
from service.games.repository import GameRepository, head_of
from service.store.codec import Answer, canonical, recalled, remembered
from service.store.event_store import Conflict, Remembered, Replanned
from service.store.sharing import Repeats, is_same

_log = logging.getLogger(__name__)
SeatT = TypeVar("SeatT")

_REFUSALS = (Refusal, WrongMoment, IllegalAction, InvalidOptions)
_NO_ANSWER = Answer(204, b"")
"""The response to a command of the service: no client sent it."""


class PlanChanged(Exception):
    """The plan that a seat acted by has changed; nothing was appended."""


class GameExists(Exception):
    """The game has been created before."""


@dataclass(frozen=True, slots=True)
class _Committed:
    game: Game
    answer: Answer


class Desk:
    """Handle commands for all games of one store.

    ``patience`` is how long the service waits before it acts. ``downtimes`` returns the periods in which the service
    was down, in ms; the time for which a clock ran in them is credited before anything else is written. It is called
    only if a clock runs. ``least_move`` is the minimum time for a move, in ms, that the clock of a new game can give.
    """

    def __init__(
        self,
        repository: GameRepository,
        now: Callable[[], str],
        patience: Patience = ENDLESS,
        downtimes: Callable[[], Sequence[tuple[int, int]]] = tuple,
        limiter: Unlimited | None = None,
        least_move: int = LEAST_MOVE,
    ) -> None:
        self._repository = repository
        self._store = repository.store
        self._now = now
        self.limiter = limiter or Unlimited()
        self.patience = patience
        self._downtimes = downtimes
        self._least_move = least_move

    def now(self) -> int:
        """Return the time with which the desk stamps commits, in ms since 1970."""
        return instant(self._now())

    def enter(self, game_id: str, admit: Callable[[Game], object]) -> Game:
        """Return the game that the rest of a request is read against; raise the refusal of ``admit``.

        This is the cached game if ``admit`` accepts it, otherwise the current one, whose refusal is final.
        """
        cached = self._repository.cached(game_id)
        if cached is not None:
            try:
                admit(cached)
            except _REFUSALS:
                _log.debug("refused on the cached version %d of %s: reading on", cached.version, game_id)
            else:
                return cached
        game = self._repository.fresh(game_id)
        admit(game)
        return game

    def do(self, game: Game, command: Command[SeatT], *, follow_up: bool = False) -> Answer:
        """Decide and commit a command on a game, exactly once, and return the response.

        With ``follow_up``, the caller also plays the next bot turn, so no job is queued.
        """
        # All attempts use one id: if a reply is lost, the id in the log shows that the records are already there.
        request, charged = _request_id(), False
        while True:
            game = self._credited(game)
            # Check access on every attempt: the caller can have lost the seat since the last one.
            seat = command.admit(game)
            try:
                step = aggregate.bounded(game, command.decide(game, seat))
                # Count it once, however many attempts it takes, and only if the rules accept it.
                charged = charged or self._pay(command.caller, command.toll(game), game.id, len(step[0]))
            except _REFUSALS as refusal:
                outcome: _Committed | Remembered | Conflict | Game = self._looked_up(game, command, refusal)
            else:
                show = partial(command.shown, seat=seat)
                outcome = self._commit(game, step, request, command, show, follow_up=follow_up)
            match outcome:
                case _Committed(_, answer):
                    return answer
                case Remembered():
                    return first_answer(outcome, command.key)
                case Conflict(_, missing):
                    game = self._repository.caught_up(game, missing)
                case Game():
                    game = outcome

    def _looked_up(self, game: Game, command: Answered, refusal: Exception) -> Remembered | Game:
        """Return the stored response to a refused request, or the current game; raise the refusal if it is final."""
        response, now = self._repository.looked_up(game, kept_under(command.caller, command.key))
        if response is not None:
            return response
        if now.head == game.head:
            raise AtVersion(refusal, game) from refusal
        return now

    def try_out(self, game_id: str, command: Act) -> DryRun:
        """Check whether an action would be accepted, without settling it, so that a dry run reveals nothing hidden."""
        game = self._repository.fresh(game_id)
        seat = command.admit(game)
        try:
            command.check_moment(game, seat)
            aggregate.decide(game, seat, command.action)
        except _REFUSALS as refusal:
            raise AtVersion(refusal, game) from refusal
        return {"legal": True}

    def check(self, new: NewGame) -> None:
        """Reject a game that could not be created."""
        seating.create(new, secrets.token_bytes(32), self._least_move)

    def create(self, command: Create) -> tuple[str, Answer]:
        """Create a game; return its id and the response. With a key, the game is created only once.

        Raise ``GameExists`` if a game whose id is determined has been created before, such as a rematch.
        """
        check_scope(command.caller, "games:create")
        caller, key = command.caller, command.key
        try:
            position = command.begins() if command.begins else None
            new = _new_game(command.id or self._new_id(caller, key, command.rematch_of), command)
            secret = secrets.token_bytes(32)
            step = seating.create(new, secret, self._least_move)
            events = len(step[0]) + (position.origin.events if position is not None else 0)
            self._pay(caller, command.toll(step[1]), new.id, events)
            # Counted before the story is drawn and folded, which takes long for a long game.
            if position is not None:
                step = seating.create(_fork(new, position, secret), secret, self._least_move)
        except _REFUSALS:
            earlier = self._made_before(caller, key)
            if earlier is None:
                raise
            return earlier
        show = partial(command.shown, patience=self.patience)
        outcome = self._commit(None, step, _request_id(), command, show, position=position)
        match outcome:
            case _Committed(_, answer):
                return new.id, answer
            case Remembered():
                return new.id, first_answer(outcome, key)
            case Conflict():
                raise GameExists if command.rematch_of or command.id else key_reused()

    def rematch_id(self, game_id: str) -> str:
        return self._store.derived_id("gm_", f"rematch {game_id}")

    def _pay(self, caller: Caller, toll: Toll, game_id: str, events: int) -> bool:
        """Count a write that the rules accept, and its events, against limits; return True."""
        self.limiter.pay(toll, caller.player, caller.address, game_id, events)
        return True

    def _credited(self, game: Game) -> Game:
        """Credit the time for which clocks of the game ran while the service was down; return the game after that."""
        while game.times.since and (downtimes := self._downtimes()) and timeouts.owed(game, downtimes):
            outcome = self._commit(game, aggregate.bounded(game, timeouts.credit(game, downtimes)), _request_id())
            if isinstance(outcome, _Committed):
                game = outcome.game
            elif isinstance(outcome, Conflict):
                game = self._repository.caught_up(game, outcome.missing)
        return game

    def _commit(  # noqa: PLR0913 - what is written, for whom, and where it begins
        self,
        before: Game | None,
        step: Decided,
        request: str,
        sender: Answered | None = None,
        show: Callable[[Game, Sequence[Record]], object] | None = None,
        *,
        follow_up: bool = False,
        position: Position | None = None,
    ) -> _Committed | Remembered | Conflict:
        """Write what was decided, with the response to its sender, or return why that is not possible.

        ``position`` is the one at which a fork begins.
        """
        by_bot = sender.by_bot if isinstance(sender, Act | TakeTurn) else None
        at = max(self._written_at(sender), before.at if before else "")  # the wall clock can go back
        records, after = history.record(before, step, at, request, canonical, by_bot)
        # No client waits for a move by a plan, so its player gets notices as after another player's move.
        answer, kept = _NO_ANSWER, Kept()
        by_plan = sender.by_plan if isinstance(sender, Act) else None
        if show is not None and sender is not None and sender.caller.player and by_plan is None:
            answer = Answer(sender.STATUS, orjson.dumps(show(after, records)), head_of(after))
            kept = Kept(by=sender.caller.player)
        # The response is stored in the step that appends, so a repeated request gets it and never acts twice.
        if sender is not None and sender.key is not None:
            name, stored = kept_under(sender.caller, sender.key), remembered(sender.key.fingerprint, answer)
            kept = Kept(name, stored, kept.by)
        append = append_for(before, after, records, self.patience, kept, follow_up=follow_up)
        if by_plan is not None:
            append = replace(append, carried=by_plan(records))
        if position is not None:
            append = replace(append, repeats=_repeats(records, position))
        outcome = self._store.append(append)
        if isinstance(outcome, Replanned):
            raise PlanChanged
        if isinstance(outcome, Remembered) or (isinstance(outcome, Conflict) and not _is_own(outcome.missing, request)):
            return outcome
        # Cached only now: a game in the cache can be behind its log, but never ahead of it.
        self._repository.keep(after, records)
        return _Committed(after, answer)

    def _written_at(self, sender: Answered | None) -> str:
        """Return the time of the events: not before the time at which a clock was judged.

        The time to open seeds begins at exactly the time of the event that seats the last player.
        """
        if isinstance(sender, Join | PutBot):
            return moment(sender.now)
        if isinstance(sender, OfService | ClaimTimeout):
            return max(self._now(), moment(sender.now))
        return self._now()

    def _new_id(self, caller: Caller, key: Key | None, rematch_of: str | None = None) -> str:
        """Return the id of a new game, hard to guess; one derived from a key creates the game only once."""
        if rematch_of is not None:
            return self.rematch_id(rematch_of)
        return f"gm_{secrets.token_hex(10)}" if key is None else self._store.derived_id("gm_", kept_under(caller, key))

    def _made_before(self, caller: Caller, key: Key | None) -> tuple[str, Answer] | None:
        if key is None:
            return None
        game_id = self._new_id(caller, key)
        response, _ = self._store.look_up(game_id, 0, kept_under(caller, key))
        return None if response is None else (game_id, first_answer(response, key))


def _is_own(missing: Sequence[Record], request: str) -> bool:
    """Return whether the log already holds this request, whose reply was lost."""
    return bool(missing) and missing[0].request == request


def _request_id() -> str:
    """Return an id by which the log recognizes a request: unique, not secret."""
    return f"{random.getrandbits(64):016x}"


def first_answer(kept: Remembered, key: Key | None) -> Answer:
    fingerprint, answer = recalled(kept.answer)
    if key is None or fingerprint != key.fingerprint:
        raise key_reused()
    return answer


def _fork(new: NewGame, position: Position, secret: bytes) -> NewGame:
    """Start a new game from a position; cards hidden from its creator are redrawn with the new game's secret."""
    chance = Chance(secret, new.id, (None,) * len(new.sitters))
    return replace(new, forked_from=position.origin, story=tuple(position.story(chance)))


def _repeats(records: Sequence[Record], position: Position) -> Repeats:
    """Return the part of another log that a fork repeats unchanged, so that it is not stored again."""
    after = next(record.version for record in records if record.type == "game_started")
    pairs = zip(records[after:], position.known, strict=True)
    versions = [origin.version if origin and is_same(record, origin) else None for record, origin in pairs]
    return Repeats(position.game.id, after, versions)


def _new_game(game_id: str, command: Create) -> NewGame:
    seats, rules = len(command.sitters), command.ruleset
    return NewGame(
        id=game_id,
        ruleset=rules,
        options=rules.options.complete(command.options, seats) if seats in rules.seats else None,
        visibility=command.visibility,
        sandbox=command.sandbox,
        creator=command.caller.player,
        sitters=command.sitters,
        bots=command.bots,
        clock=command.clock,
        bot_pace=command.bot_pace,
        opening=command.opening,
        rematch_of=command.rematch_of,
        deal=command.deal,
    )
