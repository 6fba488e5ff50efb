"""Who sees to games: moves for bots, takes turns that timed out, ends pauses. What has to be done stands in the log.

To see to a decision that has passed does nothing, and of two who see to the same decision one does nothing: what is
decided here names the decision it was made for, like a player's action. What is proposed meanwhile hinders nobody.
"""

import logging
import random
import secrets
import time
from collections.abc import Callable
from typing import Any

from domain.errors import IllegalAction
from domain.game import aggregate, timeouts
from domain.game.aggregate import Game, WrongMoment
from domain.game.durations import instant
from domain.table import Seat
from service.bots import BOTS, RANDOM
from service.errors import Malformed, NotFound, Stale
from service.forms import action_of
from service.games import representations
from service.games.commands import Order
from service.games.desk import AtVersion, Games
from service.games.late_commands import EndPause, TakeTurn, caller_for
from service.store.counters import Counters
from service.store.event_store import LogDamaged
from service.store.heartbeat import ODD_SILENCE, Heartbeat
from service.store.priority import Rank, priority_of
from workers.policy_process import PolicyFailed, PolicyProcess

_log = logging.getLogger("plateau.worker")
_MOST_SECONDS = 0.1
"""For how long a game of bots is played on before others have their turn."""


class TurnWorker:
    """Sees to the games of one store; ``is_urgent`` says whether a player waits for some game."""

    def __init__(
        self,
        games: Games,
        policy_process: PolicyProcess,
        heartbeat: Heartbeat,
        counters: Counters,
        now: Callable[[], str],
        is_urgent: Callable[[], bool] = bool,
    ) -> None:
        self._games = games
        self._policy_process = policy_process
        self._heartbeat = heartbeat
        self._counters = counters
        self._now = now
        self._is_urgent = is_urgent

    def stop(self) -> None:
        """Let nothing run on."""
        self._policy_process.stop()

    def see_to(self, game_id: str, version: int | None) -> None:
        """Do what is to be done in a game, if it was to be done at that version already; None for whatever it is.

        Nothing is done in a damaged game.
        """
        try:
            self._see_to(game_id, version)
        except NotFound:
            _log.warning("there is no game %s to see to", game_id)
        except LogDamaged as damaged:
            _log.error("%s", damaged, extra={"fields": {"game": game_id, "version": damaged.version}})

    def _see_to(self, game_id: str, version: int | None) -> None:
        game = self._games.current(game_id)
        if version is not None and not _was_to_be_done(game, version):
            self._counters.count("outdated")
            return
        try:
            if timeouts.bots_to_act(game):
                self._move_on(game)
            else:
                self._do_what_is_due(game)
        except AtVersion as refused:
            if not isinstance(refused.refusal, WrongMoment | Stale):
                raise
            self._counters.count("outdated")

    def _move_on(self, game: Game) -> None:
        """Move for a bot, and for the bots after it: a game of bots need not be queued for every move.

        Whoever is killed on the way leaves the rest to the sweep.
        """
        until = time.monotonic() + _MOST_SECONDS
        goes_on = True
        while goes_on and (bots := timeouts.bots_to_act(game)):
            seat, version = min(bots), game.version
            name = game.bot_of(seat) or RANDOM
            action = self._choice(game, seat, name)
            goes_on = time.monotonic() < until and not self._gives_way(game)
            self._move(game, seat, action, goes_on=goes_on)
            self._counters.count("bot_moves", name)
            game = self._games.known(game.id) or game
            goes_on = goes_on and game.version > version

    def _gives_way(self, game: Game) -> bool:
        """Say whether a player waits for another game while none waits for this one."""
        return priority_of(game).rank != Rank.AWAITED and self._is_urgent()

    def _move(self, game: Game, seat: Seat, action: Any, *, goes_on: bool) -> None:
        """Act for a bot, through the door that a player's action takes."""
        decision = game.decision_id(seat)
        order = Order(lambda _: (action, decision), seat, None, None)
        self._games.act(game.id, caller_for(seat), lambda: order, goes_on=goes_on)

    def _do_what_is_due(self, game: Game) -> None:
        if self._heartbeat.silence() > ODD_SILENCE:
            _log.info("no web process serves: nobody's time runs out")
        elif game.status == "paused":
            self._games.write(game.id, EndPause(instant(self._now())))
            self._counters.count("pauses_ended")
        else:
            self._take_late_turn(game, instant(self._now()))

    def _take_late_turn(self, game: Game, now: int) -> None:
        """Resign a seat whose time is up, or have a bot decide for it."""
        seat = timeouts.late_seat(game, now)
        if seat is None:
            return
        if timeouts.resigns(game):
            turn = TakeTurn(seat, game.decision_id(seat), now)
        else:
            name = game.clock.bot if game.clock else RANDOM
            turn = TakeTurn(seat, game.decision_id(seat), now, name, self._choice(game, seat, name))
        self._games.write(game.id, turn)
        self._counters.count("timeouts", "bot" if turn.bot else "resign")

    def _choice(self, game: Game, seat: Seat, name: str) -> Any:
        """Ask a bot for an action; if it has none, or not a legal one, take any."""
        try:
            answer = self._policy_process.choose(
                BOTS[name].policy, representations.view(game, seat), secrets.randbits(64)
            )
            return legal(game, seat, answer)
        except (PolicyFailed, IllegalAnswer, KeyError) as failure:
            reason, detail = (
                (failure.reason, failure.detail) if isinstance(failure, PolicyFailed) else (type(failure).__name__, "")
            )
        fields = {"bot": name, "reason": reason, "detail": detail, "game": game.id, "version": game.version}
        _log.error("a bot failed; another one moves for it", extra={"fields": fields})
        self._counters.count("bot_failures", name)
        return random.choice(game.ruleset.legal_actions(game.state, seat))  # noqa: S311 - a move, not a secret


class IllegalAnswer(Exception):
    """What a bot answered is no legal action."""


def legal(game: Game, seat: Seat, answer: Any) -> Any:
    """Read a bot's answer as a player's request is read, and have the rules judge it; raises ``IllegalAnswer``.

    A decision that it names says nothing: the bot was asked for the one that is pending.
    """
    if not isinstance(answer, dict):
        raise IllegalAnswer
    try:
        action, _ = action_of(game.ruleset, answer)
        aggregate.decide(game, seat, action)
    except (Malformed, IllegalAction) as error:
        raise IllegalAnswer from error
    return action


def _was_to_be_done(game: Game, version: int) -> bool:
    """Say whether what a game waits for is what it waited for at a version, though it may have been talked about."""
    return game.status == "paused" or any(since <= version for since in game.pending.values())
