"""Whether the seed of a bot's move is the one that it had to have."""

from domain.chance import bot_seed
from domain.game.aggregate import Game
from domain.log.bot_moves import BotMove
from domain.table import Seat


def is_seed_of(game: Game, seat: Seat, by: BotMove) -> bool:
    """Return whether a bot's seed follows from the secret of a game, by which the bot moves next.

    It is that of the version at which the bot was asked. Proposals and votes can come after that, and so can the moves
    of other seats, where several can act; the decision is still the same.
    """
    asked = range(game.version, game.pending.get(seat, game.version + 1) - 1, -1)
    bot = (by.name, by.version)
    return any(by.thought.seed == bot_seed(game.secret, game.id, seat, version, bot) for version in asked)
