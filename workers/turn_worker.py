"""The turn worker: makes moves of bots, carries out plans, and ends turns, pauses, seed openings and games in time.

The log determines the work. Handling an outdated decision is a no-op, and if two workers handle the same decision, only
one takes effect: like a player's action, each command names the decision that it was made for. Proposals and votes in
between do not matter.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from domain.errors import IllegalAction, WrongMoment
from domain.game import seating, timeouts
from domain.game.aggregate import Game
from domain.game.durations import instant
from domain.game.seating import NewGame
from domain.registry import RULESETS
from domain.table import Seat
from service.bots import BOTS, RANDOM
from service.common import observability
from service.common.errors import AtVersion, Limited, NotFound, Stale
from service.common.observability import METRICS
from service.deal_sets.move_store import MoveStore
from service.games.advice.question_store import PREFIX
from service.games.commands import Act, bot_caller
from service.games.commit import priority_of
from service.games.desk import Desk
from service.games.due_commands import CloseSeeds, EndPause, Expire, TakeTurn
from service.games.indexing import postpone, remove
from service.games.plans.planned_moves import PlannedMoves
from service.games.repository import GameRepository
from service.jobs.fair_queue import FairQueue, Job
from service.store.event_store import NotServed, StoreUnavailable
from service.store.game_index import Rank
from service.store.heartbeat import ODD_SILENCE, Heartbeat
from workers import choosing
from workers.choosing import Choice, IllegalAnswer
from workers.held_moves import HeldMoves
from workers.loops import away
from workers.policy_process import PolicyFailed, PolicyProcess

_log = logging.getLogger("plateau.worker")
_SOON_MS = 60_000
"""A game that is due so soon, by a clock that may be ahead of this one, will be queued again."""
_MOST_SECONDS = 0.1
"""How long a worker continues a game of bots before other games have their turn."""


class TurnWorker:
    """Handle the games of one store; ``is_urgent`` returns whether a player is waiting for a game.

    ``answer`` answers a question about a game apart from its turns.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the parts that it is made of
        self,
        desk: Desk,
        repository: GameRepository,
        policy_process: PolicyProcess,
        heartbeat: Heartbeat,
        planned_moves: PlannedMoves,
        is_urgent: Callable[[], bool] = bool,
        answer: Callable[[str], object] = str,
    ) -> None:
        self._desk = desk
        self._repository = repository
        self._moves = MoveStore(repository.store)
        self.policy_process = policy_process
        self._heartbeat = heartbeat
        self._planned_moves = planned_moves
        self._is_urgent = is_urgent
        self._answer = answer
        self.held = HeldMoves(desk.now)
        self._not_served: set[str] = set()

    def warm_up(self) -> None:
        """Let every bot choose once in a new game of every ruleset, so that its first real move loads nothing."""
        for ruleset in RULESETS.values():
            seats = ruleset.seats[0]
            options, players = ruleset.options.complete({}, seats), ("pl_warm",) * seats
            new = NewGame("gm_warm", ruleset, options, "private", sandbox=True, creator=players[0], sitters=players)
            try:
                _, game = seating.create(new, bytes(32))
                for name in (name for name, bot in BOTS.items() if bot.plays(ruleset.id)):
                    choosing.choice(game, min(game.pending), name, self.policy_process)
            except Exception:  # noqa: BLE001 - a ruleset or bot that fails must not stop the moves of the others
                _log.info("no bot is warm for %s", ruleset.id, exc_info=True)

    def stop(self, queue: FairQueue) -> None:
        """Leave moves that are held for long to other workers, wait for the others, and stop the policies.

        Such a move does not appear later: its moment follows from the pace of the table, and another worker has time to
        choose it again.
        """
        try:
            queue.put([Job(game_id, None) for game_id, _ in self.held.give_back()])
        except StoreUnavailable as error:
            away.report(error)  # the sweeper finds them
        self.held.finish()
        self.policy_process.stop()

    def handle(self, game_id: str, version: int | None) -> None:
        """Do the pending work of a game, if it was already pending at that version; None is any version.

        A game that cannot be served is logged once.
        """
        trace = self._repository.store.trace_of(game_id) if observability.is_on() else ""
        with observability.span("job", trace, **{"plateau.game": game_id}):
            self._handle_or_answer(game_id, version)

    def _handle_or_answer(self, game_id: str, version: int | None) -> None:
        if game_id.startswith(PREFIX):
            self._answer(game_id)
            return
        try:
            self._handle(game_id, version)
        except NotFound:
            _log.warning("there is no game %s to handle", game_id)
        except NotServed as reason:
            if game_id not in self._not_served:
                _log.error("%s", reason, extra={"fields": {"game": game_id, "version": reason.version}})
            self._not_served.add(game_id)

    def _handle(self, game_id: str, version: int | None) -> None:
        game = self._repository.fresh(game_id)
        if version is not None and not _was_to_be_done(game, version):
            METRICS.count("outdated")
            return
        with self._outdated():
            if timeouts.bots_to_act(game):
                self._move_bots(game)
            elif not self._planned_moves.carry_out(game):
                self._do_what_is_due(self._repository.cached(game.id) or game)

    def _move_bots(self, game: Game) -> None:
        """Make the move of a bot, and of the bots after it, so that a game of bots is not queued for every move.

        If this process is killed in between, the sweeper finds the game. A game without players counts for its creator:
        once they have reached the limit on events, it waits until there is room.
        """
        if not game.has_players and not self._has_room(game.creator):
            return
        until = time.monotonic() + _MOST_SECONDS
        continues = True
        while continues and (bots := timeouts.bots_to_act(game)):
            seat, version = min(bots), game.version
            name = game.mover(seat) or RANDOM
            turn = Act(caller=bot_caller(seat), seat=seat, action=None, decision=game.decision_id(seat))
            continues = self._submit(game, seat, name, turn, until)
            game = self._repository.cached(game.id) or game
            continues = continues and game.version > version
            if not game.has_players:
                self._desk.limiter.note("events-written", game.creator, game.version - version)

    def _has_room(self, creator: str) -> bool:
        try:
            self._desk.limiter.check("events-written", creator)
        except Limited:
            return False
        return True

    def _gives_way(self, game: Game) -> bool:
        """Return whether a player is waiting for another game while none is waiting for this one."""
        return priority_of(game).rank != Rank.URGENT and self._is_urgent()

    def _do_what_is_due(self, game: Game) -> None:
        if self._heartbeat.silence() > ODD_SILENCE:
            _log.info("no web process serves, so no clock runs out")
        elif game.status == "paused":
            self._desk.do(game, EndPause(now=self._desk.now()))
            METRICS.count("pauses_ended")
        elif game.awaited is not None:
            self._desk.do(game, CloseSeeds(now=self._desk.now()))
            METRICS.count("seeds_closed")
        elif game.is_over:
            self._remove(game)
        elif self._ends_soon(game):
            self._desk.do(game, Expire(now=self._desk.now(), patience=self._desk.patience))
            METRICS.count(f"{'open' if game.status == 'open' else 'idle'}_games_ended")
        elif game.status == "active":
            self._take_late_turn(game, self._desk.now())
        else:
            postpone(self._repository, game, self._desk.patience)

    def _remove(self, game: Game) -> None:
        """Remove a sandbox whose time after its end is over; no other finished game is due."""
        at = timeouts.goes(game, self._desk.patience)
        if at is None or at > self._desk.now():
            postpone(self._repository, game, self._desk.patience)
        elif remove(self._repository, game, self._desk.patience) == "removed":
            METRICS.count("sandboxes_removed")

    def _ends_soon(self, game: Game) -> bool:
        """Return whether a game ends about now by the current settings; its deadline can be from earlier ones."""
        at = timeouts.expires(game, self._desk.patience)
        return at is not None and at <= self._desk.now() + _SOON_MS

    def _take_late_turn(self, game: Game, now: int) -> None:
        seat = timeouts.late_seat(game, now)
        if seat is None:
            self._planned_moves.leave(game)
            return
        decision = game.decision_id(seat)
        if timeouts.loses(game):
            self._desk.do(game, TakeTurn(now=now, seat=seat, decision=decision))
            METRICS.count("timeouts", "resign")
            return
        name = game.clock.bot if game.clock else RANDOM
        self._submit(game, seat, name, TakeTurn(now=now, seat=seat, decision=decision, bot=name))

    def _submit(self, game: Game, seat: Seat, name: str, turn: Act | TakeTurn, until: float = 0.0) -> bool:
        """Submit a turn with the action that a bot chooses, at once or at the moment at which it must appear.

        Return whether this worker also plays the next bot turn: before ``until``, unless another game is urgent, or
        players are at the table.
        """
        held = (game.id, game.decision_id(seat))
        if self.held.holds(held):
            return False
        moment = self._moment(game, name, turn)
        try:
            chosen = choosing.choice(game, seat, name, self.policy_process, self._moves)
        except (PolicyFailed, IllegalAnswer) as failure:
            chosen = self._any_legal(game, seat, name, failure.reason, failure.detail)
        if moment is not None and moment > self._desk.now():
            commit = partial(self._play_held, game, seat, turn, chosen, observability.carried())
            self.held.hold(held, moment, commit)
            return False
        follow_up = moment is None and time.monotonic() < until and not self._gives_way(game)
        self._play(game, seat, turn, chosen, follow_up=follow_up)
        return follow_up

    def _moment(self, game: Game, name: str, turn: Act | TakeTurn) -> int | None:
        """Return when the move of a bot that begins to think now must appear, whatever it thinks; None for at once."""
        pause = timeouts.bot_pause(game, self._desk.patience) if isinstance(turn, Act) else 0
        moments = [instant(game.at) + pause] if pause else []
        if timeouts.hides_thinking(game, self._desk.patience):
            playouts = BOTS[name].playouts if name in BOTS else 0
            moments.append(self._desk.now() + self.policy_process.most_ms(playouts))
        return max(moments, default=None)

    def _any_legal(self, game: Game, seat: Seat, name: str, reason: str, detail: str = "") -> Choice:
        fields = {"bot": name, "reason": reason, "detail": detail, "game": game.id, "version": game.version}
        _log.error("a bot failed; any legal action is played for it", extra={"fields": fields})
        METRICS.count("bot_failures", name)
        return choosing.any_legal(game, seat, name)

    def _play_held(self, game: Game, seat: Seat, turn: Act | TakeTurn, chosen: Choice, trace: str) -> None:
        """Commit a move at its moment, unless the turn has been taken."""
        with observability.span("held", trace, **{"plateau.game": game.id}), self._outdated():
            self._play(game, seat, turn, chosen)

    def _play(self, game: Game, seat: Seat, turn: Act | TakeTurn, chosen: Choice, *, follow_up: bool = False) -> None:
        """Commit a bot's choice, or any legal action if the choice is illegal."""
        by = chosen.by
        try:
            self._desk.do(game, replace(turn, action=chosen.action, by_bot=by), follow_up=follow_up)
        except AtVersion as refused:
            if not isinstance(refused.refusal, IllegalAction):
                raise
            chosen = self._any_legal(game, seat, by.name, IllegalAnswer.__name__)
            self._desk.do(game, replace(turn, action=chosen.action, by_bot=chosen.by), follow_up=follow_up)
        METRICS.count(*(("bot_moves", by.name) if isinstance(turn, Act) else ("timeouts", "bot")))

    @contextmanager
    def _outdated(self) -> Iterator[None]:
        """Count a command that came too late, because another worker has handled the turn."""
        try:
            yield
        except AtVersion as refused:
            if not isinstance(refused.refusal, WrongMoment | Stale):
                raise
            METRICS.count("outdated")


def _was_to_be_done(game: Game, version: int) -> bool:
    """Return whether the game still waits for what it waited for at a version; proposals do not matter."""
    return game.status in ("open", "paused") or any(since <= version for since in game.pending.values())
