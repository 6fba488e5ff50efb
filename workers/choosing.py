"""A bot's move: its policy is asked for an action, and the log gets what is needed to repeat the choice."""

import random
import time
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
from service.deal_sets.move_store import MoveStore
from service.games.projections import representations
from service.input.forms import action_of
from workers.bots.policy import Thought
from workers.policy_process import PolicyProcess

_WORTH_SECONDS = 0.01
"""A choice that took this long is stored for the other tables of a deal."""
_GONE = Bot("It is not known any more.", "", version=0)


@dataclass(frozen=True, slots=True)
class Choice:
    """An action of the ruleset, and the record of the bot that chose it."""

    action: Any
    by: BotMove


class IllegalAnswer(Exception):
    """A bot returned something other than an action."""

    detail = ""

    def __init__(self, reason: str = "IllegalAnswer") -> None:
        super().__init__(reason)
        self.reason = reason


def choice(game: Game, seat: Seat, name: str, process: PolicyProcess, moves: MoveStore | None = None) -> Choice:
    """Ask a bot for an action, and read it like a player's request; an only legal action needs no question.

    A decision id in the answer is ignored, because the bot was asked for the pending decision. ``moves`` are those of
    bots at other tables of the same deal.
    """
    if name not in BOTS:
        raise IllegalAnswer("KeyError")
    bot, seed = BOTS[name], _seed(game, seat, name)
    if game.unmasked is None:
        thought = _thought(game, seat, lambda view: process.think(bot.policy, view, seed, bot.playouts))
    else:  # no search in a deal of a set is ended by time: a slow machine would play differently
        most = bot.playouts
        think = partial(_thought, game, seat, lambda view: process.think_again(bot.policy, view, seed, most, most))
        place = bot_seeds.place_of(game, seat, (name, bot.version))
        thought = _recalled(moves, game.draws.game_id, place, think) if moves else think()
    # The bot of another package can claim any number, and an impossible one would make the log look forged.
    done = min(max(thought.playouts, 0), bot.playouts)
    return Choice(_action(game, thought), _noted(game, seat, name, done=done))


def _recalled(moves: MoveStore, set_id: str, place: str, think: Callable[[], Thought]) -> Thought:
    """Return a bot's answer at another table of a deal, or ask it; store an answer that took long."""
    known = moves.find(set_id, place)
    if known is not None:
        return Thought(known["action"], known["playouts"])
    began = time.monotonic()
    thought = think()
    if time.monotonic() - began > _WORTH_SECONDS:
        moves.keep(set_id, place, {"action": thought.action, "playouts": thought.playouts})
    return thought


def any_legal(game: Game, seat: Seat, name: str) -> Choice:
    """Choose any legal action for a bot that has failed, by the seed of its move."""
    action = _drawn(game, seat, _seed(game, seat, name))
    return Choice(action, _noted(game, seat, name, chosen="any_legal"))


def chosen_again(game: Game, seat: Seat, by: BotMove, process: PolicyProcess) -> Any:
    """Repeat the choice of a bot; raise ``IllegalAnswer`` or ``PolicyFailed`` if it fails now."""
    seed, done = by.thought.seed, by.thought.done
    if by.thought.chosen == "any_legal":
        return _drawn(game, seat, seed)
    policy = BOTS[by.name].policy
    again = _thought(game, seat, lambda view: process.think_again(policy, view, seed, by.playouts, done))
    return _action(game, again)


def _thought(game: Game, seat: Seat, ask: Callable[[Any], Thought]) -> Thought:
    """Return the only legal action, or the answer of a policy to the view."""
    view = representations.view(bot_seeds.shared(game), seat)
    listed = view["legal_actions"]["actions"]
    return Thought(listed[0]) if listed is not None and len(listed) == 1 else ask(view)


def _action(game: Game, thought: Thought) -> Any:
    return bot_seeds.masked(game, read_answer(game, thought.action))


def _drawn(game: Game, seat: Seat, seed: int) -> Any:
    rng = random.Random(seed)  # noqa: S311 - a move, not a secret
    return bot_seeds.masked(game, rng.choice(game.ruleset.legal_actions(bot_seeds.shared(game).state, seat)))


def read_answer(game: Game, answer: Any) -> Any:
    """Read the answer of a policy; raise ``IllegalAnswer`` if it does not have the form of an action."""
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
