"""What a bot does in its turn: its policy is asked, and what led to the action is noted, so that it can be repeated."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from domain.game import bot_seeds
from domain.game.aggregate import Game
from domain.log.bot_moves import BotMove, Chosen, Thinking
from domain.table import Seat
from service.bots import BOTS, Bot
from service.common.errors import Malformed
from service.games.projections import representations
from service.input.forms import action_of
from workers.bots.policy import Thought
from workers.policy_process import PolicyProcess

_GONE = Bot("It is not known any more.", "", version=0)


@dataclass(frozen=True, slots=True)
class Choice:
    """An action of the ruleset, and what is noted of the bot that chose it."""

    action: Any
    by: BotMove


class IllegalAnswer(Exception):
    """A bot returned something other than an action."""

    detail = ""

    def __init__(self, reason: str = "IllegalAnswer") -> None:
        super().__init__(reason)
        self.reason = reason


def choice(game: Game, seat: Seat, name: str, process: PolicyProcess) -> Choice:
    """Ask a bot for an action, and read it as a player's request is read; the only legal action needs no thought.

    A decision named in the answer is ignored: the bot was asked for the pending one.
    """
    if name not in BOTS:
        raise IllegalAnswer("KeyError")
    bot, seed = BOTS[name], _seed(game, seat, name)
    if game.unmasked is None:
        ask = partial(process.think, bot.policy)
    else:  # no search of a deal of a set is ended by time: a machine that is slow just now would play otherwise
        ask = partial(process.think_again, bot.policy, done=bot.playouts)
    action, done = _chosen(game, seat, lambda view: ask(view, seed, bot.playouts))
    # A bot of a package can claim any number, and a log with one that cannot be would look forged.
    return Choice(action, _noted(game, seat, name, done=min(max(done, 0), bot.playouts)))


def any_legal(game: Game, seat: Seat, name: str) -> Choice:
    """Choose any legal action for a bot that has failed to, by the seed of its move."""
    action = _drawn(game, seat, _seed(game, seat, name))
    return Choice(action, _noted(game, seat, name, chosen="any_legal"))


def chosen_again(game: Game, seat: Seat, by: BotMove, process: PolicyProcess) -> Any:
    """Choose as a bot once did; raise ``IllegalAnswer`` or ``PolicyFailed`` if it fails now."""
    seed, done = by.thought.seed, by.thought.done
    if by.thought.chosen == "any_legal":
        return _drawn(game, seat, seed)
    policy = BOTS[by.name].policy
    return _chosen(game, seat, lambda view: process.think_again(policy, view, seed, by.playouts, done))[0]


def _chosen(game: Game, seat: Seat, ask: Callable[[Any], Thought]) -> tuple[Any, int]:
    """Return the only legal action, or what a policy thinks of the view, and the playouts done for it."""
    view = representations.view(bot_seeds.shared(game), seat)
    listed = view["legal_actions"]["actions"]
    thought = Thought(listed[0]) if listed is not None and len(listed) == 1 else ask(view)
    return bot_seeds.masked(game, read_answer(game, thought.action)), thought.playouts


def _drawn(game: Game, seat: Seat, seed: int) -> Any:
    rng = random.Random(seed)  # noqa: S311 - a move, not a secret
    return bot_seeds.masked(game, rng.choice(game.ruleset.legal_actions(bot_seeds.shared(game).state, seat)))


def read_answer(game: Game, answer: Any) -> Any:
    """Read what a policy returned; raise ``IllegalAnswer`` if it does not have the form of an action."""
    if not isinstance(answer, dict):
        raise IllegalAnswer
    try:
        return action_of(game.ruleset, answer)[0]
    except Malformed as error:
        raise IllegalAnswer from error


def _seed(game: Game, seat: Seat, name: str) -> int:
    return next(bot_seeds.seeds_of(game, seat, (name, BOTS.get(name, _GONE).version)))


def _noted(game: Game, seat: Seat, name: str, *, done: int = 0, chosen: Chosen = "policy") -> BotMove:
    bot = BOTS.get(name, _GONE)
    return BotMove(name, bot.version, bot.playouts, Thinking(_seed(game, seat, name), done, chosen))
