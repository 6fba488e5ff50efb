"""What a log says of a move that a bot made, beside its events: enough to make the move again.

While the game runs, nobody sees what led to the move (``Thinking``). With the seed, anyone could try which hands would
have led the bot to it; and how early a search ended depends on the cards that it had.
"""

from dataclasses import dataclass
from typing import Literal

from domain.field_types import secret

Chosen = Literal["policy", "any_legal"]


@dataclass(frozen=True, slots=True)
class Thinking:
    """The seed, the playouts done, and how the action was chosen: by the bot's ``policy``, or at random
    (``any_legal``).

    A bot with one legal action plays it without playouts. If a bot fails, the seed chooses any legal action for it.
    """

    seed: int
    done: int
    chosen: Chosen


@dataclass(frozen=True, slots=True)
class BotMove:
    """The bot that moved, its version, its maximum number of playouts, and, once the game is over, its ``thought``."""

    name: str
    version: int
    playouts: int
    thought: Thinking = secret()
